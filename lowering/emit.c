/* Machine instructions of a block, from the plans of its PTX instructions. */
#include "lowering/lower.h"

#include <string.h>

enum { MAX_CONSTANTS = 24 };

/* A block while its instructions are written. */
struct emission {
	struct selection *s;
	struct lower_block *block;
	uint64_t held[MAX_CONSTANTS]; /* constants that a register of this block holds, the oldest forgotten first */
	uint16_t held_in[MAX_CONSTANTS];
	unsigned nheld, moves, sums;
};

static uint16_t machine_number(const struct emission *e, uint32_t machine)
{
	return (uint16_t)((e->s->base + machine) % TRACE_NO_REGISTER);
}

static uint16_t new_register(struct emission *e)
{
	return (uint16_t)(e->s->l->nregisters++ % TRACE_NO_REGISTER);
}

static void add_src(struct machine_inst *in, uint16_t reg)
{
	for (unsigned i = 0; i < in->nsrc; i++)
		if (in->src[i] == reg)
			return;
	if (in->nsrc < MACHINE_MAX_SOURCES)
		in->src[in->nsrc++] = reg;
}

static void add_dst(struct machine_inst *in, uint16_t reg)
{
	if (in->ndst < MACHINE_MAX_DESTINATIONS)
		in->dst[in->ndst++] = reg;
}

static struct machine_inst new_inst(enum machine_op op)
{
	return (struct machine_inst){.op = (uint16_t)op, .pipe = (uint8_t)machine_op_pipe(op), .row = MACHINE_NO_BLOCK};
}

/* --- Constants that need a register --- */

/* ptxas spreads moves over two pipes: IMAD.MOV is as good as MOV. */
static enum machine_op next_move(struct emission *e)
{
	return e->moves++ % 2 ? MACHINE_MOV : MACHINE_IMAD;
}

/* A register with this word of a constant, which is moved there if the block has not done so. */
static uint16_t hold(struct emission *e, uint64_t id)
{
	struct machine_inst in;

	for (unsigned i = 0; i < (e->nheld < MAX_CONSTANTS ? e->nheld : MAX_CONSTANTS); i++)
		if (e->held[i] == id)
			return e->held_in[i];
	in = new_inst(next_move(e));
	add_dst(&in, new_register(e));
	vec_push(&e->block->code, in);
	e->held[e->nheld % MAX_CONSTANTS] = id;
	e->held_in[e->nheld++ % MAX_CONSTANTS] = in.dst[0];
	return in.dst[0];
}

/* How many operands of the instruction may be immediate, or come from the constant bank. */
static unsigned constants_taken(enum machine_op first, unsigned count)
{
	switch (machine_op_pipe(first)) {
	case MACHINE_LSU: return first == MACHINE_SHFL || first == MACHINE_MATCH ? 4 : 0;
	case MACHINE_TEX: return 0;
	case MACHINE_ALU:
	case MACHINE_FMA:
	case MACHINE_WIDE:
	case MACHINE_HALF:
	case MACHINE_FP64:
	case MACHINE_XU: return count > 2 ? 4 : 1;
	default: return 4;
	}
}

/* --- Operands --- */

struct operands {
	uint16_t lo[MACHINE_MAX_SOURCES], hi[MACHINE_MAX_SOURCES], extra[8], dst[MACHINE_MAX_DESTINATIONS];
	unsigned n, nextra, ndst;
	bool pair; /* of the destination */
};

static void add_destinations(struct emission *e, struct operands *o, const struct ptx_operand *op)
{
	if (op->kind == PTX_OPERAND_REG) {
		const struct reg_fact *f = &e->s->facts[op->id];

		if (f->lo != LOWER_ZERO && o->ndst < MACHINE_MAX_DESTINATIONS)
			o->dst[o->ndst++] = machine_number(e, f->lo);
		if (f->hi != LOWER_ZERO && o->ndst < MACHINE_MAX_DESTINATIONS)
			o->dst[o->ndst++] = machine_number(e, f->hi);
	} else if (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR || op->kind == PTX_OPERAND_LIST) {
		for (unsigned i = 0; i < op->count; i++)
			add_destinations(e, o, &op->elems[i]);
	}
}

