/*
 * Tag match with the masks of DyCache's Fig. 5, partial hits, and the choice of slots (sections III-B and III-E). With
 * allocation on a miss a slot is locked while its data is on its way.
 */
#include "sim-backend/l1/chunks.h"

#include "sim-backend/l1/set_index.h"
#include "sim-backend/memory/memsys.h"

#include "common/diag.h"
#include "common/integer.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, WHOLE_LINE = 4, UNUSED = -1 };

struct slot {
	uint64_t used;  /* 0 = holds nothing */
	uint32_t tag;   /* chunk tag: its two lowest bits are the sector */
	uint8_t coming; /* slots of the fetch on its way here; 0 = the sector is there */
};

struct chunk_line {
	uint64_t used, common; /* used: 0 = all slots hold nothing */
	struct slot slots[SLOTS];
};

struct chunks {
	struct set_index index;
	uint32_t ways, tag_bits;
	uint32_t chunk; /* sectors of a chunk now */
	bool on_miss, drop_on_write, retain, by_chunk, shared_tags;
	uint8_t latest; /* sectors of the latest load that was looked up */
	const struct l1_policy_ops *policy;
	void *policy_state;
	uint64_t clock;
	struct chunk_line *lines; /* [set][way] */
};

/* A set of lines, and the tags that a look-up searches it for. */
struct probe {
	struct chunk_line *set;
	uint64_t common;
	uint32_t tag; /* of the line's sector 0 */
};

static void *chunks_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs)
{
	const struct chunks_knobs *knobs = policy_knobs;
	struct chunks *c = xcalloc(1, sizeof *c);

	c->index = set_index_of(config);
	c->ways = config->ways;
	c->tag_bits = knobs->tag_bits;
	c->on_miss = config->alloc == L1_ALLOC_MISS;
	c->retain = knobs->retain;
	c->by_chunk = knobs->access == CHUNKS_BY_CHUNK;
	c->shared_tags = knobs->tags == CHUNKS_TAGS_SHARED;
	c->drop_on_write = config->write_hit == L1_INVALIDATE;
	c->lines = xcalloc((size_t)c->index.sets * c->ways, sizeof *c->lines);
	c->policy = policy;
	c->policy_state = policy->create(&(struct l1_geometry){c->index.sets, c->ways}, policy_knobs);
	c->chunk = policy->chunk(c->policy_state, 0, true);
	return c;
}

static void chunks_destroy(void *state)
{
	struct chunks *c = state;

	c->policy->destroy(c->policy_state);
	xfree(c->lines);
	xfree(c);
}

static struct probe probe_for(const struct chunks *c, uint64_t line)
{
	uint64_t sector = line / c->index.sets * L1_SECTORS;

	return (struct probe){.set = c->lines + (size_t)set_index(&c->index, line) * c->ways,
			      .common = sector >> c->tag_bits,
			      .tag = (uint32_t)(sector & ((UINT64_C(1) << c->tag_bits) - 1))};
}

/* --- Sizes --- */

/* The smallest aligned block of one, two or four sectors around `sectors`. */
static uint32_t block_of(uint8_t sectors, uint8_t *block)
{
	static const uint8_t halves[] = {0x3, 0xc};
	uint32_t lowest = (uint32_t)__builtin_ctz(sectors);

	*block = (uint8_t)(1u << lowest);
	if (sectors == *block)
		return 1;
	*block = halves[lowest / 2];
	if (!(sectors & ~*block))
		return 2;
	*block = L1_ALL_SECTORS;
	return 4;
}

/* All sectors of the chunks that some of these lie in: a chunk goes in one piece. */
static uint8_t whole_chunks(const struct chunks *c, uint8_t sectors)
{
	if (c->chunk == WHOLE_LINE)
		return L1_ALL_SECTORS;
	return c->chunk == 1 ? sectors : (uint8_t)((sectors & 0x3 ? 0x3 : 0) | (sectors & 0xc ? 0xc : 0));
}

/* That block, in whole chunks. */
static uint8_t in_chunks(const struct chunks *c, uint8_t sectors)
{
	uint8_t block;

	if (block_of(sectors, &block) >= c->chunk)
		return block;
	return whole_chunks(c, block);
}

