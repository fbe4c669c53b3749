/*
 * ResNet-50 for a single image. A block computes an output channel, and threadIdx.x is the ROW of a pixel. In large
 * maps a thread computes several pixels, one after another. Batch normalisation, scale, ReLU and sum are separate
 * launches, in place. The shape follows a public benchmark; the weights are synthetic.
 *
 *   resnet50 [small|paper [LAYER...]]     layers: conv1 pool1, then of each block res2a .. res5c: .project .reduce
 * .conv .expand .sum (.project in the first of a stage), and mean fc
 */
#include "../common/network.h"

/* The pixels of a thread: `each` by `each` of a map with `size` rows. Threads behind the map have none. */
#define FOR_PIXELS(row, column, each, size)                                                                            \
	for (int row = threadIdx.x * (each); row < ((int)threadIdx.x + 1) * (each) && row < (size); row++)             \
		for (int column = threadIdx.y * (each); column < ((int)threadIdx.y + 1) * (each) && column < (size);   \
		     column++)

/* 7 x 7, two apart, over interleaved colours. */
__global__ void convolve_image(float *image, float *filters, float *out, int size, int out_size, int each)
{
	int channel = blockIdx.x;

	FOR_PIXELS(row, column, each, out_size)
	{
		int top = row * 2 - 3, left = column * 2 - 3;
		float sum = 0;

		for (int i = max(0, -top); i < min(7, size - top); i++)
			for (int j = max(0, -left); j < min(7, size - left); j++) {
				int pixel = ((top + i) * size + left + j) * 3, tap = channel * 147 + i * 7 + j;

				sum += image[pixel] * filters[tap] + image[pixel + 1] * filters[tap + 49] +
				       image[pixel + 2] * filters[tap + 98];
			}
		out[(channel * out_size + row) * out_size + column] = sum;
	}
}

/*
 * Convolutions of 3 x 3 pixels, beginning up and left of the output's pixel, and of single pixels. At the borders the
 * loops are shorter. UNROLL decides how far a thread runs ahead of its loads, and so how much of their lines the L1
 * still holds. nvcc unrolls the original by four, which costs it no instructions in runs of three turns; with clang it
 * would.
 */
template <int UNROLL>
__global__ void convolve(float *in, float *filters, float *out, int inputs, int size, int out_size, int kernel,
			 int stride, int first, int each)
{
	int channel = blockIdx.x;

	FOR_PIXELS(row, column, each, out_size)
	{
		int top = row * stride + first, left = column * stride + first;
		int i0 = top < 0 ? -top : 0, i1 = top + kernel > size ? size - top : kernel;
		int j0 = left < 0 ? -left : 0, j1 = left + kernel > size ? size - left : kernel;
		float sum = 0;

#pragma unroll 1
		for (int d = 0; d < inputs; d++)
#pragma unroll 1
			for (int i = i0; i < i1; i++)
#pragma unroll UNROLL
				for (int j = j0; j < j1; j++)
					sum += in[(d * size + top + i) * size + left + j] *
					       filters[((channel * inputs + d) * kernel + i) * kernel + j];
		out[(channel * out_size + row) * out_size + column] = sum;
	}
}

__global__ void normalise(float *map, float *mean, float *variance, int size, int each)
{
	FOR_PIXELS(row, column, each, size)
	{
		int at = (blockIdx.x * size + row) * size + column;

		map[at] = (map[at] - mean[blockIdx.x]) / sqrtf(variance[blockIdx.x] + 1e-5f);
	}
}

__global__ void scale(float *map, float *factor, float *bias, int size, int each)
{
	FOR_PIXELS(row, column, each, size)
	{
		int at = (blockIdx.x * size + row) * size + column;

		map[at] = map[at] * factor[blockIdx.x] + bias[blockIdx.x];
	}
}

__global__ void rectify(float *map, int size, int each)
{
	FOR_PIXELS(row, column, each, size)
	{
		int at = (blockIdx.x * size + row) * size + column;

		map[at] = map[at] > 0 ? map[at] : 0;
	}
}

__global__ void add(float *map, float *other, int size, int each)
{
	FOR_PIXELS(row, column, each, size)
	{
		int at = (blockIdx.x * size + row) * size + column;

		map[at] += other[at];
	}
}