static void read_leaves(struct emission *e, const struct inst_plan *p, struct operands *o)
{
	for (unsigned i = 0; i < p->nleaves && o->n < MACHINE_MAX_SOURCES; i++) {
		const struct reg_fact *f = &e->s->facts[p->leaves[i]];

		o->lo[o->n] = f->lo == LOWER_ZERO ? TRACE_NO_REGISTER : machine_number(e, f->lo);
		o->hi[o->n++] = f->hi == LOWER_ZERO ? TRACE_NO_REGISTER : machine_number(e, f->hi);
	}
}

/* The widest constant is the one that the instruction takes as it is. */
static void read_constants(struct emission *e, const struct inst_plan *p, struct operands *o, unsigned taken)
{
	unsigned widest = 0;

	for (unsigned i = 1; i < p->nconstants; i++)
		if (p->constant_words[i] > p->constant_words[widest])
			widest = i;
	for (unsigned i = 0; i < p->nconstants && taken < p->nconstants; i++)
		for (unsigned w = 0; (!taken || i != widest) && w < p->constant_words[i] && o->nextra < 8; w++)
			o->extra[o->nextra++] = hold(e, p->constants[i] + w * 0x5851F42D4C957F2Du);
}

static void add_sources(struct machine_inst *in, const struct operands *o, bool lo, bool hi)
{
	for (unsigned i = 0; i < o->n; i++) {
		if (lo && o->lo[i] != TRACE_NO_REGISTER)
			add_src(in, o->lo[i]);
		if (hi && o->hi[i] != TRACE_NO_REGISTER)
			add_src(in, o->hi[i]);
	}
	for (unsigned i = 0; i < o->nextra; i++)
		add_src(in, o->extra[i]);
}

/* --- Sequences --- */

enum { MAX_SEQUENCE = 128 };

/* `split`: how many opcodes stand before the |. */
static unsigned expand(const char *sequence, enum machine_op ops[MAX_SEQUENCE], unsigned *split)
{
	const char *bar = strchr(sequence, '|');
	unsigned n = 0, count;
	enum machine_op op;

	*split = 0;
	while (sequence_next(&sequence, &op, &count)) {
		while (count-- && n < MAX_SEQUENCE)
			ops[n++] = op;
		if (bar && sequence < bar)
			*split = n;
	}
	return n;
}

/* A sum of 64 bits: the lower halves, then the upper halves with the carry. */
static void emit_halves(struct emission *e, const struct operands *o, const enum machine_op *ops, uint32_t row,
			uint8_t flags)
{
	for (unsigned k = 0; k < 2; k++) {
		struct machine_inst in = new_inst(ops[k]);

		in.flags = flags;
		in.row = k ? row : MACHINE_NO_BLOCK;
		add_sources(&in, o, !k, k);
		if (k)
			add_src(&in, o->dst[0]);
		add_dst(&in, o->dst[k]);
		vec_push(&e->block->code, in);
	}
}

/* ptxas gives a part of the sums and shifts to the FMA pipe: IMAD.IADD, IMAD.SHL. */
static void balance(struct emission *e, const struct ptx_inst *inst, enum machine_op *op)
{
	bool shift = *op == MACHINE_SHF && (inst->opcode->op == PTX_OP_shl || inst->opcode->op == PTX_OP_mul);

	if ((shift || *op == MACHINE_IADD3) && ++e->sums % (shift ? 2 : 4) == 0)
		*op = MACHINE_IMAD;
	else if (*op == MACHINE_MOV)
		*op = next_move(e);
}

