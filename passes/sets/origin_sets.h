/*
 * Origin sets: where a value may point, as interned sets of (object, byte offset). Equal sets have equal ids, so that
 * comparing and joining them costs a table look-up.
 */
#ifndef ROMARK_PASSES_ORIGIN_SETS_H
#define ROMARK_PASSES_ORIGIN_SETS_H

#include "common/arena.h"
#include "common/vec.h"
#include "passes/sets/map.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t set_id;
enum { SET_EMPTY = 0 };
#define OFFSET_ANY INT32_MIN /* somewhere in the object */

struct origin {
	uint32_t object;
	int32_t offset;
};

struct origin_set {
	const struct origin *origins; /* sorted by object, then offset */
	uint32_t count;
};

/* An object's first byte alone, and OFFSET_ANY alone; SET_EMPTY until first used. */
struct lone_sets {
	set_id first, anywhere;
};

struct sets {
	struct arena arena;
	VEC(struct origin_set) all;
	VEC(uint32_t) extent;       /* per object: the number of bytes whose offsets are told apart, 0 = none */
	VEC(struct lone_sets) lone; /* per object */
	struct map interned, joined, shifted;
};

void sets_init(struct sets *s);
void sets_release(struct sets *s);
/* Objects are numbered from 0 in the order of these calls. */
uint32_t sets_add_object(struct sets *s, uint32_t extent);

set_id origins_single(struct sets *s, uint32_t object, int64_t offset);
set_id origins_join(struct sets *s, set_id a, set_id b);
/* Every origin moved by `bytes`, or to OFFSET_ANY. */
set_id origins_shift(struct sets *s, set_id a, int64_t bytes);
bool origins_include(const struct sets *s, set_id a, uint32_t object);
/* All but those in `object`. */
set_id origins_without(struct sets *s, set_id a, uint32_t object);

static inline const struct origin_set *origins_get(const struct sets *s, set_id a)
{
	return &s->all.data[a];
}

#endif
