/* Tag columns with cluster vectors, and the counters beside them. */
#include "sim-backend/llc/rdd.h"

#include "common/integer.h"
#include "common/xalloc.h"
#include "sim-backend/llc/bandwidth.h"

#include <stdlib.h>
#include <string.h>

void rdd_init(struct rdd *rdd, const struct llc_geometry *geometry, const struct rdd_config *config)
{
	memset(rdd, 0, sizeof *rdd);
	rdd->geometry = *geometry;
	rdd->config = *config;
	if (rdd->config.sets > geometry->sets)
		rdd->config.sets = geometry->sets;
	rdd->degrees = 32 - (unsigned)__builtin_clz(llc_max_degree(geometry));
	rdd->entries = xcalloc((size_t)rdd->degrees * rdd->config.sets * rdd->config.ways, sizeof *rdd->entries);
}

void rdd_release(struct rdd *rdd)
{
	xfree(rdd->entries);
}

/* --- Counters --- */

static uint32_t largest(unsigned bits)
{
	return (uint32_t)((UINT64_C(1) << bits) - 1);
}

static void halve(uint32_t *counters, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		counters[i] /= 2;
}

static void count_request(const struct rdd *rdd, uint32_t *counters, unsigned slice)
{
	uint32_t end = largest(rdd->config.counter_bits);

	if (rdd->config.windows && end > largest(RDD_WINDOW_BITS))
		end = largest(RDD_WINDOW_BITS);
	if (counters[slice] == end && rdd->config.halve)
		halve(counters, rdd->geometry.slices);
	counters[slice] += counters[slice] < end;
}

/* Accesses and hits of all columns are compared with each other. */
static void count_sample(const struct rdd *rdd, struct rdd_counts *counts, uint32_t *counter)
{
	uint32_t end = largest(rdd->config.counter_bits);

	if (*counter == end && rdd->config.halve) {
		halve(counts->hits, rdd->degrees);
		halve(counts->accesses, rdd->degrees);
	}
	*counter += *counter < end;
}

static void add_up(uint32_t *sum, uint32_t n)
{
	*sum = n < largest(RDD_SUM_BITS) - *sum ? *sum + n : largest(RDD_SUM_BITS);
}

static uint32_t sum_of(const uint32_t *counters, unsigned n)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += counters[i];
	return sum;
}

/* Requests to the busiest slice when slot k has column columns[k]. */
static uint32_t most_asked(const struct rdd *rdd, const unsigned *columns)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < rdd->geometry.slices; i++) {
		uint32_t sum = 0;

		for (unsigned slot = 0; slot < rdd->config.slots; slot++)
			sum += rdd->counts[slot].requests[columns[slot]][i];
		most = sum > most ? sum : most;
	}
	return most;
}

