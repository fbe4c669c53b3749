/*
 * What the neural networks among the samples share: arrays that live on both sides, synthetic weights, the layers'
 * results on the CPU, and the choice of size and layers on the command line.
 *
 *   NETWORK [small|paper [LAYER...]]
 *
 * Layers that are named run on the device. The others are computed on the CPU, as input of those. All arrays are
 * [channel][row][column], but for images of interleaved colours: [row][column][colour].
 */
#ifndef ROMARK_SAMPLES_NETWORK_H
#define ROMARK_SAMPLES_NETWORK_H

#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

/* An array on both sides. A kernel is given `device`. */
template <typename T>
struct array {
	std::vector<T> host;
	T *device;

	explicit array(size_t size) : host(size)
	{
		CHECK(cudaMalloc(&device, size * sizeof(T)));
	}
	~array()
	{
		cudaFree(device);
	}
	array(const array &) = delete;
	array &operator=(const array &) = delete;

	void upload() const
	{
		CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
	}
	std::vector<T> download() const
	{
		std::vector<T> copy(host.size());

		CHECK(cudaMemcpy(copy.data(), device, copy.size() * sizeof(T), cudaMemcpyDeviceToHost));
		return copy;
	}
};

/* Numbers in [-scale, scale), repeatable. */
template <typename T>
static void fill(array<T> &a, unsigned seed, double scale)
{
	unsigned state = seed;

	for (T &value : a.host)
		value = (T)((next_random(&state) - 0.5) * 2 * scale);
	a.upload();
}

/* A square convolution over square maps. */
struct convolution {
	int inputs, outputs; /* channels */
	int size, out_size;  /* sides of the maps */
	int kernel, stride, pad;
	int groups; /* of channels that do not meet */
};

/* An output of a convolution, summed in double precision. `in` is [channel][row][column]. */
template <typename T>
static double convolve_one(const convolution &c, const T *in, const T *filters, int channel, int row, int column)
{
	int depth = c.inputs / c.groups, first = channel / (c.outputs / c.groups) * depth;
	double sum = 0;

	for (int d = 0; d < depth; d++)
		for (int i = 0; i < c.kernel; i++)
			for (int j = 0; j < c.kernel; j++) {
				int y = row * c.stride + i - c.pad, x = column * c.stride + j - c.pad;

				if (y >= 0 && y < c.size && x >= 0 && x < c.size)
					sum += (double)in[((size_t)(first + d) * c.size + y) * c.size + x] *
					       filters[(((size_t)channel * depth + d) * c.kernel + i) * c.kernel + j];
			}
	return sum;
}

/* What the command line asks for. */
struct choice {
	bool small;
	std::vector<std::string> layers; /* empty: all */
	int ran, wrong;

	bool runs(const char *layer) const
	{
		return layers.empty() || std::find(layers.begin(), layers.end(), layer) != layers.end();
	}
};

static choice choose(int argc, char **argv)
{
	choice c = {};

	if (argc > 1 && strcmp(argv[1], "small") != 0 && strcmp(argv[1], "paper") != 0) {
		fprintf(stderr, "usage: %s [small|paper [LAYER...]]\n", argv[0]);
		exit(2);
	}
	c.small = argc < 2 || strcmp(argv[1], "small") == 0;
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

/* The exit code. */
static int finish(const choice &c, const char *network)
{
	printf("%s: %d layers, %d wrong\n", network, c.ran, c.wrong);
	return c.wrong != 0 || c.ran == 0;
}

#endif
