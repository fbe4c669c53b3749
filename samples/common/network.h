/*
 * Shared by the samples that are neural networks: the layers' results on the CPU, and the choice of size and layers on
 * the command line.
 *
 *   NETWORK [small|paper [LAYER...]]
 *
 * Named layers run on the device. The CPU computes the other layers, as their input. Arrays are [channel][row][column],
 * and images of interleaved colours [row][column][colour].
 */
#ifndef ROMARK_SAMPLES_NETWORK_H
#define ROMARK_SAMPLES_NETWORK_H

#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

/* A square convolution over square maps. */
struct convolution {
	int inputs, outputs; /* channels */
	int size, out_size;  /* sides of the maps */
	int kernel, stride, pad;
	int groups; /* of channels that do not meet */
};

/*
 * The convolution in double precision. `in` is [channel][row][column]; `filters` [output][input of its
 * group][row][column]. The sums grow map by map, so that the innermost loop runs along a row.
 */
template <typename T>
static void convolve_on_cpu(const convolution &c, const std::vector<T> &in, const std::vector<T> &filters,
			    const std::vector<T> &bias, std::vector<T> &out)
{
	int depth = c.inputs / c.groups, pixels = c.out_size * c.out_size;
	std::vector<double> sums(pixels);

	for (int channel = 0; channel < c.outputs; channel++) {
		const T *map = &in[(size_t)(channel / (c.outputs / c.groups)) * depth * c.size * c.size];
		const T *filter = &filters[(size_t)channel * depth * c.kernel * c.kernel];

		std::fill(sums.begin(), sums.end(), (double)bias[channel]);
		for (int tap = 0; tap < depth * c.kernel * c.kernel; tap++) {
			int i = tap / c.kernel % c.kernel - c.pad, j = tap % c.kernel - c.pad;
			const T *plane = map + (size_t)(tap / (c.kernel * c.kernel)) * c.size * c.size;
			int x0 = j < 0 ? (-j + c.stride - 1) / c.stride : 0;
			int x1 = std::min(c.out_size, (c.size - 1 - j) / c.stride + 1);

			for (int y = 0; y < c.out_size; y++) {
				int row = y * c.stride + i;

				if (row >= 0 && row < c.size)
					for (int x = x0; x < x1; x++)
						sums[y * c.out_size + x] +=
						    (double)filter[tap] * plane[row * c.size + x * c.stride + j];
			}
		}
		for (int pixel = 0; pixel < pixels; pixel++)
			out[(size_t)channel * pixels + pixel] = (T)sums[pixel];
	}
}

template <typename T>
static void relu(std::vector<T> &map)
{
	for (T &value : map)
		value = value > 0 ? value : 0;
}

/* An image of interleaved colours as three planes, which the CPU's convolution takes. */
template <typename T>
static std::vector<T> planes(const std::vector<T> &image)
{
	std::vector<T> out(image.size());
	size_t pixels = image.size() / 3;

	for (size_t pixel = 0; pixel < pixels; pixel++)
		for (int colour = 0; colour < 3; colour++)
			out[colour * pixels + pixel] = image[pixel * 3 + colour];
	return out;
}

/* The choices on the command line. */
struct choice {
	bool small, middle;
	std::vector<std::string> layers; /* empty: all */
	int ran, wrong;

	bool runs(const char *layer) const
	{
		return layers.empty() || std::find(layers.begin(), layers.end(), layer) != layers.end();
	}
};

/* `has_middle`: the network has a size between the two that all have. */
static choice choose(int argc, char **argv, bool has_middle = false)
{
	std::string size = argc > 1 ? argv[1] : "small";
	choice c = {};

	c.small = size == "small";
	c.middle = has_middle && size == "middle";
	if (!c.small && !c.middle && size != "paper") {
		fprintf(stderr, "usage: %s [small|%spaper [LAYER...]]\n", argv[0], has_middle ? "middle|" : "");
		exit(2);
	}
	for (int i = 2; i < argc; i++)
		c.layers.push_back(argv[i]);
	return c;
}

/* Compares what the device computed with the CPU's result, which is then the next layer's input on both sides. */
template <typename T>
static void compare(choice &c, const char *layer, const array<T> &result, double tolerance)
{
	std::vector<T> device = result.download();
	int wrong = 0;

	for (size_t i = 0; i < device.size(); i++) {
		double expected = result.host[i];

		wrong += !(std::fabs(device[i] - expected) <= tolerance * (1 + std::fabs(expected)));
	}
	printf("%s: %zu outputs, %d wrong\n", layer, device.size(), wrong);
	c.ran++;
	c.wrong += wrong != 0;
}

/* A network on its way through its layers. */
template <typename T>
struct network {
	choice &chosen;
	array<T> *map; /* the latest layer's output, on both sides */
	unsigned seed; /* of the next weights */

	/* Runs `launch`, when the layer is chosen; `out` holds the CPU's result, and then does so on both sides. */
	template <typename F>
	void part(const char *name, array<T> &out, F launch)
	{
		if (chosen.runs(name)) {
			launch();
			CHECK(cudaGetLastError());
			CHECK(cudaDeviceSynchronize());
			compare(chosen, name, out, sizeof(T) == sizeof(float) ? 1e-3 : 1e-9);
		}
		out.upload();
	}

	/* The same, and its output is the input of the next. */
	template <typename F>
	void layer(const char *name, array<T> *out, F launch)
	{
		part(name, *out, launch);
		delete map;
		map = out;
	}
};

/* The exit code. */
static int finish(const choice &c, const char *network)
{
	printf("%s: %d layers, %d wrong\n", network, c.ran, c.wrong);
	return c.wrong != 0 || c.ran == 0;
}

#endif
