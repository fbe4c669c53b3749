/* Rings of tags by set, counts by distance, and the search for the distance whose lines earn most hits for their stay.
 */
#include "sim-backend/l1/l1.h"
#include "sim-backend/l1/pdp_sampler.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = (1 << PDP_COUNT_BITS) - 1 };

void pdp_sampler_init(struct pdp_sampler *s, const struct pdp_sampler_size *size)
{
	size_t entries = (size_t)size->sets * size->entries;

	memset(s, 0, sizeof *s);
	s->size = *size;
	s->step = size->max_distance / size->entries;
	s->tags = xmalloc(entries * sizeof *s->tags);
	memset(s->tags, 0xff, entries * sizeof *s->tags);
	s->newest = xcalloc(size->sets, sizeof *s->newest);
	s->since = xcalloc(size->sets, sizeof *s->since);
	s->counts = xcalloc(size->max_distance + 1, sizeof *s->counts);
}

void pdp_sampler_release(struct pdp_sampler *s)
{
	xfree(s->tags);
	xfree(s->newest);
	xfree(s->since);
	xfree(s->counts);
}

static void count(struct pdp_sampler *s, uint32_t distance)
{
	if (s->full || distance > s->size.max_distance)
		return;
	s->full = ++s->counts[distance] == COUNT_MAX;
}

/* Counts the line's previous use, if that is still in the ring, once. */
static void find(struct pdp_sampler *s, uint32_t set, uint32_t tag)
{
	uint32_t *ring = s->tags + (size_t)set * s->size.entries, n = s->size.entries;

	for (uint32_t age = 0; age < n; age++) {
		uint32_t *at = &ring[(s->newest[set] + n - age) % n];

		if (*at == tag) {
			*at = PDP_NO_TAG;
			count(s, age * s->step + s->since[set]);
			return;
		}
	}
}

static void insert(struct pdp_sampler *s, uint32_t set, uint32_t tag)
{
	s->newest[set] = (s->newest[set] + 1) % s->size.entries;
	s->tags[(size_t)set * s->size.entries + s->newest[set]] = tag;
	s->since[set] = 0;
	s->inserted += !s->full;
}

void pdp_sampler_access(struct pdp_sampler *s, uint32_t set, uint64_t line)
{
	uint32_t tag = (uint32_t)(line / s->size.sets) & ((1u << PDP_TAG_BITS) - 1);

	s->since[set]++;
	find(s, set, tag);
	if (s->since[set] >= s->step)
		insert(s, set, tag);
}

/*
 * With distance d, a line that is used again after i <= d accesses gives a hit and stays i of them; any other stays d,
 * and as many more as the set has ways until it leaves. The best d has most hits for all these stays together.
 */
uint32_t pdp_sampler_best(struct pdp_sampler *s)
{
	uint64_t hits = 0, stays = 0, best_hits = 0, best_stays = 1;
	uint32_t best = 0;

	for (uint32_t d = 1; d <= s->size.max_distance; d++) {
		uint64_t others, all;

		hits += s->counts[d];
		stays += (uint64_t)s->counts[d] * d;
		others = s->inserted > hits ? s->inserted - hits : 0;
		all = stays + others * (d + s->size.ways);
		if (d >= s->size.ways && hits * best_stays > best_hits * all) {
			best = d;
			best_hits = hits;
			best_stays = all;
		}
	}
	memset(s->counts, 0, (s->size.max_distance + 1) * sizeof *s->counts);
	s->inserted = 0;
	s->full = false;
	return best;
}

/* FIFOs with valid bits and the accesses since an insertion, the counters, and the count of all. */
uint64_t pdp_sampler_bits(const struct pdp_sampler_size *size)
{
	uint64_t set = (uint64_t)size->entries * (PDP_TAG_BITS + 1) + l1_bits_for(size->max_distance / size->entries);

	return size->sets * set + (uint64_t)size->max_distance * PDP_COUNT_BITS + 32;
}
