/*
 * Convolution of a volume by a 3 x 3 x 3 filter with eleven taps, with the shape of PolyBench's 3DCONV. A launch
 * computes an inner plane, a thread an element, a block 32 columns of 8 rows. A warp reads parts of rows in three
 * planes. Blocks of a launch share only their borders; three launches in a row share planes.
 *
 *   conv3d [small|paper|PLANES [ROWS [COLUMNS]]]
 *
 * The paper's size is 204 planes of 256 x 256: the input is 51.0 MiB, for the 51.1 MB of shared data in Table III of
 * the SelRep study. The benchmark's own size is 256 planes, 64 MiB.
 */
#include "../common/arrays.h"
#include "../common/size.h"

/*
 * Four taps are in each of the planes beside the element's plane, and three in its own. As in the benchmark, the planes
 * take turns: between two taps in the same line are loads of other lines, so more taps reach the LLC.
 */
__global__ void convolve_plane(float *in, float *out, int plane, int planes, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int here = (plane * rows + row) * columns + column;
	int before = here - rows * columns, after = here + rows * columns;

	if (plane < 1 || plane >= planes - 1 || row < 1 || row >= rows - 1 || column < 1 || column >= columns - 1)
		return;
	out[here] = 0.5f * in[before - columns - 1] - 0.25f * in[after - columns - 1] + 0.375f * in[here - columns] -
		    0.75f * in[here] + 0.125f * in[here + columns] + 0.25f * in[before - columns + 1] +
		    0.5f * in[after - columns + 1] - 0.125f * in[before + 1] + 0.0625f * in[after + 1] +
		    0.75f * in[before + columns + 1] - 0.5f * in[after + columns + 1];
}

struct volume {
	int planes, rows, columns;

	size_t at(int plane, int row, int column) const
	{
		return ((size_t)plane * rows + row) * columns + column;
	}
};

static void convolve_on_cpu(const volume &v, const array<float> &in, array<float> &out)
{
	static const struct {
		int plane, row, column;
		double weight;
	} taps[] = {{0, -1, 0, 0.375}, {0, 0, 0, -0.75},   {0, 1, 0, 0.125}, {-1, -1, -1, 0.5},
		    {-1, -1, 1, 0.25}, {-1, 0, 1, -0.125}, {-1, 1, 1, 0.75}, {1, -1, -1, -0.25},
		    {1, -1, 1, 0.5},   {1, 0, 1, 0.0625},  {1, 1, 1, -0.5}};

	for (int plane = 1; plane < v.planes - 1; plane++)
		for (int row = 1; row < v.rows - 1; row++)
			for (int column = 1; column < v.columns - 1; column++) {
				double sum = 0;

				for (const auto &t : taps)
					sum +=
					    t.weight * in.host[v.at(plane + t.plane, row + t.row, column + t.column)];
				out.host[v.at(plane, row, column)] = (float)sum;
			}
}

int main(int argc, char **argv)
{
	static const char usage[] = "conv3d [small|paper|PLANES [ROWS [COLUMNS]]]";
	int planes = chosen_size(argc, argv, 8, 204, usage);
	int rows = argc > 2 ? positive(argv[2], usage) : planes == 8 ? 64 : 256;
	int columns = argc > 3 ? positive(argv[3], usage) : rows;
	volume v = {planes, rows, columns};
	array<float> in(v.at(planes, 0, 0)), out(in.host.size());
	dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
	int wrong;

	fill(in, 1, 1);
	out.upload();
	for (int plane = 1; plane < planes - 1; plane++)
		convolve_plane<<<grid, block>>>(in.device, out.device, plane, planes, rows, columns);
	CHECK(cudaGetLastError());
	convolve_on_cpu(v, in, out);
	wrong = differences(out, 1e-4);
	printf("conv3d: %zu elements, %d wrong\n", out.host.size(), wrong);
	return wrong != 0;
}
