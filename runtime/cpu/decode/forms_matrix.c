/* Decoding of matrix instructions: shapes from the spelling, elements per lane from the number of registers. */
#include "runtime/cpu/decode/decode.h"
#include "runtime/cpu/exec/matrix.h"

#include <stdio.h>

struct shape {
	unsigned m, n, k;
};

static bool shape_of(struct decode *d, struct shape *s)
{
	const char *name = ptx_mod_name(d->inst->opcode->group[PTX_GROUP_SHAPE]);

	if (sscanf(name, "m%un%uk%u", &s->m, &s->n, &s->k) == 3 && s->m <= 32 && s->n <= 32 && s->k <= 32)
		return true;
	decode_fail(d, "this shape is not supported by the CPU device");
	return false;
}

static bool element_of(struct decode *d, enum ptx_type type, struct element_type *out)
{
	static const struct {
		uint8_t type;
		struct element_type element;
	} types[] = {
	    {PTX_f16, {ELEMENT_F16, 16}},    {PTX_bf16, {ELEMENT_BF16, 16}},  {PTX_tf32, {ELEMENT_TF32, 32}},
	    {PTX_f32, {ELEMENT_F32, 32}},    {PTX_f64, {ELEMENT_F64, 64}},    {PTX_u8, {ELEMENT_UNSIGNED, 8}},
	    {PTX_s8, {ELEMENT_SIGNED, 8}},   {PTX_u4, {ELEMENT_UNSIGNED, 4}}, {PTX_s4, {ELEMENT_SIGNED, 4}},
	    {PTX_s32, {ELEMENT_SIGNED, 32}},
	};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].type == type) {
			*out = types[i].element;
			return true;
		}
	decode_fail(d, "matrices of .%s are not supported by the CPU device", ptx_type_name(type));
	return false;
}

/* Registers of a fragment operand: a vector or a single register. */
static void fragment_operand(struct decode *d, const struct ptx_operand *op, bool written, struct fragment *f)
{
	unsigned count = op->kind == PTX_OPERAND_VEC ? op->count : 1, bits = f->type.bits == 64 ? 64 : 32;
	uint32_t *regs = arena_array(&d->program->arena, uint32_t, count);

	for (unsigned i = 0; i < count; i++) {
		const struct ptx_operand *element = op->kind == PTX_OPERAND_VEC ? &op->elems[i] : op;

		regs[i] = written ? operand_destination(d, element, bits, false) : operand_source(d, element, bits);
		if (regs[i] == OPERAND_NONE)
			decode_fail(d, "a matrix needs all its registers");
	}
	f->regs = regs;
	f->count = count * (f->type.bits >= 32 ? 1 : 32 / f->type.bits);
}

static void set_shape(struct fragment *f, enum fragment_role role, const struct shape *s)
{
	f->role = (uint8_t)role;
	f->rows = role == FRAGMENT_B ? s->k : s->m;
	f->cols = role == FRAGMENT_A ? s->k : s->n;
}

/* Every element of a matrix is in some lane: once, or several times in fragments of wmma. */
static void check_fragment(struct decode *d, const struct fragment *f, bool wmma)
{
	unsigned held = f->count * LANES, elements = f->rows * f->cols;
	bool repeats = wmma && elements && f->count && held % elements == 0 && elements % f->count == 0;

	if (held != elements && !repeats)
		decode_fail(d, "the %u registers of a matrix do not fit its shape", f->count);
}