static bool computes(enum machine_op op)
{
	enum machine_pipe pipe = machine_op_pipe(op);

	return pipe != MACHINE_BRANCH && pipe != MACHINE_SYNC;
}

/* The instruction of the sequence that writes the result: the last one that computes. */
static unsigned last_of(const enum machine_op *ops, unsigned n)
{
	for (unsigned i = n; i--;)
		if (computes(ops[i]))
			return i;
	return n - 1;
}

/*
 * What depends on a divisor alone, which is the last operand. An earlier division by the same divisor has computed it.
 */
static uint16_t emit_reciprocal(struct emission *e, const struct operands *o, const struct inst_plan *p,
				const enum machine_op *ops, unsigned n, uint8_t flags)
{
	const struct inst_plan *like = p->like ? &e->s->plans[p->like - 1] : NULL;
	uint16_t before = TRACE_NO_REGISTER;

	if (like && like->reciprocal)
		return like->reciprocal;
	for (unsigned i = 0; i < n; i++) {
		struct machine_inst in = new_inst(ops[i]);

		in.flags = flags;
		if (before != TRACE_NO_REGISTER)
			add_src(&in, before);
		else if (o->n > 1 && o->lo[1] != TRACE_NO_REGISTER)
			add_src(&in, o->lo[1]);
		before = new_register(e);
		add_dst(&in, before);
		vec_push(&e->block->code, in);
	}
	return before;
}

/* Each instruction reads what the one before has computed; the first one reads `before`, if that is a register. */
static void emit_chain(struct emission *e, const struct operands *o, const enum machine_op *ops, unsigned n,
		       uint32_t row, uint8_t flags, uint16_t before)
{
	unsigned last = last_of(ops, n);

	for (unsigned i = 0; i < n; i++) {
		struct machine_inst in = new_inst(ops[i]);

		in.flags = flags;
		if (i == last || n == 1) {
			in.row = row;
			for (unsigned k = 0; k < o->ndst; k++)
				add_dst(&in, o->dst[k]);
		} else if (computes(ops[i])) {
			add_dst(&in, new_register(e));
		}
		if (before != TRACE_NO_REGISTER)
			add_src(&in, before);
		if (before == TRACE_NO_REGISTER || i == 0 || i == last)
			add_sources(&in, o, true, true);
		if (computes(ops[i]) && in.ndst)
			before = in.dst[0];
		vec_push(&e->block->code, in);
	}
}

/* --- Accesses --- */

static const struct trace_inst *row_of(const struct emission *e, uint32_t row)
{
	const struct lower *l = e->s->l;

	return l->request->table
		   ? &l->request->table->insts[l->request->table->blocks[e->block - l->blocks].first + row]
		   : NULL;
}

static bool accesses(const struct emission *e, uint32_t row, const struct ptx_inst *inst)
{
	const struct trace_inst *t = row_of(e, row);

	if (!t)
		return memory_op(inst->opcode) != MACHINE_OP_COUNT && inst->opcode->space != PTX_SPACE_PARAM;
	return (t->flags & TRACE_HAS_ACCESS) != 0;
}

/* The access of a row is made by the first memory instruction from `from` on, or by one that is added for it. */
static void attach_access(struct emission *e, size_t from, uint32_t row, const struct ptx_inst *inst)
{
	struct machine_inst *in = NULL;

	for (size_t i = from; i < e->block->code.len && !in; i++) {
		enum machine_pipe pipe = (enum machine_pipe)e->block->code.data[i].pipe;

		if (pipe == MACHINE_LSU || pipe == MACHINE_TEX || pipe == MACHINE_CONST || pipe == MACHINE_TENSOR)
			in = &e->block->code.data[i];
	}
	if (!in) {
		struct machine_inst extra = new_inst(MACHINE_LD);

		vec_push(&e->block->code, extra);
		in = &vec_last(&e->block->code);
	}
	in->row = row;
	in->access[in->naccess++] = row;
	in->bytes = row_of(e, row) ? row_of(e, row)->access_bytes : ptx_access_bytes(inst);
}

