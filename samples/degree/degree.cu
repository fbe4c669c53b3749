/*
 * Degree centrality, with the shape of GraphBIG's: a thread for each vertex walks its list, and counts at each
 * neighbour by an atomic addition. Each lane walks a list of its own, and counters lie anywhere; nothing else is done
 * with what is loaded.
 *
 *   degree [small|study|suite|SCALE [EDGES PER VERTEX]]
 *
 * There are 2^SCALE vertices: 2^12 in `small`, 2^15 in `study`, with 16 drawn edges for each; `suite` is in
 * ../common/graph.h.
 */
#include "../common/graph.h"

__global__ void initialize(unsigned *count, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v < vertices)
		count[v] = 0;
}

__global__ void count_neighbours(unsigned *count, csr graph)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices)
		return;
	vertex end = graph.first[v + 1];

	for (vertex e = graph.first[v]; e < end; e++)
		atomicAdd(&count[graph.to[e]], 1u);
}

int main(int argc, char **argv)
{
	static const char usage[] = "degree [small|study|suite|SCALE [EDGES PER VERTEX]]";
	graph g = chosen_graph(argc, argv, 12, 15, 16, usage);
	unsigned blocks = blocks_for(g.vertices()), largest = 0;
	array<unsigned> count(g.vertices());
	int wrong = 0;

	initialize<<<blocks, GRAPH_BLOCK>>>(count.device, g.vertices());
	count_neighbours<<<blocks, GRAPH_BLOCK>>>(count.device, g.on_device());
	CHECK(cudaGetLastError());
	std::vector<unsigned> found = count.download();
	for (size_t v = 0; v < g.vertices(); v++) { /* each edge stands in both lists, so its own is as long */
		wrong += found[v] != g.first.host[v + 1] - g.first.host[v];
		largest = std::max(largest, found[v]);
	}
	printf("degree: %zu vertices, %zu edges, at most %u of a vertex, %d wrong\n", g.vertices(), g.edges(), largest,
	       wrong);
	return wrong != 0;
}