/* The largest of 3 x 3, two apart; at the far border fewer. */
__global__ void pool(float *in, float *out, int size, int out_size, int each)
{
	FOR_PIXELS(row, column, each, out_size)
	{
		float most = 0;

		for (int i = row * 2; i < min(row * 2 + 3, size); i++)
			for (int j = column * 2; j < min(column * 2 + 3, size); j++) {
				float value = in[(blockIdx.x * size + i) * size + j];

				most = value > most ? value : most;
			}
		out[(blockIdx.x * out_size + row) * out_size + column] = most;
	}
}

__global__ void mean(float *in, float *out, int pixels)
{
	float sum = 0;

	for (int i = 0; i < pixels; i++)
		sum += in[blockIdx.x * pixels + i];
	out[blockIdx.x] = sum / pixels;
}

__global__ void connect(float *in, float *weights, float *bias, float *out, int inputs)
{
	float sum = 0;

	for (int i = 0; i < inputs; i++)
		sum += in[i] * weights[blockIdx.x * inputs + i];
	out[blockIdx.x] = sum + bias[blockIdx.x];
}

/* Divides a map among a block's threads: at most 32 x 32 threads, of which 28 x 28 work on large maps. */
struct shape {
	dim3 block;
	int each;

	explicit shape(int size)
	{
		each = (size + 27) / 28;
		block = each > 1 ? dim3(32, 32) : dim3(size, size);
	}
};

/* Steps after a convolution: normalisation and scale, with or without ReLU. */
struct after {
	array<float> mean, variance, factor, bias;

	after(network<float> &n, int channels) : mean(channels), variance(channels), factor(channels), bias(channels)
	{
		fill(mean, n.seed++, 0.1);
		fill(variance, n.seed++, 0.5);
		fill(factor, n.seed++, 0.5);
		fill(bias, n.seed++, 0.1);
		for (float &v : variance.host)
			v += 1;
		for (float &f : factor.host)
			f += 1;
		variance.upload();
		factor.upload();
	}

	void on_cpu(std::vector<float> &map, bool rectified) const
	{
		size_t pixels = map.size() / mean.host.size();

		for (size_t i = 0; i < map.size(); i++) {
			size_t c = i / pixels;
			double value = (map[i] - mean.host[c]) / std::sqrt(variance.host[c] + 1e-5);

			map[i] = (float)(value * factor.host[c] + bias.host[c]);
		}
		if (rectified)
			relu(map);
	}

	void launch(float *map, int channels, int size, bool rectified) const
	{
		shape s(size);

		normalise<<<channels, s.block>>>(map, mean.device, variance.device, size, s.each);
		scale<<<channels, s.block>>>(map, factor.device, bias.device, size, s.each);
		if (rectified)
			rectify<<<channels, s.block>>>(map, size, s.each);
	}
};

static void launch_convolution(const convolution &c, float *in, float *filters, float *out)
{
	shape s(c.out_size);

	if (c.kernel == 7)
		convolve_image<<<c.outputs, s.block>>>(in, filters, out, c.size, c.out_size, s.each);
	else
		(c.kernel == 1 ? convolve<4> : convolve<1>)<<<c.outputs, s.block>>>(
		    in, filters, out, c.inputs, c.size, c.out_size, c.kernel, c.stride, -c.pad, s.each);
}

/* Returns the result of a convolution of `in` and what follows it. */
static array<float> *convolved(network<float> &n, const std::string &name, const array<float> &in, const convolution &c,
			       bool rectified)
{
	array<float> filters((size_t)c.outputs * c.inputs * c.kernel * c.kernel);
	std::vector<float> none(c.outputs);
	auto *out = new array<float>((size_t)c.outputs * c.out_size * c.out_size);
	after a(n, c.outputs);

	fill(filters, n.seed++, 1.5 / std::sqrt((double)c.inputs * c.kernel * c.kernel));
	convolve_on_cpu(c, c.kernel == 7 ? planes(in.host) : in.host, filters.host, none, out->host);
	a.on_cpu(out->host, rectified);
	n.part(name.c_str(), *out, [&] {
		launch_convolution(c, in.device, filters.device, out->device);
		a.launch(out->device, c.outputs, c.out_size, rectified);
	});
	return out;
}

