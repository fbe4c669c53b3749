/*
 * Instructions as nodes. What is not known here, and all floating point, is any number: each such result is a node of
 * its own, so that comparisons with it still say something.
 */
#include "ptx-analyzer/flow/flow.h"
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/ranges/nodes.h"

/* --- Operands --- */

static bool is_integer(enum ptx_type type)
{
	enum ptx_type_kind kind = ptx_type_kind(type);

	return ptx_type_bits(type) >= 8 && ptx_type_bits(type) <= 64 && !flow_is_packed(type) &&
	       (kind == PTX_KIND_SIGNED || kind == PTX_KIND_UNSIGNED || kind == PTX_KIND_BITS);
}

static bool is_signed(enum ptx_type type)
{
	return ptx_type_kind(type) == PTX_KIND_SIGNED;
}

static unsigned width_of(const struct ssa_walk *w, node_id n)
{
	return w->k->nodes.data[n].width;
}

static node_id unary(struct ssa_walk *w, enum node_op op, node_id a, unsigned width)
{
	return ssa_add(
	    w, (struct range_node){.op = (uint8_t)op, .width = (uint8_t)width, .a = a, .b = NO_NODE, .c = NO_NODE});
}

node_id ssa_binary(struct ssa_walk *w, enum node_op op, node_id a, node_id b)
{
	return ssa_add(w, (struct range_node){
			      .op = (uint8_t)op, .width = w->k->nodes.data[a].width, .a = a, .b = b, .c = NO_NODE});
}

/* The same number with so many bits: cut, or with zeros or its sign before it. */
static node_id resized(struct ssa_walk *w, node_id n, unsigned width, bool by_sign)
{
	const struct range_node is = w->k->nodes.data[n];
	unsigned has = is.width;

	if (has == width)
		return n;
	if (is.op == NODE_CONSTANT)
		return ssa_constant(w, by_sign ? (uint64_t)width_signed(is.number, has) : is.number, width);
	return unary(w, has > width ? NODE_TRUNC : by_sign ? NODE_SEXT : NODE_ZEXT, n, width);
}

static node_id sreg(struct ssa_walk *w, enum ptx_sreg id)
{
	if (id == PTX_SREG_WARP_SZ)
		return ssa_constant(w, 32, 32);
	return ssa_add(w, (struct range_node){.op = NODE_SREG, .width = 32, .number = id});
}

/* Special registers of 32 bits that evaluation knows; others are any number. */
static bool is_known_sreg(enum ptx_sreg id)
{
	return (id >= PTX_SREG_tid_x && id <= PTX_SREG_nctaid_z) || id == PTX_SREG_laneid || id == PTX_SREG_WARP_SZ;
}

static node_id symbol(struct ssa_walk *w, const struct ptx_operand *o)
{
	const struct ptx_symbol *s = &w->k->function->module->symbols[o->id];
	node_id at;

	if (s->kind != PTX_SYMBOL_VARIABLE || (s->space != PTX_SPACE_GLOBAL && s->space != PTX_SPACE_CONST) ||
	    ptx_type_kind(s->type) == PTX_KIND_OPAQUE)
		return ssa_unknown(w, 64);
	at = ssa_add(w, (struct range_node){.op = NODE_VARIABLE, .width = 64, .number = o->id});
	return o->imm ? ssa_binary(w, NODE_ADD, at, ssa_constant(w, (uint64_t)o->imm, 64)) : at;
}

node_id ssa_operand(struct ssa_walk *w, const struct ptx_operand *o, unsigned width)
{
	node_id n;

	if (o->flags & ~PTX_FLAG_NOT)
		return ssa_unknown(w, width);
	switch (o->kind) {
	case PTX_OPERAND_INT: return ssa_constant(w, width == 1 ? o->imm != 0 : (uint64_t)o->imm, width);
	case PTX_OPERAND_REG:
		if (!ssa_width(w->k->function, o->id))
			return ssa_unknown(w, width);
		n = ssa_read(w, o->id);
		break;
	case PTX_OPERAND_SREG:
		if (!is_known_sreg(o->id))
			return ssa_unknown(w, width);
		n = sreg(w, o->id);
		break;
	case PTX_OPERAND_SYMBOL: n = symbol(w, o); break;
	default: return ssa_unknown(w, width);
	}
	if (width_of(w, n) < width)
		return ssa_unknown(w, width);
	n = resized(w, n, width, false);
	return o->flags & PTX_FLAG_NOT ? unary(w, NODE_NOT, n, width) : n;
}

