/*
 * Connected components, with the shape of GraphBIG's: a thread has two neighbouring edges. Where their ends are in
 * different trees it hooks one tree's root to the other's, to the larger one and to the smaller one by turns; then each
 * vertex follows its parents up to the root. An edge whose ends have met is not looked at again.
 *
 *   components [small|study|suite|SCALE [EDGES PER VERTEX]]
 *
 * There are 2^SCALE vertices: 2^12 in `small`, 2^15 in `study`, with 16 drawn edges for each in `small` and 8 in
 * `study`; `suite` is in ../common/graph.h. Several edges may hook the same root, and any of them may win: hooks of a
 * round all lead up or all down, so there are no rings. The original stores; here it is an atomic exchange, whose
 * result nobody wants, which is no race. Which vertex becomes a component's root, and in how many rounds, is left to
 * the order.
 */
#include "../common/graph.h"

enum { EDGES_OF_THREAD = 2 };

struct forest {
	vertex *parent, *next; /* what this round reads, and what it writes */
	vertex *from;          /* of each edge */
	bool *met;             /* of each edge */
};

__global__ void initialize(forest f, csr graph)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices)
		return;
	vertex end = graph.first[v + 1];

	f.parent[v] = v;
	f.next[v] = v;
	for (vertex e = graph.first[v]; e < end; e++) {
		f.met[e] = false;
		f.from[e] = v;
	}
}

__global__ void hook(forest f, csr graph, int round, unsigned char *more)
{
	vertex first = (vertex)(blockIdx.x * blockDim.x + threadIdx.x) * EDGES_OF_THREAD;

	for (vertex e = first; e < min(first + EDGES_OF_THREAD, graph.edges); e++) {
		if (f.met[e])
			continue;
		vertex from = f.from[e], to = graph.to[e];

		if (f.parent[from] == f.parent[to]) {
			f.met[e] = true;
			continue;
		}
		vertex low = f.parent[from] > f.parent[to] ? to : from, high = low == from ? to : from;

		if (round % 2 == 0)
			atomicExch(&f.next[f.parent[low]], f.parent[high]);
		else
			atomicExch(&f.next[f.parent[high]], f.parent[low]);
		*more = 1;
	}
}

__global__ void take_over(forest f, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v < vertices)
		f.parent[v] = f.next[v];
}

__global__ void climb(forest f, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices)
		return;
	vertex up = f.parent[v];

	while (f.parent[up] != up)
		up = f.parent[up];
	f.next[v] = up;
}

static std::vector<vertex> roots_on_device(const graph &g)
{
	unsigned blocks = blocks_for(g.vertices()), edge_blocks = blocks_for((g.edges() + 1) / EDGES_OF_THREAD);
	array<vertex> parent(g.vertices()), next(g.vertices()), from(g.edges());
	forest f = {parent.device, next.device, from.device, nullptr};
	int round = 0;
	flag more;

	CHECK(cudaMalloc(&f.met, g.edges()));
	initialize<<<blocks, GRAPH_BLOCK>>>(f, g.on_device());
	do {
		more.clear();
		hook<<<edge_blocks, GRAPH_BLOCK>>>(f, g.on_device(), round++, more.device);
		take_over<<<blocks, GRAPH_BLOCK>>>(f, g.vertices());
		climb<<<blocks, GRAPH_BLOCK>>>(f, g.vertices());
		take_over<<<blocks, GRAPH_BLOCK>>>(f, g.vertices());
		CHECK(cudaGetLastError());
	} while (more.is_set());
	CHECK(cudaFree(f.met));
	return parent.download();
}

/* The smallest vertex of each vertex's component, found by walking the component. */
static std::vector<vertex> reference(const graph &g)
{
	std::vector<vertex> smallest(g.vertices(), g.vertices()), stack;

	for (vertex start = 0; start < g.vertices(); start++) {
		if (smallest[start] != g.vertices())
			continue;
		smallest[start] = start;
		stack.push_back(start);
		while (!stack.empty()) {
			vertex v = stack.back();

			stack.pop_back();
			for (vertex e = g.first.host[v]; e < g.first.host[v + 1]; e++)
				if (smallest[g.to.host[e]] == g.vertices()) {
					smallest[g.to.host[e]] = start;
					stack.push_back(g.to.host[e]);
				}
		}
	}
	return smallest;
}

int main(int argc, char **argv)
{
	static const char usage[] = "components [small|study|suite|SCALE [EDGES PER VERTEX]]";
	graph g = chosen_graph(argc, argv, 12, 15, 8, usage);
	int components = 0, wrong = 0;
	std::vector<vertex> root = roots_on_device(g), smallest = reference(g);

	for (vertex v = 0; v < g.vertices(); v++) { /* one root for a component, which is one of its vertices */
		components += smallest[v] == v;
		wrong += root[v] >= g.vertices() || root[v] != root[smallest[v]] || smallest[root[v]] != smallest[v];
	}
	printf("components: %zu vertices, %zu edges, %d components, %d wrong\n", g.vertices(), g.edges(), components,
	       wrong);
	return wrong != 0;
}
