/*
 * The conventional organisation: sets and ways of 128 B lines, which the policy replaces. A line's sectors are valid
 * one by one; without `sectored` all are fetched at once. With allocation on a miss a way is locked while sectors are
 * on their way to it.
 */
#include "common/xalloc.h"
#include "sim-backend/l1/set_index.h"
#include "sim-backend/memory/memsys.h"

#include <stdlib.h>
#include <string.h>

#define NO_LINE UINT64_MAX
/* The line has been counted at the end of a kernel. */
#define COUNTED UINT16_MAX

struct lines {
	uint32_t sets, ways;
	struct set_index index;
	bool on_miss, sectored, drop_on_write;
	bool whole;     /* a line that is there is there with all its sectors */
	uint8_t always; /* sectors that every load fetches */
	const struct l1_policy_ops *policy;
	void *policy_state;
	uint64_t *tags;   /* [set][way]: line number, or NO_LINE */
	uint8_t *valid;   /* [set][way]: sectors */
	uint8_t *coming;  /* [set][way]: sectors on their way to a way that is allocated */
	uint32_t *locked; /* [set]: ways with some */
	uint16_t *found;  /* [set][way]: loads that found the line, or COUNTED; or NULL, without l1.reuse */
	uint64_t reuse[L1_REUSES];
};

static void *lines_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs)
{
	struct lines *l = xcalloc_lines(1, sizeof *l);
	size_t count;

	l->ways = config->ways;
	l->sets = l1_sets(config);
	l->index = set_index_of(config);
	l->on_miss = config->alloc == L1_ALLOC_MISS;
	l->sectored = config->sectored;
	l->always = l->sectored ? 0 : L1_ALL_SECTORS;
	l->whole = !l->sectored && !l->on_miss;
	l->drop_on_write = config->write_hit == L1_INVALIDATE;
	count = (size_t)l->sets * l->ways;
	l->tags = xmalloc(count * sizeof *l->tags);
	memset(l->tags, 0xff, count * sizeof *l->tags);
	l->valid = xcalloc(count, sizeof *l->valid);
	l->coming = xcalloc(count, sizeof *l->coming);
	l->locked = xcalloc(l->sets, sizeof *l->locked);
	l->found = config->reuse ? xcalloc(count, sizeof *l->found) : NULL;
	l->policy = policy;
	l->policy_state = policy->create(&(struct l1_geometry){l->sets, l->ways}, policy_knobs);
	return l;
}

static void lines_destroy(void *state)
{
	struct lines *l = state;

	l->policy->destroy(l->policy_state);
	xfree(l->tags);
	xfree(l->valid);
	xfree(l->coming);
	xfree(l->locked);
	xfree(l->found);
	xfree(l);
}

static inline uint32_t set_of(const struct lines *l, uint64_t line)
{
	return set_index(&l->index, line);
}

/* By pairs, since every access of the simulation comes here. */
static inline uint32_t find_way(const struct lines *l, uint32_t set, uint64_t line)
{
	const uint64_t *tags = l->tags + (size_t)set * l->ways;
	uint32_t way = 0;

	for (; way + 1 < l->ways; way += 2) {
		if (tags[way] == line)
			return way;
		if (tags[way + 1] == line)
			return way + 1;
	}
	return way < l->ways && tags[way] == line ? way : L1_NO_WAY;
}

static inline size_t at(const struct lines *l, uint32_t set, uint32_t way)
{
	return (size_t)set * l->ways + way;
}

/* --- How often lines are found --- */

static void note_found(struct lines *l, size_t place)
{
	if (l->found && l->found[place] < COUNTED - 1)
		l->found[place]++;
}

/* The line at this place leaves, if there is one. */
static void note_leaving(struct lines *l, size_t place)
{
	static const uint8_t kinds[] = {0, 1, 2, 2};
	uint16_t found;

	if (!l->found)
		return;
	found = l->found[place];
	if (l->tags[place] != NO_LINE && found != COUNTED)
		l->reuse[found < sizeof kinds ? kinds[found] : L1_REUSES - 1]++;
	l->found[place] = 0;
}

static void lines_reuse(void *state, uint64_t counts[L1_REUSES])
{
	struct lines *l = state;

	for (size_t place = 0; l->found && place < (size_t)l->sets * l->ways; place++) {
		note_leaving(l, place);
		l->found[place] = COUNTED;
	}
	for (unsigned i = 0; i < L1_REUSES; i++) {
		counts[i] += l->reuse[i];
		l->reuse[i] = 0;
	}
}

/* --- Loads --- */

static uint8_t lines_look_up(void *state, uint64_t line, uint8_t sectors)
{
	struct lines *l = state;
	uint32_t set = set_of(l, line), way = find_way(l, set, line);
	uint8_t wanted = sectors | l->always, missing;

	if (way == L1_NO_WAY)
		return wanted;
	missing = l->whole ? 0 : wanted & (uint8_t)~l->valid[at(l, set, way)];
	if (!missing) {
		l->policy->hit(l->policy_state, set, way);
		note_found(l, at(l, set, way));
	}
	return missing;
}

static enum l1_outcome lines_miss(const void *state, uint64_t line, uint8_t fetch)
{
	const struct lines *l = state;
	uint32_t set = set_of(l, line);

	(void)fetch;
	if (l->whole)
		return L1_MISS;
	if (find_way(l, set, line) != L1_NO_WAY)
		return L1_PARTIAL;
	return l->locked[set] == l->ways && !l->policy->bypasses ? L1_STALL_WAY : L1_MISS;
}

