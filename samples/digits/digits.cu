/*
 * Recognition of handwritten digits: a network of two convolutions and two fully connected layers, for many images at
 * once. A block computes a neuron (blockIdx.x) of an image (blockIdx.y). In the connected layers a block has a single
 * thread. So consecutive blocks share an image, and every image reads a neuron's weights again. The shape follows a
 * public benchmark; the weights are synthetic.
 *
 *   digits [nn_0 | ... | nn_4 | IMAGES]
 *
 * The names are sizes of the SelRep study, whose shared data are 0.6, 2.8, 5.7, 11.4 and 22.8 MB. Here the layers read
 * as much for 49, 229, 466, 932 and 1865 images: an image and the three layers between are 12,820 bytes. The weights,
 * which all images share, add 0.5 MB.
 */
#include "../common/network.h"
#include "../common/size.h"

enum { SIDE = 29, MAPS1 = 6, SIDE1 = 13, MAPS2 = 50, SIDE2 = 5, HIDDEN = 100, DIGITS = 10, TAPS = 25 };

/* Offsets of a 5 x 5 kernel's taps in an image and in a map of the first layer. */
__constant__ int image_taps[TAPS] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
				     61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__constant__ int map_taps[TAPS] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
				   29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

__device__ float squash(float sum)
{
	return 1.7159f * tanhf(0.66666667f * sum);
}

__global__ void first(float *images, float *weights, float *out)
{
	int neuron = blockIdx.x, image = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
	int corner = image * SIDE * SIDE + y * 2 * SIDE + x * 2, w = neuron * (TAPS + 1);
	float sum = weights[w];

	for (int tap = 0; tap < TAPS; tap++)
		sum += images[corner + image_taps[tap]] * weights[w + 1 + tap];
	out[((image * MAPS1 + neuron) * SIDE1 + y) * SIDE1 + x] = squash(sum);
}

__global__ void second(float *maps, float *weights, float *out)
{
	int neuron = blockIdx.x, image = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
	int corner = image * MAPS1 * SIDE1 * SIDE1 + y * 2 * SIDE1 + x * 2, w = neuron * (TAPS * MAPS1 + 1);
	float sum = weights[w];

	for (int tap = 0; tap < TAPS; tap++)
		for (int map = 0; map < MAPS1; map++)
			sum += maps[corner + map * SIDE1 * SIDE1 + map_taps[tap]] * weights[w + 1 + tap * MAPS1 + map];
	out[((image * MAPS2 + neuron) * SIDE2 + y) * SIDE2 + x] = squash(sum);
}

__global__ void connect(float *in, float *weights, float *out, int inputs)
{
	int neuron = blockIdx.x, image = blockIdx.y, w = neuron * (inputs + 1);
	float sum = weights[w];

	/* As nvcc compiles the original: two turns at a time, and the unsigned index is computed anew for each. */
#pragma unroll 2
	for (int i = 0; i < inputs; i++)
		sum += in[i + inputs * blockIdx.y] * weights[w + 1 + i];
	out[image * gridDim.x + neuron] = squash(sum);
}

/* A layer on the CPU. `in(image, pixel, i)` is input i of a pixel. A neuron has `inputs` weights and a bias. */
template <typename F>
static void on_cpu(int images, int neurons, int pixels, int inputs, const array<float> &weights, array<float> &out,
		   F in)
{
	for (int image = 0; image < images; image++)
		for (int neuron = 0; neuron < neurons; neuron++)
			for (int pixel = 0; pixel < pixels; pixel++) {
				const float *w = &weights.host[(size_t)neuron * (inputs + 1)];
				double sum = w[0];

				for (int i = 0; i < inputs; i++)
					sum += (double)in(image, pixel, i) * w[1 + i];
				out.host[((size_t)image * neurons + neuron) * pixels + pixel] =
				    (float)(1.7159 * std::tanh(0.66666667 * sum));
			}
}

static void fill_weights(array<float> &weights, unsigned seed, int inputs)
{
	fill(weights, seed, 1 / std::sqrt((double)inputs));
}

/* The number of images, from the command line. */
static int count_images(int argc, char **argv)
{
	static const int named_sizes[] = {49, 229, 466, 932, 1865};
	int named = argc > 1 ? study_size(argv[1], "nn_") : -1;

	if (named >= 0)
		return named_sizes[named];
	return argc > 1 ? positive(argv[1], "digits [nn_0 | ... | nn_4 | IMAGES]") : 4;
}

int main(int argc, char **argv)
{
	int images = count_images(argc, argv);
	choice all = {};
	array<float> image((size_t)images * SIDE * SIDE), maps1((size_t)images * MAPS1 * SIDE1 * SIDE1);
	array<float> maps2((size_t)images * MAPS2 * SIDE2 * SIDE2), hidden((size_t)images * HIDDEN);
	array<float> digits((size_t)images * DIGITS);
	array<float> w1(MAPS1 * (TAPS + 1)), w2(MAPS2 * (TAPS * MAPS1 + 1));
	array<float> w3(HIDDEN * (MAPS2 * SIDE2 * SIDE2 + 1)), w4(DIGITS * (HIDDEN + 1));

	fill(image, 1, 1);
	fill_weights(w1, 2, TAPS);
	fill_weights(w2, 3, TAPS * MAPS1);
	fill_weights(w3, 4, MAPS2 * SIDE2 * SIDE2);
	fill_weights(w4, 5, HIDDEN);
	first<<<dim3(MAPS1, images), dim3(SIDE1, SIDE1)>>>(image.device, w1.device, maps1.device);
	second<<<dim3(MAPS2, images), dim3(SIDE2, SIDE2)>>>(maps1.device, w2.device, maps2.device);
	connect<<<dim3(HIDDEN, images), 1>>>(maps2.device, w3.device, hidden.device, MAPS2 * SIDE2 * SIDE2);
	connect<<<dim3(DIGITS, images), 1>>>(hidden.device, w4.device, digits.device, HIDDEN);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());

	on_cpu(images, MAPS1, SIDE1 * SIDE1, TAPS, w1, maps1, [&](int n, int pixel, int tap) {
		int y = pixel / SIDE1 * 2 + tap / 5, x = pixel % SIDE1 * 2 + tap % 5;

		return image.host[((size_t)n * SIDE + y) * SIDE + x];
	});
	on_cpu(images, MAPS2, SIDE2 * SIDE2, TAPS * MAPS1, w2, maps2, [&](int n, int pixel, int i) {
		int tap = i / MAPS1, y = pixel / SIDE2 * 2 + tap / 5, x = pixel % SIDE2 * 2 + tap % 5;

		return maps1.host[(((size_t)n * MAPS1 + i % MAPS1) * SIDE1 + y) * SIDE1 + x];
	});
	on_cpu(images, HIDDEN, 1, MAPS2 * SIDE2 * SIDE2, w3, hidden,
	       [&](int n, int, int i) { return maps2.host[(size_t)n * MAPS2 * SIDE2 * SIDE2 + i]; });
	on_cpu(images, DIGITS, 1, HIDDEN, w4, digits,
	       [&](int n, int, int i) { return hidden.host[(size_t)n * HIDDEN + i]; });
	compare(all, "first", maps1, 1e-3);
	compare(all, "second", maps2, 1e-3);
	compare(all, "hidden", hidden, 1e-3);
	compare(all, "digits", digits, 1e-3);
	return finish(all, "digits");
}
