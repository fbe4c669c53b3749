/*
 * Merge sort of pairs of a key and a value. Blocks of 512 threads each sort 1024 pairs in shared memory. Then pairs of
 * sorted runs are merged until a single run is left. Every 128th key of both runs is a sample. The samples cut a merge
 * into pieces that a block merges in shared memory. Blocks share only the samples' ranks. The shape follows a public
 * sample.
 *
 *   mergesort [small|paper|PAIRS]
 *
 * PAIRS is 1024, or 1024 times a power of two.
 */
#include "../common/size.h"

#include <algorithm>
#include <utility>
#include <vector>

enum { RUN = 1024, SAMPLE = 128 };

struct pairs {
	unsigned *keys, *values;
};

/* How many of `count` sorted keys are below `key`. With `equal_first`, how many are not above it. */
__device__ int rank_of(unsigned key, const unsigned *keys, int count, bool equal_first)
{
	int low = 0;

	while (count > 0) {
		int half = count / 2;
		unsigned middle = keys[low + half];

		if (middle < key || (equal_first && middle == key)) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

/*
 * A block sorts RUN pairs by merging. A thread takes a key of each of two runs of `length` keys, and finds the places
 * of both in the merged run.
 */
__global__ void sort_runs(pairs in, pairs out)
{
	__shared__ unsigned keys[RUN], values[RUN];
	int thread = threadIdx.x, first = blockIdx.x * RUN;

	keys[thread] = in.keys[first + thread];
	values[thread] = in.values[first + thread];
	keys[thread + RUN / 2] = in.keys[first + thread + RUN / 2];
	values[thread + RUN / 2] = in.values[first + thread + RUN / 2];
	for (int length = 1; length < RUN; length *= 2) {
		int at = thread & (length - 1), base = 2 * (thread - at);

		__syncthreads();
		unsigned key_a = keys[base + at], value_a = values[base + at];
		unsigned key_b = keys[base + length + at], value_b = values[base + length + at];
		int place_a = base + at + rank_of(key_a, keys + base + length, length, false);
		int place_b = base + at + rank_of(key_b, keys + base, length, true);

		__syncthreads();
		keys[place_a] = key_a;
		values[place_a] = value_a;
		keys[place_b] = key_b;
		values[place_b] = value_b;
	}
	__syncthreads();
	out.keys[first + thread] = keys[thread];
	out.values[first + thread] = values[thread];
	out.keys[first + thread + RUN / 2] = keys[thread + RUN / 2];
	out.values[first + thread + RUN / 2] = values[thread + RUN / 2];
}

/*
 * Ranks of the samples of two runs, in both runs. A thread takes a sample of each. The ranks in an array are first for
 * the samples of a, then for those of b.
 */
__global__ void rank_samples(const unsigned *keys, unsigned *ranks_a, unsigned *ranks_b, int length, int threads)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x, samples = length / SAMPLE;
	int sample = thread % samples, merge = thread / samples;
	int of_a = merge * 2 * samples + sample, of_b = of_a + samples;
	const unsigned *a = keys + (size_t)merge * 2 * length, *b = a + length;

	if (thread >= threads)
		return;
	ranks_a[of_a] = ranks_b[of_b] = sample * SAMPLE;
	ranks_b[of_a] = rank_of(a[sample * SAMPLE], b, length, false);
	ranks_a[of_b] = rank_of(b[sample * SAMPLE], a, length, true);
}

/* Merges the ranks of both runs' samples in one of the runs: the places at which this run is cut, in rising order. */
__global__ void order_ranks(const unsigned *ranks, unsigned *cuts, int length, int threads)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x, samples = length / SAMPLE;
	int sample = thread % samples, first = thread / samples * 2 * samples;
	const unsigned *of_a = ranks + first, *of_b = of_a + samples;

	if (thread >= threads)
		return;
	cuts[first + sample + rank_of(of_a[sample], of_b, samples, false)] = of_a[sample];
	cuts[first + sample + rank_of(of_b[sample], of_a, samples, true)] = of_b[sample];
}

