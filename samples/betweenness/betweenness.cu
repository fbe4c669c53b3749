/*
 * Betweenness centrality by Brandes' method, with the shape of GraphBIG's (a thread for each vertex): from each root,
 * one launch for each level of a breadth-first search, which counts shortest paths by atomic additions, then one for
 * each level back, which collects what depends on a vertex from the level below. In a launch the vertices of one level
 * walk their lists; distances, path counts and dependences of neighbours lie anywhere.
 *
 *   betweenness [small|study|suite|SCALE [EDGES PER VERTEX [ROOTS]]]
 *
 * There are 2^SCALE vertices: 2^12 in `small`, 2^15 in `study`, with 16 drawn edges for each; `suite` is in
 * ../common/graph.h. The original takes all of them as roots, one after the other; here it is the first two, in `study`
 * the first one. There a level is stored while others still look at it. Here a launch reads one array of distances and
 * writes another, which is no race: a vertex' distance is stored by the first to reach it, and by itself in the next
 * launch, which writes the other array.
 */
#include "../common/graph.h"

static const unsigned FAR = 0xffffff00u;

struct search {
	unsigned *distance, *next, *paths;
	float *depends; /* on a vertex: the sum over targets of the share of shortest paths through it */
};

__global__ void initialize(search s, vertex vertices, vertex root)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices)
		return;
	s.distance[v] = v == root ? 0 : FAR;
	s.next[v] = s.distance[v];
	s.paths[v] = v == root;
	s.depends[v] = 0;
}

__global__ void forward(csr graph, search s, unsigned level, unsigned char *more)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices || s.distance[v] != level)
		return;
	vertex end = graph.first[v + 1];

	s.next[v] = level;
	for (vertex e = graph.first[v]; e < end; e++) {
		vertex to = graph.to[e];

		if (s.distance[to] == FAR && atomicAdd(&s.paths[to], s.paths[v]) == 0) {
			s.next[to] = level + 1;
			*more = 1;
		}
	}
}

__global__ void backward(csr graph, search s, unsigned level)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices || s.distance[v] != level - 1)
		return;
	vertex end = graph.first[v + 1];
	float sum = 0;

	for (vertex e = graph.first[v]; e < end; e++) {
		vertex to = graph.to[e];

		if (s.distance[to] == level)
			sum += (float)(1.0 * s.paths[v] / s.paths[to] * (1.0 + s.depends[to]));
	}
	s.depends[v] += sum;
}

__global__ void add_up(search s, float *centrality, vertex vertices, vertex root)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v < vertices && v != root && s.distance[v] != FAR)
		centrality[v] += s.depends[v];
}

static void search_from(const graph &g, search s, float *centrality, vertex root)
{
	unsigned blocks = blocks_for(g.vertices()), level = 0;
	flag more;

	initialize<<<blocks, GRAPH_BLOCK>>>(s, g.vertices(), root);
	do {
		more.clear();
		forward<<<blocks, GRAPH_BLOCK>>>(g.on_device(), s, level++, more.device);
		CHECK(cudaGetLastError());
		std::swap(s.distance, s.next);
	} while (more.is_set());
	while (level > 1)
		backward<<<blocks, GRAPH_BLOCK>>>(g.on_device(), s, --level);
	add_up<<<blocks, GRAPH_BLOCK>>>(s, centrality, g.vertices(), root);
	CHECK(cudaGetLastError());
}

/* A queue of vertices forward, and the same backward, where each hands on to those before it. */
static void reference(const graph &g, std::vector<double> &centrality, vertex root)
{
	std::vector<vertex> queue = {root};
	std::vector<unsigned> distance(g.vertices(), FAR);
	std::vector<double> paths(g.vertices()), depends(g.vertices());

	distance[root] = 0;
	paths[root] = 1;
	for (size_t i = 0; i < queue.size(); i++)
		for (vertex v = queue[i], e = g.first.host[v]; e < g.first.host[v + 1]; e++) {
			vertex to = g.to.host[e];

			if (distance[to] == FAR) {
				distance[to] = distance[v] + 1;
				queue.push_back(to);
			}
			if (distance[to] == distance[v] + 1)
				paths[to] += paths[v];
		}
	for (size_t i = queue.size(); i-- > 1;) {
		vertex v = queue[i];

		for (vertex e = g.first.host[v]; e < g.first.host[v + 1]; e++) {
			vertex before = g.to.host[e];

			if (distance[before] + 1 == distance[v])
				depends[before] += paths[before] / paths[v] * (1 + depends[v]);
		}
		centrality[v] += depends[v];
	}
}

int main(int argc, char **argv)
{
	static const char usage[] = "betweenness [small|study|suite|SCALE [EDGES PER VERTEX [ROOTS]]]";
	graph g = chosen_graph(argc, argv, 12, 15, 16, usage);
	bool is_study = argc > 1 && strcmp(argv[1], "study") == 0;
	int roots = argc > 3 ? positive(argv[3], usage) : is_study ? 1 : 2, wrong = 0;
	array<unsigned> distance(g.vertices()), next(g.vertices()), paths(g.vertices());
	array<float> depends(g.vertices()), centrality(g.vertices());
	std::vector<double> expected(g.vertices());

	if ((size_t)roots > g.vertices())
		roots = (int)g.vertices();
	centrality.upload();
	for (int root = 0; root < roots; root++) {
		search_from(g, {distance.device, next.device, paths.device, depends.device}, centrality.device, root);
		reference(g, expected, root);
	}
	std::vector<float> found = centrality.download();
	for (size_t v = 0; v < g.vertices(); v++)
		wrong += !(std::fabs(found[v] - expected[v]) <= 1e-4 * (1 + expected[v]));
	printf("betweenness: %zu vertices, %zu edges, %d roots, %d wrong\n", g.vertices(), g.edges(), roots, wrong);
	return wrong != 0;
}
