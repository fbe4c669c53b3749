/* Which lines are sampled, and what becomes of a set's entries. */
#include "sim-backend/llc/crd.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

/*
 * The set that is sampled among the i-th `stride` sets: at a scattered place, and at another place in each chip. Sets
 * with the same number in all slices hold neighbouring lines, so sampling eight of those would see one block of memory
 * in 128.
 */
static unsigned sample(const struct crd *c, unsigned i)
{
	uint64_t n = (uint64_t)c->geometry->chip * c->sets + i + 1;

	return i * c->stride + (unsigned)((n * 0x9e3779b97f4a7c15 >> 32) % c->stride);
}

void crd_init(struct crd *c, const struct llc_geometry *geometry, unsigned sets, unsigned ways, enum crd_room room)
{
	unsigned all = geometry->mcs * geometry->slices * geometry->sets;

	*c = (struct crd){.geometry = geometry, .sets = sets < all ? sets : all, .ways = ways, .room = room};
	c->stride = all / c->sets;
	c->of_set = xcalloc(c->sets, sizeof *c->of_set);
	c->entries = xcalloc((size_t)c->sets * ways, sizeof *c->entries);
	for (unsigned i = 0; i < c->sets; i++)
		c->of_set[i].number = sample(c, i);
}

void crd_release(struct crd *c)
{
	xfree(c->of_set);
	xfree(c->entries);
}

void crd_clear(struct crd *c)
{
	memset(c->entries, 0, (size_t)c->sets * c->ways * sizeof *c->entries);
	for (unsigned i = 0; i < c->sets; i++)
		c->of_set[i].clock = 0;
	crd_restart(c);
}

void crd_restart(struct crd *c)
{
	for (unsigned i = 0; i < c->sets; i++)
		c->of_set[i].counts = (struct crd_counts){0};
}

/* The line's entry in the set. A new entry replaces the least recently used entry. */
static struct crd_entry *find(struct crd *c, unsigned set, uint64_t line)
{
	struct crd_entry *first = &c->entries[set * c->ways], *victim = first;
	struct crd_set *s = &c->of_set[set];

	s->searches++;
	for (struct crd_entry *e = first; e < first + c->ways; e++) {
		if (e->used && e->line == line) {
			e->used = ++s->clock;
			return e;
		}
		if (e->used < victim->used)
			victim = e;
	}
	*victim = (struct crd_entry){.line = line, .used = ++s->clock};
	return victim;
}

static unsigned copies_of(const struct crd_entry *e)
{
	unsigned copies = 0;

	for (unsigned chip = 0; chip < CHIPS_MAX; chip++)
		copies += e->sectors[chip] != 0;
	return copies;
}

/* Forgets the least recently used lines until the copies of all have room; never the latest. */
static void make_room(struct crd *c, unsigned set)
{
	struct crd_entry *first = &c->entries[set * c->ways];

	for (;;) {
		struct crd_entry *oldest = NULL;
		unsigned copies = 0;

		for (struct crd_entry *e = first; e < first + c->ways; e++) {
			copies += copies_of(e);
			if (e->used && (!oldest || e->used < oldest->used))
				oldest = e;
		}
		if (copies <= c->ways || !oldest || oldest->used == c->of_set[set].clock)
			return;
		*oldest = (struct crd_entry){0};
	}
}

/* The sectors that a request asks for, as the bits that an entry has for each chip. */
static uint8_t sectors_of(const struct crd *c, const struct mem_request *request)
{
	return c->geometry->sectors > 1 ? request->sectors : 1;
}

void crd_note(struct crd *c, unsigned slice, unsigned chip, const struct mem_request *request, bool hit)
{
	unsigned number = slice * c->geometry->sets + llc_set_of(c->geometry, request->line), set = number / c->stride;
	uint8_t wanted = sectors_of(c, request);
	bool far = chip != c->geometry->chip;
	struct crd_entry *e;

	if (set >= c->sets || c->of_set[set].number != number)
		return;
	e = find(c, set, request->line);
	c->of_set[set].counts.requests++;
	c->of_set[set].counts.far_requests += far;
	c->of_set[set].counts.slice_hits += hit;
	if (!(wanted & ~e->sectors[chip])) {
		c->of_set[set].counts.hits++;
		c->of_set[set].counts.far_hits += far;
		return;
	}
	c->of_set[set].writes++;
	e->sectors[chip] |= wanted;
	if (c->room == CRD_COPIES)
		make_room(c, set);
}

struct crd_counts crd_counts(const struct crd *c)
{
	struct crd_counts sum = {0};

	for (unsigned i = 0; i < c->sets; i++) {
		const struct crd_counts *n = &c->of_set[i].counts;

		sum.requests += n->requests;
		sum.hits += n->hits;
		sum.far_requests += n->far_requests;
		sum.far_hits += n->far_hits;
		sum.slice_hits += n->slice_hits;
	}
	return sum;
}

struct llc_directory_use crd_use(const struct crd *c)
{
	struct llc_directory_use use = {0};

	for (unsigned i = 0; i < c->sets; i++) {
		use.searches += c->of_set[i].searches;
		use.writes += c->of_set[i].writes;
	}
	return use;
}

uint64_t crd_bits(const struct crd *c)
{
	unsigned of_chips = c->geometry->chips * c->geometry->sectors;

	return (uint64_t)c->sets * c->ways * (CRD_TAG_BITS + of_chips);
}
