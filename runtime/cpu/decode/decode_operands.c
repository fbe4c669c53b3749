/*
 * Operands become references: registers to the frame, constants and lane-dependent special registers to the function's
 * pool, other special registers to the warp or CTA. So no instruction needs a form for immediates.
 */
#include "runtime/cpu/decode/decode.h"

#include "common/integer.h"

#include <string.h>

static const unsigned scratch_bytes = 512;

/* --- Constants --- */

static uint32_t constant_at(struct decode *d, uint64_t value, unsigned bytes, enum ramp ramp)
{
	uint32_t bucket = (uint32_t)((value ^ value >> 32) * 0x9e3779b1u >> 24) % CONSTANT_BUCKETS;
	uint32_t lane_bytes = bytes == 1 ? 4 : bytes * LANES;

	for (uint32_t i = d->buckets[bucket]; i; i = d->constants.data[i - 1].next) {
		const struct constant *c = &d->constants.data[i - 1];

		if (c->value == value && c->bytes == bytes && c->ramp == ramp)
			return OPERAND(BASE_POOL, c->offset);
	}
	vec_push(&d->constants,
		 (struct constant){value, d->pool_bytes, d->buckets[bucket], (uint8_t)bytes, (uint8_t)ramp});
	d->buckets[bucket] = (uint32_t)d->constants.len;
	d->pool_bytes += (uint32_t)round_up(lane_bytes, 64);
	return OPERAND(BASE_POOL, d->constants.data[d->constants.len - 1].offset);
}

uint32_t operand_constant(struct decode *d, uint64_t value, unsigned bytes)
{
	return constant_at(d, bytes == 4 ? (uint32_t)value : value, bytes, RAMP_NONE);
}

static uint32_t ramp_value(enum ramp ramp, unsigned lane)
{
	switch (ramp) {
	case RAMP_LANE: return lane;
	case RAMP_EQ: return 1u << lane;
	case RAMP_LE: return (2u << lane) - 1;
	case RAMP_LT: return (1u << lane) - 1;
	case RAMP_GE: return ~((1u << lane) - 1);
	case RAMP_GT: return ~((2u << lane) - 1);
	default: return 0;
	}
}

static void fill_constant(uint8_t *at, const struct constant *c)
{
	uint32_t word = c->value ? ALL_LANES : 0;

	if (c->bytes == 1) {
		memcpy(at, &word, sizeof word);
		return;
	}
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint64_t value[2] = {c->ramp ? ramp_value((enum ramp)c->ramp, lane) : c->value, 0};

		memcpy(at + (size_t)lane * c->bytes, value, c->bytes);
	}
}

void constants_place(struct decode *d)
{
	uint8_t *memory = arena_zalloc(&d->program->arena, d->pool_bytes + 64);

	d->code->pool = memory + (64 - (uintptr_t)memory % 64);
	for (size_t i = 0; i < d->constants.len; i++)
		fill_constant(d->code->pool + d->constants.data[i].offset, &d->constants.data[i]);
	d->code->nconstants = (uint32_t)d->constants.len;
	if (d->constants.len)
		d->code->constants =
		    arena_memdup(&d->program->arena, d->constants.data, d->constants.len * sizeof *d->constants.data);
}

/* --- Special registers --- */

