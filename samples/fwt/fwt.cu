/*
 * A dyadic convolution by fast Walsh transforms, with the shape of the CUDA SDK's fastWalshTransform: passes of radix 4
 * in global memory until a piece has 2048 elements, which a block of 512 threads then transforms in shared memory. Data
 * and kernel are transformed, multiplied, and transformed back. All is streamed, in place, and coalesced.
 *
 *   fwt [small|study|LOG2], 2 to the power LOG2 elements
 *
 * The suite's data has 2^23 elements, and its convolution's kernel 2^7. The size `study` is 2^20, of 4 MiB.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

enum { PIECE_LOG2 = 11, PASS_BLOCK = 256, KERNEL = 128, MULTIPLY_BLOCKS = 128 };

/* Two levels at once of four elements that are `stride` apart. */
__device__ void butterfly(float *data, int at, int stride, float *out)
{
	float a = data[at], b = data[at + stride], c = data[at + 2 * stride], d = data[at + 3 * stride];
	float sum_even = a + c, sum_odd = b + d, difference_even = a - c, difference_odd = b - d;

	out[at] = sum_even + sum_odd;
	out[at + stride] = sum_even - sum_odd;
	out[at + 2 * stride] = difference_even + difference_odd;
	out[at + 3 * stride] = difference_even - difference_odd;
}

/* The index of the thread's first element. */
__device__ int place(int thread, int stride)
{
	int low = thread & (stride - 1);

	return ((thread - low) << 2) + low;
}

__global__ void pass(float *out, float *in, int stride)
{
	butterfly(in, place(blockIdx.x * blockDim.x + threadIdx.x, stride), stride, out);
}

__global__ void transform_piece(float *out, float *in, int log2)
{
	extern __shared__ float piece[];
	int size = 1 << log2, start = blockIdx.x << log2;

	for (int i = threadIdx.x; i < size; i += blockDim.x)
		piece[i] = in[start + i];
	for (int stride = size >> 2; stride > 0; stride >>= 2) {
		__syncthreads();
		butterfly(piece, place(threadIdx.x, stride), stride, piece);
	}
	if (log2 & 1) {
		__syncthreads();
		for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
			float even = piece[2 * i], odd = piece[2 * i + 1];

			piece[2 * i] = even + odd;
			piece[2 * i + 1] = even - odd;
		}
	}
	__syncthreads();
	for (int i = threadIdx.x; i < size; i += blockDim.x)
		out[start + i] = piece[i];
}

__global__ void multiply(float *a, float *b, int count, float factor)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x)
		a[i] *= b[i] * factor;
}

static void transform(float *data, int log2)
{
	int pieces = 1, piece_log2 = log2;

	for (; piece_log2 > PIECE_LOG2; piece_log2 -= 2, pieces *= 4)
		pass<<<(1 << log2) / (4 * PASS_BLOCK), PASS_BLOCK>>>(data, data, 1 << (piece_log2 - 2));
	transform_piece<<<pieces, 1 << (piece_log2 - 2), sizeof(float) << piece_log2>>>(data, data, piece_log2);
	CHECK(cudaGetLastError());
}

/* The definition: the result's element i is the sum of kernel[j] times data[i xor j]. */
static void convolve_on_cpu(array<float> &data, const array<float> &kernel)
{
	std::vector<float> in = data.host;

	for (size_t i = 0; i < in.size(); i++) {
		double sum = 0;

		for (size_t j = 0; j < KERNEL; j++)
			sum += (double)kernel.host[j] * in[i ^ j];
		data.host[i] = (float)sum;
	}
}

int main(int argc, char **argv)
{
	static const char usage[] = "fwt [small|study|LOG2], LOG2 from 10 to 24";
	int log2 = small_or_study(argc, argv, 14, 20, usage), count = 1 << log2, wrong;

	if (log2 < 10 || log2 > 24) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> data(count), kernel(count);

	fill(data, 1, 1);
	fill(kernel, 2, 1);
	std::fill(kernel.host.begin() + KERNEL, kernel.host.end(), 0.0f);
	kernel.upload();
	transform(data.device, log2);
	transform(kernel.device, log2);
	multiply<<<MULTIPLY_BLOCKS, PASS_BLOCK>>>(data.device, kernel.device, count, 1 / (float)count);
	CHECK(cudaGetLastError());
	transform(data.device, log2);
	convolve_on_cpu(data, kernel);
	wrong = differences(data, 1e-4);
	printf("fwt: %d elements, %d wrong\n", count, wrong);
	return wrong != 0;
}
