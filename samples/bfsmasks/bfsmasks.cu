/*
 * Breadth-first search with the shape of Rodinia's bfs. A level is two launches of blocks of 512 threads, with a thread
 * for each vertex. `visit` follows all edges of the level's vertices, and `go_on` makes the next level of the vertices
 * that it found. Both first read a byte of a mask for each vertex, in whole lines. Edges, and the neighbours' data, are
 * read and written in up to 32 lines a warp. The graph is only read. Each mask and level is written by one launch and
 * read by the other.
 *
 *   bfsmasks [small|paper|VERTICES [EDGES]]
 *
 * The graph is generated. Edges lead anywhere, and a vertex has from 1 to twice the EDGES. The paper's size is a
 * million vertices with 6 edges each, the benchmark's largest: 1,954 blocks and 37 MiB, as BFS has in Table 4 of the
 * SAC study.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

enum { THREADS = 512 };

/* A vertex' edges: the first of them, and how many. */
struct node {
	int first, count;
};

__global__ void visit(node *nodes, int *edges, bool *is_current, bool *is_next, bool *is_visited, int *level,
		      int vertices)
{
	int v = blockIdx.x * THREADS + threadIdx.x;

	if (v >= vertices || !is_current[v])
		return;
	is_current[v] = false;
	for (int e = nodes[v].first; e < nodes[v].first + nodes[v].count; e++) {
		int to = edges[e];

		if (!is_visited[to]) {
			level[to] = level[v] + 1;
			is_next[to] = true;
		}
	}
}

__global__ void go_on(bool *is_current, bool *is_next, bool *is_visited, bool *changed, int vertices)
{
	int v = blockIdx.x * THREADS + threadIdx.x;

	if (v >= vertices || !is_next[v])
		return;
	is_current[v] = true;
	is_visited[v] = true;
	*changed = true;
	is_next[v] = false;
}

static std::vector<int> generate(array<node> &nodes, int degree)
{
	std::vector<int> edges;
	unsigned state = 11;

	for (node &n : nodes.host) {
		n = {(int)edges.size(), 1 + (int)(next_random(&state) * (2 * degree - 1))};
		for (int e = 0; e < n.count; e++)
			edges.push_back((int)(next_random(&state) * nodes.host.size()));
	}
	nodes.upload();
	return edges;
}

/* Vertices in the order in which they are reached. */
static void search_on_cpu(const std::vector<node> &nodes, const std::vector<int> &edges, std::vector<int> &level)
{
	std::vector<int> reached = {0};

	for (size_t next = 0; next < reached.size(); next++) {
		const node &n = nodes[reached[next]];

		for (int e = n.first; e < n.first + n.count; e++)
			if (level[edges[e]] < 0) {
				level[edges[e]] = level[reached[next]] + 1;
				reached.push_back(edges[e]);
			}
	}
}

/* The host's mask is of char, since std::vector<bool> is not an array of bytes. */
static bool *upload_mask(const array<char> &mask, bool has_source)
{
	mask.upload();
	if (has_source)
		CHECK(cudaMemset(mask.device, 1, 1));
	return (bool *)mask.device;
}

int main(int argc, char **argv)
{
	static const char usage[] = "bfsmasks [small|paper|VERTICES [EDGES]]";
	int vertices = chosen_size(argc, argv, 8192, 1000000, usage);
	int degree = argc > 2 ? positive(argv[2], usage) : 6, blocks = (vertices + THREADS - 1) / THREADS;
	array<node> nodes(vertices);
	std::vector<int> list = generate(nodes, degree);
	array<int> edges(list.size()), level(vertices);
	array<char> currents(vertices), nexts(vertices), visiteds(vertices), change(1);
	bool *current = upload_mask(currents, true), *next = upload_mask(nexts, false);
	bool *visited = upload_mask(visiteds, true), *changed = (bool *)change.device, any = true;
	int levels = 0, wrong;

	edges.host = list;
	edges.upload();
	std::fill(level.host.begin(), level.host.end(), -1);
	level.host[0] = 0;
	level.upload();
	for (; any; levels++) {
		any = false;
		CHECK(cudaMemcpy(changed, &any, sizeof any, cudaMemcpyHostToDevice));
		visit<<<blocks, THREADS>>>(nodes.device, edges.device, current, next, visited, level.device, vertices);
		go_on<<<blocks, THREADS>>>(current, next, visited, changed, vertices);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(&any, changed, sizeof any, cudaMemcpyDeviceToHost));
	}
	search_on_cpu(nodes.host, list, level.host);
	wrong = differences(level, 0);
	printf("bfsmasks: %d vertices, %zu edges, %d levels, %d wrong\n", vertices, list.size(), levels, wrong);
	return wrong != 0;
}