/* clang-format off */
static const struct {
	uint16_t sreg;
	uint8_t base, slot; /* BASE_POOL: enum ramp; else slot of the warp's or CTA's specials */
} sreg_rows[] = {
	{PTX_SREG_tid_x, BASE_WARP, WARP_TID_X}, {PTX_SREG_tid_y, BASE_WARP, WARP_TID_Y},
	{PTX_SREG_tid_z, BASE_WARP, WARP_TID_Z}, {PTX_SREG_warpid, BASE_WARP, WARP_INDEX},
	{PTX_SREG_laneid, BASE_POOL, RAMP_LANE}, {PTX_SREG_lanemask_eq, BASE_POOL, RAMP_EQ},
	{PTX_SREG_lanemask_le, BASE_POOL, RAMP_LE}, {PTX_SREG_lanemask_lt, BASE_POOL, RAMP_LT},
	{PTX_SREG_lanemask_ge, BASE_POOL, RAMP_GE}, {PTX_SREG_lanemask_gt, BASE_POOL, RAMP_GT},
	{PTX_SREG_ctaid_x, BASE_CTA, CTA_X}, {PTX_SREG_ctaid_y, BASE_CTA, CTA_Y}, {PTX_SREG_ctaid_z, BASE_CTA, CTA_Z},
	{PTX_SREG_ntid_x, BASE_CTA, CTA_NTID_X}, {PTX_SREG_ntid_y, BASE_CTA, CTA_NTID_Y},
	{PTX_SREG_ntid_z, BASE_CTA, CTA_NTID_Z}, {PTX_SREG_nctaid_x, BASE_CTA, CTA_NCTAID_X},
	{PTX_SREG_nctaid_y, BASE_CTA, CTA_NCTAID_Y}, {PTX_SREG_nctaid_z, BASE_CTA, CTA_NCTAID_Z},
	{PTX_SREG_nwarpid, BASE_CTA, CTA_NWARPS}, {PTX_SREG_dynamic_smem_size, BASE_CTA, CTA_DYNAMIC_SHARED},
	{PTX_SREG_total_smem_size, BASE_CTA, CTA_TOTAL_SHARED}, {PTX_SREG_aggr_smem_size, BASE_CTA, CTA_TOTAL_SHARED},
	{PTX_SREG_envreg1, BASE_CTA, CTA_ENVREG1}, {PTX_SREG_envreg2, BASE_CTA, CTA_ENVREG2},
	/* A CTA is a cluster of its own. */
	{PTX_SREG_clusterid_x, BASE_CTA, CTA_X}, {PTX_SREG_clusterid_y, BASE_CTA, CTA_Y},
	{PTX_SREG_clusterid_z, BASE_CTA, CTA_Z}, {PTX_SREG_nclusterid_x, BASE_CTA, CTA_NCTAID_X},
	{PTX_SREG_nclusterid_y, BASE_CTA, CTA_NCTAID_Y}, {PTX_SREG_nclusterid_z, BASE_CTA, CTA_NCTAID_Z},
};
/* clang-format on */

/* Special registers with one value for every thread of every launch. A special register without a row is 0. */
/* clang-format off */
static const struct {
	uint16_t sreg;
	uint32_t value;
} constant_sregs[] = {
	{PTX_SREG_WARP_SZ, LANES}, {PTX_SREG_nsmid, 1}, {PTX_SREG_cluster_nctaid_x, 1}, {PTX_SREG_cluster_nctaid_y, 1},
	{PTX_SREG_cluster_nctaid_z, 1}, {PTX_SREG_cluster_nctarank, 1},
};
/* clang-format on */

/* Registers that move: read by an instruction of their own. */
static unsigned clock_bits(unsigned sreg)
{
	switch (sreg) {
	case PTX_SREG_clock:
	case PTX_SREG_clock_hi:
	case PTX_SREG_globaltimer_lo:
	case PTX_SREG_globaltimer_hi: return 32;
	case PTX_SREG_clock64:
	case PTX_SREG_globaltimer:
	case PTX_SREG_gridid: return 64;
	default: return 0;
	}
}

static uint32_t read_clock(struct decode *d, unsigned sreg, unsigned bits)
{
	const struct exec_key key = {.op = PTX_OP_mov, .type = {bits == 64 ? PTX_b64 : PTX_b32, PTX_MOV_CLOCK}};
	struct inst *in = decode_emit_extra(d, &key);

	in->variant = (uint16_t)sreg;
	return in->d = operand_scratch(d);
}

