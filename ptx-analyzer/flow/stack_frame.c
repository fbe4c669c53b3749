/* Frames: places, slots, and the variables whose address leaves them. */
#include "ptx-analyzer/flow/stack_frame.h"

static const struct frame_place nowhere = {PLACE_NONE, PTX_NONE, 0, 0};

/* A local variable that each call of the function has for itself. */
static bool is_local(const struct stack_frame *frame, const struct ptx_operand *o)
{
	const struct ptx_module *m = frame->f->module;

	return o->kind == PTX_OPERAND_SYMBOL && m->symbols[o->id].kind == PTX_SYMBOL_VARIABLE &&
	       m->symbols[o->id].space == PTX_SPACE_LOCAL &&
	       m->symbols[o->id].function == (uint32_t)(frame->f - m->functions);
}

static bool is_plain_register(const struct ptx_operand *o)
{
	return o->kind == PTX_OPERAND_REG && !o->flags;
}

/* A register that is written once, or the name of a variable. */
static struct frame_place operand_place(const struct stack_frame *frame, const struct ptx_operand *o)
{
	if (is_local(frame, o))
		return (struct frame_place){PLACE_EXACT, o->id, o->imm, 0};
	return is_plain_register(o) ? frame->places[o->id] : nowhere;
}

struct frame_place frame_place_of(const struct stack_frame *frame, const struct ptx_operand *operand)
{
	struct frame_place p = nowhere;

	if (operand->kind == PTX_OPERAND_MEM && operand->count == 1)
		p = operand_place(frame, &operand->elems[0]);
	p.offset += operand->imm;
	return p;
}

/* --- Places --- */

static bool is_written(const struct ptx_inst *inst, unsigned operand)
{
	enum ptx_role role = ptx_operand_role(inst, operand);

	return role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC;
}

static void count_written(struct stack_frame *frame, const struct ptx_operand *o)
{
	if (o->kind == PTX_OPERAND_REG && frame->written[o->id] < 2)
		frame->written[o->id]++;
	for (unsigned i = 0; i < o->count && !(o->flags & PTX_FLAG_COMPONENT); i++)
		count_written(frame, &o->elems[i]);
}

static void count_all_written(struct stack_frame *frame)
{
	for (uint32_t i = 0; i < frame->f->ninsts; i++)
		for (unsigned o = 0; o < frame->f->insts[i].noperands; o++)
			if (is_written(&frame->f->insts[i], o))
				count_written(frame, &frame->f->insts[i].operands[o]);
}

static struct frame_place moved(struct frame_place place, const struct ptx_operand *by, bool back)
{
	if (place.kind == PLACE_EXACT && by->kind == PTX_OPERAND_INT && by->imm > INT32_MIN && by->imm < INT32_MAX)
		place.offset += back ? -by->imm : by->imm;
	else
		place = (struct frame_place){PLACE_MOVED, place.symbol, 0,
					     place.kind == PLACE_EXACT ? place.offset : place.from};
	return place;
}

/* An `or` with bits below the variable's alignment: these bits of its address are zero. */
static struct frame_place with_bits(const struct stack_frame *frame, struct frame_place place,
				    const struct ptx_operand *by)
{
	int64_t align, low;

	if (place.kind != PLACE_EXACT || by->kind != PTX_OPERAND_INT)
		return nowhere;
	align = frame->f->module->symbols[place.symbol].align;
	low = place.offset & (align - 1);
	if (by->imm < 0 || by->imm >= align)
		return nowhere;
	place.offset += (low | by->imm) - low;
	return place;
}

/* The place that a 64-bit instruction computes, if it computes one. */
static struct frame_place result_place(const struct stack_frame *frame, const struct ptx_inst *inst)
{
	const struct ptx_operand *o = inst->operands;
	struct frame_place a, b;