/* --- Tag match --- */

/* For each slot: it is compared with the wanted tag plus this number. UNUSED: the slot takes no part. */
typedef int8_t tag_mask[SLOTS];

static const tag_mask masks_of_32[] = {{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 3}};
static const tag_mask masks_of_64[] = {{0, UNUSED, 0, UNUSED}, {0, UNUSED, 0, UNUSED}, {0, UNUSED, 2, UNUSED}};
static const tag_mask mask_of_128 = {0, UNUSED, UNUSED, UNUSED};

static const int8_t *mask_for(uint32_t chunk, uint32_t size)
{
	if (chunk == WHOLE_LINE)
		return mask_of_128;
	return chunk == 1 ? masks_of_32[size / 2] : masks_of_64[size / 2];
}

static bool holds(const struct slot *slot, uint32_t tag)
{
	return slot->used && !slot->coming && slot->tag == tag;
}

/*
 * Looks for `size` sectors with tags from `tag` on, in neighbouring slots: tags 4, 5 in slots 2, 3. Returns the first
 * of these slots, or SLOTS if the line does not hold them all.
 */
static uint32_t match(const struct chunk_line *l, uint32_t chunk, uint32_t tag, uint32_t size)
{
	const int8_t *mask = mask_for(chunk, size);

	for (uint32_t first = 0; first < SLOTS; first += size) {
		bool all = true;

		for (uint32_t i = first; i < first + size; i++)
			all &= mask[i] == UNUSED || holds(&l->slots[i], tag + (uint32_t)mask[i]);
		if (all)
			return first;
	}
	return SLOTS;
}

static bool is_hit(struct chunks *c, const struct probe *p, uint8_t wanted)
{
	uint32_t size = (uint32_t)__builtin_popcount(wanted), tag = p->tag + (uint32_t)__builtin_ctz(wanted);

	for (uint32_t way = 0; way < c->ways; way++) {
		struct chunk_line *l = &p->set[way];
		uint32_t first = l->common == p->common ? match(l, c->chunk, tag, size) : SLOTS;

		if (first == SLOTS)
			continue;
		l->used = ++c->clock;
		for (uint32_t i = first; i < first + size; i++)
			l->slots[i].used = c->clock;
		return true;
	}
	return false;
}

/*
 * The next slot that holds one of these sectors or, with `coming`, will get one. `at` begins at 0 and moves on. NULL:
 * there are no more slots.
 */
static struct slot *next_of(const struct chunks *c, const struct probe *p, uint8_t sectors, bool coming, uint32_t *at)
{
	while (*at < c->ways * SLOTS) {
		struct chunk_line *l = &p->set[*at / SLOTS];
		struct slot *slot = &l->slots[(*at)++ % SLOTS];

		if (l->common == p->common && slot->used && !slot->coming == !coming &&
		    (slot->tag ^ p->tag) >> 2 == 0 && sectors >> (slot->tag & 3) & 1)
			return slot;
	}
	return NULL;
}

/* When the `size` slots from `first` on were used last. */
static uint64_t used_in(const struct chunk_line *l, uint32_t first, uint32_t size)
{
	uint64_t used = 0;

	for (uint32_t i = first; i < first + size; i++)
		used = l->slots[i].used > used ? l->slots[i].used : used;
	return used;
}

/* A line without sectors is as free as a line that was never used: it may take any common tag. */
static void free_if_empty(struct chunk_line *l)
{
	if (!used_in(l, 0, SLOTS))
		l->used = 0;
}

/* The slot that next_of has found before `at` holds nothing any more. */
static void empty_slot(const struct probe *p, struct slot *slot, uint32_t at)
{
	slot->used = 0;
	free_if_empty(&p->set[(at - 1) / SLOTS]);
}

/* Drops the given sectors that are present, or only looks. Returns whether any is present. */
static bool find_parts(const struct chunks *c, const struct probe *p, uint8_t sectors, bool drop)
{
	struct slot *slot;
	bool found = false;

	for (uint32_t at = 0; (slot = next_of(c, p, sectors, false, &at));) {
		found = true;
		if (drop)
			empty_slot(p, slot, at);
	}
	return found;
}

