/*
 * MapReduce with the shape of Mars. Pairs of a key and a value lie in two byte arrays, and a directory of records has
 * their places. A thread takes a pair: a first pass counts what each will emit, sums of these give the places, and a
 * second pass emits. A bitonic network on the directory sorts the pairs, with a launch for each step; its comparisons
 * read the keys wherever they are. Then the bytes are copied into this order, and groups are divided where the key
 * changes.
 *
 * The original has a barrier in the emission, which not all threads of a block reach; here there is no barrier. Beyond
 * 262,144 pairs the original sorts parts in shared memory; here any number is sorted in the same way.
 *
 * A job is a struct of device functions:
 *
 *   static void count(char *key, char *value, counter &out)                       sizes of what map will emit
 *   static void map(char *key, char *value, emitter &out)
 *   static int compare(const char *key, const char *other)                        -1, 0, 1
 *   static void reduce_count(char *key, char *values, int number, counter &out)   only for jobs that reduce
 *   static void reduce(char *key, char *values, int number, emitter &out)
 */
#ifndef ROMARK_SAMPLES_MAPREDUCE_H
#define ROMARK_SAMPLES_MAPREDUCE_H

#include "arrays.h"

#include <string.h>

#include <algorithm>
#include <memory>
#include <vector>

enum {
	TASKS = 256,             /* of a block that maps, reduces or sorts */
	HELPERS = 512,           /* threads of a block, and blocks of a grid, that rearrange */
	COPIERS = 128,           /* threads of a block that copies bytes */
	SCANNED = 512,           /* numbers that a block adds up */
	BUFFER = 5 * sizeof(int) /* bytes of shared memory of each task */
};

/* Key and value are offsets in the byte arrays. */
struct alignas(16) record {
	int key, key_size, value, value_size;
};

/* Loads a record in an access of 16 bytes. A plain load is split into four if the parts are used separately. */
__device__ inline record load(const record *from)
{
	int4 all = __ldca((const int4 *)from);

	return {all.x, all.y, all.z, all.w};
}

__device__ inline void store(record *to, record all)
{
	__stwb((int4 *)to, make_int4(all.key, all.key_size, all.value, all.value_size));
}

struct device_pairs {
	char *keys, *values;
	record *records;
};

/* For each task: bytes of keys and values, and number of records. At first how many, then where they begin. */
struct shares {
	int *keys, *values, *records;
};

