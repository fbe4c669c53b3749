/*
 * Matrix product c = alpha a b + beta c with the shape of PolyBench's GEMM: a thread for each element, blocks of 32 x
 * 8, no shared memory. The sum is kept in memory: the compiler cannot know that c is neither a nor b, so every step of
 * the sum stores it. A warp reads a word of a, which a row of blocks shares, and a line of b, which a column of blocks
 * shares.
 *
 *   gemm [small|paper|ROWS [INNER [COLUMNS]]]
 *
 * The paper's size is 480: a and b are 1.76 MiB, for the 1.8 MB of shared data in Table III of the SelRep study.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

#define ALPHA 0.75f
#define BETA 0.5f

__global__ void multiply(float *a, float *b, float *c, int rows, int inner, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int element = row * columns + column;

	if (row >= rows || column >= columns)
		return;
	c[element] *= BETA;
	for (int k = 0; k < inner; k++)
		c[element] += ALPHA * a[row * inner + k] * b[k * columns + column];
}

/* The sums grow row by row of b, so that the innermost loop runs along a row. */
static void multiply_on_cpu(const array<float> &a, const array<float> &b, array<float> &c, int rows, int inner,
			    int columns)
{
	std::vector<double> sums(columns);

	for (int row = 0; row < rows; row++) {
		float *out = &c.host[(size_t)row * columns];

		for (int column = 0; column < columns; column++)
			sums[column] = (double)BETA * out[column];
		for (int k = 0; k < inner; k++)
			for (int column = 0; column < columns; column++)
				sums[column] += (double)ALPHA * a.host[(size_t)row * inner + k] *
						b.host[(size_t)k * columns + column];
		for (int column = 0; column < columns; column++)
			out[column] = (float)sums[column];
	}
}

int main(int argc, char **argv)
{
	static const char usage[] = "gemm [small|paper|ROWS [INNER [COLUMNS]]]";
	int rows = chosen_size(argc, argv, 72, 480, usage);
	int inner = argc > 2 ? positive(argv[2], usage) : rows, columns = argc > 3 ? positive(argv[3], usage) : rows;
	array<float> a((size_t)rows * inner), b((size_t)inner * columns), c((size_t)rows * columns);
	dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
	int wrong;

	fill(a, 1, 1);
	fill(b, 2, 1);
	fill(c, 3, 1);
	multiply<<<grid, block>>>(a.device, b.device, c.device, rows, inner, columns);
	CHECK(cudaGetLastError());
	multiply_on_cpu(a, b, c, rows, inner, columns);
	wrong = differences(c, std::max(1e-4, inner * 3e-8)); /* a quarter of a float's precision, each step */
	printf("gemm: %zu elements, %d wrong\n", c.host.size(), wrong);
	return wrong != 0;
}
