/*
 * Graph colouring, with the shape of GraphBIG's (topology-driven, a thread for each vertex): in each round the vertices
 * whose random number is larger than that of each neighbour without a colour get the round's colour. A lane walks its
 * list until it finds a larger one; colours and numbers of neighbours lie anywhere.
 *
 *   colouring [small|study|suite|SCALE [EDGES PER VERTEX]]
 *
 * There are 2^SCALE vertices: 2^12 in `small`, 2^14 in `study`, with 16 drawn edges for each in `small` and 8 in
 * `study`; `suite` is in ../common/graph.h. The original colours vertices while their neighbours look at them, which
 * does no harm. Here a round reads one array of colours and writes another, which is no race: a vertex stores its
 * colour in the round that finds it, and once more in the next one, into the other array.
 */
#include "../common/graph.h"

static const unsigned NONE = 0xffffff00u;

__global__ void initialize(unsigned *colour, unsigned *other, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v < vertices) {
		colour[v] = NONE;
		other[v] = NONE;
	}
}

/* Of two equal numbers that of the smaller vertex counts as the larger one. */
__global__ void find_largest(unsigned *colour, unsigned *next, unsigned *number, csr graph, unsigned round,
			     unsigned char *more)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices)
		return;
	if (colour[v] != NONE) {
		if (colour[v] + 1 == round)
			next[v] = colour[v];
		return;
	}
	vertex end = graph.first[v + 1];
	unsigned own = number[v];

	for (vertex e = graph.first[v]; e < end; e++) {
		vertex to = graph.to[e];

		if (colour[to] < round)
			continue;
		if (number[to] > own || (number[to] == own && to < v)) {
			*more = 1;
			return;
		}
	}
	next[v] = round;
}

/* In falling order of the numbers a vertex comes right after the last of its neighbours that came before it. */
static std::vector<unsigned> reference(const graph &g, const std::vector<unsigned> &number)
{
	std::vector<vertex> order(g.vertices());
	std::vector<unsigned> colour(g.vertices(), NONE);

	std::iota(order.begin(), order.end(), 0u);
	std::sort(order.begin(), order.end(),
		  [&](vertex a, vertex b) { return number[a] > number[b] || (number[a] == number[b] && a < b); });
	for (vertex v : order) {
		unsigned own = 0;

		for (vertex e = g.first.host[v]; e < g.first.host[v + 1]; e++)
			if (colour[g.to.host[e]] != NONE)
				own = std::max(own, colour[g.to.host[e]] + 1);
		colour[v] = own;
	}
	return colour;
}

int main(int argc, char **argv)
{
	static const char usage[] = "colouring [small|study|suite|SCALE [EDGES PER VERTEX]]";
	graph g = chosen_graph(argc, argv, 12, 14, 8, usage);
	unsigned blocks = blocks_for(g.vertices()), round = 0, state = 123;
	array<unsigned> colour(g.vertices()), other(g.vertices()), number(g.vertices());
	unsigned *now = colour.device, *next = other.device;
	int wrong = 0;
	flag more;

	for (unsigned &value : number.host)
		value = (unsigned)(next_random(&state) * (float)(1 << 24));
	number.upload();
	initialize<<<blocks, GRAPH_BLOCK>>>(now, next, g.vertices());
	do {
		more.clear();
		find_largest<<<blocks, GRAPH_BLOCK>>>(now, next, number.device, g.on_device(), round++, more.device);
		CHECK(cudaGetLastError());
		std::swap(now, next);
	} while (more.is_set());
	std::vector<unsigned> found = (now == colour.device ? colour : other).download();
	std::vector<unsigned> expected = reference(g, number.host);
	for (size_t v = 0; v < g.vertices(); v++)
		wrong += found[v] != expected[v];
	printf("colouring: %zu vertices, %zu edges, %u colours, %d wrong\n", g.vertices(), g.edges(), round, wrong);
	return wrong != 0;
}