/* --- Results --- */

/*
 * Under a guard a register keeps what it had where the guard does not hold: what that was before the instruction, which
 * may write it.
 */
static void write_register(struct ssa_walk *w, const struct ptx_inst *inst, uint32_t reg, node_id n)
{
	const struct ptx_function *f = w->k->function;
	unsigned width = ssa_width(f, reg);
	node_id was;

	if (!width)
		return;
	if (width_of(w, n) != width)
		n = ssa_unknown(w, width);
	if (w->guard != NO_NODE) {
		was = ssa_read(w, reg);
		n = ssa_add(w, (struct range_node){.op = NODE_SELECT,
						   .width = (uint8_t)width,
						   .a = w->guard,
						   .b = inst->predicate_not ? was : n,
						   .c = inst->predicate_not ? n : was});
	}
	ssa_write(w, reg, n);
}

static void write_unknown(struct ssa_walk *w, const struct ptx_inst *inst, const struct ptx_operand *to)
{
	if (to->kind == PTX_OPERAND_REG) {
		unsigned width = ssa_width(w->k->function, to->id);

		if (width)
			write_register(w, inst, to->id, ssa_unknown(w, width));
		return;
	}
	for (uint32_t i = 0; i < to->count; i++)
		write_unknown(w, inst, &to->elems[i]);
}

static void write_operand(struct ssa_walk *w, const struct ptx_inst *inst, const struct ptx_operand *to, node_id n)
{
	if (to->kind == PTX_OPERAND_REG && to->flags == 0)
		write_register(w, inst, to->id, n);
	else
		write_unknown(w, inst, to);
}

/* A wider register gets the number that it is: ld and cvt alone write so. */
static void write_extended(struct ssa_walk *w, const struct ptx_inst *inst, const struct ptx_operand *to, node_id n,
			   enum ptx_type type)
{
	unsigned width;

	if (to->kind != PTX_OPERAND_REG || to->flags) {
		write_unknown(w, inst, to);
		return;
	}
	width = ssa_width(w->k->function, to->id);
	if (width && width < width_of(w, n))
		n = ssa_unknown(w, width);
	if (width)
		write_register(w, inst, to->id, resized(w, n, width, is_signed(type)));
}

/* --- Arithmetic --- */

/* Rows: what an instruction of two operands computes for unsigned and for signed numbers. */
static const struct {
	uint16_t op;
	uint8_t of_unsigned, of_signed;
} binaries[] = {
    {PTX_OP_add, NODE_ADD, NODE_ADD},     {PTX_OP_sub, NODE_SUB, NODE_SUB},     {PTX_OP_div, NODE_DIV_U, NODE_DIV_S},
    {PTX_OP_rem, NODE_REM_U, NODE_REM_S}, {PTX_OP_min, NODE_MIN_U, NODE_MIN_S}, {PTX_OP_max, NODE_MAX_U, NODE_MAX_S},
    {PTX_OP_and, NODE_AND, NODE_AND},     {PTX_OP_or, NODE_OR, NODE_OR},        {PTX_OP_xor, NODE_XOR, NODE_XOR},
    {PTX_OP_shl, NODE_SHL, NODE_SHL},     {PTX_OP_shr, NODE_SHR_U, NODE_SHR_S},
};

static enum node_op binary_op(const struct ptx_inst *inst)
{
	for (unsigned i = 0; i < sizeof binaries / sizeof *binaries; i++)
		if (binaries[i].op == inst->opcode->op)
			return is_signed(inst->opcode->type[0]) ? binaries[i].of_signed : binaries[i].of_unsigned;
	return NODE_UNKNOWN;
}

/* Is it x & 3 or the like, of this x? */
static bool is_rest(const struct ssa_walk *w, const struct range_node *y, node_id x, uint64_t *mask)
{
	if (y->op != NODE_AND || y->a != x || w->k->nodes.data[y->b].op != NODE_CONSTANT)
		return false;
	*mask = w->k->nodes.data[y->b].number;
	return (*mask & (*mask + 1)) == 0;
}

