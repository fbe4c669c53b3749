/*
 * Searches in a B+ tree, with the shape of Rodinia's b+tree. A block follows a query down the tree, and each of its 256
 * threads compares a key of a node. `find` looks for a key's record; `find_range` looks for the first and the last
 * record of a range together. All blocks read the root, many read the level below it, and few read the same leaf.
 *
 *   btree [small|paper|KEYS [QUERIES [RANGES]]]
 *
 * The tree is half full, as after inserting keys in rising order: 128 keys or children in a node of 2068 bytes. The
 * paper's size is 882,000 keys: 6946 nodes, 13.7 MiB, for the 13.7 MB of shared data in Table III of the SelRep study.
 * The 10,000 queries, and the 6,000 ranges of 3,000 keys, follow the suite's input.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>
#include <climits>

enum { ORDER = 256, FILLED = ORDER / 2 };

/* Entry i of an inner node is the child for keys from keys[i] on, up to keys[i + 1]; of a leaf the record of keys[i].
 */
struct node {
	int place;
	int entries[ORDER + 1];
	int keys[ORDER + 1]; /* rising, then INT_MAX */
	int is_leaf, count;
};

struct record {
	int value;
};

/* `at` has each query's node. `next` gets the node below, so that all threads compare with the same node. */
__global__ void find(long height, node *nodes, record *records, long *at, long *next, int *wanted, record *answers)
{
	int query = blockIdx.x, me = threadIdx.x;

	for (long level = 0; level < height; level++) {
		if (nodes[at[query]].keys[me] <= wanted[query] && nodes[at[query]].keys[me + 1] > wanted[query])
			next[query] = nodes[next[query]].entries[me];
		__syncthreads();
		if (me == 0)
			at[query] = next[query];
		__syncthreads();
	}
	if (nodes[at[query]].keys[me] == wanted[query])
		answers[query].value = records[nodes[at[query]].entries[me]].value;
}

/* The two ends go down the tree side by side. */
__global__ void find_range(long height, node *nodes, long *at, long *next, long *last_at, long *last_next, int *from,
			   int *to, int *start, int *length)
{
	int query = blockIdx.x, me = threadIdx.x;

	for (long level = 0; level < height; level++) {
		if (nodes[at[query]].keys[me] <= from[query] && nodes[at[query]].keys[me + 1] > from[query])
			next[query] = nodes[at[query]].entries[me];
		if (nodes[last_at[query]].keys[me] <= to[query] && nodes[last_at[query]].keys[me + 1] > to[query])
			last_next[query] = nodes[last_at[query]].entries[me];
		__syncthreads();
		if (me == 0) {
			at[query] = next[query];
			last_at[query] = last_next[query];
		}
		__syncthreads();
	}
	if (nodes[at[query]].keys[me] == from[query])
		start[query] = nodes[at[query]].entries[me];
	__syncthreads();
	if (nodes[last_at[query]].keys[me] == to[query])
		length[query] = nodes[last_at[query]].entries[me] - start[query] + 1;
}

/* The number of nodes on each level, from the root down to the leaves. */
static std::vector<int> levels(int keys)
{
	std::vector<int> counts;

	for (int count = keys; counts.empty() || count > 1;) {
		count = (count + FILLED - 1) / FILLED;
		counts.push_back(count);
	}
	std::reverse(counts.begin(), counts.end());
	return counts;
}