/* --- Blocks --- */

/* The instructions from `from` on are predicated with what a machine register of the function holds. */
static void guard(struct emission *e, size_t from, uint32_t machine)
{
	for (size_t i = from; i < e->block->code.len; i++) {
		struct machine_inst *in = &e->block->code.data[i];

		in->guard = machine == LOWER_ZERO ? TRACE_NO_REGISTER : machine_number(e, machine);
		if (machine != LOWER_ZERO)
			add_src(in, in->guard);
	}
}

static void emit_inst(struct emission *e, const struct ptx_inst *inst, struct inst_plan *p, uint32_t row)
{
	enum machine_op ops[MAX_SEQUENCE];
	struct operands o = {.n = 0};
	uint8_t flags = inst->predicate != PTX_NONE ? MACHINE_PREDICATED : 0;
	unsigned split = 0, n = p->free ? 0 : expand(p->sequence, ops, &split);
	size_t from;

	for (unsigned k = 0; k < inst->noperands && n; k++) {
		enum ptx_role role = ptx_operand_role(inst, k);

		if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
			add_destinations(e, &o, &inst->operands[k]);
	}
	read_leaves(e, p, &o);
	if (n)
		read_constants(e, p, &o, constants_taken(ops[0], n));
	from = e->block->code.len;
	if (n == 1)
		balance(e, inst, &ops[0]);
	if (n == 2 && ops[0] == ops[1] && o.ndst == 2 && ops[0] != MACHINE_IMAD_WIDE)
		emit_halves(e, &o, ops, row, flags);
	else if (n && !split)
		emit_chain(e, &o, ops, n, row, flags, TRACE_NO_REGISTER);
	else if (n) {
		p->reciprocal = emit_reciprocal(e, &o, p, ops, split, flags);
		emit_chain(e, &o, ops + split, n - split, row, flags, p->reciprocal);
	}
	if (n && flags)
		guard(e, from, e->s->facts[inst->predicate].lo);
	if (accesses(e, row, inst))
		attach_access(e, from, row, inst);
}

/* A kernel begins with its stack pointer, and with the descriptor of global memory where the generation has one. */
static void emit_prologue(struct emission *e)
{
	enum machine_generation g = e->s->l->generation;
	struct machine_inst in = new_inst(g == MACHINE_HOPPER ? MACHINE_LDC : MACHINE_IMAD);

	add_dst(&in, new_register(e));
	vec_push(&e->block->code, in);
	for (uint32_t i = 0; g != MACHINE_VOLTA && i < e->s->f->ninsts; i++)
		if (memory_op(e->s->f->insts[i].opcode) == MACHINE_LDG ||
		    memory_op(e->s->f->insts[i].opcode) == MACHINE_STG) {
			in = new_inst(MACHINE_ULDC);
			add_dst(&in, new_register(e));
			vec_push(&e->block->code, in);
			break;
		}
}

/* Rows behind a texture fetch carry its other texels. */
static uint32_t next_row(const struct lower *l, const struct lower_block *block, uint32_t row)
{
	const struct trace_kernel *t = l->request->table;
	const struct trace_block *b;

	row++;
	if (!t)
		return row;
	b = &t->blocks[block - l->blocks];
	while (row < b->count && t->insts[b->first + row].flags & TRACE_PART)
		row++;
	return row;
}

void emit_block(struct selection *s, struct lower_block *b)
{
	struct emission e = {.s = s, .block = b};
	uint32_t row = 0;

	b->rows = arena_array(&s->l->arena, uint32_t, b->count + 1);
	if (s->f->is_kernel && b->first == 0)
		emit_prologue(&e);
	for (uint32_t i = 0; i < b->count; i++, row = next_row(s->l, b, row)) {
		b->rows[i] = row;
		emit_inst(&e, &s->f->insts[b->first + i], &s->plans[b->first + i], row);
	}
}