/* x - x / n * n is a remainder, and x - x % n what the remainder leaves; x - (x & 3) is x & ~3. */
static node_id difference(struct ssa_walk *w, node_id a, node_id b)
{
	const struct range_node *y = &w->k->nodes.data[b];
	uint64_t mask;

	if (is_rest(w, y, a, &mask))
		return ssa_binary(w, NODE_AND, a, ssa_constant(w, ~mask, width_of(w, a)));

	if ((y->op == NODE_REM_U || y->op == NODE_REM_S) && y->a == a)
		return ssa_binary(w, y->op == NODE_REM_U ? NODE_FLOOR_U : NODE_FLOOR_S, a, y->b);
	if ((y->op == NODE_FLOOR_U || y->op == NODE_FLOOR_S) && y->a == a)
		return ssa_binary(w, y->op == NODE_FLOOR_U ? NODE_REM_U : NODE_REM_S, a, y->b);
	return ssa_binary(w, NODE_SUB, a, b);
}

/* a + ~b is a - b - 1. */
static node_id sum(struct ssa_walk *w, node_id a, node_id b)
{
	const struct range_node *x = &w->k->nodes.data[a], *y = &w->k->nodes.data[b];

	if (y->op == NODE_NOT)
		a = difference(w, a, y->a);
	else if (x->op == NODE_NOT)
		a = difference(w, b, x->a);
	else
		return ssa_binary(w, NODE_ADD, a, b);
	return ssa_binary(w, NODE_ADD, a, ssa_constant(w, UINT64_MAX, width_of(w, a)));
}

static bool is_same_number(const struct ssa_walk *w, node_id a, node_id b)
{
	const struct range_node *x = &w->k->nodes.data[a], *y = &w->k->nodes.data[b];

	return a == b || (x->op == NODE_CONSTANT && y->op == NODE_CONSTANT && x->number == y->number);
}

/* x / n * n */
static node_id product(struct ssa_walk *w, node_id a, node_id b)
{
	const struct range_node *x = &w->k->nodes.data[a], *y = &w->k->nodes.data[b];

	if ((x->op == NODE_DIV_U || x->op == NODE_DIV_S) && is_same_number(w, x->b, b))
		return ssa_binary(w, x->op == NODE_DIV_U ? NODE_FLOOR_U : NODE_FLOOR_S, x->a, b);
	if ((y->op == NODE_DIV_U || y->op == NODE_DIV_S) && is_same_number(w, y->b, a))
		return ssa_binary(w, y->op == NODE_DIV_U ? NODE_FLOOR_U : NODE_FLOOR_S, y->a, a);
	return ssa_binary(w, NODE_MUL, a, b);
}

/* Modifiers beside types and halves that say nothing of the result's bits. */
static bool is_plain(const struct ptx_inst *inst)
{
	const struct ptx_opcode *op = inst->opcode;

	return !ptx_has_mod(op, PTX_MOD_sat) && !ptx_has_mod(op, PTX_MOD_relu);
}

static node_id lower_binary(struct ssa_walk *w, const struct ptx_inst *inst)
{
	enum node_op op = binary_op(inst);
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	bool shifts = op == NODE_SHL || op == NODE_SHR_U || op == NODE_SHR_S;
	node_id a, b;

	if (inst->noperands != 3 || !is_plain(inst) || (!is_integer(type) && type != PTX_pred) ||
	    inst->opcode->ntypes > 1)
		return NO_NODE;
	a = ssa_operand(w, &inst->operands[1], width);
	b = ssa_operand(w, &inst->operands[2], shifts ? 32 : width);
	if (op == NODE_ADD)
		return sum(w, a, b);
	return op == NODE_SUB ? difference(w, a, b) : ssa_binary(w, op, a, b);
}

static node_id lower_mul(struct ssa_walk *w, const struct ptx_inst *inst)
{
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	node_id a, b;

	if (!is_integer(type) || !is_plain(inst))
		return NO_NODE;
	a = ssa_operand(w, &inst->operands[1], width);
	b = ssa_operand(w, &inst->operands[2], width);
	switch (inst->opcode->group[PTX_GROUP_HALF]) {
	case PTX_MOD_lo: return product(w, a, b);
	case PTX_MOD_hi: return ssa_binary(w, is_signed(type) ? NODE_MULHI_S : NODE_MULHI_U, a, b);
	case PTX_MOD_wide:
		return ssa_binary(w, NODE_MUL, resized(w, a, width * 2, is_signed(type)),
				  resized(w, b, width * 2, is_signed(type)));
	default: return NO_NODE;
	}
}

