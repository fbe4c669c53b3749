/*
 * Graphs, generated, in compressed sparse rows as GraphBIG has them: vertices and places of edges are 64 bits wide,
 * each edge stands in the lists of both its ends, and lists are not sorted. Kernels have a thread for each vertex or
 * edge, in blocks of 1024. The papers name no inputs.
 *
 * Power-law graphs of 2^SCALE vertices: ends are drawn by the recursive matrix method with probabilities 0.45, 0.15,
 * 0.15, 0.25, so that few vertices have many times the mean number of neighbours; numbers are shuffled then, so these
 * lie anywhere. Study sizes are ours, with at least as many blocks as a small GPU has SMs.
 *
 * `suite` is a graph with the number of vertices and the degrees of the one that GraphBIG comes with (dataset/small,
 * who knows whom in a social network): one block.
 */
#ifndef ROMARK_SAMPLES_GRAPH_H
#define ROMARK_SAMPLES_GRAPH_H

#include "arrays.h"

#include <string.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

typedef unsigned long long vertex;

enum { GRAPH_BLOCK = 1024 };

/* What kernels are given: the neighbours of v are to[first[v]] up to to[first[v + 1]]. */
struct csr {
	vertex *first, *to, vertices, edges;
};

struct graph {
	array<vertex> first, to;

	graph(size_t vertices, const std::vector<std::pair<unsigned, unsigned>> &sorted_edges)
	    : first(vertices + 1), to(sorted_edges.size())
	{
		unsigned state = 23;

		for (auto [from, neighbour] : sorted_edges)
			first.host[from + 1]++;
		std::partial_sum(first.host.begin(), first.host.end(), first.host.begin());
		for (size_t e = 0; e < sorted_edges.size(); e++)
			to.host[e] = sorted_edges[e].second;
		for (size_t v = 0; v < vertices; v++)
			for (size_t e = first.host[v]; e < first.host[v + 1]; e++)
				std::swap(to.host[e],
					  to.host[first.host[v] +
						  (size_t)(next_random(&state) * (float)(e + 1 - first.host[v]))]);
		first.upload();
		to.upload();
	}
	size_t vertices() const
	{
		return first.host.size() - 1;
	}
	size_t edges() const
	{
		return to.host.size();
	}
	csr on_device() const
	{
		return {first.device, to.device, vertices(), edges()};
	}
};

static unsigned blocks_for(size_t threads)
{
	return (unsigned)((threads + GRAPH_BLOCK - 1) / GRAPH_BLOCK);
}

/* One edge of a graph of 2^scale vertices: each bit of its ends is drawn with the same four probabilities. */
static std::pair<unsigned, unsigned> random_edge(int scale, unsigned *state)
{
	unsigned from = 0, to = 0;

	for (int bit = 0; bit < scale; bit++) {
		float where = next_random(state);

		from = from * 2 + (where >= 0.6f);
		to = to * 2 + ((where >= 0.45f && where < 0.6f) || where >= 0.75f);
	}
	return {from, to};
}

/* Loops and double edges that are drawn are left out. */
static graph power_law_graph(int scale, int edges_per_vertex)
{
	size_t vertices = (size_t)1 << scale;
	unsigned state = 17;
	std::vector<unsigned> number(vertices);
	std::vector<std::pair<unsigned, unsigned>> edges;

	std::iota(number.begin(), number.end(), 0u);
	for (size_t i = 1; i < vertices; i++)
		std::swap(number[i], number[(size_t)(next_random(&state) * (float)(i + 1))]);
	for (size_t i = 0; i < vertices * edges_per_vertex; i++) {
		auto [from, to] = random_edge(scale, &state);

		if (from == to)
			continue;
		edges.push_back({number[from], number[to]});
		edges.push_back({number[to], number[from]});
	}
	std::sort(edges.begin(), edges.end());
	edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
	return graph(vertices, edges);
}

/*
 * How many neighbours each has: every tenth of the vertices, in rising order, lies between two of these. No vertex has
 * more than a hundred, and a tenth has one or none.
 */
static std::vector<unsigned> suite_degrees(unsigned *state)
{
	static const float tenths[] = {0, 1, 2, 6, 11, 19, 31, 44, 60, 78, 99};
	std::vector<unsigned> degrees(1000);

	for (size_t i = 0; i < degrees.size(); i++) {
		const float *from = &tenths[i / 100];

		degrees[i] = (unsigned)(from[0] + (from[1] - from[0]) * (float)(i % 100) / 100 + 0.5f);
	}
	for (size_t i = 1; i < degrees.size(); i++)
		std::swap(degrees[i], degrees[(size_t)(next_random(state) * (float)(i + 1))]);
	return degrees;
}

/* Ends are paired at random. Those of loops and double edges are paired anew, ten times at most. */
static graph suite_graph()
{
	unsigned state = 29;
	std::vector<unsigned> degrees = suite_degrees(&state), ends;
	std::set<std::pair<unsigned, unsigned>> edges;

	for (unsigned v = 0; v < degrees.size(); v++)
		ends.insert(ends.end(), degrees[v], v);
	for (int round = 0; round < 10; round++) {
		std::vector<unsigned> left;

		for (size_t i = 1; i < ends.size(); i++)
			std::swap(ends[i], ends[(size_t)(next_random(&state) * (float)(i + 1))]);
		for (size_t i = 0; i + 1 < ends.size(); i += 2)
			if (ends[i] == ends[i + 1] || !edges.insert({ends[i], ends[i + 1]}).second)
				left.insert(left.end(), {ends[i], ends[i + 1]});
			else
				edges.insert({ends[i + 1], ends[i]});
		ends.swap(left);
	}
	return graph(degrees.size(), {edges.begin(), edges.end()});
}

/* Reads NAME [small|study|suite|SCALE [EDGES PER VERTEX]], where a scale of n means 2^n vertices. */
static graph chosen_graph(int argc, char **argv, int small, int study, int study_edges, const char *usage)
{
	bool is_study = argc > 1 && strcmp(argv[1], "study") == 0;
	bool is_small = argc < 2 || strcmp(argv[1], "small") == 0;

	if (argc > 1 && strcmp(argv[1], "suite") == 0)
		return suite_graph();
	int scale = is_small ? small : is_study ? study : positive(argv[1], usage);
	int edges_per_vertex = argc > 2 ? positive(argv[2], usage) : is_study ? study_edges : 16;

	if (scale > 24 || edges_per_vertex > 64) {
		fprintf(stderr, "usage: %s, of a scale up to 24 and up to 64 edges\n", usage);
		exit(2);
	}
	return power_law_graph(scale, edges_per_vertex);
}

/* A word by which a launch tells the host that there is more to do. */
struct flag {
	unsigned char *device;

	flag()
	{
		CHECK(cudaMalloc(&device, 1));
	}
	~flag()
	{
		cudaFree(device);
	}
	void clear() const
	{
		CHECK(cudaMemset(device, 0, 1));
	}
	bool is_set() const
	{
		unsigned char value;

		CHECK(cudaMemcpy(&value, device, 1, cudaMemcpyDeviceToHost));
		return value != 0;
	}
};

#endif
