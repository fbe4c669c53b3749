/*
 * A table of lines for each length of window. The shortest window's table takes the requests, and hands its lines to
 * the longer windows.
 */
#include "sim-backend/memory/working_set.h"

#include "common/xalloc.h"

#include <string.h>

#define NEVER UINT64_C(1000000000000000000)

/* Each length is a multiple of the first. No run is as long as the last length. */
static const uint64_t lengths[WORKING_SET_LENGTHS] = {1000, 5000, 10000, 50000, 100000, NEVER};

/* Chips by line, or by page: a hash table with linear probing, at most half full. */
struct sharers {
	uint64_t *keys;
	uint8_t *chips;  /* 0: a free place */
	uint32_t *order; /* places in the order in which keys came */
	uint32_t size, count;
};

struct working_set {
	unsigned line_shift, page_shift;
	uint64_t next[WORKING_SET_LENGTHS], start[WORKING_SET_LENGTHS]; /* of the present window: its end, its begin */
	struct sharers lines[WORKING_SET_LENGTHS], pages;
	struct working_set_stats stats;
};

/* --- Sharers --- */

enum { FIRST_SIZE = 1024 };

static void sharers_init(struct sharers *s, uint32_t size)
{
	s->size = size;
	s->count = 0;
	s->keys = xcalloc(size, sizeof *s->keys);
	s->chips = xcalloc(size, sizeof *s->chips);
	s->order = xcalloc(size, sizeof *s->order);
}

static void sharers_release(struct sharers *s)
{
	xfree(s->keys);
	xfree(s->chips);
	xfree(s->order);
}

static uint32_t place_of(const struct sharers *s, uint64_t key)
{
	uint32_t place = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (s->size - 1);

	while (s->chips[place] && s->keys[place] != key)
		place = (place + 1) & (s->size - 1);
	return place;
}

static void sharers_add(struct sharers *s, uint64_t key, uint8_t chips);

static void grow(struct sharers *s)
{
	struct sharers old = *s;

	sharers_init(s, 2 * old.size);
	for (uint32_t i = 0; i < old.count; i++)
		sharers_add(s, old.keys[old.order[i]], old.chips[old.order[i]]);
	sharers_release(&old);
}

static void sharers_add(struct sharers *s, uint64_t key, uint8_t chips)
{
	uint32_t place = place_of(s, key);

	if (!s->chips[place]) {
		if (2 * (s->count + 1) > s->size) {
			grow(s);
			place = place_of(s, key);
		}
		s->keys[place] = key;
		s->order[s->count++] = place;
	}
	s->chips[place] |= chips;
}

static void sharers_clear(struct sharers *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		s->chips[s->order[i]] = 0;
	s->count = 0;
}

/* --- Windows --- */

struct working_set *working_set_create(uint32_t line_bytes, uint32_t page_bytes)
{
	struct working_set *w = xcalloc(1, sizeof *w);

	w->line_shift = (unsigned)__builtin_ctz(line_bytes);
	w->page_shift = (unsigned)__builtin_ctz(page_bytes);
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++) {
		sharers_init(&w->lines[i], FIRST_SIZE);
		w->next[i] = lengths[i];
	}
	sharers_init(&w->pages, FIRST_SIZE);
	return w;
}

void working_set_free(struct working_set *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
		sharers_release(&w->lines[i]);
	sharers_release(&w->pages);
	xfree(w);
}

static void find_pages(struct working_set *w, const struct sharers *lines)
{
	sharers_clear(&w->pages);
	for (uint32_t i = 0; i < lines->count; i++)
		sharers_add(&w->pages, lines->keys[lines->order[i]] >> (w->page_shift - w->line_shift),
			    lines->chips[lines->order[i]]);
}

static bool is_several(uint8_t chips)
{
	return chips & (chips - 1);
}

static uint8_t chips_of_page(const struct working_set *w, uint64_t line)
{
	return w->pages.chips[place_of(&w->pages, line >> (w->page_shift - w->line_shift))];
}