static node_id lower_mad(struct ssa_walk *w, const struct ptx_inst *inst)
{
	node_id n = lower_mul(w, inst);

	return n == NO_NODE ? n : ssa_binary(w, NODE_ADD, n, ssa_operand(w, &inst->operands[3], width_of(w, n)));
}

static node_id lower_unary(struct ssa_walk *w, const struct ptx_inst *inst, enum node_op op)
{
	enum ptx_type type = inst->opcode->type[0];

	if (!is_integer(type) && !(type == PTX_pred && op == NODE_NOT))
		return NO_NODE;
	return unary(w, op, ssa_operand(w, &inst->operands[1], ptx_type_bits(type)), ptx_type_bits(type));
}

/* bfe with constants: a shift and a mask. */
static node_id lower_field(struct ssa_walk *w, const struct ptx_inst *inst)
{
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	const struct ptx_operand *o = inst->operands;
	uint64_t place = o[2].imm & 0xFF, length = o[3].imm & 0xFF;
	node_id n;

	if (!is_integer(type) || is_signed(type) || o[2].kind != PTX_OPERAND_INT || o[3].kind != PTX_OPERAND_INT)
		return NO_NODE;
	n = ssa_binary(w, NODE_SHR_U, ssa_operand(w, &o[1], width), ssa_constant(w, place, 32));
	return ssa_binary(w, NODE_AND, n, ssa_constant(w, width_mask(length > 64 ? 64 : (unsigned)length), width));
}

/* --- Moves, conversions, choices --- */

/* mov of several parts to one register: the lowest first. */
static node_id packed(struct ssa_walk *w, const struct ptx_operand *from, unsigned width)
{
	unsigned part = from->count ? width / from->count : 0;
	node_id n;

	if (from->count != 2 || part * 2 != width)
		return NO_NODE;
	n = resized(w, ssa_operand(w, &from->elems[1], part), width, false);
	n = ssa_binary(w, NODE_SHL, n, ssa_constant(w, part, 32));
	return ssa_binary(w, NODE_OR, n, resized(w, ssa_operand(w, &from->elems[0], part), width, false));
}

static void unpack(struct ssa_walk *w, const struct ptx_inst *inst, unsigned width)
{
	const struct ptx_operand *to = &inst->operands[0];
	unsigned part = width / to->count;
	node_id from = ssa_operand(w, &inst->operands[1], width);

	for (uint32_t i = 0; i < to->count; i++) {
		node_id n = ssa_binary(w, NODE_SHR_U, from, ssa_constant(w, (uint64_t)i * part, 32));

		write_operand(w, inst, &to->elems[i], resized(w, n, part, false));
	}
}

static void lower_mov(struct ssa_walk *w, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0], *from = &inst->operands[1];
	unsigned width = ptx_type_bits(inst->opcode->type[0]);
	node_id n = NO_NODE;

	if (width > 64 || inst->opcode->vec > 1) {
		write_unknown(w, inst, to);
		return;
	}
	if (to->kind == PTX_OPERAND_VEC && from->kind == PTX_OPERAND_REG) {
		unpack(w, inst, width);
		return;
	}
	if (from->kind == PTX_OPERAND_VEC)
		n = packed(w, from, width);
	else if (to->kind == PTX_OPERAND_REG)
		n = ssa_operand(w, from, width);
	if (n == NO_NODE)
		write_unknown(w, inst, to);
	else
		write_operand(w, inst, to, n);
}

static void lower_cvt(struct ssa_walk *w, const struct ptx_inst *inst)
{
	enum ptx_type to = inst->opcode->type[0], from = inst->opcode->type[1];
	node_id n;

	if (inst->noperands != 2 || inst->opcode->ntypes != 2 || !is_integer(to) || !is_integer(from) ||
	    !is_plain(inst)) {
		write_unknown(w, inst, &inst->operands[0]);
		return;
	}
	n = ssa_operand(w, &inst->operands[1], ptx_type_bits(from));
	write_extended(w, inst, &inst->operands[0], resized(w, n, ptx_type_bits(to), is_signed(from)), to);
}

/* An address of global memory is the same in its space and as a generic one. */
static node_id lower_cvta(struct ssa_walk *w, const struct ptx_inst *inst)
{
	if (inst->opcode->space != PTX_SPACE_GLOBAL || ptx_type_bits(inst->opcode->type[0]) != 64)
		return NO_NODE;
	return ssa_operand(w, &inst->operands[1], 64);
}

