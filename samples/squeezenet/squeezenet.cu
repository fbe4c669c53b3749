/*
 * SqueezeNet 1.0 for a single image, in double precision. A block computes a COLUMN of all output channels, threadIdx.x
 * is the row, and a thread's outermost loop runs over the filters. So each block reads its column of the whole input
 * once for each filter, and all blocks read the same filter at the same time. The shape follows a public benchmark; the
 * weights are synthetic.
 *
 *   squeezenet [small|paper [LAYER...]]   layers: conv1 pool1 fire2.squeeze fire2.expand .. pool4 .. pool8
 *                                         fire9.squeeze fire9.expand conv10 mean
 */
#include "../common/network.h"

/* 7 x 7, two apart, over three planes of whole numbers. */
__global__ void convolve_image(double *out, int *red, int *green, int *blue, double *filters, double *bias, int size,
			       int filter_count)
{
	int row = threadIdx.x, column = blockIdx.x, out_size = gridDim.x;

	for (int f = 0; f < filter_count; f++) {
		double sum = 0;

		for (int i = 0; i < 7; i++)
			for (int j = 0; j < 7; j++) {
				int pixel = (row * 2 + i) * size + column * 2 + j, tap = f * 147 + i * 7 + j;

				sum += red[pixel] * filters[tap] + green[pixel] * filters[tap + 49] +
				       blue[pixel] * filters[tap + 98];
			}
		sum += bias[f];
		out[(f * out_size + row) * out_size + column] = sum > 0 ? sum : 0;
	}
}

/* The largest of 3 x 3, two apart: threads of odd rows and columns are the middles. */
__global__ void pool(double *out, double *in, int channels, int out_size)
{
	int row = threadIdx.x, column = blockIdx.x, size = gridDim.x;

	if (row % 2 == 0 || column % 2 == 0 || row / 2 >= out_size || column / 2 >= out_size)
		return;
	for (int c = 0; c < channels; c++) {
		double most = 0;

		for (int i = -1; i <= 1; i++)
			for (int j = -1; j <= 1; j++) {
				double value = in[(c * size + row + i) * size + column + j];

				most = value > most ? value : most;
			}
		out[(c * out_size + row / 2) * out_size + column / 2] = most;
	}
}

/* `pad` rows and columns around the input are zero. */
__global__ void convolve1(double *out, double *in, double *filters, double *bias, int inputs, int outputs, int size,
			  int pad)
{
	int row = threadIdx.x, column = blockIdx.x, out_size = gridDim.x;
	bool inside = row >= pad && row < size + pad && column >= pad && column < size + pad;

	for (int f = 0; f < outputs; f++) {
		double sum = bias[f];

		if (inside)
			for (int c = 0; c < inputs; c++)
				sum += in[(c * size + row - pad) * size + column - pad] * filters[f * inputs + c];
		out[(f * out_size + row) * out_size + column] = sum > 0 ? sum : 0;
	}
}

/* Each tap is tested for lying in the map, and the tests cost more than the sum, as in the original. */
__global__ void convolve3(double *out, double *in, double *filters, double *bias, int inputs, int outputs)
{
	int row = threadIdx.x, column = blockIdx.x, size = gridDim.x;

	for (int f = 0; f < outputs; f++) {
		double sum = bias[f];

		for (int c = 0; c < inputs; c++)
#pragma unroll 1
			for (int i = -1; i <= 1; i++)
#pragma unroll 1
				for (int j = -1; j <= 1; j++)
					if (row + i >= 0 && row + i < size && column + j >= 0 && column + j < size)
						sum += in[(c * size + row + i) * size + column + j] *
						       filters[(f * inputs + c) * 9 + (i + 1) * 3 + j + 1];
		out[(f * size + row) * size + column] = sum > 0 ? sum : 0;
	}
}

/* One channel a thread. */
__global__ void mean(double *out, double *in, int pixels)
{
	double sum = 0;

	for (int i = 0; i < pixels; i++)
		sum += in[threadIdx.x * pixels + i];
	out[threadIdx.x] = sum / pixels;
}

static void image_layer(network<double> &n, int size, int filter_count)
{
	int out_size = (size - 7) / 2 + 1, pixels = size * size;
	convolution c = {3, filter_count, size, out_size, 7, 2, 0, 1};
	array<int> red(pixels), green(pixels), blue(pixels);
	array<double> filters((size_t)filter_count * 147), bias(filter_count);
	auto *out = new array<double>((size_t)filter_count * out_size * out_size);
	array<int> *colours[] = {&red, &green, &blue};

	for (int colour = 0; colour < 3; colour++) {
		for (int i = 0; i < pixels; i++)
			colours[colour]->host[i] = (int)(128 + 127 * n.map->host[colour * pixels + i]);
		colours[colour]->upload();
		std::copy(colours[colour]->host.begin(), colours[colour]->host.end(), &n.map->host[colour * pixels]);
	}
	fill(filters, n.seed++, 0.001);
	fill(bias, n.seed++, 0.1);
	convolve_on_cpu(c, n.map->host, filters.host, bias.host, out->host);
	relu(out->host);
	n.layer("conv1", out, [&] {
		convolve_image<<<out_size, out_size>>>(out->device, red.device, green.device, blue.device,
						       filters.device, bias.device, size, filter_count);
	});
}