	if (inst->noperands < 2 || !inst->opcode->ntypes || ptx_type_bits(inst->opcode->type[0]) != 64)
		return nowhere;
	a = operand_place(frame, &o[1]);
	switch (inst->opcode->op) {
	case PTX_OP_mov: return a;
	case PTX_OP_cvta: return inst->opcode->space == PTX_SPACE_LOCAL ? a : nowhere;
	case PTX_OP_or: return with_bits(frame, a, &o[2]);
	case PTX_OP_add:
	case PTX_OP_sub:
		b = operand_place(frame, &o[2]);
		if (a.kind && !b.kind)
			return moved(a, &o[2], inst->opcode->op == PTX_OP_sub);
		return b.kind && !a.kind && inst->opcode->op == PTX_OP_add ? moved(b, &o[1], false) : nowhere;
	default: return nowhere;
	}
}

static bool is_placed(const struct stack_frame *frame, const struct ptx_inst *inst)
{
	return inst->noperands && is_plain_register(&inst->operands[0]) && frame->places[inst->operands[0].id].kind;
}

/* Compilers write an address ahead of its uses in the text; one that stands behind them escapes. */
static void find_places(struct stack_frame *frame)
{
	for (uint32_t i = 0; i < frame->f->ninsts; i++) {
		const struct ptx_inst *inst = &frame->f->insts[i];
		const struct ptx_operand *to = inst->operands;

		if (inst->noperands && is_plain_register(to) && is_written(inst, 0) && frame->written[to->id] == 1)
			frame->places[to->id] = result_place(frame, inst);
	}
}

/* --- Escapes --- */

static void escape(struct stack_frame *frame, uint32_t symbol)
{
	if (!frame_is_escaped(frame, symbol))
		vec_push(&frame->escaped, symbol);
}

/* Every use of an address but as the base of an access lets it escape. */
static void escape_operand(struct stack_frame *frame, const struct ptx_operand *o)
{
	struct frame_place p = operand_place(frame, o);

	if (p.kind)
		escape(frame, p.symbol);
	for (unsigned i = 0; i < o->count && !(o->flags & PTX_FLAG_COMPONENT); i++)
		if (o->kind != PTX_OPERAND_MEM || o->count > 1)
			escape_operand(frame, &o->elems[i]);
}

/* An address that is handed to a function, as the whole argument in this variable of the .param space. */
struct handed {
	uint32_t argument, symbol;
};
typedef VEC(struct handed) handed_list;

static bool hands_over(const struct stack_frame *frame, const struct ptx_inst *inst, struct handed *h)
{
	const struct ptx_operand *o = inst->operands;
	struct frame_place p;

	if (inst->opcode->op != PTX_OP_st || inst->opcode->space != PTX_SPACE_PARAM || inst->noperands != 2 ||
	    o[0].kind != PTX_OPERAND_MEM || o[0].count != 1 || o[0].elems[0].kind != PTX_OPERAND_SYMBOL || o[0].imm ||
	    o[0].elems[0].imm)
		return false;
	p = operand_place(frame, &o[1]);
	*h = (struct handed){o[0].elems[0].id, p.symbol};
	return p.kind;
}

/* The instruction gives no address away: it compares, or its result is a place that is followed. */
static bool keeps_places(const struct stack_frame *frame, const struct ptx_inst *inst)
{
	return inst->opcode->op == PTX_OP_setp || is_placed(frame, inst);
}

/* Addresses that go to functions which keep or change what they lead to. */
static void escape_arguments(struct stack_frame *frame, const handed_list *handed, frame_keeps keeps, void *context)
{
	for (uint32_t i = 0; i < frame->f->ninsts && handed->len; i++) {
		const struct ptx_inst *inst = &frame->f->insts[i];

		for (unsigned o = 0; inst->opcode->op == PTX_OP_call && o < inst->noperands; o++)
			for (unsigned a = 0; inst->operands[o].kind == PTX_OPERAND_LIST && a < inst->operands[o].count;
			     a++)
				for (size_t h = 0; h < handed->len; h++)
					if (inst->operands[o].elems[a].kind == PTX_OPERAND_SYMBOL &&
					    inst->operands[o].elems[a].id == handed->data[h].argument &&
					    !keeps(context, i, a))
						escape(frame, handed->data[h].symbol);
	}
}