static node_id lower_selp(struct ssa_walk *w, const struct ptx_inst *inst)
{
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	node_id yes, no, guard;

	if (!is_integer(type))
		return NO_NODE;
	yes = ssa_operand(w, &inst->operands[1], width);
	no = ssa_operand(w, &inst->operands[2], width);
	guard = ssa_operand(w, &inst->operands[3], 1);
	return ssa_add(w,
		       (struct range_node){.op = NODE_SELECT, .width = (uint8_t)width, .a = guard, .b = yes, .c = no});
}

static bool compare_of(const struct ptx_inst *inst, enum compare *how)
{
	bool by_sign = is_signed(inst->opcode->type[0]);

	switch (inst->opcode->group[PTX_GROUP_COMPARE]) {
	case PTX_MOD_eq: *how = COMPARE_EQ; return true;
	case PTX_MOD_ne: *how = COMPARE_NE; return true;
	case PTX_MOD_lt: *how = by_sign ? COMPARE_LT_S : COMPARE_LT_U; return true;
	case PTX_MOD_le: *how = by_sign ? COMPARE_LE_S : COMPARE_LE_U; return true;
	case PTX_MOD_gt: *how = by_sign ? COMPARE_GT_S : COMPARE_GT_U; return true;
	case PTX_MOD_ge: *how = by_sign ? COMPARE_GE_S : COMPARE_GE_U; return true;
	case PTX_MOD_lo: *how = COMPARE_LT_U; return true;
	case PTX_MOD_ls: *how = COMPARE_LE_U; return true;
	case PTX_MOD_hi: *how = COMPARE_GT_U; return true;
	case PTX_MOD_hs: *how = COMPARE_GE_U; return true;
	default: return false;
	}
}

/* The comparison, joined with the predicate that may stand behind it. */
static node_id joined(struct ssa_walk *w, const struct ptx_inst *inst, node_id compared)
{
	enum node_op op;

	if (inst->noperands == 3)
		return compared;
	switch (inst->opcode->group[PTX_GROUP_OPERATION]) {
	case PTX_MOD_and: op = NODE_AND; break;
	case PTX_MOD_or: op = NODE_OR; break;
	case PTX_MOD_xor: op = NODE_XOR; break;
	default: return ssa_unknown(w, 1);
	}
	return ssa_binary(w, op, compared, ssa_operand(w, &inst->operands[3], 1));
}

static void lower_setp(struct ssa_walk *w, const struct ptx_inst *inst)
{
	const struct ptx_operand *to = &inst->operands[0];
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	enum compare how;
	node_id a, b, yes, no;

	if (!is_integer(type) || !compare_of(inst, &how)) {
		write_unknown(w, inst, to);
		return;
	}
	a = ssa_operand(w, &inst->operands[1], width);
	b = ssa_operand(w, &inst->operands[2], width);
	yes = ssa_add(w, (struct range_node){
			     .op = NODE_COMPARE, .width = 1, .compare = (uint8_t)how, .a = a, .b = b, .c = NO_NODE});
	if (to->kind != PTX_OPERAND_PAIR) {
		write_operand(w, inst, to, joined(w, inst, yes));
		return;
	}
	no = joined(w, inst, unary(w, NODE_NOT, yes, 1));
	yes = joined(w, inst, yes);
	write_operand(w, inst, &to->elems[0], yes);
	write_operand(w, inst, &to->elems[1], no);
}

/* --- Memory --- */

/* The byte of the kernel's parameters that an operand names; false if it is other memory, or the place is not known. */
static bool param_place(const struct ptx_function *f, const struct ptx_inst *inst, uint64_t *place)
{
	const struct ptx_operand *o = &inst->operands[1];
	const struct ptx_symbol *s;

	if (inst->opcode->space != PTX_SPACE_PARAM || o->kind != PTX_OPERAND_MEM || o->count != 1 ||
	    o->elems[0].kind != PTX_OPERAND_SYMBOL)
		return false;
	s = &f->module->symbols[o->elems[0].id];
	if (s->kind != PTX_SYMBOL_PARAM || s->function == PTX_NONE || &f->module->functions[s->function] != f)
		return false;
	*place = s->param_offset + (uint64_t)o->elems[0].imm + (uint64_t)o->imm;
	return true;
}

