/*
 * Alignment of two sequences after Needleman and Wunsch, with the shape of Rodinia's nw: tiles of 16 x 16 along a
 * diagonal are independent, and each is a block of 16 threads, half a warp. A first kernel's launches take the
 * diagonals that grow, a second's those that shrink. A tile's pair scores and the borders of its neighbours go through
 * shared memory; the border to the left is read down a column, a line for each lane.
 *
 *   nw [small|study|N], N a multiple of 16
 *
 * The suite runs it with 2048, the size `study` is half of that.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

enum { TILE = 16, PENALTY = 10, KINDS = 24 };

/* The better of a match and of a gap in either sequence. */
__device__ void set_cell(int (*best)[TILE + 1], int (*pair)[TILE], int x, int y, int penalty)
{
	best[y][x] =
	    max(best[y - 1][x - 1] + pair[y - 1][x - 1], max(best[y][x - 1] - penalty, best[y - 1][x] - penalty));
}

/* `first` is where the tile's own scores begin, after the row and the column of borders. */
__device__ void align_tile(int *pairs, int *scores, int columns, int penalty, int tile_x, int tile_y)
{
	__shared__ int best[TILE + 1][TILE + 1], pair[TILE][TILE];
	int me = threadIdx.x, border = columns * TILE * tile_y + TILE * tile_x, first = border + columns + 1;

	if (me == 0)
		best[0][0] = scores[border];
	for (int y = 0; y < TILE; y++)
		pair[y][me] = pairs[first + columns * y + me];
	__syncthreads();
	best[me + 1][0] = scores[border + columns * (me + 1)];
	__syncthreads();
	best[0][me + 1] = scores[border + me + 1];
	__syncthreads();
	for (int step = 0; step < TILE; step++) {
		if (me <= step)
			set_cell(best, pair, me + 1, step - me + 1, penalty);
		__syncthreads();
	}
	for (int step = TILE - 2; step >= 0; step--) {
		if (me <= step)
			set_cell(best, pair, me + TILE - step, TILE - me, penalty);
		__syncthreads();
	}
	for (int y = 0; y < TILE; y++)
		scores[first + columns * y + me] = best[y + 1][me + 1];
}

/* The diagonal of `length` tiles from the upper left corner on. */
__global__ void align_growing(int *pairs, int *scores, int columns, int penalty, int length)
{
	align_tile(pairs, scores, columns, penalty, blockIdx.x, length - 1 - blockIdx.x);
}

/* The same towards the lower right corner of `tiles` x `tiles`. */
__global__ void align_shrinking(int *pairs, int *scores, int columns, int penalty, int length, int tiles)
{
	align_tile(pairs, scores, columns, penalty, blockIdx.x + tiles - length, tiles - 1 - blockIdx.x);
}

/* The score of a pair of kinds; equal kinds score best. */
static int worth(int a, int b)
{
	return a == b ? 4 + a % 8 : (a * b + a + b) % 7 - 4;
}

static void generate(array<int> &pairs, array<int> &scores, int n)
{
	std::vector<int> down(n + 1), along(n + 1);
	unsigned state = 7;

	for (int i = 1; i <= n; i++) {
		down[i] = (int)(next_random(&state) * KINDS);
		along[i] = (int)(next_random(&state) * KINDS);
		scores.host[i] = scores.host[(size_t)i * (n + 1)] = -i * PENALTY;
	}
	for (int y = 1; y <= n; y++)
		for (int x = 1; x <= n; x++)
			pairs.host[(size_t)y * (n + 1) + x] = worth(down[y], along[x]);
	pairs.upload();
	scores.upload();
}

static void align(const array<int> &pairs, const array<int> &scores, int n)
{
	int tiles = n / TILE;

	for (int length = 1; length <= tiles; length++)
		align_growing<<<length, TILE>>>(pairs.device, scores.device, n + 1, PENALTY, length);
	for (int length = tiles - 1; length > 0; length--)
		align_shrinking<<<length, TILE>>>(pairs.device, scores.device, n + 1, PENALTY, length, tiles);
	CHECK(cudaGetLastError());
}

static void align_on_cpu(const array<int> &pairs, array<int> &scores, int n)
{
	for (int y = 1; y <= n; y++) {
		int *row = &scores.host[(size_t)y * (n + 1)];
		const int *above = row - (n + 1), *pair = &pairs.host[(size_t)y * (n + 1)];

		for (int x = 1; x <= n; x++)
			row[x] = std::max(above[x - 1] + pair[x], std::max(row[x - 1], above[x]) - PENALTY);
	}
}

int main(int argc, char **argv)
{
	static const char usage[] = "nw [small|study|N], N a multiple of 16, at most 16384";
	int n = small_or_study(argc, argv, 160, 1024, usage), wrong;

	if (n % TILE || n > 16384) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<int> pairs((size_t)(n + 1) * (n + 1)), scores(pairs.host.size());

	generate(pairs, scores, n);
	align(pairs, scores, n);
	align_on_cpu(pairs, scores, n);
	wrong = differences(scores, 0);
	printf("nw: %zu scores, %d wrong\n", scores.host.size(), wrong);
	return wrong != 0;
}