/* --- Loads --- */

static void forget_all(struct chunks *c)
{
	memset(c->lines, 0, (size_t)c->index.sets * c->ways * sizeof *c->lines);
}

/* The slots from `first` on hold an aligned block of so many sectors, as one fetch brings it. */
static bool is_whole(const struct slot *slots, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (!holds(&slots[i], slots[0].tag + i))
			return false;
	return slots[0].tag % size == 0;
}

/*
 * From now on a chunk has `size` sectors. Smaller chunks leave. A fetch on its way in chunks of this size keeps its
 * slots.
 */
static void forget_smaller(struct chunks *c, uint32_t size)
{
	for (size_t line = 0; line < (size_t)c->index.sets * c->ways; line++) {
		struct chunk_line *l = &c->lines[line];

		for (uint32_t i = 0; i < SLOTS; i += size)
			if (l->slots[i].coming < size && (!c->retain || !is_whole(&l->slots[i], size)))
				memset(&l->slots[i], 0, size * sizeof(struct slot));
		free_if_empty(l);
	}
}

static uint8_t chunks_part(const void *state, uint8_t sectors)
{
	const struct chunks *c = state;

	if (!c->by_chunk || c->chunk == WHOLE_LINE)
		return sectors;
	if (c->chunk == 1)
		return sectors & (uint8_t)-sectors;
	return sectors & 0x3 ? sectors & 0x3 : sectors;
}

/*
 * When chunks get smaller, present sectors stay readable. When they get larger, a present sector may be only part of a
 * chunk.
 */
static void chunks_loaded(void *state, uint8_t sectors, bool hit)
{
	struct chunks *c = state;
	uint8_t block;
	uint32_t chunk = c->policy->chunk(c->policy_state, block_of(sectors, &block), hit);

	if (chunk > c->chunk)
		forget_smaller(c, chunk);
	c->chunk = chunk;
}

static uint8_t chunks_look_up(void *state, uint64_t line, uint8_t sectors)
{
	struct chunks *c = state;
	struct probe p = probe_for(c, line);
	uint8_t wanted = in_chunks(c, sectors);

	c->latest = sectors;
	return is_hit(c, &p, wanted) ? 0 : wanted;
}

/* --- Slots for a fetch --- */

/* Whether a fetch is on its way to one of the `count` slots. */
static bool are_locked(const struct slot *slots, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (slots[i].coming)
			return true;
	return false;
}

/* NULL: all of them wait for something. */
static struct chunk_line *oldest_line(const struct chunks *c, const struct probe *p)
{
	struct chunk_line *oldest = NULL;

	for (uint32_t way = 0; way < c->ways; way++)
		if ((!oldest || p->set[way].used < oldest->used) && !are_locked(p->set[way].slots, SLOTS))
			oldest = &p->set[way];
	return oldest;
}

/*
 * The least recently used `size` slots, among lines with the common tag; *first gets the first of them. NULL: no such
 * slots.
 */
static struct chunk_line *oldest_slots(const struct chunks *c, const struct probe *p, uint32_t size, uint32_t *first)
{
	struct chunk_line *oldest = NULL;
	uint64_t least = UINT64_MAX;

	for (uint32_t way = 0; way < c->ways; way++)
		for (uint32_t i = 0; i < SLOTS; i += size) {
			struct chunk_line *l = &p->set[way];
			uint64_t used = used_in(l, i, size);

			if (l->used && l->common == p->common && used < least && !are_locked(&l->slots[i], size)) {
				least = used;
				oldest = l;
				*first = i;
			}
		}
	return oldest;
}

/* Free slots of a line with the common tag; else a free line; else the oldest slots, or a line. */
static struct chunk_line *make_room(const struct chunks *c, const struct probe *p, uint32_t size, uint32_t *first)
{
	struct chunk_line *line = oldest_line(c, p), *slots = NULL;

	if (size < WHOLE_LINE)
		slots = oldest_slots(c, p, size, first);
	if (slots && (!line || line->used || !used_in(slots, *first, size)))
		return slots;
	*first = 0;
	*line = (struct chunk_line){.common = p->common};
	return line;
}