/* The access that a plain load has just noted; PTX_NONE for other memory, and for loads that may wait for others. */
static uint32_t plain_load(const struct ssa_walk *w, uint32_t index)
{
	size_t n = w->k->accesses.len;

	if (n == 0 || w->k->accesses.data[n - 1].inst != index ||
	    ptx_mark_obstacle(w->k->function->insts[index].opcode))
		return PTX_NONE;
	return (uint32_t)n - 1;
}

/* One element of a load of parameters, or of an access of global or constant memory. */
static node_id loaded(struct ssa_walk *w, bool is_param, uint32_t access, uint64_t place, unsigned width)
{
	struct node_load load = {.access = access, .place = (uint32_t)place};

	if (is_param)
		return ssa_add(w, (struct range_node){.op = NODE_PARAM, .width = (uint8_t)width, .number = place});
	if (access == PTX_NONE)
		return ssa_add(w, (struct range_node){.op = NODE_UNKNOWN, .width = (uint8_t)width, .number = 1});
	load.node =
	    ssa_add(w, (struct range_node){.op = NODE_LOADED, .width = (uint8_t)width, .number = w->k->loads.len});
	vec_push(&w->k->loads, load);
	return load.node;
}

static void lower_load(struct ssa_walk *w, uint32_t index)
{
	const struct ptx_inst *inst = &w->k->function->insts[index];
	const struct ptx_operand *to = &inst->operands[0];
	enum ptx_type type = inst->opcode->type[0];
	unsigned width = ptx_type_bits(type);
	uint64_t place = 0;
	bool is_param = param_place(w->k->function, inst, &place);
	uint32_t access = plain_load(w, index);

	if (width < 8 || width > 64 || flow_is_packed(type)) {
		write_unknown(w, inst, to);
		return;
	}
	if (to->kind != PTX_OPERAND_VEC) {
		write_extended(w, inst, to, loaded(w, is_param, access, place, width), type);
		return;
	}
	for (uint32_t i = 0; i < to->count; i++)
		write_extended(w, inst, &to->elems[i],
			       loaded(w, is_param, access, place + (uint64_t)i * (width / 8), width), type);
}

/* --- The instruction --- */

/* Instructions of one result; NO_NODE where it is not known. */
static node_id lower_value(struct ssa_walk *w, const struct ptx_inst *inst)
{
	if (binary_op(inst) != NODE_UNKNOWN)
		return lower_binary(w, inst);
	switch (inst->opcode->op) {
	case PTX_OP_mul: return lower_mul(w, inst);
	case PTX_OP_mad: return lower_mad(w, inst);
	case PTX_OP_not: return lower_unary(w, inst, NODE_NOT);
	case PTX_OP_neg: return lower_unary(w, inst, NODE_NEG);
	case PTX_OP_abs: return lower_unary(w, inst, NODE_ABS);
	case PTX_OP_bfe: return lower_field(w, inst);
	case PTX_OP_selp: return lower_selp(w, inst);
	case PTX_OP_cvta: return lower_cvta(w, inst);
	case PTX_OP_popc:
	case PTX_OP_clz:
		return ssa_add(w, (struct range_node){.op = NODE_COUNT_BITS,
						      .width = 32,
						      .number = ptx_type_bits(inst->opcode->type[0])});
	default: return NO_NODE;
	}
}

static void write_value(struct ssa_walk *w, const struct ptx_inst *inst)
{
	node_id n = lower_value(w, inst);

	if (n != NO_NODE && inst->operands[0].kind == PTX_OPERAND_REG) {
		write_operand(w, inst, &inst->operands[0], n);
		return;
	}
	for (unsigned i = 0; i < inst->noperands; i++) {
		enum ptx_role role = ptx_operand_role(inst, i);

		if (role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC)
			write_unknown(w, inst, &inst->operands[i]);
	}
}

void ssa_lower(struct ssa_walk *w, uint32_t index)
{
	const struct ptx_inst *inst = &w->k->function->insts[index];

	w->guard = inst->predicate == PTX_NONE ? NO_NODE : ssa_read(w, inst->predicate);
	ssa_note_accesses(w, index);
	switch (inst->opcode->op) {
	case PTX_OP_mov: lower_mov(w, inst); break;
	case PTX_OP_cvt: lower_cvt(w, inst); break;
	case PTX_OP_setp: lower_setp(w, inst); break;
	case PTX_OP_ld: lower_load(w, index); break;
	default: write_value(w, inst); break;
	}
}