__device__ inline int task()
{
	return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Room in which a task makes what it emits, if that is not part of its input. */
__device__ inline char *task_buffer()
{
	extern __shared__ char buffers[];

	return buffers + threadIdx.x * BUFFER;
}

struct counter {
	shares counts;

	__device__ void emit(int key_size, int value_size)
	{
		counts.keys[task()] += key_size;
		counts.values[task()] += value_size;
		counts.records[task()]++;
	}
};

struct emitter {
	shares first;
	int2 *written; /* bytes of keys and values by now, of each task */
	int *emitted;
	device_pairs out;

	__device__ void emit(const void *key, const void *value, int key_size, int value_size)
	{
		int2 before = written[task()];
		char *key_to = out.keys + first.keys[task()] + before.x;
		char *value_to = out.values + first.values[task()] + before.y;

		for (int i = 0; i < key_size; i++)
			key_to[i] = ((const char *)key)[i];
		for (int i = 0; i < value_size; i++)
			value_to[i] = ((const char *)value)[i];
		written[task()] = make_int2(before.x + key_size, before.y + value_size);
		add_record(key_size, value_size);
	}
	__device__ void add_record(int key_size, int value_size)
	{
		int number = emitted[task()], at = first.records[task()] + number;
		record added = {first.keys[task()], key_size, first.values[task()], value_size};

		if (number != 0) {
			record last = load(&out.records[at - 1]);

			added.key = last.key + last.key_size;
			added.value = last.value + last.value_size;
		}
		store(&out.records[at], added);
		emitted[task()] = number + 1;
	}
};

template <typename job>
__global__ void count_mapped(device_pairs in, counter out, int tasks)
{
	if (task() >= tasks)
		return;
	record given = in.records[task()];

	job::count(in.keys + given.key, in.values + given.value, out);
}

template <typename job>
__global__ void emit_mapped(device_pairs in, emitter out, int tasks)
{
	if (task() >= tasks)
		return;
	record given = in.records[task()];

	job::map(in.keys + given.key, in.values + given.value, out);
}

template <typename job>
__global__ void count_reduced(device_pairs in, const int2 *groups, counter out, int tasks)
{
	if (task() >= tasks)
		return;
	int2 group = groups[task()];
	record given = in.records[group.x];

	job::reduce_count(in.keys + given.key, in.values + given.value, group.y - group.x, out);
}

template <typename job>
__global__ void emit_reduced(device_pairs in, const int2 *groups, emitter out, int tasks)
{
	if (task() >= tasks)
		return;
	int2 group = groups[task()];
	record given = in.records[group.x];

	job::reduce(in.keys + given.key, in.values + given.value, group.y - group.x, out);
}

/* Sums of all numbers before each, within a block: up a tree of sums, and down again. */
__global__ void scan_blocks(int *out, const int *in, int *totals, int count)
{
	__shared__ int sums[SCANNED];
	int thread = threadIdx.x, first = blockIdx.x * SCANNED, apart = 1;

	for (int i = thread; i < SCANNED; i += SCANNED / 2)
		sums[i] = first + i < count ? in[first + i] : 0;
	for (int active = SCANNED / 2; active > 0; active /= 2, apart *= 2) {
		__syncthreads();
		if (thread < active)
			sums[(2 * thread + 2) * apart - 1] += sums[(2 * thread + 1) * apart - 1];
	}
	if (thread == 0) {
		totals[blockIdx.x] = sums[SCANNED - 1];
		sums[SCANNED - 1] = 0;
	}
	for (int active = 1; active < SCANNED; active *= 2) {
		apart /= 2;
		__syncthreads();
		if (thread < active) {
			int left = (2 * thread + 1) * apart - 1, right = left + apart, sum = sums[left];

			sums[left] = sums[right];
			sums[right] += sum;
		}
	}
	__syncthreads();
	for (int i = thread; i < SCANNED && first + i < count; i += SCANNED / 2)
		out[first + i] = sums[i];
}

__global__ void add_totals(int *sums, const int *totals, int count)
{
	int first = blockIdx.x * SCANNED + threadIdx.x, total = totals[blockIdx.x];

	for (int i = first; i < first + SCANNED && i < count; i += SCANNED / 2)
		sums[i] += total;
}

/* Padding comes first: records without a pair. */
template <typename job>
__device__ int order(const char *keys, record a, record b)
{
	if (a.key < 0 || b.key < 0)
		return (b.key < 0) - (a.key < 0);
	return job::compare(keys + a.key, keys + b.key);
}

/* One step of the network: records `apart` apart, in runs of `run` that are sorted up and down by turns. */
template <typename job>
__global__ void compare_exchange(const char *keys, record *records, int run, int apart)
{
	int low = task(), high = low ^ apart;

	if (high < low)
		return;
	record a = load(&records[low]), b = load(&records[high]);

	if (order<job>(keys, a, b) == ((low & run) == 0 ? 1 : -1)) {
		store(&records[low], b);
		store(&records[high], a);
	}
}

__global__ void clear_records(record *records, int count)
{
	if (task() < count)
		records[task()] = {-1, -1, 0, 0};
}

/* Offset and size of each key, or of each value. */
__global__ void take_places(const record *records, int2 *places, bool of_keys, int count)
{
	if (task() >= count)
		return;
	record given = records[task()];

	places[task()] = of_keys ? make_int2(given.key, given.key_size) : make_int2(given.value, given.value_size);
}

__global__ void put_places(record *records, const int2 *places, bool of_keys, int count)
{
	if (task() >= count)
		return;
	record given = load(&records[task()]);

	(of_keys ? given.key : given.value) = places[task()].x;
	store(&records[task()], given);
}

__global__ void take_sizes(const int2 *places, int *sizes, int count)
{
	if (task() < count)
		sizes[task()] = places[task()].y;
}

__global__ void copy_bytes(const char *from, char *to, int2 *places, const int *first, int count)
{
	if (task() >= count)
		return;
	int2 place = places[task()];
	int start = first[task()];

	for (int i = 0; i < place.y; i++)
		to[start + i] = from[place.x + i];
	places[task()] = make_int2(start, place.y);
}

/* 1 if the record's key differs from the previous record's. */
template <typename job>
__global__ void mark_changes(const char *keys, const record *records, int *changes, int count)
{
	int i = task();

	if (i < count)
		changes[i] = i == 0 || order<job>(keys, records[i], records[i - 1]) != 0;
}

__global__ void list_changes(const int *changes, const int *before, int *starts, int count)
{
	if (task() < count && changes[task()])
		starts[before[task()]] = task();
}

__global__ void list_groups(const int *starts, int2 *groups, int group_count, int count)
{
	if (task() < group_count)
		groups[task()] = make_int2(starts[task()], task() + 1 < group_count ? starts[task() + 1] : count);
}

/* Pairs on the device. */
struct pairs {
	array<char> keys, values;
	array<record> records;

	pairs(int key_bytes, int value_bytes, int count) : keys(key_bytes), values(value_bytes), records(count)
	{
		records.upload();
	}
	int count() const
	{
		return (int)records.host.size();
	}
	device_pairs on_device() const
	{
		return {keys.device, values.device, records.device};
	}
	/* The host's arrays become what the device has. */
	void download()
	{
		keys.host = keys.download();
		values.host = values.download();
		records.host = records.download();
	}
	template <typename T>
	T key(int i) const
	{
		T found;

		memcpy(&found, &keys.host[records.host[i].key], sizeof found);
		return found;
	}
	template <typename T>
	T value(int i) const
	{
		T found;

		memcpy(&found, &values.host[records.host[i].value], sizeof found);
		return found;
	}
};

/* Pairs of keys and values that all have the same size. */
template <typename K, typename V>
static std::unique_ptr<pairs> make_pairs(const std::vector<K> &keys, const std::vector<V> &values)
{
	std::unique_ptr<pairs> made(
	    new pairs((int)(keys.size() * sizeof(K)), (int)(values.size() * sizeof(V)), (int)keys.size()));

	memcpy(made->keys.host.data(), keys.data(), keys.size() * sizeof(K));
	memcpy(made->values.host.data(), values.data(), values.size() * sizeof(V));
	for (int i = 0; i < made->count(); i++)
		made->records.host[i] = {i * (int)sizeof(K), (int)sizeof(K), i * (int)sizeof(V), (int)sizeof(V)};
	made->keys.upload();
	made->values.upload();
	made->records.upload();
	return made;
}

static int blocks_of(int size, int count)
{
	return (count + size - 1) / size;
}

/* A rearranging launch has a fixed grid, as in the original; past it there are more blocks. */
static int helper_blocks(int size, int count)
{
	return blocks_of(size, count) > HELPERS ? blocks_of(size, count) : HELPERS;
}

static void scan(int *out, const int *in, int count)
{
	int blocks = blocks_of(SCANNED, count);
	array<int> totals(blocks);

	scan_blocks<<<blocks, SCANNED / 2>>>(out, in, totals.device, count);
	if (blocks > 1) {
		array<int> before(blocks);

		scan(before.device, totals.device, blocks);
		add_totals<<<blocks, SCANNED / 2>>>(out, before.device, count);
	}
	CHECK(cudaGetLastError());
}

/* The sum of all numbers, of which `before` has the sums. */
static int total_of(const int *numbers, const int *before, int count)
{
	int last, sum;

	CHECK(cudaMemcpy(&last, numbers + count - 1, sizeof last, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(&sum, before + count - 1, sizeof sum, cudaMemcpyDeviceToHost));
	return sum + last;
}

/* Counts with one launch, and emits with another: both are given what they write to. */
template <typename C, typename E>
static std::unique_ptr<pairs> count_and_emit(int tasks, C count, E emit)
{
	array<int> counted[3] = {array<int>(tasks), array<int>(tasks), array<int>(tasks)};
	array<int> first[3] = {array<int>(tasks), array<int>(tasks), array<int>(tasks)}, emitted(tasks);
	array<int2> written(tasks);
	int totals[3];

	for (array<int> &zeros : counted)
		zeros.upload();
	written.upload();
	emitted.upload();
	count(counter{{counted[0].device, counted[1].device, counted[2].device}});
	CHECK(cudaGetLastError());
	for (int i = 0; i < 3; i++) {
		scan(first[i].device, counted[i].device, tasks);
		totals[i] = total_of(counted[i].device, first[i].device, tasks);
	}
	std::unique_ptr<pairs> out(new pairs(totals[0], totals[1], totals[2]));
	emit(emitter{
	    {first[0].device, first[1].device, first[2].device}, written.device, emitted.device, out->on_device()});
	CHECK(cudaGetLastError());
	return out;
}

template <typename job>
static std::unique_ptr<pairs> map_pairs(const pairs &in)
{
	int tasks = in.count(), blocks = blocks_of(TASKS, tasks);

	return count_and_emit(
	    tasks, [&](counter out) { count_mapped<job><<<blocks, TASKS>>>(in.on_device(), out, tasks); },
	    [&](emitter out) { emit_mapped<job><<<blocks, TASKS, TASKS * BUFFER>>>(in.on_device(), out, tasks); });
}

/* The directory of `in`, sorted. */
template <typename job>
static void sort_records(const pairs &in, record *sorted)
{
	int size = TASKS;

	while (size < in.count())
		size *= 2;
	array<record> all(size);

	clear_records<<<helper_blocks(HELPERS, size), HELPERS>>>(all.device, size);
	CHECK(cudaMemcpy(all.device, in.records.device, in.count() * sizeof(record), cudaMemcpyDeviceToDevice));
	for (int run = 2; run <= size; run *= 2)
		for (int apart = run / 2; apart > 0; apart /= 2)
			compare_exchange<job><<<size / TASKS, TASKS>>>(in.keys.device, all.device, run, apart);
	CHECK(cudaGetLastError());
	CHECK(
	    cudaMemcpy(sorted, all.device + size - in.count(), in.count() * sizeof(record), cudaMemcpyDeviceToDevice));
}

/* Brings the bytes of keys or values into the order of their records. */
static void gather(const char *from, char *to, record *records, bool of_keys, int count)
{
	array<int2> places(count);
	array<int> sizes(count), first(count);
	int blocks = helper_blocks(HELPERS, count);

	take_places<<<blocks, HELPERS>>>(records, places.device, of_keys, count);
	take_sizes<<<blocks, HELPERS>>>(places.device, sizes.device, count);
	scan(first.device, sizes.device, count);
	copy_bytes<<<helper_blocks(COPIERS, count), COPIERS>>>(from, to, places.device, first.device, count);
	put_places<<<blocks, HELPERS>>>(records, places.device, of_keys, count);
	CHECK(cudaGetLastError());
}

/* The pairs sorted by key, and the first and the end of each group of equal keys. */
struct grouped {
	std::unique_ptr<pairs> sorted;
	std::unique_ptr<array<int2>> groups;

	int count() const
	{
		return (int)groups->host.size();
	}
};

template <typename job>
static std::unique_ptr<array<int2>> find_groups(const pairs &in)
{
	int count = in.count(), blocks = helper_blocks(HELPERS, count);
	array<int> changes(count), before(count);

	mark_changes<job><<<blocks, HELPERS>>>(in.keys.device, in.records.device, changes.device, count);
	scan(before.device, changes.device, count);
	int group_count = total_of(changes.device, before.device, count);
	array<int> starts(group_count);
	std::unique_ptr<array<int2>> groups(new array<int2>(group_count));

	list_changes<<<blocks, HELPERS>>>(changes.device, before.device, starts.device, count);
	list_groups<<<helper_blocks(HELPERS, group_count), HELPERS>>>(starts.device, groups->device, group_count,
								      count);
	CHECK(cudaGetLastError());
	groups->host = groups->download();
	return groups;
}

template <typename job>
static grouped group_pairs(const pairs &in)
{
	grouped result;

	result.sorted.reset(new pairs((int)in.keys.host.size(), (int)in.values.host.size(), in.count()));
	device_pairs out = result.sorted->on_device();

	sort_records<job>(in, out.records);
	gather(in.values.device, out.values, out.records, false, in.count());
	gather(in.keys.device, out.keys, out.records, true, in.count());
	result.groups = find_groups<job>(*result.sorted);
	return result;
}

template <typename job>
static std::unique_ptr<pairs> reduce_groups(const grouped &in)
{
	int tasks = in.count(), blocks = blocks_of(TASKS, tasks);
	device_pairs given = in.sorted->on_device();
	const int2 *groups = in.groups->device;

	return count_and_emit(
	    tasks, [&](counter out) { count_reduced<job><<<blocks, TASKS>>>(given, groups, out, tasks); },
	    [&](emitter out) { emit_reduced<job><<<blocks, TASKS, TASKS * BUFFER>>>(given, groups, out, tasks); });
}

/* Reads NAME [small|study|NUMBER]. */
static int chosen_number(int argc, char **argv, int small, int study, const char *usage)
{
	if (argc < 2 || strcmp(argv[1], "small") == 0)
		return small;
	if (strcmp(argv[1], "study") == 0)
		return study;
	int number = positive(argv[1], usage);

	if (number > 1 << 20) {
		fprintf(stderr, "usage: %s, up to 1048576\n", usage);
		exit(2);
	}
	return number;
}

#endif
