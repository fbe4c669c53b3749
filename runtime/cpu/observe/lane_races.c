/*
 * A table of words, each with its last write and last read by lanes of a warp. Words that fall together with others are
 * forgotten, so not every race is found.
 */
#include "runtime/cpu/observe/lane_races.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 1 << 16, WORD_BYTES = 4, ALL_BYTES = 15 };

/* Lanes that accessed a word with the same instruction, without an operation that orders them in between. */
struct lane_use {
	uint32_t time, place; /* place 0: nobody has */
	uint32_t lanes;
	uint8_t bytes;
	uint64_t serial; /* of the execution */
};

struct word {
	uint64_t number;
	uint32_t cta, warp, epoch;
	struct lane_use write, read;
};

struct lane_races {
	struct word words[WORDS];
	uint32_t epoch;
	uint64_t serial;
};

struct lane_races *lane_races_new(void)
{
	return xcalloc(1, sizeof(struct lane_races));
}

void lane_races_free(struct lane_races *l)
{
	free(l);
}

void lane_races_start(struct lane_races *l, uint32_t epoch)
{
	l->epoch = epoch;
	l->serial++;
}

static struct word *word_at(struct lane_races *l, const struct warp *w, uint64_t number)
{
	uint32_t cta = (uint32_t)w->cta->index;
	uint64_t key = (number + ((uint64_t)cta * MAX_WARPS + w->index) * 97) * UINT64_C(0x9e3779b97f4a7c15);
	struct word *word = &l->words[key >> 48];

	if (word->number == number && word->cta == cta && word->warp == w->index && word->epoch == l->epoch)
		return word;
	*word = (struct word){.number = number, .cta = cta, .warp = w->index, .epoch = l->epoch};
	return word;
}

/* Something has put the two lanes in order since `time`. */
static bool in_order(const struct warp *w, unsigned a, unsigned b, uint32_t time)
{
	return w->cta->synchronized > time || w->synchronized > time ||
	       (w->lane_synchronized[a] > time && w->lane_synchronized[b] > time);
}

/* Both lanes store the same bytes with this instruction: it does not matter which is last. */
static bool store_the_same(const struct lane_access *a, unsigned other, uint64_t address)
{
	const struct inst *in = a->inst;
	size_t stride = in->bytes < WORD_BYTES ? WORD_BYTES : in->bytes, offset = address - a->address;
	const uint8_t *values;

	if (in->bytes < WORD_BYTES && in->vec == 1)
		offset = 0;
	if (offset / in->bytes >= in->vec)
		return true;
	values = source(a->warp, in->vec == 1 ? in->b : in->list[offset / in->bytes]);
	return memcmp(values + a->lane * stride, values + other * stride, in->bytes) == 0;
}

/* True if the use, of another lane, is not in order with the access. */
static bool conflicts(const struct lane_races *l, const struct lane_access *a, const struct lane_use *u, uint8_t bytes,
		      uint64_t address, bool writes)
{
	uint32_t others = u->lanes & ~(1u << a->lane);
	unsigned other;

	if (!u->place || !others || u->lanes >> a->lane & 1 || !(u->bytes & bytes))
		return false;
	other = (unsigned)__builtin_ctz(others);
	if (in_order(a->warp, a->lane, other, u->time))
		return false;
	return !writes || u->serial != l->serial || !store_the_same(a, other, address);
}

static void add_use(struct lane_races *l, struct lane_use *u, const struct lane_access *a, uint8_t bytes)
{
	uint32_t place = a->inst->trace + 1;
	bool same = u->place == place && u->time == a->time && u->serial == l->serial;

	*u = (struct lane_use){a->time, place, (same ? u->lanes : 0) | 1u << a->lane,
			       (uint8_t)((same ? u->bytes : 0) | bytes), l->serial};
}

/* The bytes of word `number` that the access has. */
static uint8_t bytes_of(const struct lane_access *a, uint64_t number)
{
	uint64_t end = a->address + (uint64_t)a->inst->bytes * a->inst->vec, start = number * WORD_BYTES;
	unsigned low = a->address > start ? (unsigned)(a->address - start) : 0;
	unsigned high = end < start + WORD_BYTES ? (unsigned)(end - start) : WORD_BYTES;

	return (uint8_t)((ALL_BYTES << low & ALL_BYTES) & (ALL_BYTES >> (WORD_BYTES - high)));
}

bool lane_races_note(struct lane_races *l, const struct lane_access *a, struct lane_conflict *out)
{
	uint64_t end = a->address + (uint64_t)a->inst->bytes * a->inst->vec;
	bool writes = a->inst->ptx->opcode->cls == PTX_CLASS_STORE, found = false;

	for (uint64_t number = a->address / WORD_BYTES; number * WORD_BYTES < end; number++) {
		struct word *word = word_at(l, a->warp, number);
		uint64_t address = number * WORD_BYTES < a->address ? a->address : number * WORD_BYTES;
		uint8_t bytes = bytes_of(a, number);
		bool wrote = conflicts(l, a, &word->write, bytes, address, writes);

		if (!found && (wrote || (writes && conflicts(l, a, &word->read, bytes, address, false)))) {
			const struct lane_use *u = wrote ? &word->write : &word->read;

			*out = (struct lane_conflict){u->place, wrote, u->serial == l->serial, address};
			found = true;
		}
		add_use(l, writes ? &word->write : &word->read, a, bytes);
	}
	return found;
}
