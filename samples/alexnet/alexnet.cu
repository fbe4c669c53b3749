/*
 * AlexNet for a single image, without batching or tiles. A block computes an output channel, a thread a pixel of it,
 * and threadIdx.x is the pixel's ROW. So every block reads the whole input in the same order, and a warp's load of it
 * touches a line for each lane. The shape follows a public benchmark; the weights are synthetic.
 *
 *   alexnet [small|middle|paper [LAYER...]]
 *
 * The layers are conv1 norm1 pool1 conv2 norm2 pool2 conv3 conv4 conv5 pool5 fc6 fc7 fc8. At the middle size the first
 * layer has a block for each SM of a GPU with 64 SMs, and its simulation takes seconds.
 */
#include "../common/network.h"

/*
 * The first layer, over images of two sizes. A warp's lanes read rows that are 4 image rows apart, 85 or 43 lines:
 * modulo the 64 sets of an L1 that is about a third and two thirds. So many lanes meet in few sets, and the L1 misses.
 */
enum { KERNEL1 = 11, STRIDE1 = 4, LARGE = 227, SMALL = 114 };

/*
 * An image of interleaved colours, without padding. `first` is the pixel of thread (0, 0). All sizes are constants, so
 * that a tap's six addresses are constants beside the pixel's and the channel's.
 */
template <int size>
__global__ void convolve_image(float *image, float *filters, float *bias, float *out, int first_row, int first_column)
{
	const int out_size = (size - KERNEL1) / STRIDE1 + 1, taps = KERNEL1 * KERNEL1;
	int row = first_row + threadIdx.x, column = first_column + threadIdx.y, channel = blockIdx.x;
	float *corner = image + (row * STRIDE1 * size + column * STRIDE1) * 3, *filter = filters + channel * 3 * taps;
	float sum = 0;

	for (int i = 0; i < KERNEL1; i++)
		for (int j = 0; j < KERNEL1; j++) {
			int pixel = (i * size + j) * 3, tap = i * KERNEL1 + j;

			sum += corner[pixel] * filter[tap] + corner[pixel + 1] * filter[taps + tap] +
			       corner[pixel + 2] * filter[2 * taps + tap];
		}
	sum += bias[channel];
	out[(channel * out_size + row) * out_size + column] = sum > 0 ? sum : 0;
}

/*
 * At the image's borders the loops are shorter. `inputs` counts the channels of the output's group. The loops are not
 * unrolled: runs of two or three turns are slower unrolled, and compilers of the original's time did not unroll them.
 */
__global__ void convolve(float *in, float *filters, float *bias, float *out, int inputs, int size, int kernel, int pad)
{
	int row = threadIdx.x, column = threadIdx.y, channel = blockIdx.x;
	int top = row - pad, left = column - pad;
	int i0 = top < 0 ? -top : 0, i1 = top + kernel > size ? size - top : kernel;
	int j0 = left < 0 ? -left : 0, j1 = left + kernel > size ? size - left : kernel;
	float sum = 0;

#pragma unroll 1
	for (int d = 0; d < inputs; d++)
#pragma unroll 1
		for (int i = i0; i < i1; i++)
#pragma unroll 1
			for (int j = j0; j < j1; j++)
				sum += in[(d * size + top + i) * size + left + j] *
				       filters[((channel * inputs + d) * kernel + i) * kernel + j];
	sum += bias[channel];
	out[(channel * size + row) * size + column] = sum > 0 ? sum : 0;
}

/* Each value is divided by a power of the squares of five neighbouring channels. Squares are powers too, as there. */
__global__ void normalise(float *in, float *out, int channels, int size, int first_row, int first_column)
{
	int row = first_row + threadIdx.x, column = first_column + threadIdx.y, channel = blockIdx.x;
	int c0 = channel < 2 ? 0 : channel - 2, c1 = channel + 2 < channels ? channel + 2 : channels - 1;
	int pixel = row * size + column;
	float sum = 0;

	for (int c = c0; c <= c1; c++)
		sum += powf(in[c * size * size + pixel], 2);
	out[channel * size * size + pixel] = in[channel * size * size + pixel] / powf(1 + 0.0001f / 5 * sum, 0.75f);
}

/* The largest of 3 x 3, two apart; at the far border fewer. */
__global__ void pool(float *in, float *out, int size, int out_size)
{
	int row = threadIdx.x, column = threadIdx.y, channel = blockIdx.x;
	float most = 0;

	for (int i = row * 2; i < min(row * 2 + 3, size); i++)
		for (int j = column * 2; j < min(column * 2 + 3, size); j++) {
			float value = in[(channel * size + i) * size + j];

			most = value > most ? value : most;
		}
	out[(channel * out_size + row) * out_size + column] = most;
}

/* One output a block, and one thread a block. */
__global__ void connect(float *in, float *weights, float *bias, float *out, int inputs, int relu)
{
	float sum = 0;

	for (int i = 0; i < inputs; i++)
		sum += in[i] * weights[(size_t)blockIdx.x * inputs + i];
	sum += bias[blockIdx.x];
	out[blockIdx.x] = relu && sum < 0 ? 0 : sum;
}

/* Launches a kernel over a map that is larger than a block: in tiles of up to 32 x 32. */
template <typename F>
static void in_tiles(int size, F launch)
{
	for (int row = 0; row < size; row += 32)
		for (int column = 0; column < size; column += 32)
			launch(dim3(std::min(32, size - row), std::min(32, size - column)), row, column);
}

