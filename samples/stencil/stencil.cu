/*
 * Jacobi steps with seven points over a volume, with the shapes of Parboil's stencil. `base` has a thread for each
 * element, and a block for each row, with a thread less than the row has elements. `tiled` gives a block 64 columns of
 * 4 rows, two elements to each of its 32 x 4 threads, and moves it through all planes. Shared memory holds the plane
 * that it is in, and registers the planes above and below; only elements beyond its edges are read again. Blocks share
 * their edges, and a step reads what the previous step wrote.
 *
 *   stencil [base|tiled] [small|paper|COLUMNS [ROWS [PLANES [STEPS]]]]
 *
 * The default is tiled. The paper's size is 512 x 512 x 98: 1,024 blocks of `tiled`, and two volumes of together 205.5
 * MB, as STEN has in Table 4 of the SAC study. Simulating two steps takes a minute. The benchmark's own sizes are 128 x
 * 128 x 32 and 512 x 512 x 64, with 100 steps.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <utility>

enum { LANES = 32, ROWS = 4, WIDTH = 2 * LANES /* columns of a block of `tiled` */ };

#define CENTRE (1.0f / 6)
#define NEIGHBOUR (1.0f / 36)

struct volume {
	int columns, rows, planes;

	__host__ __device__ int at(int column, int row, int plane) const
	{
		return (plane * rows + row) * columns + column;
	}
	__host__ __device__ bool is_inside(int column, int row) const
	{
		return column > 0 && row > 0 && column < columns - 1 && row < rows - 1;
	}
};

__global__ void base(const float *in, float *out, volume v)
{
	int column = threadIdx.x, row = blockIdx.x + 1, plane = blockIdx.y + 1;

	if (column > 0)
		out[v.at(column, row, plane)] = (in[v.at(column, row, plane + 1)] + in[v.at(column, row, plane - 1)] +
						 in[v.at(column, row + 1, plane)] + in[v.at(column, row - 1, plane)] +
						 in[v.at(column + 1, row, plane)] + in[v.at(column - 1, row, plane)]) *
						    NEIGHBOUR -
						in[v.at(column, row, plane)] * CENTRE;
}

/* One of a thread's two columns: its elements of the planes below, above and at hand, the last in `tile` at `me`. */
struct pillar {
	int column, me;
	float below, above;
};

/*
 * The next value of a pillar's element. A neighbour that lies in the block is in the tile; `beyond` is -1 or 1 for the
 * side on which a warp's first or last column ends.
 */
static __device__ void update(const float *in, float *out, const float *tile, const volume &v, const pillar &p, int row,
			      int plane, int beyond)
{
	bool is_last = threadIdx.y == ROWS - 1, is_first = threadIdx.y == 0;
	bool is_edge = beyond < 0 ? threadIdx.x == 0 : threadIdx.x == LANES - 1;
	float up = is_last ? in[v.at(p.column, row + 1, plane)] : tile[p.me + WIDTH];
	float down = is_first ? in[v.at(p.column, row - 1, plane)] : tile[p.me - WIDTH];
	float outer = is_edge ? in[v.at(p.column + beyond, row, plane)] : tile[p.me + beyond];

	out[v.at(p.column, row, plane)] =
	    (p.above + p.below + up + down + tile[p.me - beyond] + outer) * NEIGHBOUR - tile[p.me] * CENTRE;
}

__global__ void tiled(const float *in, float *out, volume v)
{
	__shared__ float tile[ROWS * WIDTH];
	int row = blockIdx.y * ROWS + threadIdx.y;
	pillar pillars[2];

	for (int i = 0; i < 2; i++) {
		pillar &p = pillars[i];

		p.column = blockIdx.x * WIDTH + i * LANES + threadIdx.x;
		p.me = threadIdx.y * WIDTH + i * LANES + threadIdx.x;
		p.below = p.above = tile[p.me] = 0;
		if (p.column < v.columns && row < v.rows) {
			p.below = in[v.at(p.column, row, 0)];
			tile[p.me] = in[v.at(p.column, row, 1)];
		}
	}
	__syncthreads();
	for (int plane = 1; plane < v.planes - 1; plane++) {
		for (int i = 0; i < 2; i++) {
			pillar &p = pillars[i];

			if (p.column < v.columns && row < v.rows)
				p.above = in[v.at(p.column, row, plane + 1)];
			if (v.is_inside(p.column, row))
				update(in, out, tile, v, p, row, plane, i == 0 ? -1 : 1);
		}
		__syncthreads();
		for (pillar &p : pillars) {
			p.below = tile[p.me];
			tile[p.me] = p.above;
		}
		__syncthreads();
	}
}

static void step_on_cpu(const std::vector<float> &in, std::vector<float> &out, const volume &v)
{
	for (int plane = 1; plane < v.planes - 1; plane++)
		for (int row = 1; row < v.rows - 1; row++)
			for (int column = 1; column < v.columns - 1; column++) {
				size_t me = v.at(column, row, plane), area = (size_t)v.rows * v.columns;
				double sum = (double)in[me + 1] + in[me - 1] + in[me + v.columns] + in[me - v.columns] +
					     in[me + area] + in[me - area];

				out[me] = (float)(sum / 36 - in[me] / 6.0);
			}
}

int main(int argc, char **argv)
{
	static const char usage[] =
	    "stencil [base|tiled] [small|paper|COLUMNS [ROWS [PLANES [STEPS]]]], 3 or more a side";
	bool is_base = argc > 1 && strcmp(argv[1], "base") == 0;

	if (is_base || (argc > 1 && strcmp(argv[1], "tiled") == 0))
		argc--, argv++;
	int columns = chosen_size(argc, argv, 66, 512, usage);
	int rows = argc > 2 ? positive(argv[2], usage) : columns;
	int planes = argc > 3 ? positive(argv[3], usage) : columns == 66 ? 10 : 98;
	int steps = argc > 4 ? positive(argv[4], usage) : 2, wrong;
	volume v = {columns, rows, planes};

	if (columns < 3 || rows < 3 || planes < 3 || (double)columns * rows * planes >= 1 << 30 ||
	    (is_base && columns > 1025)) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> first((size_t)v.at(0, 0, planes)), second(first.host.size());
	array<float> *in = &first, *out = &second;

	fill(first, 1, 1);
	second.host = first.host; /* the volume's outermost elements never change */
	second.upload();
	for (int step = 0; step < steps; step++, std::swap(in, out)) {
		if (is_base)
			base<<<dim3(rows - 2, planes - 2), columns - 1>>>(in->device, out->device, v);
		else
			tiled<<<dim3((columns + WIDTH - 1) / WIDTH, (rows + ROWS - 1) / ROWS), dim3(LANES, ROWS)>>>(
			    in->device, out->device, v);
		step_on_cpu(in->host, out->host, v);
	}
	CHECK(cudaGetLastError());
	wrong = differences(*in, 1e-5);
	printf("stencil: %zu elements, %d steps, %d wrong\n", in->host.size(), steps, wrong);
	return wrong != 0;
}
