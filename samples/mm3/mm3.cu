/*
 * Three matrix products, e = a b, f = c d and g = e f, with the shape of PolyBench's 3MM. A launch computes a product,
 * a thread an element of it, a block 32 columns of 8 rows, without shared memory. The compiler cannot know that the
 * product is apart from the factors, so every step of the sum stores it. A warp reads a word of the left factor, which
 * a row of blocks shares, and a line of the right factor, which a column of blocks shares. The third launch reads the
 * results of the first two.
 *
 *   mm3 [small|paper|N]
 *
 * The paper's size is 2048: seven matrices are 112 MiB, for the 109 MB of 3MM in Table 4 of the SAC study. The table's
 * 4,096 blocks would fit blocks of 32 x 32 threads, or blocks of 32 x 8 at N = 1024, which is 28 MiB. Simulating either
 * takes long; for a look, take 384: 576 blocks and 3.9 MiB.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

__global__ void multiply(float *left, float *right, float *product, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int element = row * n + column;

	if (row >= n || column >= n)
		return;
	product[element] = 0;
	for (int k = 0; k < n; k++)
		product[element] += left[row * n + k] * right[k * n + column];
}

/* The sums grow row by row of the right factor, so that the innermost loop runs along a row. */
static void multiply_on_cpu(const array<float> &left, const array<float> &right, array<float> &product, int n)
{
	std::vector<double> sums(n);

	for (int row = 0; row < n; row++) {
		std::fill(sums.begin(), sums.end(), 0);
		for (int k = 0; k < n; k++) {
			double factor = left.host[(size_t)row * n + k];
			const float *from = &right.host[(size_t)k * n];

			for (int column = 0; column < n; column++)
				sums[column] += factor * from[column];
		}
		std::copy(sums.begin(), sums.end(), &product.host[(size_t)row * n]);
	}
}

int main(int argc, char **argv)
{
	static const char usage[] = "mm3 [small|paper|N], N at most 8192";
	int n = chosen_size(argc, argv, 56, 2048, usage), wrong = 0;

	if (n > 8192) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	size_t size = (size_t)n * n;
	array<float> a(size), b(size), c(size), d(size), e(size), f(size), g(size);
	dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
	double scale = std::sqrt(3 / std::sqrt((double)n)); /* so that e and f are around 1, too */

	fill(a, 1, scale);
	fill(b, 2, scale);
	fill(c, 3, scale);
	fill(d, 4, scale);
	multiply<<<grid, block>>>(a.device, b.device, e.device, n);
	multiply<<<grid, block>>>(c.device, d.device, f.device, n);
	multiply<<<grid, block>>>(e.device, f.device, g.device, n);
	CHECK(cudaGetLastError());
	multiply_on_cpu(a, b, e, n);
	multiply_on_cpu(c, d, f, n);
	multiply_on_cpu(e, f, g, n);
	for (const array<float> *product : {&e, &f, &g})
		wrong += differences(*product, 1e-3);
	printf("mm3: %zu elements, %d wrong\n", 3 * size, wrong);
	return wrong != 0;
}