static void first_convolution(network<float> &n, const convolution &c)
{
	array<float> filters((size_t)c.outputs * 3 * c.kernel * c.kernel), bias(c.outputs);
	auto *out = new array<float>((size_t)c.outputs * c.out_size * c.out_size);

	fill(filters, n.seed++, 0.1);
	fill(bias, n.seed++, 0.1);
	convolve_on_cpu(c, planes(n.map->host), filters.host, bias.host, out->host);
	relu(out->host);
	n.layer("conv1", out, [&] {
		in_tiles(c.out_size, [&](dim3 block, int row, int column) {
			auto kernel = c.size == LARGE ? convolve_image<LARGE> : convolve_image<SMALL>;

			kernel<<<c.outputs, block>>>(n.map->device, filters.device, bias.device, out->device, row,
						     column);
		});
	});
}

static void convolution_layer(network<float> &n, const char *name, const convolution &c)
{
	size_t depth = c.inputs / c.groups, pixels = (size_t)c.size * c.size;
	array<float> filters(c.outputs * depth * c.kernel * c.kernel), bias(c.outputs);
	auto *out = new array<float>(c.outputs * pixels);

	fill(filters, n.seed++, 1 / std::sqrt((double)depth * c.kernel * c.kernel));
	fill(bias, n.seed++, 0.1);
	convolve_on_cpu(c, n.map->host, filters.host, bias.host, out->host);
	relu(out->host);
	n.layer(name, out, [&] {
		int outputs = c.outputs / c.groups;

		for (int g = 0; g < c.groups; g++)
			convolve<<<outputs, dim3(c.size, c.size)>>>(
			    n.map->device + g * depth * pixels,
			    filters.device + g * outputs * depth * c.kernel * c.kernel, bias.device + g * outputs,
			    out->device + g * outputs * pixels, (int)depth, c.size, c.kernel, c.pad);
	});
}

static void normalisation(network<float> &n, const char *name, int channels, int size)
{
	const std::vector<float> &in = n.map->host;
	auto *out = new array<float>(in.size());
	int pixels = size * size;

	for (int channel = 0; channel < channels; channel++)
		for (int pixel = 0; pixel < pixels; pixel++) {
			double sum = 0;

			for (int c = std::max(0, channel - 2); c <= std::min(channels - 1, channel + 2); c++)
				sum += (double)in[c * pixels + pixel] * in[c * pixels + pixel];
			out->host[channel * pixels + pixel] =
			    (float)(in[channel * pixels + pixel] / std::pow(1 + 0.0001 / 5 * sum, 0.75));
		}
	n.layer(name, out, [&] {
		in_tiles(size, [&](dim3 block, int row, int column) {
			normalise<<<channels, block>>>(n.map->device, out->device, channels, size, row, column);
		});
	});
}

static void pooling(network<float> &n, const char *name, int channels, int size)
{
	int out_size = (size - 3) / 2 + 1;
	auto *out = new array<float>((size_t)channels * out_size * out_size);
	size_t at = 0;

	for (int channel = 0; channel < channels; channel++)
		for (int row = 0; row < out_size; row++)
			for (int column = 0; column < out_size; column++) {
				float most = 0;

				for (int tap = 0; tap < 9; tap++)
					most = std::max(most, n.map->host[(channel * size + row * 2 + tap / 3) * size +
									  column * 2 + tap % 3]);
				out->host[at++] = most;
			}
	n.layer(name, out,
		[&] { pool<<<channels, dim3(out_size, out_size)>>>(n.map->device, out->device, size, out_size); });
}

static void connected(network<float> &n, const char *name, int outputs, bool last)
{
	size_t inputs = n.map->host.size();
	array<float> weights(inputs * outputs), bias(outputs);
	auto *out = new array<float>(outputs);

	fill(weights, n.seed++, 1 / std::sqrt((double)inputs));
	fill(bias, n.seed++, 0.1);
	for (int o = 0; o < outputs; o++) {
		double sum = bias.host[o];

		for (size_t i = 0; i < inputs; i++)
			sum += (double)n.map->host[i] * weights.host[o * inputs + i];
		out->host[o] = (float)sum;
	}
	if (!last)
		relu(out->host);
	n.layer(name, out, [&] {
		connect<<<outputs, 1>>>(n.map->device, weights.device, bias.device, out->device, (int)inputs, !last);
	});
}

int main(int argc, char **argv)
{
	choice chosen = choose(argc, argv, true);
	auto part = [&](int channels) {
		return chosen.small ? channels / 8 : chosen.middle ? channels * 2 / 3 : channels;
	};
	int image = chosen.small || chosen.middle ? SMALL : LARGE, s1 = (image - KERNEL1) / STRIDE1 + 1,
	    s2 = (s1 - 3) / 2 + 1, s3 = (s2 - 3) / 2 + 1;
	network<float> n = {chosen, new array<float>((size_t)image * image * 3), 1};

	fill(*n.map, n.seed++, 1);
	first_convolution(n, {3, part(96), image, s1, KERNEL1, STRIDE1, 0, 1});
	normalisation(n, "norm1", part(96), s1);
	pooling(n, "pool1", part(96), s1);
	convolution_layer(n, "conv2", {part(96), part(256), s2, s2, 5, 1, 2, 2});
	normalisation(n, "norm2", part(256), s2);
	pooling(n, "pool2", part(256), s2);
	convolution_layer(n, "conv3", {part(256), part(384), s3, s3, 3, 1, 1, 1});
	convolution_layer(n, "conv4", {part(384), part(384), s3, s3, 3, 1, 1, 2});
	convolution_layer(n, "conv5", {part(384), part(256), s3, s3, 3, 1, 1, 2});
	pooling(n, "pool5", part(256), s3);
	connected(n, "fc6", part(part(4096)), false);
	connected(n, "fc7", part(part(4096)), false);
	connected(n, "fc8", part(part(1000)), true);
	delete n.map;
	return finish(chosen, "alexnet");
}