static uint32_t sreg_source(struct decode *d, unsigned sreg, unsigned bits)
{
	uint32_t value = 0;

	if (clock_bits(sreg))
		return read_clock(d, sreg, clock_bits(sreg));
	if (sreg == PTX_SREG_is_explicit_cluster)
		return operand_constant(d, 0, 1);
	for (size_t i = 0; i < sizeof sreg_rows / sizeof sreg_rows[0]; i++)
		if (sreg_rows[i].sreg == sreg)
			return sreg_rows[i].base == BASE_POOL
				   ? constant_at(d, 0, 4, (enum ramp)sreg_rows[i].slot)
				   : OPERAND(sreg_rows[i].base, sreg_rows[i].slot * LANES * sizeof(uint32_t));
	if (sreg == PTX_SREG_tid || sreg == PTX_SREG_ntid || sreg == PTX_SREG_ctaid || sreg == PTX_SREG_nctaid)
		decode_fail(d, "vector special registers are not supported by the CPU device; read their components");
	for (size_t i = 0; i < sizeof constant_sregs / sizeof constant_sregs[0]; i++)
		if (constant_sregs[i].sreg == sreg)
			value = constant_sregs[i].value;
	return operand_constant(d, value, bits == 64 ? 8 : 4);
}

/* --- Registers --- */

uint32_t operand_scratch(struct decode *d)
{
	const unsigned most = sizeof d->scratch / sizeof d->scratch[0];

	if (d->scratch_used == most) {
		decode_fail(d, "the operands are too many");
		return d->scratch[0];
	}
	if (!d->scratch[d->scratch_used]) {
		d->scratch[d->scratch_used] = d->frame_bytes;
		d->frame_bytes += scratch_bytes;
	}
	return d->scratch[d->scratch_used++];
}

unsigned operand_bits(const struct decode *d, unsigned index)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const char *held = ptx_op_table[o->op].operands;
	char c = index < strlen(held) ? held[index] : '.';

	if (c >= '0' && c <= '4')
		return c - '0' < o->ntypes ? ptx_type_bits(o->type[c - '0']) : 0;
	switch (c) {
	case 'r': return ptx_type_bits(o->type[0]);
	case 'q': return ptx_type_bits(o->type[1]);
	case 'w': return ptx_type_bits(o->type[0]) * (ptx_has_mod(o, PTX_MOD_wide) ? 2 : 1);
	case 'e': return ptx_type_bits(o->type[o->ntypes > 1 ? 1 : 0]);
	case 'p': return 1;
	case 'i':
	case 'n': return 32;
	case 'l': return 64;
	default: return 0;
	}
}

static unsigned register_bits(const struct decode *d, uint32_t reg)
{
	return ptx_type_bits(d->function->regs[reg].type);
}

/* Through a scratch register where a register is wider than the value, or narrower. */
static uint32_t converted(struct decode *d, uint32_t from, enum ptx_type to_type, enum ptx_type from_type)
{
	const struct exec_key key = {.op = PTX_OP_cvt, .type = {to_type, from_type}};
	struct inst *in = decode_emit_extra(d, &key);

	in->a = from;
	return in->d = operand_scratch(d);
}

static uint32_t register_source(struct decode *d, uint32_t reg, unsigned bits)
{
	unsigned own = register_bits(d, reg);
	uint32_t at = d->register_offset[reg];

	if (bits == 0 || bits == 1 || own == 1)
		return at;
	if (own == 64 && bits <= 32)
		return converted(d, at, PTX_u32, PTX_u64);
	if (own <= 32 && bits == 64)
		return converted(d, at, PTX_u64, own == 16 ? PTX_u16 : PTX_u32);
	return at;
}

uint32_t operand_destination(struct decode *d, const struct ptx_operand *op, unsigned bits, bool is_signed)
{
	struct inst widen = {.predicate = 0};
	const struct exec_key key = {.op = PTX_OP_cvt, .type = {PTX_u64, is_signed ? PTX_s32 : PTX_u32}};
	const struct exec_row *row;

	if (op->kind != PTX_OPERAND_REG) {
		if (op->kind != PTX_OPERAND_SINK)
			decode_fail(d, "a destination is a register");
		return OPERAND_NONE;
	}
	if (bits == 0 || bits > 32 || register_bits(d, op->id) != 64)
		return d->register_offset[op->id];
	row = decode_find(d, &key);
	if (!row)
		return OPERAND_NONE;
	widen.exec = row->exec;
	widen.a = operand_scratch(d);
	widen.d = d->register_offset[op->id];
	vec_push(&d->after, widen);
	return widen.a;
}

