/*
 * Shortest paths from a vertex, with the shape of GraphBIG's sssp (topology-driven, a thread for each vertex): vertices
 * whose distance fell offer their neighbours a shorter one by an atomic minimum, and a second launch lets each vertex
 * take what it was offered. Each lane walks a list of its own, and offers go anywhere.
 *
 *   sssp [small|study|suite|SCALE [EDGES PER VERTEX [LONGEST EDGE]]]
 *
 * There are 2^SCALE vertices: 2^12 in `small`, 2^15 in `study`, with 16 drawn edges for each; `suite` is in
 * ../common/graph.h. Edges are 1 up to LONGEST EDGE long, in `study` and `suite` all of them 1, as in the original.
 */
#include "../common/graph.h"

#include <queue>

static const unsigned FAR = 0xffffff00u;

__global__ void initialize(unsigned *distance, unsigned *offer, bool *fell, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v < vertices) {
		distance[v] = FAR;
		offer[v] = FAR;
		fell[v] = false;
	}
}

__global__ void relax(unsigned *distance, unsigned *length, unsigned *offer, bool *fell, csr graph)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices || !fell[v])
		return;
	vertex end = graph.first[v + 1];
	unsigned from_here = distance[v];

	for (vertex e = graph.first[v]; e < end; e++)
		atomicMin(&offer[graph.to[e]], from_here + length[e]);
	fell[v] = false;
}

__global__ void settle(unsigned *distance, unsigned *offer, bool *fell, csr graph, unsigned char *more)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices)
		return;
	if (distance[v] > offer[v]) {
		distance[v] = offer[v];
		fell[v] = true;
		*more = 1;
	} else {
		offer[v] = distance[v];
	}
}

/* By Dijkstra's algorithm. */
static std::vector<unsigned> reference(const graph &g, const array<unsigned> &length, vertex root)
{
	typedef std::pair<unsigned, vertex> entry; /* distance, vertex */
	std::priority_queue<entry, std::vector<entry>, std::greater<entry>> queue;
	std::vector<unsigned> distance(g.vertices(), FAR);

	distance[root] = 0;
	queue.push({0, root});
	while (!queue.empty()) {
		auto [near, v] = queue.top();

		queue.pop();
		if (near > distance[v])
			continue;
		for (vertex e = g.first.host[v]; e < g.first.host[v + 1]; e++) {
			vertex to = g.to.host[e];

			if (near + length.host[e] < distance[to]) {
				distance[to] = near + length.host[e];
				queue.push({distance[to], to});
			}
		}
	}
	return distance;
}

/* How many rounds it took. */
static int search(const graph &g, array<unsigned> &distance, const array<unsigned> &length, vertex root)
{
	unsigned blocks = blocks_for(g.vertices()), near = 0;
	array<unsigned> offer(g.vertices());
	bool *fell, yes = true;
	flag more;
	int rounds = 0;

	CHECK(cudaMalloc(&fell, g.vertices()));
	initialize<<<blocks, GRAPH_BLOCK>>>(distance.device, offer.device, fell, g.vertices());
	CHECK(cudaMemcpy(distance.device + root, &near, sizeof near, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(fell + root, &yes, sizeof yes, cudaMemcpyHostToDevice));
	do {
		more.clear();
		relax<<<blocks, GRAPH_BLOCK>>>(distance.device, length.device, offer.device, fell, g.on_device());
		settle<<<blocks, GRAPH_BLOCK>>>(distance.device, offer.device, fell, g.on_device(), more.device);
		CHECK(cudaGetLastError());
		rounds++;
	} while (more.is_set());
	CHECK(cudaFree(fell));
	return rounds;
}

int main(int argc, char **argv)
{
	static const char usage[] = "sssp [small|study|suite|SCALE [EDGES PER VERTEX [LONGEST EDGE]]]";
	graph g = chosen_graph(argc, argv, 12, 15, 16, usage);
	bool is_original = argc > 1 && (strcmp(argv[1], "study") == 0 || strcmp(argv[1], "suite") == 0);
	int longest = argc > 3 ? positive(argv[3], usage) : is_original ? 1 : 8, wrong = 0;
	array<unsigned> length(g.edges()), distance(g.vertices());
	unsigned state = 5;

	for (unsigned &edge : length.host)
		edge = 1 + (unsigned)(next_random(&state) * (float)longest);
	length.upload();
	int rounds = search(g, distance, length, 0);
	std::vector<unsigned> found = distance.download(), expected = reference(g, length, 0);
	for (size_t v = 0; v < g.vertices(); v++)
		wrong += found[v] != expected[v];
	printf("sssp: %zu vertices, %zu edges, %d rounds, %d wrong\n", g.vertices(), g.edges(), rounds, wrong);
	return wrong != 0;
}
