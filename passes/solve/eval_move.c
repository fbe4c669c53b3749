/* Moves: what the result points to, and which pointers' bits are beside that. */
#include "passes/solve/eval.h"

#include "passes/solve/pointer_bits.h"

static set_id moved_origins(const struct eval *e)
{
	set_id set = origins_shift(&e->s->sets, e->op->nset ? origins_at(e, 0) : SET_EMPTY, e->op->bytes);

	for (uint32_t i = 1; i < e->op->nset; i++)
		set = e->op->flags & OP_EITHER ? either_origins(&e->s->objects, set, origins_at(e, i))
					       : origins_join(&e->s->sets, set, origins_at(e, i));
	return e->op->bytes == OFFSET_ANY ? origins_shift(&e->s->sets, set, OFFSET_ANY) : set;
}

/* Bits of the operands, beside those whose origins are the result's. */
static set_id moved_bits(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	set_id bits = SET_EMPTY;

	for (uint32_t i = 0; i < e->op->nset + e->op->nbits; i++)
		bits = origins_join(&e->s->sets, bits,
				    i < e->op->nset && e->op->mix != MIX_PARTS ? value_at(e, i).beside
									       : bits_all(o, value_at(e, i)));
	return bits;
}

static struct ir_value moved_value(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	struct ir_value result = {moved_origins(e), SET_EMPTY};

	switch ((enum op_mix)e->op->mix) {
	case MIX_SUM: result.beside = bits_of_sum(o, value_at(e, 0), value_at(e, 1), e->op->flags & OP_PARTS); break;
	case MIX_DIFFERENCE:
		if (bits_are_of_one_object(o, value_at(e, 0), value_at(e, 1)))
			return (struct ir_value){SET_EMPTY, bits_of_numbers(o, value_at(e, 0), value_at(e, 1))};
		result.beside = bits_of_difference(o, value_at(e, 0), value_at(e, 1));
		break;
	case MIX_JOIN: result.beside = bits_of_join(o, value_at(e, 0), value_at(e, 1)); break;
	case MIX_COMPARE:
		result.beside = bits_are_of_one_object(o, value_at(e, 0), value_at(e, 1))
				    ? bits_of_numbers(o, value_at(e, 0), value_at(e, 1))
				    : moved_bits(e);
		if (e->op->flags & OP_POINTER)
			result.beside = bits_of_compared(o, result.beside);
		break;
	case MIX_ROUND: result.beside = origins_join(o->sets, moved_bits(e), bits_of_rounding(o)); break;
	case MIX_COPY:
	case MIX_PARTS: result.beside = moved_bits(e); break;
	}
	return result;
}

/* What one instruction leaves, any may find: such registers have one value in a kernel. */
void eval_keep(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	set_id kept = o->kept;
	uint8_t dep = o->kept_dep;

	for (uint32_t i = 0; i < e->op->count; i++) {
		kept = origins_join(o->sets, kept, bits_all(o, value_at(e, i)));
		dep |= dep_at(e, i);
	}
	e->s->changed |= kept != o->kept || dep != o->kept_dep;
	o->kept = kept;
	o->kept_dep = dep;
}

void eval_move(const struct eval *e)
{
	struct objects *o = &e->s->objects;
	struct ir_value v = moved_value(e);
	uint8_t dep = e->op->dep;

	for (uint32_t i = 0; i < e->op->count; i++) {
		dep |= dep_at(e, i);
		if (e->op->flags & OP_POINTER && e->op->mix != MIX_COMPARE)
			bits_take_words(o, origins_at(e, i));
	}
	if (e->op->dep & (DEP_MEMORY | DEP_UNKNOWN))
		v.beside = origins_join(o->sets, v.beside, o->published);
	if (e->op->flags & OP_STATE) {
		v.beside = origins_join(o->sets, v.beside, o->kept);
		dep |= o->kept_dep;
	}
	if (e->op->flags & OP_PIECE)
		v.set = origins_join(o->sets, v.set, part_origins(o));
	if (e->op->flags & OP_WHOLE)
		v.set = whole_origins(o, v.set);
	if (e->op->recoding & OP_RECODED)
		v.set = recoded_origins(o, v.set, e->op->recoding);
	/* A number made an address there. */
	if (e->op->flags & OP_PRIVATE && e->s->settled && !has_private(o, v.set))
		v.set = origins_join(o->sets, v.set, private_origins(o));
	add_to_value(e->s, self(e), e->op->result, v, dep);
}
