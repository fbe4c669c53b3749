/*
 * Matrix product c = a b, row-major: one thread an element. `naive` reads a's row and b's column from global memory;
 * `tiled` first copies 16x16 tiles to shared memory. Both only read a and b, so every block shares these.
 *
 *   matmul [--naive | --tiled | --aliased] [mm_0 | ... | mm_4 | rows [inner [columns]]]
 *
 * Without numbers 512 each: a and b are 2 MB together, more than an L1 and less than an LLC. The names are sizes of the
 * SelRep study: a public sample's 80 x 48 by 48 x 128, and 2, 4, 7 and 10 times that in every dimension. So a and b
 * have 0.04, 0.15, 0.61, 1.87 and 3.81 MB together.
 * --aliased adds a launch whose output is its first input: what the parameters' names promise does not hold there.
 */
#include "../common/size.h"

#include <cmath>
#include <vector>

#define TILE 16

__global__ void matmul_naive(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (row >= rows || column >= columns)
		return;
	for (int k = 0; k < inner; k++)
		sum += a[row * inner + k] * b[k * columns + column];
	c[row * columns + column] = sum;
}

__global__ void matmul_tiled(const float *a, const float *b, float *c, int rows, int inner, int columns)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int row = blockIdx.y * TILE + threadIdx.y;
	int column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;

	for (int start = 0; start < inner; start += TILE) {
		int ka = start + threadIdx.x, kb = start + threadIdx.y;

		tile_a[threadIdx.y][threadIdx.x] = row < rows && ka < inner ? a[row * inner + ka] : 0.0f;
		tile_b[threadIdx.y][threadIdx.x] = kb < inner && column < columns ? b[kb * columns + column] : 0.0f;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
		__syncthreads();
	}
	if (row < rows && column < columns)
		c[row * columns + column] = sum;
}

struct problem {
	int rows, inner, columns;
	std::vector<float> a, b, expected;
	float *da, *db, *dc;
};

static void reference(problem &p)
{
	p.expected.assign((size_t)p.rows * p.columns, 0.0f);
	for (int i = 0; i < p.rows; i++)
		for (int k = 0; k < p.inner; k++) {
			float a = p.a[(size_t)i * p.inner + k];

			for (int j = 0; j < p.columns; j++)
				p.expected[(size_t)i * p.columns + j] += a * p.b[(size_t)k * p.columns + j];
		}
}

static void setup(problem &p)
{
	unsigned state = 1;

	p.a.resize((size_t)p.rows * p.inner);
	p.b.resize((size_t)p.inner * p.columns);
	for (float &x : p.a)
		x = next_random(&state) - 0.5f;
	for (float &x : p.b)
		x = next_random(&state) - 0.5f;
	reference(p);
	CHECK(cudaMalloc(&p.da, p.a.size() * sizeof(float)));
	CHECK(cudaMalloc(&p.db, p.b.size() * sizeof(float)));
	CHECK(cudaMalloc(&p.dc, p.expected.size() * sizeof(float)));
	CHECK(cudaMemcpy(p.da, p.a.data(), p.a.size() * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(p.db, p.b.data(), p.b.size() * sizeof(float), cudaMemcpyHostToDevice));
}

static void release(problem &p)
{
	CHECK(cudaFree(p.da));
	CHECK(cudaFree(p.db));
	CHECK(cudaFree(p.dc));
}

static int verify(const char *name, const float *device, const std::vector<float> &expected, float tolerance)
{
	std::vector<float> got(expected.size());
	int wrong = 0;

	CHECK(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < got.size(); i++)
		wrong += !(std::fabs(got[i] - expected[i]) <= tolerance);
	printf("%s: %zu elements, %d wrong\n", name, got.size(), wrong);
	return wrong;
}

static int run_matmul(problem &p, bool tiled)
{
	dim3 block(TILE, TILE);
	dim3 grid((p.columns + TILE - 1) / TILE, (p.rows + TILE - 1) / TILE);

	CHECK(cudaMemset(p.dc, 0, p.expected.size() * sizeof(float)));
	if (tiled)
		matmul_tiled<<<grid, block>>>(p.da, p.db, p.dc, p.rows, p.inner, p.columns);
	else
		matmul_naive<<<grid, block>>>(p.da, p.db, p.dc, p.rows, p.inner, p.columns);
	CHECK(cudaGetLastError());
	return verify(tiled ? "matmul_tiled" : "matmul_naive", p.dc, p.expected, 1e-4f * p.inner);
}

/*
 * The tiled kernel with its first input as its output. That is well defined where a block reads all of its rows of a
 * before it writes any: with TILE columns, one block has whole rows, and a barrier stands between.
 */
static int run_aliased(int rows)
{
	problem p;
	int wrong;

	p.rows = rows;
	p.inner = p.columns = TILE;
	setup(p);
	matmul_tiled<<<dim3(1, (rows + TILE - 1) / TILE), dim3(TILE, TILE)>>>(p.da, p.db, p.da, rows, TILE, TILE);
	CHECK(cudaGetLastError());
	wrong = verify("matmul_tiled aliased", p.da, p.expected, 1e-4f * TILE);
	release(p);
	return wrong;
}

/* The dimensions of one of the names, or those that the arguments count, from the first on. */
static void dimensions(problem &p, int count, char **arguments, const char *usage)
{
	static const int scales[] = {1, 2, 4, 7, 10};
	int named = count == 1 ? study_size(arguments[0], "mm_") : -1;

	if (named >= 0) {
		p.rows = 80 * scales[named];
		p.inner = 48 * scales[named];
		p.columns = 128 * scales[named];
		return;
	}
	p.rows = count > 0 ? positive(arguments[0], usage) : 512;
	p.inner = count > 1 ? positive(arguments[1], usage) : p.rows;
	p.columns = count > 2 ? positive(arguments[2], usage) : p.rows;
}

int main(int argc, char **argv)
{
	static const char usage[] =
	    "matmul [--naive | --tiled | --aliased] [mm_0 | ... | mm_4 | rows [inner [columns]]]";
	const char *option = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
	int first = *option ? 2 : 1, wrong = 0;
	problem p;

	if (*option && strcmp(option, "--naive") && strcmp(option, "--tiled") && strcmp(option, "--aliased"))
		positive(option, usage);
	dimensions(p, argc - first, argv + first, usage);
	setup(p);
	if (strcmp(option, "--tiled"))
		wrong += run_matmul(p, false);
	if (strcmp(option, "--naive"))
		wrong += run_matmul(p, true);
	if (strcmp(option, "--aliased") == 0)
		wrong += run_aliased(p.rows);
	release(p);
	return wrong != 0;
}