/* The line gets a way, which the policy chooses, or none. Returns its place. */
static uint32_t allocate(struct lines *l, uint64_t line, uint8_t flags, uint16_t structure)
{
	uint32_t set = set_of(l, line), way;
	struct l1_incoming incoming = {.line = line,
				       .set = set,
				       .free_way = find_way(l, set, NO_LINE),
				       .locked = l->locked[set] ? l->coming + at(l, set, 0) : NULL,
				       .flags = flags,
				       .structure = structure};

	if (!l->policy->fill(l->policy_state, &incoming, &way))
		return L1_NO_PLACE;
	note_leaving(l, at(l, set, way));
	l->tags[at(l, set, way)] = line;
	l->valid[at(l, set, way)] = 0;
	return (uint32_t)at(l, set, way);
}

/* The way of the line that a load uses, or a way for it. */
static uint32_t place_of(struct lines *l, uint64_t line, uint8_t flags)
{
	uint32_t set = set_of(l, line), way = find_way(l, set, line);

	if (way == L1_NO_WAY)
		return allocate(l, line, flags, 0);
	l->policy->hit(l->policy_state, set, way);
	return (uint32_t)at(l, set, way);
}

static uint32_t lines_missed(void *state, uint64_t line, uint8_t fetch, uint8_t flags)
{
	struct lines *l = state;
	uint32_t place;

	if (!l->on_miss)
		return L1_NO_PLACE;
	place = place_of(l, line, flags);
	if (place != L1_NO_PLACE) {
		l->locked[place / l->ways] += !l->coming[place];
		l->coming[place] |= fetch;
	}
	return place;
}

static void lines_merged(void *state, uint64_t line, uint8_t sectors)
{
	struct lines *l = state;
	uint32_t set = set_of(l, line), way = l->on_miss ? find_way(l, set, line) : L1_NO_WAY;

	(void)sectors;
	if (way != L1_NO_WAY)
		l->policy->hit(l->policy_state, set, way);
}

static bool is_kept(struct lines *l, uint32_t place, uint8_t flags)
{
	if (flags & MEM_BYPASS)
		return false;
	return !l->policy->reply || l->policy->reply(l->policy_state, place / l->ways, place % l->ways, flags);
}

/* Frees the way if nothing of its line is there or on its way. */
static void free_if_empty(struct lines *l, uint32_t place)
{
	if (l->valid[place] || l->coming[place])
		return;
	note_leaving(l, place);
	l->tags[place] = NO_LINE;
	l->policy->drop(l->policy_state, place / l->ways, place % l->ways);
}

/* The line got its way when it was missed. */
static bool fill_allocated(struct lines *l, const struct l1_arrival *a)
{
	bool kept = is_kept(l, a->place, a->flags);

	l->coming[a->place] &= (uint8_t)~a->sectors;
	l->locked[a->place / l->ways] -= !l->coming[a->place];
	if (kept)
		l->valid[a->place] |= a->sectors;
	else
		free_if_empty(l, a->place);
	return kept;
}

/* Sectors come to a line of which others are there. */
static bool fill_present(struct lines *l, const struct l1_arrival *a, uint32_t set, uint32_t way)
{
	uint32_t place = (uint32_t)at(l, set, way);

	if (!is_kept(l, place, a->flags))
		return false;
	l->policy->hit(l->policy_state, set, way);
	l->valid[place] |= a->sectors;
	return true;
}

static bool lines_fill(void *state, const struct l1_arrival *a)
{
	struct lines *l = state;
	uint32_t set, way, place;

	if (l->on_miss)
		return a->place != L1_NO_PLACE && fill_allocated(l, a);
	if (a->flags & MEM_BYPASS)
		return false;
	set = set_of(l, a->line);
	way = l->sectored ? find_way(l, set, a->line) : L1_NO_WAY;
	if (way != L1_NO_WAY)
		return fill_present(l, a, set, way);
	place = allocate(l, a->line, a->flags, a->structure);
	if (place == L1_NO_PLACE)
		return false;
	l->valid[place] = a->sectors;
	return true;
}

/* Returns whether some of it was valid. */
static bool invalidate(struct lines *l, uint64_t line, uint8_t sectors, bool drop)
{
	uint32_t set = set_of(l, line), way = find_way(l, set, line), place;
	uint8_t touched;

	if (way == L1_NO_WAY)
		return false;
	place = (uint32_t)at(l, set, way);
	touched = l->sectored ? l->valid[place] & sectors : l->valid[place];
	if (touched && drop) {
		l->valid[place] &= (uint8_t)~touched;
		free_if_empty(l, place);
	}
	return touched;
}

static bool lines_store(void *state, uint64_t line, uint8_t sectors)
{
	struct lines *l = state;

	return invalidate(l, line, sectors, l->drop_on_write);
}

static void lines_drop(void *state, uint64_t line, uint8_t sectors)
{
	invalidate(state, line, sectors, true);
}

static void lines_flush(void *state)
{
	struct lines *l = state;
	size_t count = (size_t)l->sets * l->ways;

	for (size_t place = 0; l->found && place < count; place++)
		note_leaving(l, place);
	memset(l->tags, 0xff, count * sizeof *l->tags);
	memset(l->valid, 0, count * sizeof *l->valid);
	l->policy->flush(l->policy_state);
}

static const void *lines_policy_statistics(const void *state)
{
	const struct lines *l = state;

	return l->policy->statistics ? l->policy->statistics(l->policy_state) : NULL;
}

const struct l1_organisation_ops l1_lines = {
    .name = "lines",
    .create = lines_create,
    .destroy = lines_destroy,
    .look_up = lines_look_up,
    .miss = lines_miss,
    .missed = lines_missed,
    .merged = lines_merged,
    .fill = lines_fill,
    .store = lines_store,
    .drop = lines_drop,
    .flush = lines_flush,
    .reuse = lines_reuse,
    .policy_statistics = lines_policy_statistics,
};