uint32_t operand_predicate(struct decode *d, const struct ptx_operand *op, uint16_t *flags)
{
	struct ptx_operand plain = *op;

	if (op->flags & PTX_FLAG_NOT)
		*flags |= INST_NEGATE;
	plain.flags &= (uint8_t)~PTX_FLAG_NOT;
	return operand_source(d, &plain, 1);
}

/* Computes !p into a scratch register, for instructions without a flag for it. */
static uint32_t complemented(struct decode *d, uint32_t predicate)
{
	struct inst *in = decode_emit_extra(d, &(struct exec_key){.op = PTX_OP_not, .type = {PTX_pred}});

	in->a = predicate;
	return in->d = operand_scratch(d);
}

/* --- Symbols --- */

static bool is_kernel_param(const struct decode *d, const struct ptx_symbol *s)
{
	return s->kind == PTX_SYMBOL_PARAM && d->function->is_kernel;
}

/* The address of a variable or function in its own space. */
static uint64_t symbol_address(struct decode *d, uint32_t symbol)
{
	const struct ptx_symbol *s = &d->module->ptx->symbols[symbol];

	if (s->kind == PTX_SYMBOL_FUNCTION)
		return function_address(s->callee);
	if (is_kernel_param(d, s))
		return s->param_offset;
	if (s->space == PTX_SPACE_SHARED)
		return d->program->shared_offset[symbol];
	if (!d->module->address[symbol])
		decode_fail(d, "variable '%s' has no address: it is declared .extern and no module defines it",
			    s->name);
	return d->module->address[symbol];
}

static uint32_t symbol_source(struct decode *d, const struct ptx_operand *op, unsigned bits)
{
	const struct local_variable *local = code_local(d->code, op->id);
	struct inst *in;

	if (!local)
		return operand_constant(d, symbol_address(d, op->id) + (uint64_t)op->imm, bits == 32 ? 4 : 8);
	in = decode_emit_extra(
	    d, &(struct exec_key){.op = PTX_OP_mov, .type = {bits == 32 ? PTX_b32 : PTX_b64, PTX_MOV_LOCAL}});
	in->imm = local->offset + op->imm;
	return in->d = operand_scratch(d);
}

/* --- Any operand --- */

/* Bits of a float immediate in the width that the instruction has: 1.5 is written as a double in any place. */
static uint64_t float_constant(const struct ptx_operand *op, unsigned bits)
{
	uint32_t word = (uint32_t)op->imm;
	uint64_t image = (uint64_t)op->imm;
	float narrow;
	double wide;

	if (op->kind == PTX_OPERAND_F64 && bits != 64) {
		memcpy(&wide, &image, sizeof wide);
		narrow = (float)wide;
		memcpy(&word, &narrow, sizeof word);
		return word;
	}
	if (op->kind == PTX_OPERAND_F32 && bits == 64) {
		memcpy(&narrow, &word, sizeof narrow);
		wide = narrow;
		memcpy(&image, &wide, sizeof image);
	}
	return image;
}

uint32_t operand_source(struct decode *d, const struct ptx_operand *op, unsigned bits)
{
	unsigned bytes = bits == 64 || bits == 128 ? 8 : bits == 1 ? 1 : 4;

	switch (op->kind) {
	case PTX_OPERAND_REG:
		if (op->flags & (PTX_FLAG_NEGATIVE | PTX_FLAG_COMPONENT))
			decode_fail(d, "a negated register or a component of one is not supported here");
		if (op->flags & PTX_FLAG_NOT)
			return complemented(d, register_source(d, op->id, 1));
		return register_source(d, op->id, bits);
	case PTX_OPERAND_SREG: return sreg_source(d, op->id, bits);
	case PTX_OPERAND_INT:
		if (bits == 128)
			decode_fail(d, "immediates of 128 bits are not supported by the CPU device");
		return operand_constant(d, (uint64_t)op->imm, bytes);
	case PTX_OPERAND_F32:
	case PTX_OPERAND_F64: return operand_constant(d, float_constant(op, bits), bytes);
	case PTX_OPERAND_SYMBOL: return symbol_source(d, op, bits);
	default: decode_fail(d, "an operand of this form is not supported by the CPU device"); return OPERAND_NONE;
	}
}

/* --- By position --- */