static int pooling(network<double> &n, const char *name, int channels, int size)
{
	int out_size = (size - 3) / 2 + 1;
	auto *out = new array<double>((size_t)channels * out_size * out_size);

	for (size_t i = 0; i < out->host.size(); i++) {
		int column = i % out_size, row = i / out_size % out_size, channel = (int)(i / out_size / out_size);
		double most = 0;

		for (int tap = 0; tap < 9; tap++)
			most = std::max(
			    most,
			    n.map->host[((size_t)channel * size + row * 2 + tap / 3) * size + column * 2 + tap % 3]);
		out->host[i] = most;
	}
	n.layer(name, out, [&] { pool<<<size, size>>>(out->device, n.map->device, channels, out_size); });
	return out_size;
}

struct weights {
	array<double> filters, bias;

	weights(network<double> &n, const convolution &c)
	    : filters((size_t)c.inputs * c.outputs * c.kernel * c.kernel), bias(c.outputs)
	{
		fill(filters, n.seed++, 1.5 / std::sqrt((double)c.inputs * c.kernel * c.kernel));
		fill(bias, n.seed++, 0.1);
	}
};

/* A convolution of single pixels, whose output is the network's new map. */
static void one_by_one(network<double> &n, const char *name, const convolution &c)
{
	weights w(n, c);
	auto *out = new array<double>((size_t)c.outputs * c.out_size * c.out_size);

	convolve_on_cpu(c, n.map->host, w.filters.host, w.bias.host, out->host);
	relu(out->host);
	n.layer(name, out, [&] {
		convolve1<<<c.out_size, c.out_size>>>(out->device, n.map->device, w.filters.device, w.bias.device,
						      c.inputs, c.outputs, c.size, c.pad);
	});
}

/* Both expansions read the squeezed map; their outputs lie one behind the other. */
static void expand(network<double> &n, const std::string &name, int inputs, int outputs, int size)
{
	convolution one = {inputs, outputs, size, size, 1, 1, 0, 1}, three = {inputs, outputs, size, size, 3, 1, 1, 1};
	weights w1(n, one), w3(n, three);
	size_t half = (size_t)outputs * size * size;
	std::vector<double> lower(half), upper(half);
	auto *out = new array<double>(2 * half);

	convolve_on_cpu(one, n.map->host, w1.filters.host, w1.bias.host, lower);
	convolve_on_cpu(three, n.map->host, w3.filters.host, w3.bias.host, upper);
	std::copy(lower.begin(), lower.end(), out->host.begin());
	std::copy(upper.begin(), upper.end(), out->host.begin() + half);
	relu(out->host);
	n.layer((name + ".expand").c_str(), out, [&] {
		convolve1<<<size, size>>>(out->device, n.map->device, w1.filters.device, w1.bias.device, inputs,
					  outputs, size, 0);
		convolve3<<<size, size>>>(out->device + half, n.map->device, w3.filters.device, w3.bias.device, inputs,
					  outputs);
	});
}

static void fire(network<double> &n, int number, int inputs, int squeezed, int expanded, int size)
{
	std::string name = "fire" + std::to_string(number);

	one_by_one(n, (name + ".squeeze").c_str(), {inputs, squeezed, size, size, 1, 1, 0, 1});
	expand(n, name, squeezed, expanded, size);
}

static void average(network<double> &n, int channels, int size)
{
	auto *out = new array<double>(channels);
	int pixels = size * size;

	for (int c = 0; c < channels; c++) {
		for (int i = 0; i < pixels; i++)
			out->host[c] += n.map->host[c * pixels + i];
		out->host[c] /= pixels;
	}
	n.layer("mean", out, [&] { mean<<<1, channels>>>(out->device, n.map->device, pixels); });
}

int main(int argc, char **argv)
{
	choice chosen = choose(argc, argv);
	int part = chosen.small ? 8 : 1; /* of the channels */
	int image = chosen.small ? 91 : 227, size = (image - 7) / 2 + 1;
	network<double> n = {chosen, new array<double>((size_t)image * image * 3), 1};

	fill(*n.map, n.seed++, 1);
	image_layer(n, image, 96 / part);
	size = pooling(n, "pool1", 96 / part, size);
	fire(n, 2, 96 / part, 16 / part, 64 / part, size);
	fire(n, 3, 128 / part, 16 / part, 64 / part, size);
	fire(n, 4, 128 / part, 32 / part, 128 / part, size);
	size = pooling(n, "pool4", 256 / part, size);
	fire(n, 5, 256 / part, 32 / part, 128 / part, size);
	fire(n, 6, 256 / part, 48 / part, 192 / part, size);
	fire(n, 7, 384 / part, 48 / part, 192 / part, size);
	fire(n, 8, 384 / part, 64 / part, 256 / part, size);
	size = pooling(n, "pool8", 512 / part, size);
	fire(n, 9, 512 / part, 64 / part, 256 / part, size);
	one_by_one(n, "conv10", {512 / part, 1000 / part, size, size + 2, 1, 1, 1, 1});
	average(n, 1000 / part, size + 2);
	delete n.map;
	return finish(chosen, "squeezenet");
}
