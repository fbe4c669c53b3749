/*
 * Triangles of a graph, with the shape of GraphBIG's count (a thread for each vertex): each sorts its list in place,
 * and then walks it side by side with that of each neighbour of a larger number. What two lists have in common counts
 * at both ends by an atomic addition. Lanes read two lists at once, one of them again and again.
 *
 *   triangles [small|study|suite|SCALE [EDGES PER VERTEX]]
 *
 * There are 2^SCALE vertices: 2^11 in `small`, 2^14 in `study`, with 16 drawn edges for each in `small` and 4 in
 * `study`; `suite` is in ../common/graph.h.
 */
#include "../common/graph.h"

enum { PARTS = 32 /* that wait to be sorted: the larger one waits, so the number of parts is the logarithm */ };

__global__ void initialize(unsigned *count, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v < vertices)
		count[v] = 0;
}

/* Entries from `left` to `right` around the middle one; the return value is where the right part begins. */
__device__ int partition(vertex *list, int left, int right)
{
	vertex pivot = list[left + (right - left) / 2];

	for (;; left++, right--) {
		while (list[left] < pivot)
			left++;
		while (list[right] > pivot)
			right--;
		if (left >= right)
			return right + 1;
		vertex moved = list[left];

		list[left] = list[right];
		list[right] = moved;
	}
}

__global__ void sort_lists(csr graph)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;
	int waiting_left[PARTS], waiting_right[PARTS];
	int waiting = 0;

	if (v >= graph.vertices)
		return;
	vertex *list = graph.to + graph.first[v];
	int left = 0, right = (int)(graph.first[v + 1] - graph.first[v]) - 1;

	for (;;) {
		while (left < right) {
			int cut = partition(list, left, right);
			bool left_is_larger = cut - left > right + 1 - cut;

			waiting_left[waiting] = left_is_larger ? left : cut;
			waiting_right[waiting++] = left_is_larger ? cut - 1 : right;
			left = left_is_larger ? cut : left;
			right = left_is_larger ? right : cut - 1;
		}
		if (waiting == 0)
			return;
		left = waiting_left[--waiting];
		right = waiting_right[waiting];
	}
}

__device__ unsigned in_common(const vertex *a, unsigned a_size, const vertex *b, unsigned b_size)
{
	unsigned common = 0, i = 0, j = 0;

	while (i < a_size && j < b_size) {
		if (a[i] < b[j]) {
			i++;
		} else if (a[i] > b[j]) {
			j++;
		} else {
			common++;
			i++;
			j++;
		}
	}
	return common;
}

/* Unrolled, it would take more registers than a GPU of 32 for each of 1024 threads has. */
__global__ void count_triangles(unsigned *count, csr graph)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= graph.vertices)
		return;
	vertex *list = graph.to + graph.first[v];
	unsigned size = (unsigned)(graph.first[v + 1] - graph.first[v]);

#pragma unroll 1
	for (unsigned e = 0; e < size; e++) {
		vertex to = list[e];

		if (v > to)
			continue;
		vertex other = graph.first[to];
		unsigned common = in_common(list, size, graph.to + other, (unsigned)(graph.first[to + 1] - other));

		atomicAdd(&count[v], common);
		atomicAdd(&count[to], common);
	}
}

/* A triangle was found at both ends of two of a vertex' edges. */
__global__ void add_up(unsigned *count, unsigned *total, vertex vertices)
{
	vertex v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= vertices)
		return;
	count[v] /= 2;
	atomicAdd(total, count[v]);
}

/* The neighbours of v are marked, and two steps from v that end at one of them are a triangle, found twice. */
static std::vector<unsigned> reference(const graph &g)
{
	std::vector<unsigned> count(g.vertices());
	std::vector<vertex> marked(g.vertices(), g.vertices());

	for (vertex v = 0; v < g.vertices(); v++) {
		for (vertex e = g.first.host[v]; e < g.first.host[v + 1]; e++)
			marked[g.to.host[e]] = v;
		for (vertex e = g.first.host[v]; e < g.first.host[v + 1]; e++)
			for (vertex to = g.to.host[e], f = g.first.host[to]; f < g.first.host[to + 1]; f++)
				count[v] += marked[g.to.host[f]] == v;
		count[v] /= 2;
	}
	return count;
}

int main(int argc, char **argv)
{
	static const char usage[] = "triangles [small|study|suite|SCALE [EDGES PER VERTEX]]";
	graph g = chosen_graph(argc, argv, 11, 14, 4, usage);
	unsigned blocks = blocks_for(g.vertices());
	array<unsigned> count(g.vertices()), total(1);
	int wrong = 0;

	total.upload();
	initialize<<<blocks, GRAPH_BLOCK>>>(count.device, g.vertices());
	sort_lists<<<blocks, GRAPH_BLOCK>>>(g.on_device());
	count_triangles<<<blocks, GRAPH_BLOCK>>>(count.device, g.on_device());
	add_up<<<blocks, GRAPH_BLOCK>>>(count.device, total.device, g.vertices());
	CHECK(cudaGetLastError());
	std::vector<unsigned> found = count.download(), expected = reference(g);
	unsigned corners = total.download()[0];
	for (size_t v = 0; v < g.vertices(); v++)
		wrong += found[v] != expected[v];
	wrong += corners != std::accumulate(expected.begin(), expected.end(), 0u);
	printf("triangles: %zu vertices, %zu edges, %u triangles, %d wrong\n", g.vertices(), g.edges(), corners / 3,
	       wrong);
	return wrong != 0;
}