static int pooling(network<float> &n, int channels, int size)
{
	int out_size = size / 2;
	auto *out = new array<float>((size_t)channels * out_size * out_size);
	shape s(out_size);

	for (size_t i = 0; i < out->host.size(); i++) {
		int column = i % out_size * 2, row = i / out_size % out_size * 2,
		    channel = (int)(i / out_size / out_size);

		for (int y = row; y < std::min(row + 3, size); y++)
			for (int x = column; x < std::min(column + 3, size); x++)
				out->host[i] =
				    std::max(out->host[i], n.map->host[((size_t)channel * size + y) * size + x]);
	}
	n.layer("pool1", out, [&] { pool<<<channels, s.block>>>(n.map->device, out->device, size, out_size, s.each); });
	return out_size;
}

/* The sum is made in place, in the output of the expansion. */
static void sum(network<float> &n, const std::string &name, array<float> *expanded, const array<float> &other,
		int channels, int size)
{
	shape s(size);

	for (size_t i = 0; i < expanded->host.size(); i++)
		expanded->host[i] += other.host[i];
	relu(expanded->host);
	n.layer(name.c_str(), expanded, [&] {
		add<<<channels, s.block>>>(expanded->device, other.device, size, s.each);
		rectify<<<channels, s.block>>>(expanded->device, size, s.each);
	});
}

/* Returns the side of the maps behind it. */
static int residual(network<float> &n, const std::string &name, int inputs, int width, int size, int stride)
{
	int outputs = width * 4, out_size = size / stride;
	array<float> *project = nullptr;

	if (inputs != outputs)
		project =
		    convolved(n, name + ".project", *n.map, {inputs, outputs, size, out_size, 1, stride, 0, 1}, false);
	array<float> *reduced =
	    convolved(n, name + ".reduce", *n.map, {inputs, width, size, out_size, 1, stride, 0, 1}, true);
	array<float> *middle =
	    convolved(n, name + ".conv", *reduced, {width, width, out_size, out_size, 3, 1, 1, 1}, true);
	array<float> *expanded =
	    convolved(n, name + ".expand", *middle, {width, outputs, out_size, out_size, 1, 1, 0, 1}, false);

	sum(n, name + ".sum", expanded, project ? *project : *n.map, outputs, out_size);
	delete project;
	delete reduced;
	delete middle;
	return out_size;
}

static void end(network<float> &n, int channels, int size, int classes)
{
	auto *means = new array<float>(channels), *out = new array<float>(classes);
	array<float> weights((size_t)channels * classes), bias(classes);
	int pixels = size * size;

	fill(weights, n.seed++, 1 / std::sqrt((double)channels));
	fill(bias, n.seed++, 0.1);
	for (int c = 0; c < channels; c++) {
		double total = 0;

		for (int i = 0; i < pixels; i++)
			total += n.map->host[c * pixels + i];
		means->host[c] = (float)(total / pixels);
	}
	n.layer("mean", means, [&] { mean<<<channels, 1>>>(n.map->device, means->device, pixels); });
	for (int o = 0; o < classes; o++) {
		double total = bias.host[o];

		for (int c = 0; c < channels; c++)
			total += (double)n.map->host[c] * weights.host[(size_t)o * channels + c];
		out->host[o] = (float)total;
	}
	n.layer("fc", out,
		[&] { connect<<<classes, 1>>>(n.map->device, weights.device, bias.device, out->device, channels); });
}

int main(int argc, char **argv)
{
	static const int blocks[] = {3, 4, 6, 3};
	choice chosen = choose(argc, argv);
	int image = chosen.small ? 64 : 224, width = chosen.small ? 8 : 64, channels = width, size = image / 2;
	network<float> n = {chosen, new array<float>((size_t)image * image * 3), 1};

	fill(*n.map, n.seed++, 1);
	array<float> *first = convolved(n, "conv1", *n.map, {3, width, image, size, 7, 2, 3, 1}, true);
	delete n.map;
	n.map = first;
	size = pooling(n, channels, size);
	for (int stage = 0; stage < 4; stage++)
		for (int b = 0; b < blocks[stage]; b++) {
			std::string name = "res" + std::to_string(stage + 2) + (char)('a' + b);

			size = residual(n, name, channels, width << stage, size, stage && !b ? 2 : 1);
			channels = width * 4 << stage;
		}
	end(n, channels, size, chosen.small ? 125 : 1000);
	delete n.map;
	return finish(chosen, "resnet50");
}
