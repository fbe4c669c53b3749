/*
 * Kernels whose pointers carry no __restrict__, each launched many times, for the times of marked and plain loads:
 * a stencil, a gather, a sparse product, and a loop whose loads may only overtake its stores when they are marked.
 *
 *   repeat [launches [side]]     side: of the square arrays
 */
#include "../../../../samples/common/check.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { BLOCK = 256, TAPS = 8 };

__global__ void stencil(const float *in, float *out, int side)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	int left = x > 0 ? x - 1 : x, right = x < side - 1 ? x + 1 : x;
	int up = y > 0 ? y - 1 : y, down = y < side - 1 ? y + 1 : y;

	if (x < side)
		out[y * side + x] = 0.5f * in[y * side + x] + 0.125f * (in[y * side + left] + in[y * side + right] +
									in[up * side + x] + in[down * side + x]);
}

__global__ void gather(const int *index, const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[index[i]];
}

__global__ void sparse(const int *columns, const float *values, const float *in, float *out, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (row >= n)
		return;
	for (int k = 0; k < TAPS; k++)
		sum += values[k * n + row] * in[columns[k * n + row]];
	out[row] = sum;
}

__global__ void scale(const float *in, float *out, float factor, int n, int stride)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= stride)
		return;
#pragma unroll
	for (int k = 0; k < TAPS; k++)
		if (i + k * stride < n)
			out[i + k * stride] = factor * in[i + k * stride];
}

template <typename T>
static T *on_device(const std::vector<T> &host)
{
	T *device;

	CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
	CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
	return device;
}

static int compare(const char *name, const float *device, const std::vector<float> &expected)
{
	std::vector<float> got(expected.size());
	int wrong = 0;

	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < got.size(); i++)
		wrong += !(std::fabs(got[i] - expected[i]) <= 1e-4f);
	printf("%s: %d wrong\n", name, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	int launches = argc > 1 ? atoi(argv[1]) : 20, side = argc > 2 ? atoi(argv[2]) : 512, n = side * side;
	int stride = (n + TAPS - 1) / TAPS, wrong = 0;
	dim3 rows((side + BLOCK - 1) / BLOCK, side);
	std::vector<float> in(n), values((size_t)TAPS * n), expected(n);
	std::vector<int> index(n), columns((size_t)TAPS * n);
	unsigned state = 1;

	for (int i = 0; i < n; i++) {
		in[i] = (float)(i % 1000) / 1000;
		index[i] = (int)((state = state * 1664525u + 1013904223u) % (unsigned)n);
	}
	for (size_t i = 0; i < columns.size(); i++) {
		values[i] = 0.125f;
		columns[i] = (int)((state = state * 1664525u + 1013904223u) % (unsigned)n);
	}
	float *d_in = on_device(in), *d_values = on_device(values), *d_out = on_device(expected);
	int *d_index = on_device(index), *d_columns = on_device(columns);

	for (int i = 0; i < launches; i++)
		stencil<<<rows, BLOCK>>>(d_in, d_out, side);
	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++) {
			int left = x > 0 ? x - 1 : x, right = x < side - 1 ? x + 1 : x;
			int up = y > 0 ? y - 1 : y, down = y < side - 1 ? y + 1 : y;

			expected[y * side + x] =
			    0.5f * in[y * side + x] + 0.125f * (in[y * side + left] + in[y * side + right] +
								in[up * side + x] + in[down * side + x]);
		}
	wrong += compare("stencil", d_out, expected);
	for (int i = 0; i < launches; i++)
		gather<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_index, d_in, d_out, n);
	for (int i = 0; i < n; i++)
		expected[i] = in[index[i]];
	wrong += compare("gather", d_out, expected);
	for (int i = 0; i < launches; i++)
		sparse<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_columns, d_values, d_in, d_out, n);
	for (int i = 0; i < n; i++) {
		expected[i] = 0;
		for (int k = 0; k < TAPS; k++)
			expected[i] += values[(size_t)k * n + i] * in[columns[(size_t)k * n + i]];
	}
	wrong += compare("sparse", d_out, expected);
	for (int i = 0; i < launches; i++)
		scale<<<(stride + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, 3, n, stride);
	for (int i = 0; i < n; i++)
		expected[i] = 3 * in[i];
	wrong += compare("scale", d_out, expected);
	CHECK(cudaFree(d_in));
	CHECK(cudaFree(d_values));
	CHECK(cudaFree(d_out));
	CHECK(cudaFree(d_index));
	CHECK(cudaFree(d_columns));
	return wrong != 0;
}