/* Takes the largest aligned block of at least so many sectors out of `sectors`, and returns its size; 0: none. */
static uint32_t take_block(uint8_t *sectors, uint32_t least, uint32_t *sector)
{
	static const struct {
		uint8_t block;
		uint32_t sector, size;
	} blocks[] = {{0xf, 0, 4}, {0x3, 0, 2}, {0xc, 2, 2}, {1, 0, 1}, {2, 1, 1}, {4, 2, 1}, {8, 3, 1}};

	for (uint32_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
		if (blocks[i].size >= least && (*sectors & blocks[i].block) == blocks[i].block) {
			*sectors &= (uint8_t)~blocks[i].block;
			*sector = blocks[i].sector;
			return blocks[i].size;
		}
	return 0;
}

/*
 * Gives slots to sectors that others do not bring, in aligned blocks. Blocks smaller than the chunks of now get none.
 * `locked`: they are on their way. Returns whether some got slots.
 */
static bool place(struct chunks *c, const struct probe *p, uint8_t sectors, bool locked)
{
	uint32_t sector = 0, size, first = 0;
	bool placed = false;

	while ((size = take_block(&sectors, c->chunk, &sector))) {
		struct chunk_line *l = make_room(c, p, size, &first);

		l->used = ++c->clock;
		for (uint32_t i = 0; i < size; i++)
			l->slots[first + i] = (struct slot){c->clock, p->tag + sector + i, locked ? (uint8_t)size : 0};
		placed = true;
	}
	return placed;
}

/*
 * Whether `place` finds slots for all. A fetch has at most two blocks: 2 + 1 sectors, 1 + 1 sectors, or a single block
 * of any size. So room for the largest block and for the sum is enough.
 */
static bool is_room(const struct chunks *c, const struct probe *p, uint8_t sectors)
{
	uint32_t sector, largest = take_block(&sectors, c->chunk, &sector), all = largest, size, unlocked = 0;
	bool fits = false;

	while ((size = take_block(&sectors, c->chunk, &sector)))
		all += size;
	for (uint32_t way = 0; way < c->ways; way++) {
		const struct chunk_line *l = &p->set[way];

		if (l->common != p->common && are_locked(l->slots, SLOTS))
			continue;
		for (uint32_t i = 0; i < SLOTS; i++)
			unlocked += !l->slots[i].coming;
		for (uint32_t i = 0; largest && i < SLOTS; i += largest)
			fits |= !are_locked(&l->slots[i], largest);
	}
	return !largest || (fits && unlocked >= all);
}

/* --- Misses and fills --- */

static enum l1_outcome chunks_miss(const void *state, uint64_t line, uint8_t fetch)
{
	const struct chunks *c = state;
	struct probe p = probe_for(c, line);

	if (c->on_miss && !is_room(c, &p, fetch))
		return L1_STALL_WAY;
	return find_parts(c, &p, in_chunks(c, c->latest), false) ? L1_PARTIAL : L1_MISS;
}

/* A partial hit is dropped, for all of it is fetched. */
static uint32_t chunks_missed(void *state, uint64_t line, uint8_t fetch, uint8_t flags)
{
	struct chunks *c = state;
	struct probe p = probe_for(c, line);

	(void)flags;
	find_parts(c, &p, in_chunks(c, c->latest), true);
	if (c->on_miss)
		place(c, &p, fetch, true);
	return L1_NO_PLACE;
}

static void chunks_merged(void *state, uint64_t line, uint8_t sectors)
{
	struct chunks *c = state;
	struct probe p = probe_for(c, line);
	struct slot *slot;
	uint64_t now = c->clock + 1;

	for (uint32_t at = 0; c->on_miss && (slot = next_of(c, &p, in_chunks(c, sectors), true, &at));) {
		slot->used = c->clock = now;
		p.set[(at - 1) / SLOTS].used = now;
	}
}

/* The sectors go to the slots that they got at the miss, if these slots are still theirs. */
static bool fill_locked(const struct chunks *c, const struct probe *p, const struct l1_arrival *a)
{
	bool keep = !(a->flags & MEM_BYPASS), found = false;
	struct slot *slot;

	for (uint32_t at = 0; (slot = next_of(c, p, a->sectors, true, &at));) {
		slot->coming = 0;
		if (!keep)
			empty_slot(p, slot, at);
		found = true;
	}
	return found && keep;
}

static bool chunks_fill(void *state, const struct l1_arrival *a)
{
	struct chunks *c = state;
	struct probe p = probe_for(c, a->line);

	if (c->on_miss)
		return fill_locked(c, &p, a);
	if (a->flags & MEM_BYPASS)
		return false;
	find_parts(c, &p, a->sectors, true);
	return place(c, &p, a->sectors, false);
}

/* --- The rest --- */

static bool chunks_store(void *state, uint64_t line, uint8_t sectors)
{
	struct chunks *c = state;
	struct probe p = probe_for(c, line);

	return find_parts(c, &p, whole_chunks(c, sectors), c->drop_on_write);
}

static void chunks_drop(void *state, uint64_t line, uint8_t sectors)
{
	struct chunks *c = state;
	struct probe p = probe_for(c, line);

	find_parts(c, &p, whole_chunks(c, sectors), true);
}

static void chunks_flush(void *state)
{
	struct chunks *c = state;

	forget_all(c);
	c->policy->flush(c->policy_state);
}

static void chunks_kernel(void *state, uint32_t spare_shared)
{
	struct chunks *c = state;

	if (c->policy->kernel)
		c->policy->kernel(c->policy_state, spare_shared);
	c->chunk = c->policy->chunk(c->policy_state, 0, true);
}

static const void *chunks_policy_statistics(const void *state)
{
	const struct chunks *c = state;

	return c->policy->statistics ? c->policy->statistics(c->policy_state) : NULL;
}

/* A line's own tags are wide enough for whole lines, as they must be where chunk tags find no room. */
static bool chunks_tags_are_shared(const void *state)
{
	const struct chunks *c = state;

	return c->shared_tags && c->chunk != WHOLE_LINE;
}

bool chunks_have_room(const struct chunks_knobs *knobs, const struct l1_geometry *geometry, uint32_t sectors,
		      uint32_t spare_shared)
{
	uint32_t tags = geometry->sets * geometry->ways * (L1_SECTORS / sectors);

	return knobs->tags == CHUNKS_TAGS_OWN || !knobs->fallback ||
	       spare_shared >= divide_up((uint64_t)tags * knobs->tag_bits, 8);
}

uint64_t chunks_bits(const struct l1_config *config, uint32_t tag_bits, uint32_t sectors)
{
	uint32_t chunks = config->ways * (L1_SECTORS / sectors);
	uint32_t set = chunks * (tag_bits + 1 + l1_bits_for(chunks)) + config->ways * l1_bits_for(config->ways);

	return (uint64_t)l1_sets(config) * set;
}

int chunks_check(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs, struct diag *d)
{
	uint32_t sets = l1_sets(config);

	(void)knobs;
	if (config->sectored)
		return diag_file(d, NULL, "l1.sectored is true; %s fetches chunks, so it must be false", policy->name);
	if (config->reuse)
		return diag_file(d, NULL, "l1.reuse is true; it counts lines, and %s has chunks, so it must be false",
				 policy->name);
	if (config->bound)
		return diag_file(d, NULL,
				 "l1.bound is true; it is for lines, and %s has chunks, which can do with fewer "
				 "fetches, so it must be false",
				 policy->name);
	if (!is_power_of_two(sets))
		return diag_file(d, NULL,
				 "l1.size_bytes and l1.ways make %u sets; %s splits addresses into tags and a "
				 "set, so it must be a power of two",
				 sets, policy->name);
	return 0;
}

const struct l1_organisation_ops l1_chunks = {
    .name = "chunks",
    .create = chunks_create,
    .destroy = chunks_destroy,
    .part = chunks_part,
    .look_up = chunks_look_up,
    .miss = chunks_miss,
    .missed = chunks_missed,
    .merged = chunks_merged,
    .loaded = chunks_loaded,
    .fill = chunks_fill,
    .store = chunks_store,
    .drop = chunks_drop,
    .flush = chunks_flush,
    .kernel = chunks_kernel,
    .tags_are_shared = chunks_tags_are_shared,
    .policy_statistics = chunks_policy_statistics,
};
