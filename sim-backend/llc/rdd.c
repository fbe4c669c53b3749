/* Tag columns with cluster vectors, and the counters beside them. */
#include "sim-backend/llc/rdd.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

void rdd_init(struct rdd *rdd, const struct llc_geometry *geometry, unsigned sets, unsigned ways)
{
	memset(rdd, 0, sizeof *rdd);
	rdd->geometry = *geometry;
	rdd->sets = sets < geometry->sets ? sets : geometry->sets;
	rdd->ways = ways;
	rdd->degrees = 32 - (unsigned)__builtin_clz(llc_max_degree(geometry));
	rdd->entries = xcalloc((size_t)rdd->degrees * rdd->sets * ways, sizeof *rdd->entries);
}

void rdd_release(struct rdd *rdd)
{
	xfree(rdd->entries);
}

static void count(uint16_t *counter)
{
	*counter += *counter != UINT16_MAX;
}

/* Distance between the homes that column `column` follows. */
static unsigned home_step(const struct rdd *rdd, unsigned column)
{
	return rdd->geometry.slices >> column;
}

/* Sampled set of the line, or `sets` when its set is not sampled; the samples are spread over the slice. */
static unsigned sampled_set(const struct rdd *rdd, uint64_t line)
{
	unsigned distance = rdd->geometry.sets / rdd->sets, set = llc_set_of(&rdd->geometry, line);

	return set % distance || set / distance >= rdd->sets ? rdd->sets : set / distance;
}

/* Looks the line up in one set of a column, filling it when missing; true = hit. */
static bool touch(struct rdd *rdd, struct rdd_entry *set, uint64_t line, uint64_t group)
{
	struct rdd_entry *victim = set;

	for (unsigned way = 0; way < rdd->ways; way++) {
		struct rdd_entry *e = &set[way];

		if (e->used && e->line == line) {
			bool hit = e->groups & group;

			e->groups |= group;
			e->used = ++rdd->clock;
			return hit;
		}
		if (e->used < victim->used)
			victim = e;
	}
	*victim = (struct rdd_entry){line, group, ++rdd->clock};
	return false;
}

void rdd_access(struct rdd *rdd, unsigned cluster, unsigned home, uint64_t line)
{
	const struct llc_geometry *g = &rdd->geometry;
	unsigned set = sampled_set(rdd, line);

	for (unsigned c = 0; c < rdd->degrees; c++) {
		unsigned degree = 1u << c, group = cluster * degree / g->clusters;

		count(&rdd->requests[c][llc_slice_at_degree(g, degree, cluster, home)]);
		if (set == rdd->sets || home % home_step(rdd, c))
			continue;
		count(&rdd->accesses[c]);
		if (touch(rdd, &rdd->entries[(c * rdd->sets + set) * rdd->ways], line, UINT64_C(1) << group))
			count(&rdd->hits[c]);
	}
}

void rdd_new_epoch(struct rdd *rdd)
{
	memset(rdd->requests, 0, sizeof rdd->requests);
	memset(rdd->hits, 0, sizeof rdd->hits);
	memset(rdd->accesses, 0, sizeof rdd->accesses);
}

double rdd_hit_rate(const struct rdd *rdd, unsigned column)
{
	return rdd->accesses[column] ? (double)rdd->hits[column] / rdd->accesses[column] : -1;
}

double rdd_hit_rate_one_counter(const struct rdd *rdd, unsigned column)
{
	unsigned all = 0, followed = 0, accesses = rdd->accesses[rdd->degrees - 1];
	double rate;

	/* Under degree 1 a slice's requests are those of one home. */
	for (unsigned home = 0; home < rdd->geometry.slices; home++) {
		all += rdd->requests[0][home];
		followed += home % home_step(rdd, column) ? 0 : rdd->requests[0][home];
	}
	if (!accesses || !followed)
		return -1;
	rate = (double)rdd->hits[column] * all / ((double)accesses * followed);
	return rate < 1 ? rate : 1;
}

static unsigned log2_up(unsigned n)
{
	return n < 2 ? 0 : 32 - (unsigned)__builtin_clz(n - 1);
}

unsigned rdd_directory_bits(const struct rdd *rdd)
{
	const struct llc_geometry *g = &rdd->geometry;
	unsigned tag = g->address_bits - g->line_shift - log2_up(g->mcs) - log2_up(rdd->sets);
	unsigned vectors = 0;

	for (unsigned c = 1; c < rdd->degrees; c++)
		vectors += 1u << c;
	return rdd->sets * rdd->ways * (rdd->degrees * tag + vectors);
}

unsigned rdd_counter_bits(const struct rdd *rdd, bool one_access_counter)
{
	unsigned accesses = one_access_counter ? 1 : rdd->degrees;

	return RDD_COUNTER_BITS * (rdd->degrees * rdd->geometry.slices + rdd->degrees + accesses);
}
