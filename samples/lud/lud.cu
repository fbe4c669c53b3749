/*
 * LU decomposition in place, without pivots, with the shape of Rodinia's LUD. A step takes 16 rows: a block decomposes
 * the tile on the diagonal, a row of blocks solves the tiles beside and below it, and a square of blocks subtracts
 * their products from the tiles that remain. All tiles pass through shared memory. A launch reads the step's tiles in
 * many blocks, but it also writes the matrix, so no load is of read-only data.
 *
 *   lud [small|paper|N [STEPS]], N a multiple of 16; default: all steps
 *
 * The paper's size is 2960: the matrix is 33.4 MiB, for the 33.4 MB of shared data in Table III of the SelRep study.
 * That is 553 launches with 2.1 million blocks in all, whose simulation takes days. For a look, take 512 or so.
 */
#include "../common/arrays.h"
#include "../common/size.h"

enum { TILE = 16 };

/* One block of TILE threads: the tile at (start, start). */
__global__ void diagonal(float *matrix, int n, int start)
{
	__shared__ float tile[TILE][TILE];
	float *corner = matrix + start * n + start;
	int me = threadIdx.x;

	for (int row = 0; row < TILE; row++)
		tile[row][me] = corner[row * n + me];
	__syncthreads();
	for (int k = 0; k < TILE - 1; k++) {
		if (me > k) { /* row `me` of column k of L */
			for (int j = 0; j < k; j++)
				tile[me][k] -= tile[me][j] * tile[j][k];
			tile[me][k] /= tile[k][k];
		}
		__syncthreads();
		if (me > k) /* column `me` of row k + 1 of U */
			for (int j = 0; j <= k; j++)
				tile[k + 1][me] -= tile[k + 1][j] * tile[j][me];
		__syncthreads();
	}
	for (int row = 1; row < TILE; row++) /* the first row is unchanged */
		corner[row * n + me] = tile[row][me];
}

/*
 * A block for each pair of tiles, beside and below the diagonal: its first TILE threads take the right tile, the others
 * the lower tile.
 */
__global__ void perimeter(float *matrix, int n, int start)
{
	__shared__ float tile[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
	float *corner = matrix + start * n + start;
	int away = (blockIdx.x + 1) * TILE, me = threadIdx.x % TILE;
	bool is_right = threadIdx.x < TILE;

	if (is_right) {
		for (int row = 0; row < TILE / 2; row++)
			tile[row][me] = corner[row * n + me];
		for (int row = 0; row < TILE; row++)
			right[row][me] = corner[row * n + away + me];
	} else {
		for (int row = TILE / 2; row < TILE; row++)
			tile[row][me] = corner[row * n + me];
		for (int row = 0; row < TILE; row++)
			below[row][me] = corner[(away + row) * n + me];
	}
	__syncthreads();
	if (is_right) {
		for (int row = 1; row < TILE; row++)
			for (int k = 0; k < row; k++)
				right[row][me] -= tile[row][k] * right[k][me];
	} else {
		for (int column = 0; column < TILE; column++) {
			for (int k = 0; k < column; k++)
				below[me][column] -= below[me][k] * tile[k][column];
			below[me][column] /= tile[column][column];
		}
	}
	__syncthreads();
	if (is_right) {
		for (int row = 1; row < TILE; row++)
			corner[row * n + away + me] = right[row][me];
	} else {
		for (int row = 0; row < TILE; row++)
			corner[(away + row) * n + me] = below[row][me];
	}
}

/* A block of TILE x TILE for each tile that remains. */
__global__ void internal(float *matrix, int n, int start)
{
	__shared__ float above[TILE][TILE], left[TILE][TILE];
	int row = start + (blockIdx.y + 1) * TILE + threadIdx.y;
	int column = start + (blockIdx.x + 1) * TILE + threadIdx.x;
	float sum = 0;

	above[threadIdx.y][threadIdx.x] = matrix[(start + threadIdx.y) * n + column];
	left[threadIdx.y][threadIdx.x] = matrix[row * n + start + threadIdx.x];
	__syncthreads();
	for (int k = 0; k < TILE; k++)
		sum += left[threadIdx.y][k] * above[k][threadIdx.x];
	matrix[row * n + column] -= sum;
}

static void decompose(float *matrix, int n, int steps)
{
	for (int start = 0; start < steps * TILE; start += TILE) {
		int tiles = (n - start) / TILE - 1;

		diagonal<<<1, TILE>>>(matrix, n, start);
		if (tiles == 0)
			break;
		perimeter<<<tiles, 2 * TILE>>>(matrix, n, start);
		internal<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(matrix, n, start);
	}
	CHECK(cudaGetLastError());
}

static void decompose_on_cpu(array<float> &matrix, int n, int steps)
{
	std::vector<double> m(matrix.host.begin(), matrix.host.end());

	for (int k = 0; k < steps * TILE; k++)
		for (int row = k + 1; row < n; row++) {
			double *to = &m[(size_t)row * n], factor = to[k] /= m[(size_t)k * n + k];
			const double *from = &m[(size_t)k * n];

			for (int column = k + 1; column < n; column++)
				to[column] -= factor * from[column];
		}
	for (size_t i = 0; i < m.size(); i++)
		matrix.host[i] = (float)m[i];
}

int main(int argc, char **argv)
{
	static const char usage[] = "lud [small|paper|N [STEPS]], N a multiple of 16";
	int n = chosen_size(argc, argv, 80, 2960, usage), wrong;
	int steps = argc > 2 ? positive(argv[2], usage) : n / TILE;

	if (n % TILE || n > 16384 || steps > n / TILE) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> matrix((size_t)n * n);

	fill(matrix, 1, 1);
	for (int i = 0; i < n; i++) /* so that no pivot is needed */
		matrix.host[(size_t)i * n + i] += (float)n;
	matrix.upload();
	decompose(matrix.device, n, steps);
	decompose_on_cpu(matrix, n, steps);
	wrong = differences(matrix, 1e-4);
	printf("lud: %zu elements, %d wrong\n", matrix.host.size(), wrong);
	return wrong != 0;
}
