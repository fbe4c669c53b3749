/*
 * The first pass goes backwards through the stream and notes for each load when its line is used next. The second goes
 * forwards and plays the cache: among a set's lines and the new line, it gives up the line whose next use is farthest.
 */
#include "sim-backend/l1/bound.h"

#include "sim-backend/l1/set_index.h"

#include "common/vec.h"
#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX

struct event {
	uint64_t line;
	bool drop;
	uint32_t next; /* event that uses the line next; NEVER: it is not used before it is dropped */
};

/* A way of a set: the line that it keeps, and that line's next use. NEVER: the way is free. */
struct kept_line {
	uint64_t line;
	uint32_t next;
};

struct l1_bound {
	struct set_index index;
	uint32_t sets, ways;
	VEC(struct event) stream;
	struct kept_line *lines; /* [set][way] */
};

struct l1_bound *l1_bound_create(const struct l1_config *config)
{
	struct l1_bound *b = xcalloc(1, sizeof *b);

	b->index = set_index_of(config);
	b->sets = l1_sets(config);
	b->ways = config->ways;
	b->lines = xmalloc((size_t)b->sets * b->ways * sizeof *b->lines);
	return b;
}

void l1_bound_free(struct l1_bound *b)
{
	if (!b)
		return;
	vec_release(&b->stream);
	xfree(b->lines);
	xfree(b);
}

void l1_bound_load(struct l1_bound *b, uint64_t line)
{
	vec_push(&b->stream, (struct event){line, false, NEVER});
}

void l1_bound_drop(struct l1_bound *b, uint64_t line)
{
	vec_push(&b->stream, (struct event){line, true, NEVER});
}

/* --- Backwards --- */

/* The place of a line in a table of `size` places, a power of two and more than there are lines; 0 = free. */
static uint32_t *latest(const struct l1_bound *b, uint32_t *table, size_t size, uint64_t line)
{
	size_t place = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (size - 1);

	while (table[place] && b->stream.data[table[place] - 1].line != line)
		place = (place + 1) & (size - 1);
	return &table[place];
}

/* Places hold numbers of events, from 1 on. */
static void find_next_uses(struct l1_bound *b)
{
	size_t size = 16;
	uint32_t *table;

	while (size < 2 * b->stream.len)
		size *= 2;
	table = xcalloc(size, sizeof *table);
	for (size_t i = b->stream.len; i-- > 0;) {
		struct event *e = &b->stream.data[i];
		uint32_t *seen = latest(b, table, size, e->line);

		if (*seen && !b->stream.data[*seen - 1].drop)
			e->next = *seen - 1;
		*seen = (uint32_t)i + 1;
	}
	xfree(table);
}

/* --- Forwards --- */

/* The way with the line, else a free way, else the way whose next use is farthest. */
static struct kept_line *way_for(const struct l1_bound *b, uint64_t line)
{
	struct kept_line *set = b->lines + (size_t)set_index(&b->index, line) * b->ways, *last = set;

	for (uint32_t way = 0; way < b->ways; way++) {
		if (set[way].next != NEVER && set[way].line == line)
			return &set[way];
		if (set[way].next > last->next)
			last = &set[way];
	}
	return last;
}

/* Returns whether the load is a fetch. A line that is not used again frees its way, or takes no way. */
static bool load(const struct l1_bound *b, const struct event *e)
{
	struct kept_line *way = way_for(b, e->line);
	bool hit = way->next != NEVER && way->line == e->line;

	if (hit || e->next < way->next)
		*way = (struct kept_line){e->line, e->next};
	return !hit;
}

uint64_t l1_bound_settle(struct l1_bound *b)
{
	uint64_t fetches = 0;

	find_next_uses(b);
	memset(b->lines, 0xff, (size_t)b->sets * b->ways * sizeof *b->lines);
	for (size_t i = 0; i < b->stream.len; i++)
		if (!b->stream.data[i].drop)
			fetches += load(b, &b->stream.data[i]);
	vec_release(&b->stream);
	return fetches;
}
