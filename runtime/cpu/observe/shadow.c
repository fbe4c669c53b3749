/*
 * The shadow: three ranges of addresses, as large as device memory can get, whose pages appear at their first touch. A
 * page of words is cleared at its first touch in an epoch, so forgetting costs nothing.
 */
#include "runtime/cpu/observe/shadow.h"
#include "common/diag.h"
#include "runtime/cpu/engine/device_memory.h"

#include <string.h>
#include <sys/mman.h>

/* A word: bytes loaded in bits 0 to 3, written in 4 to 7, whether each has its own place, and else their place. */
enum { WORD_BYTES = 4, ALL_BYTES = 15, KIND_BITS = 4, TOUCHED = 255, OWN_PLACES = 256, PLACE_SHIFT = 9 };
enum { PAGE_WORDS = MEMORY_PAGE / WORD_BYTES };
#define RANGE_WORDS (MEMORY_BYTES / WORD_BYTES)
#define RANGE_PAGES (MEMORY_BYTES / MEMORY_PAGE)

/* --- Opening and closing --- */

static void *reserve(uint64_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		BUG("no addresses for %llu MiB of shadow", (unsigned long long)(bytes >> 20));
	return at;
}

void shadow_open(struct shadow *s)
{
	s->words = reserve(RANGE_WORDS * sizeof *s->words);
	s->bytes = NULL;
	s->epochs = reserve(RANGE_PAGES * sizeof *s->epochs);
	s->epoch = 0;
}

void shadow_close(struct shadow *s)
{
	munmap(s->words, RANGE_WORDS * sizeof *s->words);
	if (s->bytes)
		munmap(s->bytes, MEMORY_BYTES * sizeof *s->bytes);
	munmap(s->epochs, RANGE_PAGES * sizeof *s->epochs);
	*s = (struct shadow){0};
}

void shadow_forget(struct shadow *s)
{
	s->epoch++;
}

/* --- One word --- */

/* An access in progress. */
struct touch {
	struct shadow *shadow;
	enum shadow_kind kind;
	uint32_t place;
	uint64_t offset; /* the first byte that the other kind has touched */
};

static inline uint32_t bits_of(enum shadow_kind kind, uint32_t bytes)
{
	return bytes << (kind == SHADOW_STORE ? KIND_BITS : 0);
}

static inline enum shadow_kind other_kind(enum shadow_kind kind)
{
	return kind == SHADOW_STORE ? SHADOW_LOAD : SHADOW_STORE;
}

/* The bytes touched so far get places of their own. */
static void part_bytes(struct shadow *s, uint64_t number)
{
	const uint32_t word = s->words[number];

	if (!s->bytes)
		s->bytes = reserve(MEMORY_BYTES * sizeof *s->bytes);
	for (unsigned i = 0; i < WORD_BYTES; i++)
		s->bytes[number * WORD_BYTES + i] = word >> PLACE_SHIFT;
	s->words[number] = (word & TOUCHED) | OWN_PLACES;
}

static uint32_t contradiction(struct touch *t, uint64_t number, uint32_t bytes)
{
	const struct shadow *s = t->shadow;
	uint32_t word = s->words[number];
	uint32_t others = word >> (t->kind == SHADOW_STORE ? 0 : KIND_BITS) & bytes;

	t->offset = number * WORD_BYTES + (unsigned)__builtin_ctz(others);
	return word & OWN_PLACES ? s->bytes[t->offset] : word >> PLACE_SHIFT;
}

/* `bytes`: a bit for each of the four. */
static uint32_t touch_word(struct touch *t, uint64_t number, uint32_t bytes)
{
	struct shadow *s = t->shadow;
	uint32_t *word = &s->words[number], mine = bits_of(t->kind, bytes);

	if (*word & bits_of(other_kind(t->kind), bytes))
		return contradiction(t, number, bytes);
	if ((*word & mine) == mine)
		return 0;
	if ((*word & TOUCHED) == 0 || bytes == ALL_BYTES) {
		*word = mine | t->place << PLACE_SHIFT;
		return 0;
	}
	if (*word >> PLACE_SHIFT != t->place && !(*word & OWN_PLACES))
		part_bytes(s, number);
	for (unsigned i = 0; i < WORD_BYTES && *word & OWN_PLACES; i++)
		if (bytes >> i & 1)
			s->bytes[number * WORD_BYTES + i] = t->place;
	*word |= mine;
	return 0;
}

/* --- Ranges --- */

/* Whole words. Mostly all were touched so before, or none at all: both are found out without looking at each. */
static uint32_t touch_words(struct touch *t, uint64_t number, uint64_t count)
{
	uint32_t *words = &t->shadow->words[number], all = bits_of(t->kind, ALL_BYTES), any = 0, every = all, place;

	for (uint64_t i = 0; i < count; i++) {
		any |= words[i];
		every &= words[i];
	}
	if (every == all && !(any & bits_of(other_kind(t->kind), ALL_BYTES)))
		return 0;
	for (uint64_t i = 0; i < count && !any; i++)
		words[i] = all | t->place << PLACE_SHIFT;
	for (uint64_t i = 0; i < count && any; i++) {
		place = touch_word(t, number + i, ALL_BYTES);
		if (place)
			return place;
	}
	return 0;
}

/* Touches the bytes that lie in a single page. */
static uint32_t touch_part(struct touch *t, uint64_t offset, uint64_t count)
{
	uint64_t first = offset / WORD_BYTES, head = offset % WORD_BYTES, words;
	uint32_t place = 0;

	if (head + count < WORD_BYTES)
		return touch_word(t, first, ((1u << count) - 1) << head);
	if (head) {
		place = touch_word(t, first++, ALL_BYTES << head & ALL_BYTES);
		count -= WORD_BYTES - head;
	}
	words = count / WORD_BYTES;
	if (!place && words)
		place = words == 1 ? touch_word(t, first, ALL_BYTES) : touch_words(t, first, words);
	if (!place && count % WORD_BYTES)
		place = touch_word(t, first + words, (1u << count % WORD_BYTES) - 1);
	return place;
}

static void refresh_page(struct shadow *s, uint64_t page)
{
	if (s->epochs[page] == s->epoch)
		return;
	memset(&s->words[page * PAGE_WORDS], 0, PAGE_WORDS * sizeof *s->words);
	s->epochs[page] = s->epoch;
}

uint32_t shadow_touch(struct shadow *s, enum shadow_kind kind, uint64_t address, uint64_t count, uint32_t place,
		      uint64_t *byte)
{
	struct touch t = {s, kind, place, 0};
	uint64_t offset = address - MEMORY_BASE;

	while (count) {
		uint64_t room = MEMORY_PAGE - offset % MEMORY_PAGE, part = count < room ? count : room;
		uint32_t found;

		refresh_page(s, offset / MEMORY_PAGE);
		found = touch_part(&t, offset, part);
		if (found) {
			*byte = MEMORY_BASE + t.offset;
			return found;
		}
		offset += part;
		count -= part;
	}
	return 0;
}