/* Under the last degree a slice is a cluster's, as the link to the cluster is under all. */
static uint32_t asked_of_a_link(const struct rdd *rdd)
{
	unsigned last[RDD_MAX_SLOTS];

	for (unsigned slot = 0; slot < rdd->config.slots; slot++)
		last[slot] = rdd->degrees - 1;
	return most_asked(rdd, last);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

void rdd_end_window(struct rdd *rdd)
{
	uint32_t least = rdd->config.least_busy ? larger(rdd->config.least_busy, asked_of_a_link(rdd)) : 0;
	unsigned columns[RDD_MAX_SLOTS];

	memcpy(columns, rdd->present, sizeof columns);
	for (unsigned slot = 0; slot < rdd->config.slots; slot++) {
		struct rdd_counts *counts = &rdd->counts[slot];

		add_up(&counts->window_requests, sum_of(counts->requests[0], rdd->geometry.slices));
		for (columns[slot] = 0; columns[slot] < rdd->degrees; columns[slot]++)
			add_up(&counts->window_busiest[columns[slot]], larger(least, most_asked(rdd, columns)));
		columns[slot] = rdd->present[slot];
	}
	for (unsigned slot = 0; slot < rdd->config.slots; slot++)
		memset(rdd->counts[slot].requests, 0, sizeof rdd->counts[slot].requests);
}

void rdd_new_epoch(struct rdd *rdd)
{
	memset(rdd->counts, 0, sizeof rdd->counts);
}

/* --- Directory --- */

/* Distance between the homes that column `column` follows. */
static unsigned home_step(const struct rdd *rdd, unsigned column)
{
	return rdd->geometry.slices >> column;
}

/* Sampled set of the line, or `sets` when its set is not sampled; the samples are spread over the slice. */
static unsigned sampled_set(const struct rdd *rdd, uint64_t line)
{
	unsigned sets = rdd->config.sets, distance = rdd->geometry.sets / sets;
	unsigned set = llc_set_of(&rdd->geometry, line);

	return set % distance || set / distance >= sets ? sets : set / distance;
}

/* A short tag is the line's number, folded. */
static uint64_t tag_of(const struct rdd *rdd, uint64_t line)
{
	unsigned bits = rdd->config.tag_bits;
	uint64_t number = line >> rdd->geometry.line_shift, tag = 0;

	if (!bits)
		return number;
	for (; number; number >>= bits)
		tag ^= number & (((uint64_t)1 << bits) - 1);
	return tag;
}

/* Looks the tag up in one set of a column, filling it when missing; true = hit. */
static bool touch(struct rdd *rdd, struct rdd_entry *set, uint64_t tag, uint64_t group)
{
	struct rdd_entry *victim = set;

	rdd->use.searches++;
	for (unsigned way = 0; way < rdd->config.ways; way++) {
		struct rdd_entry *e = &set[way];

		if (e->used && e->tag == tag) {
			bool hit = e->groups & group;

			rdd->use.writes += !hit;
			e->groups |= group;
			e->used = ++rdd->clock;
			return hit;
		}
		if (e->used < victim->used)
			victim = e;
	}
	rdd->use.writes++;
	*victim = (struct rdd_entry){tag, group, ++rdd->clock};
	return false;
}

void rdd_access(struct rdd *rdd, unsigned slot, unsigned cluster, unsigned home, uint64_t line)
{
	const struct llc_geometry *g = &rdd->geometry;
	struct rdd_counts *counts = &rdd->counts[slot];
	unsigned sets = rdd->config.sets, set = sampled_set(rdd, line);
	uint64_t tag = tag_of(rdd, line);

	for (unsigned c = 0; c < rdd->degrees; c++) {
		unsigned degree = 1u << c, group = cluster * degree / g->clusters;

		count_request(rdd, counts->requests[c], llc_slice_at_degree(g, degree, cluster, home));
		if (set == sets || home % home_step(rdd, c) || (rdd->config.one_slice && group))
			continue;
		count_sample(rdd, counts, &counts->accesses[c]);
		if (touch(rdd, &rdd->entries[(c * sets + set) * rdd->config.ways], tag, UINT64_C(1) << group))
			count_sample(rdd, counts, &counts->hits[c]);
	}
}

/* --- Predictions --- */

static double rate_of_one_counter(const struct rdd *rdd, const struct rdd_counts *counts, unsigned column)
{
	uint32_t all = 0, followed = 0, accesses = counts->accesses[rdd->degrees - 1];
	double rate;

	if (rdd->config.one_slice) {
		all = counts->requests[rdd->degrees - 1][0];
		followed = counts->requests[column][0];
	}
	/* Under degree 1 a slice gets the requests of a single home. */
	for (unsigned home = 0; !rdd->config.one_slice && home < rdd->geometry.slices; home++) {
		all += counts->requests[0][home];
		followed += home % home_step(rdd, column) ? 0 : counts->requests[0][home];
	}
	if (!accesses || !followed)
		return -1;
	rate = (double)counts->hits[column] * all / ((double)accesses * followed);
	return rate < 1 ? rate : 1;
}

double rdd_hit_rate(const struct rdd *rdd, unsigned slot, unsigned column)
{
	const struct rdd_counts *counts = &rdd->counts[slot];

	if (rdd->config.one_access_counter)
		return rate_of_one_counter(rdd, counts, column);
	return counts->accesses[column] ? (double)counts->hits[column] / counts->accesses[column] : -1;
}

static double parallelism_of_windows(const struct rdd *rdd, const unsigned *columns)
{
	double requests = 0;
	unsigned other = 0;
	uint32_t busiest;

	for (unsigned slot = 0; slot < rdd->config.slots; slot++) {
		requests += rdd->counts[slot].window_requests;
		other = columns[slot] == rdd->present[slot] ? other : slot;
	}
	busiest = rdd->counts[other].window_busiest[columns[other]];
	return busiest ? requests / busiest : 0;
}

double rdd_parallelism(const struct rdd *rdd, const unsigned *columns)
{
	uint32_t sums[64] = {0};

	if (rdd->config.windows)
		return parallelism_of_windows(rdd, columns);
	for (unsigned slot = 0; slot < rdd->config.slots; slot++)
		for (unsigned i = 0; i < rdd->geometry.slices; i++)
			sums[i] += rdd->counts[slot].requests[columns[slot]][i];
	return bandwidth_parallelism(sums, rdd->geometry.slices);
}

uint64_t rdd_requests(const struct rdd *rdd, unsigned slot)
{
	const struct rdd_counts *counts = &rdd->counts[slot];

	return counts->window_requests + sum_of(counts->requests[0], rdd->geometry.slices);
}

/* --- Hardware --- */

unsigned rdd_directory_bits(const struct rdd *rdd)
{
	const struct llc_geometry *g = &rdd->geometry;
	unsigned whole = g->address_bits - g->line_shift - log2_ceil(g->mcs) - log2_ceil(rdd->config.sets);
	unsigned tag = rdd->config.tag_bits ? rdd->config.tag_bits : whole, vectors = 0;

	for (unsigned c = 1; c < rdd->degrees && !rdd->config.one_slice; c++)
		vectors += 1u << c;
	return rdd->config.sets * rdd->config.ways * (rdd->degrees * tag + vectors);
}

unsigned rdd_counter_bits(const struct rdd *rdd)
{
	const struct rdd_config *config = &rdd->config;
	unsigned samples = rdd->degrees + (config->one_access_counter ? 1 : rdd->degrees);
	unsigned requests = rdd->degrees * rdd->geometry.slices, bits = config->counter_bits;

	if (!config->windows)
		return config->slots * bits * (samples + requests);
	return config->slots * (bits * samples + (bits < RDD_WINDOW_BITS ? bits : RDD_WINDOW_BITS) * requests +
				RDD_SUM_BITS * (rdd->degrees + 1));
}
