/*
 * Addresses that are computed in a frame, and the variable of the source that they stay in: see frame_objects.h. A
 * constant place needs none of this, for code that has the address of a place accesses that place.
 */
#include "ptx-analyzer/flow/flow.h"

/* The variable of PTX that the value is an address in; PTX_NONE if it may be anything else. */
static uint32_t frame_of(const struct flow *fl, struct value v)
{
	const struct set *s = set_get(fl->owner->sets, v.set);
	const struct root *r = &fl->roots.data[s->count == 1 ? ELEM_ROOT(s->elems[0]) : ROOT_ID_INTEGER];

	return r->kind == ROOT_LOCAL && (s->elems[0] & ELEM_LOCAL) ? r->index : PTX_NONE;
}

static struct value with_object(const struct flow *fl, struct value v, uint32_t symbol, int64_t from)
{
	struct frame_object inside, around;

	if (!frame_object_at(&fl->objects, symbol, from, true, &inside))
		return v;
	frame_object_at(&fl->objects, symbol, from, false, &around);
	for (size_t i = 0; i < fl->objects.len; i++)
		if (fl->objects.data[i].symbol == symbol && fl->objects.data[i].begin == inside.begin)
			v.object = (uint8_t)(i + 1);
	v.edge = around.begin < inside.begin;
	return v;
}

/* `v` with the variable that `place`, which it was computed from, is in. */
static struct value object_of_place(const struct flow *fl, struct value place, struct value v)
{
	uint32_t symbol = frame_of(fl, place);

	if (symbol == PTX_NONE || v.set != place.set || v.offset != OFFSET_ANY)
		return v;
	if (place.offset != OFFSET_ANY)
		return with_object(fl, v, symbol, place.offset);
	v.object = place.object;
	v.edge = place.edge;
	return v;
}

static bool has_local_bits(const struct flow *fl, set_id s)
{
	const struct set *v = set_get(fl->owner->sets, s);

	for (uint32_t i = 0; i < v->count; i++)
		if (v->elems[i] & ELEM_LOCAL)
			return true;
	return false;
}

/* A number that an address went into may lead from one variable to another. */
struct value object_sum(const struct flow *fl, struct value a, struct value b, struct value sum)
{
	bool first = fl->objects.len && frame_of(fl, a) != PTX_NONE;
	struct value place = first ? a : b, number = first ? b : a;

	if (!fl->objects.len || has_local_bits(fl, number.set) || has_local_bits(fl, number.beside))
		return sum;
	return object_of_place(fl, place, sum);
}

/* The variable that both values stay in. A constant place stays where it is, if it is in the variable. */
struct value object_join(const struct flow *fl, struct value a, struct value b, struct value joined)
{
	joined.object = 0;
	joined.edge = false;
	if (!fl->objects.len || a.set != b.set || joined.offset != OFFSET_ANY)
		return joined;
	a = object_of_place(fl, a, (struct value){.set = a.set, .offset = OFFSET_ANY});
	b = object_of_place(fl, b, (struct value){.set = b.set, .offset = OFFSET_ANY});
	if (a.object == b.object) {
		joined.object = a.object;
		joined.edge = a.edge || b.edge;
	}
	return joined;
}

bool object_extent(const struct flow *fl, uint32_t root, struct value address, int64_t offset, int64_t *low,
		   int64_t *high)
{
	const struct frame_object *o = address.object ? &fl->objects.data[address.object - 1] : NULL;
	bool bounded = address.span > 0 && !address.number && offset != OFFSET_ANY;

	if (!o || fl->roots.data[root].index != o->symbol)
		return false;
	*low = address.edge && !(bounded && address.low + offset >= o->begin) ? o[-1].begin : o->begin;
	*high = o->end;
	return true;
}