const struct ptx_operand *operand_at(const struct decode *d, unsigned index)
{
	static const struct ptx_operand none = {.kind = PTX_OPERAND_NONE};

	return index < d->inst->noperands ? &d->inst->operands[index] : &none;
}

uint32_t operand_plain_source(struct decode *d, unsigned index)
{
	return operand_source(d, operand_at(d, index), operand_bits(d, index));
}

uint32_t operand_plain_destination(struct decode *d, unsigned index)
{
	const struct ptx_operand *op = operand_at(d, index);

	if (op->kind == PTX_OPERAND_SINK)
		decode_fail(d, "a destination is a register");
	return operand_destination(d, op, operand_bits(d, index), is_signed_type(d->inst->opcode->type[0]));
}

/* First and second half of `d|p`; both absent parts are OPERAND_NONE. */
void operand_pair_destination(struct decode *d, unsigned index, unsigned bits, struct inst *in)
{
	const struct ptx_operand *op = operand_at(d, index);

	if (op->kind == PTX_OPERAND_PAIR) {
		in->e = operand_destination(d, &op->elems[1], 1, false);
		op = &op->elems[0];
	}
	in->d = operand_destination(d, op, bits, false);
}

uint32_t *operand_list(struct decode *d, size_t count)
{
	return arena_array(&d->program->arena, uint32_t, count);
}

/* --- Addresses --- */

static struct address symbol_as_address(struct decode *d, const struct ptx_operand *op, enum ptx_space space)
{
	const struct ptx_symbol *s = &d->module->ptx->symbols[op->id];
	const struct local_variable *local = code_local(d->code, op->id);

	if (local)
		return (struct address){OPERAND_NONE, local->offset + op->imm, ADDRESS_FRAME, PTX_SPACE_LOCAL};
	return (struct address){OPERAND_NONE, (int64_t)symbol_address(d, op->id) + op->imm, ADDRESS_CONSTANT,
				space == PTX_SPACE_GENERIC ? (enum ptx_space)s->space : space};
}

/* In these spaces PTX ignores the upper half of a 64-bit register that holds an address. */
static bool has_short_addresses(enum ptx_space space)
{
	return space == PTX_SPACE_SHARED || space == PTX_SPACE_LOCAL;
}

static struct address register_address(struct decode *d, uint32_t reg, enum ptx_space space)
{
	enum address_kind kind = register_bits(d, reg) == 64 ? ADDRESS_REG64 : ADDRESS_REG32;

	/* Parameters of a function are in its local memory. */
	if (space == PTX_SPACE_PARAM && !d->function->is_kernel)
		space = PTX_SPACE_LOCAL;
	if (kind == ADDRESS_REG64 && has_short_addresses(space))
		kind = ADDRESS_LOW32;
	return (struct address){d->register_offset[reg], 0, kind, space};
}

struct address operand_address(struct decode *d, const struct ptx_operand *op, enum ptx_space space)
{
	const struct ptx_operand *base = op->elems;
	struct address a = {OPERAND_NONE, 0, ADDRESS_CONSTANT, space};

	if (op->kind != PTX_OPERAND_MEM || (op->count != 1 && base->kind != PTX_OPERAND_SYMBOL)) {
		decode_fail(d, "an address of this form is not supported by the CPU device");
		return a;
	}
	if (base->kind == PTX_OPERAND_SYMBOL)
		a = symbol_as_address(d, base, space);
	else if (base->kind == PTX_OPERAND_REG)
		a = register_address(d, base->id, space);
	else if (base->kind == PTX_OPERAND_INT)
		a.imm = base->imm;
	else
		decode_fail(d, "an address is a register, a variable or a number");
	a.imm += op->imm;
	if (op->count == 2) {
		struct address index = register_address(d, op->elems[1].id, a.space);

		if (a.kind == ADDRESS_FRAME)
			decode_fail(d, "local variables indexed by a register in the address are not supported");
		a.a = index.a;
		a.kind = index.kind;
	}
	return a;
}

void inst_set_address(struct inst *in, const struct address *address)
{
	in->a = address->a;
	in->imm = address->imm;
	in->address = (uint8_t)address->kind;
	in->space = (uint8_t)address->space;
}