/* Counts the lines of a window, each for as many cycles as it is long. */
static void count_lines(struct working_set *w, unsigned length, uint64_t cycles)
{
	const struct sharers *lines = &w->lines[length];
	struct working_set_of *to = &w->stats.of[length];
	uint64_t byte_cycles = cycles << w->line_shift;

	find_pages(w, lines);
	for (uint32_t i = 0; i < lines->count; i++) {
		uint64_t line = lines->keys[lines->order[i]];
		uint8_t chips = lines->chips[lines->order[i]];

		if (is_several(chips)) {
			to->truly_shared += byte_cycles;
			to->copies += byte_cycles * (unsigned)__builtin_popcount(chips);
		} else if (is_several(chips_of_page(w, line))) {
			to->falsely_shared += byte_cycles;
		} else {
			to->not_shared += byte_cycles;
		}
	}
	to->cycles += cycles;
}

static void hand_on(struct working_set *w)
{
	const struct sharers *from = &w->lines[0];

	for (unsigned i = 1; i < WORKING_SET_LENGTHS; i++)
		for (uint32_t k = 0; k < from->count; k++)
			sharers_add(&w->lines[i], from->keys[from->order[k]], from->chips[from->order[k]]);
}

/* The window ends at `end`. Windows without requests that follow are counted with it. */
static void end_window(struct working_set *w, unsigned length, uint64_t end, uint64_t cycle)
{
	uint64_t begins = cycle / lengths[length] * lengths[length];

	count_lines(w, length, end - w->start[length]);
	sharers_clear(&w->lines[length]);
	w->start[length] = begins > end ? begins : end;
	w->stats.of[length].cycles += w->start[length] - end;
	w->next[length] = w->start[length] + lengths[length];
}

void working_set_tick(struct working_set *w, uint64_t cycle)
{
	if (cycle < w->next[0])
		return;
	hand_on(w);
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
		if (cycle >= w->next[i])
			end_window(w, i, w->next[i], cycle);
}

void working_set_note(struct working_set *w, uint64_t cycle, unsigned chip, uint64_t line)
{
	working_set_tick(w, cycle);
	sharers_add(&w->lines[0], line >> w->line_shift, (uint8_t)(1u << chip));
}

void working_set_end(struct working_set *w, uint64_t cycle)
{
	working_set_tick(w, cycle);
	hand_on(w);
	for (unsigned i = 0; i < WORKING_SET_LENGTHS; i++)
		if (cycle > w->start[i])
			end_window(w, i, cycle, cycle);
}

struct working_set_stats working_set_statistics(const struct working_set *w)
{
	return w->stats;
}

#define OF_LENGTH(index, name, windows)                                                                                \
	STAT_NAMED(struct working_set_stats, of[index].cycles, "cycles_" name, "cycles", "of " windows),               \
	    STAT_NAMED(struct working_set_stats, of[index].truly_shared, "truly_shared_" name, "byte cycles",          \
		       "lines that several chips ask for in such a window, times its cycles"),                         \
	    STAT_NAMED(struct working_set_stats, of[index].copies, "copies_" name, "byte cycles",                      \
		       "of these lines, a copy for each chip that asks, times the window's cycles"),                   \
	    STAT_NAMED(struct working_set_stats, of[index].falsely_shared, "falsely_shared_" name, "byte cycles",      \
		       "lines of a single chip, in pages that another chip uses, times the window's cycles"),          \
	    STAT_NAMED(struct working_set_stats, of[index].not_shared, "not_shared_" name, "byte cycles",              \
		       "lines in pages of a single chip, times the window's cycles")

const struct stat_row working_set_stat_rows[] = {
    OF_LENGTH(0, "1000", "all windows of 1,000 cycles"),
    OF_LENGTH(1, "5000", "all windows of 5,000 cycles"),
    OF_LENGTH(2, "10000", "all windows of 10,000 cycles"),
    OF_LENGTH(3, "50000", "all windows of 50,000 cycles"),
    OF_LENGTH(4, "100000", "all windows of 100,000 cycles"),
    OF_LENGTH(5, "run", "the window that is the whole run"),
    STAT_END,
};