/* The keys are 0, 1, ... and each is its record's index. The nodes lie level by level. */
static std::vector<node> build(int keys, const std::vector<int> &counts)
{
	std::vector<node> nodes;
	int below = 0; /* where the next level starts */

	for (size_t level = 0; level < counts.size(); level++) {
		bool is_leaf = level + 1 == counts.size();
		int entries = is_leaf ? keys : counts[level + 1], span = 1; /* keys below an entry */

		for (size_t inner = level + 1; inner < counts.size(); inner++)
			span *= FILLED;
		below += counts[level];
		for (int i = 0; i < counts[level]; i++) {
			node n = {(int)nodes.size(), {}, {}, is_leaf, std::min<int>(FILLED, entries - i * FILLED)};

			for (int k = 0; k <= ORDER; k++)
				n.keys[k] = k < n.count ? (i * FILLED + k) * span : INT_MAX;
			for (int k = 0; k < n.count; k++)
				n.entries[k] = i * FILLED + k + (is_leaf ? 0 : below);
			nodes.push_back(n);
		}
	}
	return nodes;
}

struct tree {
	int keys;
	long height; /* steps from the root to a leaf */
	array<node> nodes;
	array<record> records;

	tree(int count, const std::vector<node> &built, size_t level_count)
	    : keys(count), height((long)level_count - 1), nodes(built.size()), records(count)
	{
		nodes.host = built;
		nodes.upload();
		for (int key = 0; key < keys; key++)
			records.host[key].value = value_of(key);
		records.upload();
	}
	static int value_of(int key)
	{
		return key ^ 0x55555;
	}
};

static void random_keys(array<int> &out, unsigned seed, int below)
{
	for (int &key : out.host)
		key = std::min(below - 1, (int)(next_random(&seed) * (float)below));
	out.upload();
}

static int run_find(const tree &t, int queries)
{
	array<int> wanted(queries);
	array<long> at(queries), next(queries);
	array<record> answers(queries);
	int wrong = 0;

	random_keys(wanted, 1, t.keys);
	at.upload();
	next.upload();
	find<<<queries, ORDER>>>(t.height, t.nodes.device, t.records.device, at.device, next.device, wanted.device,
				 answers.device);
	CHECK(cudaGetLastError());
	std::vector<record> found = answers.download();
	for (int i = 0; i < queries; i++)
		wrong += found[i].value != tree::value_of(wanted.host[i]);
	printf("find: %d keys, %d wrong\n", queries, wrong);
	return wrong;
}

static int run_find_range(const tree &t, int ranges)
{
	array<int> from(ranges), to(ranges), start(ranges), length(ranges);
	array<long> at(ranges), next(ranges), last_at(ranges), last_next(ranges);
	int size = std::min(3000, (t.keys + 1) / 2), wrong = 0;

	random_keys(from, 2, t.keys - size);
	for (int i = 0; i < ranges; i++)
		to.host[i] = from.host[i] + size;
	to.upload();
	for (const array<long> *root : {&at, &next, &last_at, &last_next})
		root->upload();
	find_range<<<ranges, ORDER>>>(t.height, t.nodes.device, at.device, next.device, last_at.device,
				      last_next.device, from.device, to.device, start.device, length.device);
	CHECK(cudaGetLastError());
	std::vector<int> starts = start.download(), lengths = length.download();
	for (int i = 0; i < ranges; i++)
		wrong += starts[i] != from.host[i] || lengths[i] != size + 1;
	printf("find_range: %d ranges, %d wrong\n", ranges, wrong);
	return wrong;
}

int main(int argc, char **argv)
{
	static const char usage[] = "btree [small|paper|KEYS [QUERIES [RANGES]]], at least 2 keys";
	int keys = chosen_size(argc, argv, 20000, 882000, usage);
	bool is_small = keys == 20000;
	int queries = argc > 2 ? positive(argv[2], usage) : is_small ? 1000 : 10000;
	int ranges = argc > 3 ? positive(argv[3], usage) : is_small ? 600 : 6000, wrong;

	if (keys < 2) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	std::vector<int> counts = levels(keys);
	tree t(keys, build(keys, counts), counts.size());

	printf("btree: %d keys in %zu nodes of %zu bytes\n", keys, t.nodes.host.size(), sizeof(node));
	wrong = run_find(t, queries);
	wrong += run_find_range(t, ranges);
	return wrong != 0;
}
