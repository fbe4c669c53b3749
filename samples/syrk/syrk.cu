/*
 * The symmetric update C = alpha A A' + beta C, with the shape of PolyBench's syrk. A block of 32 x 8 threads computes
 * as many elements of C. A turn has two loads: the first reads the same word for all lanes. The second is strided by a
 * row of A, so it touches 32 lines, and the next 31 turns read the same lines again. Every turn stores the sum to C,
 * since the compiler cannot know that C and A are apart.
 *
 *   syrk [small|study|N], A and C of N x N
 *
 * The size `study` is the suite's smallest, 256 on a side.
 */
#include "../common/arrays.h"
#include "../common/size.h"

enum { COLUMNS = 32, ROWS = 8 };

#define ALPHA 1.5f
#define BETA 0.5f

__global__ void update(int n, float alpha, float beta, float *a, float *c)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;

	if (row >= n || column >= n)
		return;
	c[row * n + column] *= beta;
	for (int k = 0; k < n; k++)
		c[row * n + column] += alpha * a[row * n + k] * a[column * n + k];
}

/* Row by row of A', of which only half the products are needed. */
static void update_on_cpu(const array<float> &a, array<float> &c, int n)
{
	std::vector<double> products((size_t)n * n);

	for (int row = 0; row < n; row++)
		for (int column = 0; column <= row; column++) {
			double sum = 0;

			for (int k = 0; k < n; k++)
				sum += (double)a.host[(size_t)row * n + k] * a.host[(size_t)column * n + k];
			products[(size_t)row * n + column] = products[(size_t)column * n + row] = sum;
		}
	for (size_t i = 0; i < products.size(); i++)
		c.host[i] = (float)(ALPHA * products[i] + BETA * c.host[i]);
}

int main(int argc, char **argv)
{
	static const char usage[] = "syrk [small|study|N], N at most 8192";
	int n = small_or_study(argc, argv, 64, 256, usage), wrong;

	if (n > 8192) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> a((size_t)n * n), c((size_t)n * n);

	fill(a, 1, 1);
	fill(c, 2, 1);
	update<<<dim3((n + COLUMNS - 1) / COLUMNS, (n + ROWS - 1) / ROWS), dim3(COLUMNS, ROWS)>>>(n, ALPHA, BETA,
												  a.device, c.device);
	CHECK(cudaGetLastError());
	update_on_cpu(a, c, n);
	wrong = differences(c, 1e-4);
	printf("syrk: %zu elements, %d wrong\n", c.host.size(), wrong);
	return wrong != 0;
}
