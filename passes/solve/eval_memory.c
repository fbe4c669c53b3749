/*
 * Loads, stores and copies: the contents of the objects that an address reaches, and values that leave the analysis'
 * sight.
 */
#include "passes/solve/eval.h"

#include "passes/solve/pointer_bits.h"

/* The objects that an access through operand `n` reaches. An address without an origin may reach anything. */
static set_id reach_at(const struct eval *e, uint32_t n)
{
	struct ir_value address = value_at(e, n);
	set_id set;

	bits_use(&e->s->objects, address);
	set = bits_reach(&e->s->objects, address);
	if (set == SET_EMPTY && e->s->settled)
		set = unknown_origins(&e->s->objects);
	if (origins_include(&e->s->sets, set, UNKNOWN_OBJECT))
		objects_escape(&e->s->objects, e->s->objects.parted);
	if (e->op->flags & OP_PRIVATE)
		bits_use_private(&e->s->objects, set);
	return set;
}

/* The bytes at `offset` that the operation reads or writes. */
static struct span span_at(const struct eval *e, int64_t offset)
{
	return (struct span){
	    .offset = offset,
	    .bytes = e->op->bytes,
	    .is_pointer = e->op->flags & OP_POINTER,
	    .is_number = e->op->flags & OP_NUMBER,
	    .has_parts = e->op->flags & OP_PARTS,
	    .is_packed = e->op->flags & OP_PACKED,
	};
}

void eval_load(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	struct origin_set pointer = *origins_get(&e->s->sets, reach_at(e, 0));
	struct ir_value v = {SET_EMPTY, bits_looked_up(o, value_at(e, 0).beside)};
	uint8_t dep = dep_at(e, 0);

	for (uint32_t i = 0; i < pointer.count; i++) {
		struct ir_value found =
		    object_content(o, pointer.origins[i].object, span_at(e, pointer.origins[i].offset), &dep);

		v = (struct ir_value){origins_join(o->sets, v.set, found.set),
				      origins_join(o->sets, v.beside, found.beside)};
	}
	if (pointer.count == 0)
		dep |= DEP_MEMORY;
	add_to_value(e->s, self(e), e->op->result, v, dep);
}

/* The value can be found by whoever reads memory. */
static void let_go(const struct eval *e, struct ir_value v)
{
	objects_escape(&e->s->objects, v.set);
	objects_escape(&e->s->objects, v.beside);
	objects_publish(&e->s->objects, v.beside);
}

/*
 * Stores `value` in every object that the address may point to. A value that is stored in memory that is not private
 * escapes.
 */
static void store_value(const struct eval *e, struct ir_value value, uint8_t dep)
{
	struct origin_set pointer = *origins_get(&e->s->sets, reach_at(e, 0));
	bool leaves = pointer.count == 0, is_number = value.set == SET_EMPTY && value.beside == SET_EMPTY;

	for (uint32_t i = 0; i < pointer.count; i++) {
		struct origin to = pointer.origins[i];
		bool is_open = object_is_open(&e->s->objects.all.data[to.object]);

		leaves |= is_open;
		if (!is_number || !is_open)
			object_store(&e->s->objects, to.object, (struct cell){span_at(e, to.offset), value, dep});
	}
	if (leaves)
		let_go(e, value);
}

void eval_store(const struct eval *e)
{
	struct ir_value v = value_at(e, 1);

	if (e->op->flags & OP_WHOLE)
		v.set = whole_origins(&e->s->objects, v.set);
	store_value(e, v, dep_at(e, 1));
}

/* An unknown value: it may be anything that has escaped. */
static struct ir_value unseen_value(const struct eval *e)
{
	return (struct ir_value){unknown_origins(&e->s->objects), e->s->objects.published};
}

void eval_atomic(const struct eval *e)
{
	for (uint32_t i = 1; i < e->op->count; i++)
		store_value(e, value_at(e, i), DEP_MEMORY);
	/* Inline assembly does not tell which operand is stored. */
	if (e->op->count == 1)
		store_value(e, unseen_value(e), DEP_MEMORY);
	eval_load(e);
}

void eval_write(const struct eval *e)
{
	if (!(e->op->flags & OP_FILL))
		store_value(e, unseen_value(e), DEP_MEMORY);
	else
		store_value(e, (struct ir_value){SET_EMPTY, bits_all(&e->s->objects, value_at(e, 1))}, dep_at(e, 1));
}

void eval_copy(const struct eval *e)
{
	struct origin_set to = *origins_get(&e->s->sets, reach_at(e, 0));
	struct origin_set from = *origins_get(&e->s->sets, reach_at(e, 1));
	struct objects *objects = &e->s->objects;

	for (uint32_t i = 0; i < from.count; i++) {
		struct origin source = from.origins[i];
		bool leaves = to.count == 0;
		uint8_t dep = DEP_NONE;

		for (uint32_t j = 0; j < to.count; j++) {
			leaves |= object_is_open(&objects->all.data[to.origins[j].object]);
			object_copy(objects, to.origins[j].object,
				    (struct copied){to.origins[j].offset, e->op->bytes, source.offset, source.object,
						    e->op->flags & OP_PACKED});
		}
		if (leaves)
			let_go(e, object_content(objects, source.object, span_at(e, source.offset), &dep));
	}
}

void eval_read(const struct eval *e)
{
	reach_at(e, 0);
}

void eval_escape(const struct eval *e, uint32_t n)
{
	let_go(e, value_at(e, n));
	objects_escape(&e->s->objects, e->s->objects.parted);
}

void eval_opaque(const struct eval *e)
{
	add_to_value(e->s, self(e), e->op->result, unseen_value(e), DEP_UNKNOWN);
}
