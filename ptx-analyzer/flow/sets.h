/*
 * Interned sets of small numbers: equal sets have equal ids, so a fact about a register is a single number, comparing
 * is `==`, and each union is computed once.
 *
 *   struct set_table *t = set_table_new();
 *   set_id s = set_union(t, set_single(t, 3), set_single(t, 8));
 *   const struct set *v = set_get(t, s);              // v->elems[0..v->count), ascending
 *   set_table_free(t);
 */
#ifndef ROMARK_PTX_SETS_H
#define ROMARK_PTX_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t set_id;

#define SET_EMPTY 0

struct set {
	const uint32_t *elems; /* stays where it is while the table lives */
	uint32_t count;
	set_id mapped[6]; /* results that a user of the table remembers per set; SET_UNMAPPED at first */
};

#define SET_UNMAPPED UINT32_MAX

struct set_table;

struct set_table *set_table_new(void);
void set_table_free(struct set_table *t);

set_id set_single(struct set_table *t, uint32_t elem);
/* The union of two different sets that are not empty; set_union is for all. */
set_id set_merge(struct set_table *t, set_id a, set_id b);
static inline set_id set_union(struct set_table *t, set_id a, set_id b)
{
	if (a == b || b == SET_EMPTY)
		return a;
	return a == SET_EMPTY ? b : set_merge(t, a, b);
}
/* The set of `elems`, which need not be sorted and may repeat; the array is sorted in place. */
set_id set_of(struct set_table *t, uint32_t *elems, size_t count);
bool set_has(const struct set_table *t, set_id s, uint32_t elem);
/* The set is valid until the next one is made; its `elems` are valid as long as the table. */
struct set *set_get(const struct set_table *t, set_id s);

#endif
