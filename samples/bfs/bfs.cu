/*
 * Breadth-first search, level by level, on a generated graph in compressed sparse rows: irregular reads of a graph that
 * is never written, and of levels that are.
 *
 *   bfs [vertices [edges per vertex]]
 */
#include "../common/check.h"

#include <queue>
#include <vector>

__global__ void bfs_level(const int *offsets, const int *edges, int *level, int *changed, int current, int vertices)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices || level[v] != current)
		return;
	for (int e = offsets[v]; e < offsets[v + 1]; e++) {
		int to = edges[e];

		if (level[to] < 0) {
			level[to] = current + 1;
			*changed = 1;
		}
	}
}

struct graph {
	std::vector<int> offsets, edges;
};

/* Half of the edges lead to neighbours in number, half anywhere; degrees vary from 1 to twice the mean. */
static graph generate(int vertices, int degree)
{
	graph g;
	unsigned state = 11;

	g.offsets.push_back(0);
	for (int v = 0; v < vertices; v++) {
		int count = 1 + (int)(next_random(&state) * (2 * degree - 1));

		for (int e = 0; e < count; e++) {
			float where = next_random(&state);
			int to = e % 2 ? (int)(where * vertices) : (v + 1 + (int)(where * 64)) % vertices;

			g.edges.push_back(to);
		}
		g.offsets.push_back((int)g.edges.size());
	}
	return g;
}

static std::vector<int> reference(const graph &g, int vertices)
{
	std::vector<int> level(vertices, -1);
	std::queue<int> queue;

	level[0] = 0;
	queue.push(0);
	while (!queue.empty()) {
		int v = queue.front();

		queue.pop();
		for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++)
			if (level[g.edges[e]] < 0) {
				level[g.edges[e]] = level[v] + 1;
				queue.push(g.edges[e]);
			}
	}
	return level;
}

static int *upload(const std::vector<int> &data)
{
	int *device;

	CHECK(cudaMalloc(&device, data.size() * sizeof(int)));
	CHECK(cudaMemcpy(device, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice));
	return device;
}

int main(int argc, char **argv)
{
	static const char usage[] = "bfs [vertices [edges per vertex]]";
	int vertices = argc > 1 ? positive(argv[1], usage) : 1 << 14;
	int degree = argc > 2 ? positive(argv[2], usage) : 8;
	graph g = generate(vertices, degree);
	std::vector<int> level(vertices, -1);
	int changed = 1, levels = 0, *dchanged, *doffsets = upload(g.offsets), *dedges = upload(g.edges), *dlevel;

	level[0] = 0;
	dlevel = upload(level);
	CHECK(cudaMalloc(&dchanged, sizeof changed));
	for (; changed; levels++) {
		changed = 0;
		CHECK(cudaMemcpy(dchanged, &changed, sizeof changed, cudaMemcpyHostToDevice));
		bfs_level<<<(vertices + 255) / 256, 256>>>(doffsets, dedges, dlevel, dchanged, levels, vertices);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(&changed, dchanged, sizeof changed, cudaMemcpyDeviceToHost));
	}
	CHECK(cudaMemcpy(level.data(), dlevel, vertices * sizeof(int), cudaMemcpyDeviceToHost));

	std::vector<int> expected = reference(g, vertices);
	int wrong = 0;
	for (int v = 0; v < vertices; v++)
		wrong += level[v] != expected[v];
	printf("bfs: %d vertices, %zu edges, %d levels, %d wrong\n", vertices, g.edges.size(), levels, wrong);
	return wrong != 0;
}
