/*
 * Gaussian elimination, with the shape of Rodinia's gaussian. For each row a first launch divides the column below the
 * pivot, and a second subtracts the pivot's row from all rows below. A thread's x coordinate is the row. So a warp's
 * loads touch a line for each lane in the first launch, and four elements of each of four rows in the second, whose
 * blocks have 4 x 4 threads. The second launch always has threads for the whole matrix; those outside the rest that
 * remains end at once.
 *
 *   gaussian [small|study|N]
 *
 * The suite has matrices from 3 to 1024 on a side. Its matrix of 208 is the size `study`.
 */
#include "../common/arrays.h"
#include "../common/size.h"

enum { COLUMN_BLOCK = 512, SIDE = 4 };

#define TOLERANCE 2e-6 /* of the pivots, which are about n */

__global__ void divide(float *factors, float *matrix, int n, int pivot)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x + pivot + 1;

	if (row < n)
		factors[n * row + pivot] = matrix[n * row + pivot] / matrix[n * pivot + pivot];
}

__global__ void subtract(float *factors, float *matrix, float *right, int n, int pivot)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int row = x + pivot + 1, column = y + pivot;

	if (row >= n || column >= n)
		return;
	matrix[n * row + column] -= factors[n * row + pivot] * matrix[n * pivot + column];
	if (y == 0)
		right[row] -= factors[n * row + column] * right[pivot];
}

struct problem {
	int n;
	array<float> matrix, factors, right;

	explicit problem(int size) : n(size), matrix((size_t)n * n), factors(matrix.host.size()), right(n)
	{
		fill(matrix, 1, 1);
		for (int i = 0; i < n; i++) /* so that no pivot is small */
			matrix.host[(size_t)i * n + i] += (float)n;
		matrix.upload();
		factors.upload();
		fill(right, 2, 1);
	}
};

static void eliminate(const problem &p)
{
	int blocks = (p.n + COLUMN_BLOCK - 1) / COLUMN_BLOCK, side = (p.n + SIDE - 1) / SIDE;

	for (int pivot = 0; pivot < p.n - 1; pivot++) {
		divide<<<blocks, COLUMN_BLOCK>>>(p.factors.device, p.matrix.device, p.n, pivot);
		subtract<<<dim3(side, side), dim3(SIDE, SIDE)>>>(p.factors.device, p.matrix.device, p.right.device, p.n,
								 pivot);
	}
	CHECK(cudaGetLastError());
}

/* The unknowns, from what is left above the diagonal. */
static std::vector<double> substitute(const problem &p, const std::vector<float> &upper,
				      const std::vector<float> &right)
{
	std::vector<double> unknowns(p.n);

	for (int row = p.n - 1; row >= 0; row--) {
		double sum = right[row];

		for (int column = row + 1; column < p.n; column++)
			sum -= upper[(size_t)row * p.n + column] * unknowns[column];
		unknowns[row] = sum / upper[(size_t)row * p.n + row];
	}
	return unknowns;
}

/* The number of the original equations that the unknowns do not solve. */
static int unsolved(const problem &p, const std::vector<double> &unknowns)
{
	int wrong = 0;

	for (int row = 0; row < p.n; row++) {
		double sum = 0;

		for (int column = 0; column < p.n; column++)
			sum += p.matrix.host[(size_t)row * p.n + column] * unknowns[column];
		wrong += !(std::fabs(sum - p.right.host[row]) < TOLERANCE * p.n);
	}
	return wrong;
}

/* The number of elements of the original matrix that differ from the product of the factors and the upper triangle. */
static int unlike_product(const problem &p, const std::vector<float> &factors, const std::vector<float> &upper)
{
	std::vector<double> product(p.n);
	int wrong = 0;

	for (int row = 0; row < p.n; row++) {
		std::fill(product.begin(), product.end(), 0);
		for (int k = 0; k <= row; k++) {
			double factor = k == row ? 1 : factors[(size_t)row * p.n + k];

			for (int column = k; column < p.n; column++)
				product[column] += factor * upper[(size_t)k * p.n + column];
		}
		for (int column = 0; column < p.n; column++)
			wrong +=
			    !(std::fabs(product[column] - p.matrix.host[(size_t)row * p.n + column]) < TOLERANCE * p.n);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const char usage[] = "gaussian [small|study|N], N from 2 to 4096";
	int n = small_or_study(argc, argv, 40, 208, usage), wrong;

	if (n < 2 || n > 4096) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	problem p(n);

	eliminate(p);
	std::vector<float> upper = p.matrix.download(), factors = p.factors.download(), right = p.right.download();
	wrong = unsolved(p, substitute(p, upper, right)) + unlike_product(p, factors, upper);
	printf("gaussian: %d unknowns, %d wrong\n", n, wrong);
	return wrong != 0;
}