/* A block merges the piece of both runs from its cut to the next: at most SAMPLE pairs of each. */
__global__ void merge_pieces(pairs in, pairs out, const unsigned *cuts_a, const unsigned *cuts_b, int length)
{
	__shared__ unsigned keys[2][SAMPLE], merged_keys[2 * SAMPLE], merged_values[2 * SAMPLE];
	int thread = threadIdx.x, cuts = 2 * length / SAMPLE, cut = blockIdx.x;
	bool last = (cut + 1) % cuts == 0;
	int start_a = cuts_a[cut], count_a = (last ? length : cuts_a[cut + 1]) - start_a;
	int start_b = cuts_b[cut], count_b = (last ? length : cuts_b[cut + 1]) - start_b;
	size_t runs = (size_t)(cut / cuts) * 2 * length, a = runs + start_a, b = runs + length + start_b;
	unsigned value_a = 0, value_b = 0;

	if (thread < count_a) {
		keys[0][thread] = in.keys[a + thread];
		value_a = in.values[a + thread];
	}
	if (thread < count_b) {
		keys[1][thread] = in.keys[b + thread];
		value_b = in.values[b + thread];
	}
	__syncthreads();
	if (thread < count_a) {
		int place = thread + rank_of(keys[0][thread], keys[1], count_b, false);

		merged_keys[place] = keys[0][thread];
		merged_values[place] = value_a;
	}
	if (thread < count_b) {
		int place = thread + rank_of(keys[1][thread], keys[0], count_a, true);

		merged_keys[place] = keys[1][thread];
		merged_values[place] = value_b;
	}
	__syncthreads();
	for (int i = thread; i < count_a + count_b; i += SAMPLE) {
		out.keys[runs + start_a + start_b + i] = merged_keys[i];
		out.values[runs + start_a + start_b + i] = merged_values[i];
	}
}

static unsigned *on_device(size_t words)
{
	unsigned *device;

	CHECK(cudaMalloc(&device, words * sizeof(unsigned)));
	return device;
}

/* Sorts `here`, with `there` as room of the same size. Returns the pair of arrays that holds the result. */
static pairs sort(pairs here, pairs there, int count)
{
	size_t cuts = count / SAMPLE;
	unsigned *ranks_a = on_device(cuts), *ranks_b = on_device(cuts);
	unsigned *cuts_a = on_device(cuts), *cuts_b = on_device(cuts);
	int threads = count / (2 * SAMPLE), blocks = (threads + 255) / 256;

	sort_runs<<<count / RUN, RUN / 2>>>(here, there);
	std::swap(here, there);
	for (int length = RUN; length < count; length *= 2) {
		rank_samples<<<blocks, 256>>>(here.keys, ranks_a, ranks_b, length, threads);
		order_ranks<<<blocks, 256>>>(ranks_a, cuts_a, length, threads);
		order_ranks<<<blocks, 256>>>(ranks_b, cuts_b, length, threads);
		merge_pieces<<<count / SAMPLE, SAMPLE>>>(here, there, cuts_a, cuts_b, length);
		std::swap(here, there);
	}
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	for (unsigned *array : {ranks_a, ranks_b, cuts_a, cuts_b})
		CHECK(cudaFree(array));
	return here;
}

int main(int argc, char **argv)
{
	static const char usage[] = "mergesort [small|paper|PAIRS], 1024 or 1024 times a power of two";
	int count = chosen_size(argc, argv, 1 << 14, 1 << 22, usage), wrong = 0;

	if (count < RUN || count & (count - 1)) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	size_t bytes = count * sizeof(unsigned);
	std::vector<unsigned> keys(count), values(count);
	std::vector<std::pair<unsigned, unsigned>> expected(count);
	pairs one = {on_device(count), on_device(count)}, other = {on_device(count), on_device(count)};
	unsigned state = 13;

	for (int i = 0; i < count; i++) {
		keys[i] = (unsigned)(next_random(&state) * 65536);
		values[i] = i;
		expected[i] = {keys[i], values[i]};
	}
	std::sort(expected.begin(), expected.end());
	CHECK(cudaMemcpy(one.keys, keys.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(one.values, values.data(), bytes, cudaMemcpyHostToDevice));
	pairs sorted = sort(one, other, count);

	CHECK(cudaMemcpy(keys.data(), sorted.keys, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(values.data(), sorted.values, bytes, cudaMemcpyDeviceToHost));
	for (int i = 0; i < count; i++)
		wrong += expected[i] != std::make_pair(keys[i], values[i]);
	for (unsigned *array : {one.keys, one.values, other.keys, other.values})
		CHECK(cudaFree(array));
	printf("mergesort: %d pairs, %d wrong\n", count, wrong);
	return wrong != 0;
}