static void find_escapes(struct stack_frame *frame, frame_keeps keeps, void *context)
{
	handed_list handed = VEC_INIT;
	struct handed h;

	for (uint32_t i = 0; i < frame->f->ninsts; i++) {
		const struct ptx_inst *inst = &frame->f->insts[i];

		if (hands_over(frame, inst, &h)) {
			vec_push(&handed, h);
			continue;
		}
		for (unsigned o = 0; o < inst->noperands && !keeps_places(frame, inst); o++)
			if (!is_written(inst, o))
				escape_operand(frame, &inst->operands[o]);
	}
	escape_arguments(frame, &handed, keeps, context);
	vec_release(&handed);
}

bool frame_is_escaped(const struct stack_frame *frame, uint32_t symbol)
{
	for (size_t i = 0; i < frame->escaped.len; i++)
		if (frame->escaped.data[i] == symbol)
			return true;
	return false;
}

/* --- Slots --- */

static int compare_slots(const void *a, const void *b)
{
	const struct frame_slot *x = a, *y = b;

	if (x->symbol != y->symbol)
		return x->symbol < y->symbol ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static unsigned accessed_bytes(const struct ptx_inst *inst)
{
	switch (inst->opcode->op) {
	case PTX_OP_ld:
	case PTX_OP_st:
	case PTX_OP_atom:
	case PTX_OP_red: return ptx_access_bytes(inst);
	default: return UINT16_MAX;
	}
}

/* All bytes that constant places are accessed with. */
static void find_accessed(struct stack_frame *frame)
{
	for (uint32_t i = 0; i < frame->f->ninsts; i++) {
		const struct ptx_inst *inst = &frame->f->insts[i];
		enum ptx_op op = inst->opcode->op;

		for (unsigned o = 0; o < inst->noperands; o++) {
			struct frame_place p = frame_place_of(frame, &inst->operands[o]);
			bool scalar = (op == PTX_OP_ld || op == PTX_OP_st) && inst->opcode->vec <= 1;

			if (p.kind == PLACE_EXACT)
				vec_push(&frame->slots,
					 (struct frame_slot){p.symbol, p.offset, accessed_bytes(inst), scalar});
		}
	}
}

/* Keeps one of each, and none that overlaps another. */
static void keep_apart(struct stack_frame *frame)
{
	struct frame_slot *s = frame->slots.data;
	size_t n = 0, next;
	int64_t end;

	for (size_t i = 0; i < frame->slots.len; i = next) {
		bool same = s[i].whole;

		end = s[i].offset + s[i].size;
		for (next = i + 1; next < frame->slots.len && s[next].symbol == s[i].symbol && s[next].offset < end;
		     next++) {
			same &= s[next].whole && s[next].offset == s[i].offset && s[next].size == s[i].size;
			if (s[next].offset + s[next].size > end)
				end = s[next].offset + s[next].size;
		}
		if (same && (s[i].size == 4 || s[i].size == 8))
			s[n++] = s[i];
	}
	frame->slots.len = n;
}

uint32_t frame_slot_at(const struct stack_frame *frame, struct frame_place place, unsigned size)
{
	struct frame_slot key = {place.symbol, place.offset, size, true};
	const struct frame_slot *found = NULL;

	if (place.kind == PLACE_EXACT && frame->slots.len)
		found = bsearch(&key, frame->slots.data, frame->slots.len, sizeof key, compare_slots);
	return found ? (uint32_t)(found - frame->slots.data) : PTX_NONE;
}

void stack_frame_find_places(struct stack_frame *frame, const struct ptx_function *f)
{
	*frame = (struct stack_frame){.f = f,
				      .places = xcalloc(f->nregs + 1, sizeof *frame->places),
				      .written = xcalloc(f->nregs + 1, sizeof *frame->written)};
	count_all_written(frame);
	find_places(frame);
	frame_objects_find(frame);
}

void stack_frame_find(struct stack_frame *frame, const struct ptx_function *f, frame_keeps keeps, void *context)
{
	stack_frame_find_places(frame, f);
	find_escapes(frame, keeps, context);
	find_accessed(frame);
	if (frame->slots.len)
		qsort(frame->slots.data, frame->slots.len, sizeof *frame->slots.data, compare_slots);
	keep_apart(frame);
}

void stack_frame_release(struct stack_frame *frame)
{
	free(frame->places);
	free(frame->written);
	vec_release(&frame->escaped);
	vec_release(&frame->slots);
	vec_release(&frame->objects);
}
