/* Interning by content hash; the results of join and shift are remembered per pair of operands. */
#include "passes/sets/origin_sets.h"

#include <string.h>

static uint64_t origin_key(struct origin o)
{
	return (uint64_t)o.object << 32 | (uint32_t)o.offset;
}

static uint64_t content_key(const struct origin *origins, uint32_t count)
{
	uint64_t hash = count;

	for (uint32_t i = 0; i < count; i++)
		hash = map_mix(hash * 31 + origin_key(origins[i]));
	return hash;
}

static bool same(const struct origin_set *set, const struct origin *origins, uint32_t count)
{
	return set->count == count && (!count || memcmp(set->origins, origins, count * sizeof *origins) == 0);
}

static set_id intern(struct sets *s, const struct origin *origins, uint32_t count)
{
	uint64_t key = content_key(origins, count);
	set_id id;

	/* Another set with the same hash: try the next key. */
	for (; (id = map_get(&s->interned, key)) != MAP_NONE; key++)
		if (same(&s->all.data[id], origins, count))
			return id;
	id = (set_id)s->all.len;
	vec_push(&s->all, (struct origin_set){arena_memdup(&s->arena, origins, count * sizeof *origins), count});
	map_put(&s->interned, key, id);
	return id;
}

void sets_init(struct sets *s)
{
	*s = (struct sets){.arena = ARENA_INIT};
	intern(s, NULL, 0);
}

void sets_release(struct sets *s)
{
	arena_release(&s->arena);
	vec_release(&s->all);
	vec_release(&s->extent);
	vec_release(&s->lone);
	map_release(&s->interned);
	map_release(&s->joined);
	map_release(&s->shifted);
}

uint32_t sets_add_object(struct sets *s, uint32_t extent)
{
	vec_push(&s->extent, extent);
	vec_grow(&s->lone);
	return (uint32_t)s->extent.len - 1;
}

static int32_t clamp_offset(const struct sets *s, uint32_t object, int64_t offset)
{
	return offset >= 0 && offset < s->extent.data[object] ? (int32_t)offset : OFFSET_ANY;
}

set_id origins_single(struct sets *s, uint32_t object, int64_t offset)
{
	struct origin origin = {object, clamp_offset(s, object, offset)};
	struct lone_sets *lone = &s->lone.data[object];
	set_id *known = origin.offset == OFFSET_ANY ? &lone->anywhere : &lone->first;

	if (origin.offset != OFFSET_ANY && origin.offset != 0)
		return intern(s, &origin, 1);
	if (*known == SET_EMPTY)
		*known = intern(s, &origin, 1);
	return *known;
}

/* Appends to a sorted list. An object's OFFSET_ANY sorts first and includes its other offsets. */
static void append(struct origin *list, uint32_t *count, struct origin o)
{
	if (*count) {
		struct origin last = list[*count - 1];

		if (last.object == o.object && (last.offset == o.offset || last.offset == OFFSET_ANY))
			return;
	}
	list[(*count)++] = o;
}

static bool before(struct origin a, struct origin b)
{
	return a.object != b.object ? a.object < b.object : a.offset < b.offset;
}

set_id origins_join(struct sets *s, set_id a, set_id b)
{
	uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
	struct origin_set x, y;
	struct origin *list;
	uint32_t count = 0, i = 0, j = 0;
	set_id id;

	if (a == b || b == SET_EMPTY)
		return a;
	if (a == SET_EMPTY)
		return b;
	id = map_get(&s->joined, key);
	if (id != MAP_NONE)
		return id;
	x = s->all.data[a];
	y = s->all.data[b];
	list = xmalloc((x.count + y.count) * sizeof *list);
	while (i < x.count || j < y.count)
		if (j == y.count || (i < x.count && before(x.origins[i], y.origins[j])))
			append(list, &count, x.origins[i++]);
		else
			append(list, &count, y.origins[j++]);
	id = intern(s, list, count);
	free(list);
	map_put(&s->joined, key, id);
	return id;
}

set_id origins_shift(struct sets *s, set_id a, int64_t bytes)
{
	uint64_t key;
	struct origin_set from = s->all.data[a];
	set_id id = SET_EMPTY;

	if (bytes == 0 || a == SET_EMPTY)
		return a;
	if (bytes > INT32_MAX || bytes < -INT32_MAX)
		bytes = OFFSET_ANY;
	key = (uint64_t)a << 32 | (uint32_t)(int32_t)bytes;
	id = map_get(&s->shifted, key);
	if (id != MAP_NONE)
		return id;
	id = SET_EMPTY;
	for (uint32_t i = 0; i < from.count; i++) {
		struct origin o = from.origins[i];
		bool any = bytes == OFFSET_ANY || o.offset == OFFSET_ANY;

		id = origins_join(s, id, origins_single(s, o.object, any ? OFFSET_ANY : o.offset + bytes));
	}
	map_put(&s->shifted, key, id);
	return id;
}

bool origins_include(const struct sets *s, set_id a, uint32_t object)
{
	struct origin_set set = s->all.data[a];

	for (uint32_t i = 0; i < set.count && set.origins[i].object <= object; i++)
		if (set.origins[i].object == object)
			return true;
	return false;
}

set_id origins_without(struct sets *s, set_id a, uint32_t object)
{
	struct origin_set set = s->all.data[a];
	struct origin *list = xmalloc((set.count + 1) * sizeof *list);
	uint32_t count = 0;
	set_id id;

	for (uint32_t i = 0; i < set.count; i++)
		if (set.origins[i].object != object)
			list[count++] = set.origins[i];
	id = intern(s, list, count);
	free(list);
	return id;
}