/* mma and wmma.mma: d, a, b, c; types d {a b} c, where wmma.mma of half precision names only d and c. */
void decode_multiply(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = (uint16_t)o->op};
	struct matrix_op *op = arena_new(&d->program->arena, struct matrix_op);
	struct fragment *parts[] = {&op->d, &op->a, &op->b, &op->c};
	const enum fragment_role roles[] = {FRAGMENT_C, FRAGMENT_A, FRAGMENT_B, FRAGMENT_C};
	enum ptx_type types[4] = {(enum ptx_type)o->type[0], PTX_f16, PTX_f16, (enum ptx_type)o->type[1]};
	struct inst in = decode_no_operands();
	struct shape s;

	op->wmma = o->op == PTX_OP_wmma_mma;
	op->saturate = ptx_has_mod(o, PTX_MOD_satfinite) && ptx_type_kind(o->type[0]) == PTX_KIND_SIGNED;
	if (ptx_has_mod(o, PTX_MOD_sp) || ptx_has_mod(o, PTX_MOD_sp_ordered_metadata) ||
	    ptx_has_mod(o, PTX_MOD_block_scale) || ptx_has_mod(o, PTX_MOD_xor) || ptx_has_mod(o, PTX_MOD_and) ||
	    d->inst->noperands != 4)
		decode_fail(d, "this form is not supported by the CPU device");
	if (o->ntypes >= 4)
		for (int i = 0; i < 4; i++)
			types[i] = (enum ptx_type)o->type[i];
	if (d->failed || !shape_of(d, &s))
		return;
	if (!op->wmma && (s.m == 8 ? s.k < 4 || (s.k == 4 && types[1] != PTX_f64) : s.m != 16 || s.n != 8))
		decode_fail(d, "this shape is not supported by the CPU device");
	for (int i = 0; i < 4 && !d->failed; i++) {
		if (!element_of(d, types[i], &parts[i]->type))
			return;
		set_shape(parts[i], roles[i], &s);
		fragment_operand(d, &d->inst->operands[i], i == 0, parts[i]);
		check_fragment(d, parts[i], op->wmma);
	}
	in.matrix = op;
	decode_finish(d, &key, &in);
}

/* wmma.load.x d, [p] {, stride}; wmma.store.d [p], d {, stride}. */
void decode_wmma_move(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = (uint16_t)o->op};
	bool load = o->op == PTX_OP_wmma_load;
	struct matrix_op *op = arena_new(&d->program->arena, struct matrix_op);
	struct inst in = decode_no_operands();
	struct address a;
	struct shape s;

	if (!shape_of(d, &s) || !element_of(d, (enum ptx_type)o->type[0], &op->d.type))
		return;
	set_shape(&op->d,
		  ptx_has_mod(o, PTX_MOD_a)   ? FRAGMENT_A
		  : ptx_has_mod(o, PTX_MOD_b) ? FRAGMENT_B
					      : FRAGMENT_C,
		  &s);
	op->d.by_column = ptx_has_mod(o, PTX_MOD_col);
	op->wmma = true;
	a = operand_address(d, &d->inst->operands[load ? 1 : 0], (enum ptx_space)o->space);
	if (d->inst->noperands > 2)
		in.b = operand_source(d, &d->inst->operands[2], 32);
	fragment_operand(d, &d->inst->operands[load ? 0 : 1], load, &op->d);
	check_fragment(d, &op->d, true);
	inst_set_address(&in, &a);
	in.bytes = op->d.type.bits / 8;
	in.vec = (uint8_t)op->d.count;
	in.matrix = op;
	decode_finish(d, &key, &in);
}

/* ldmatrix {d..}, [p]; stmatrix [p], {s..}: .m8n8 .x1 .x2 .x4 of .b16. */
void decode_matrix_rows(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = {.op = (uint16_t)o->op};
	bool load = o->op == PTX_OP_ldmatrix;
	const struct ptx_operand *regs = &d->inst->operands[load ? 0 : 1];
	unsigned count = regs->kind == PTX_OPERAND_VEC ? regs->count : 1;
	uint32_t *list = arena_array(&d->program->arena, uint32_t, count);
	struct inst in = decode_no_operands();
	struct address a;

	if (!ptx_has_mod(o, PTX_MOD_m8n8) || o->type[0] != PTX_b16 || count > 4) {
		decode_fail(d, "this shape is not supported by the CPU device");
		return;
	}
	a = operand_address(d, &d->inst->operands[load ? 1 : 0], (enum ptx_space)o->space);
	for (unsigned i = 0; i < count; i++) {
		const struct ptx_operand *element = regs->kind == PTX_OPERAND_VEC ? &regs->elems[i] : regs;

		list[i] = load ? operand_destination(d, element, 32, false) : operand_source(d, element, 32);
	}
	inst_set_address(&in, &a);
	in.list = list;
	in.e = count;
	in.bytes = 16;
	in.variant = ptx_has_mod(o, PTX_MOD_trans);
	decode_finish(d, &key, &in);
}

void decode_movmatrix(struct decode *d)
{
	const struct exec_key key = {.op = PTX_OP_movmatrix};
	struct inst in = decode_no_operands();

	in.a = operand_source(d, &d->inst->operands[1], 32);
	in.d = operand_destination(d, &d->inst->operands[0], 32, false);
	decode_finish(d, &key, &in);
}
