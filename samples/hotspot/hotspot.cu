/*
 * The heat of a chip over time, with the shape of Rodinia's hotspot: a block of 16 x 16 threads loads a tile of
 * temperatures and powers into shared memory, takes two steps of time, and stores the 12 x 12 in the middle, which the
 * tile's edges have not reached. Tiles overlap, so their edges are read by two or four blocks; a row of a tile starts
 * anywhere in a line.
 *
 *   hotspot [small|study|N [STEPS]], N x N cells
 *
 * The suite runs it with 512 cells on a side, the size `study`, which takes twelve steps.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

enum { TILE = 16, STEPS_AT_ONCE = 2, SMALL = 64 };

#define AMBIENT 80.0f

/* Thermal properties of a cell. */
struct cells {
	float capacity, along_x, along_y, upwards; /* the last three are resistances */
	float step;                                /* of time */
};

/* The chip is 16 mm on a side and 0.5 mm thick, of silicon; a step heats the hottest by a thousandth of a degree. */
static cells cells_of(int n)
{
	double heat = 1.75e6, conductivity = 100, thickness = 0.0005, side = 0.016 / n, capacity_share = 0.5;
	double fastest = 3.0e6 / (capacity_share * thickness * heat);
	cells c;

	c.capacity = (float)(capacity_share * heat * thickness * side * side);
	c.along_x = c.along_y = (float)(1 / (2 * conductivity * thickness));
	c.upwards = (float)(thickness / (conductivity * side * side));
	c.step = (float)(0.001 / fastest);
	return c;
}

/* The rows or columns of a tile that are on the chip. */
struct range {
	int first, last;
};

__device__ range on_chip(int start, int n)
{
	return {start < 0 ? -start : 0, start + TILE > n ? n - 1 - start : TILE - 1};
}

__device__ bool within(int at, int first, int last)
{
	return at >= first && at <= last;
}

/* Cells outside the chip are as warm as the nearest cell inside. */
__global__ void heat(int steps, float *power, float *from, float *to, int n, int border, cells c)
{
	__shared__ float now[TILE][TILE], heating[TILE][TILE], next[TILE][TILE];
	float step = c.step / c.capacity, x_rate = 1 / c.along_x, y_rate = 1 / c.along_y, up_rate = 1 / c.upwards;
	int x = threadIdx.x, y = threadIdx.y, inner = TILE - 2 * steps;
	int left = inner * blockIdx.x - border, top = inner * blockIdx.y - border;
	int column = left + x, row = top + y, cell = row * n + column;
	range xs = on_chip(left, n), ys = on_chip(top, n);
	int north = max(y - 1, ys.first), south = min(y + 1, ys.last);
	int west = max(x - 1, xs.first), east = min(x + 1, xs.last);
	bool is_set = false;

	if (within(row, 0, n - 1) && within(column, 0, n - 1)) {
		now[y][x] = from[cell];
		heating[y][x] = power[cell];
	}
	__syncthreads();
	for (int i = 0; i < steps; i++) {
		is_set = within(x, i + 1, TILE - i - 2) && within(y, i + 1, TILE - i - 2) &&
			 within(x, xs.first, xs.last) && within(y, ys.first, ys.last);
		if (is_set)
			next[y][x] =
			    (float)(now[y][x] +
				    step * (heating[y][x] + (now[south][x] + now[north][x] - 2.0 * now[y][x]) * y_rate +
					    (now[y][east] + now[y][west] - 2.0 * now[y][x]) * x_rate +
					    (AMBIENT - now[y][x]) * up_rate));
		__syncthreads();
		if (i == steps - 1)
			break;
		if (is_set)
			now[y][x] = next[y][x];
		__syncthreads();
	}
	if (is_set)
		to[cell] = next[y][x];
}

/* Returns which of the two arrays has the last temperatures. */
static int heat_on_device(const array<float> &power, const array<float> *warmth, int n, int steps)
{
	int inner = TILE - 2 * STEPS_AT_ONCE, blocks = (n + inner - 1) / inner, from = 0;

	for (int step = 0; step < steps; step += STEPS_AT_ONCE) {
		heat<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(STEPS_AT_ONCE, power.device, warmth[from].device,
								 warmth[1 - from].device, n, STEPS_AT_ONCE,
								 cells_of(n));
		from = 1 - from;
	}
	CHECK(cudaGetLastError());
	return from;
}

/* Flows between neighbours, each counted once for both. */
static void heat_on_cpu(const array<float> &power, array<float> &warmth, int n, int steps)
{
	std::vector<double> now(warmth.host.begin(), warmth.host.end()), gain(now.size());
	cells c = cells_of(n);

	for (int step = 0; step < steps; step++) {
		for (size_t i = 0; i < now.size(); i++)
			gain[i] = power.host[i] + (AMBIENT - now[i]) / c.upwards;
		for (int y = 0; y < n; y++)
			for (int x = 0; x < n; x++) {
				size_t i = (size_t)y * n + x;
				double right = x + 1 < n ? (now[i + 1] - now[i]) / c.along_x : 0;
				double down = y + 1 < n ? (now[i + n] - now[i]) / c.along_y : 0;

				gain[i] += right + down;
				if (x + 1 < n)
					gain[i + 1] -= right;
				if (y + 1 < n)
					gain[i + n] -= down;
			}
		for (size_t i = 0; i < now.size(); i++)
			now[i] += gain[i] * c.step / c.capacity;
	}
	std::copy(now.begin(), now.end(), warmth.host.begin());
}

int main(int argc, char **argv)
{
	static const char usage[] = "hotspot [small|study|N [STEPS]], N at most 8192, STEPS even";
	int n = small_or_study(argc, argv, SMALL, 512, usage),
	    steps = argc > 2     ? positive(argv[2], usage)
		    : n == SMALL ? 4
				 : 12,
	    last, wrong;

	if (n > 8192 || steps % STEPS_AT_ONCE) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> power((size_t)n * n),
	    warmth[2] = {array<float>(power.host.size()), array<float>(power.host.size())};

	fill(power, 1, 0.01);
	fill(warmth[0], 2, 10);
	for (float &value : warmth[0].host)
		value += 330;
	warmth[0].upload();
	last = heat_on_device(power, warmth, n, steps);
	warmth[last].host = warmth[0].host;
	heat_on_cpu(power, warmth[last], n, steps);
	wrong = differences(warmth[last], 1e-6);
	printf("hotspot: %zu cells, %d steps, %d wrong\n", power.host.size(), steps, wrong);
	return wrong != 0;
}
