/*
 * Instructions one by one. Most have destination first, then sources, each as wide as the row of ptx_ops.def says, and
 * decode_plain does them; the forms here are those whose operands are vectors, pairs, addresses, predicates or labels.
 */
#include "runtime/cpu/decode/decode.h"

#include <string.h>

static const struct ptx_operand *operand(const struct decoder *d, unsigned index)
{
	static const struct ptx_operand none = {.kind = PTX_OPERAND_NONE};

	return index < d->inst->noperands ? &d->inst->operands[index] : &none;
}

static bool is_signed_type(enum ptx_type type)
{
	return ptx_type_kind(type) == PTX_KIND_SIGNED;
}

static uint32_t plain_source(struct decoder *d, unsigned index)
{
	return operand_source(d, operand(d, index), operand_bits(d, index));
}

static uint32_t plain_destination(struct decoder *d, unsigned index)
{
	return operand_destination(d, operand(d, index), operand_bits(d, index),
				   is_signed_type(d->inst->opcode->type[0]));
}

/* First and second half of `d|p`; both absent parts are OPERAND_NONE. */
static void pair_destination(struct decoder *d, unsigned index, unsigned bits, struct inst *in)
{
	const struct ptx_operand *op = operand(d, index);

	if (op->kind == PTX_OPERAND_PAIR) {
		in->e = operand_destination(d, &op->elems[1], 1, false);
		op = &op->elems[0];
	}
	in->d = operand_destination(d, op, bits, false);
}

static uint32_t *new_list(struct decoder *d, size_t count)
{
	return arena_array(&d->program->arena, uint32_t, count);
}

/* Appends the instruction as the row has it, under its guard, and what widens its results. */
static void finish_row(struct decoder *d, const struct exec_row *row, struct inst *in)
{
	struct inst *out;

	if (!row || d->failed)
		return;
	in->variant = in->variant ? in->variant : row->variant;
	out = decode_emit(d, row);
	in->exec = out->exec;
	in->guard = out->guard;
	in->guard_flip = out->guard_flip;
	in->ptx = out->ptx;
	in->trace = out->trace;
	in->flags |= out->flags;
	*out = *in;
	for (size_t i = 0; i < d->after.len; i++) {
		d->after.data[i].guard = in->guard;
		d->after.data[i].guard_flip = in->guard_flip;
		vec_push(&d->insts, d->after.data[i]);
	}
}

void decode_finish(struct decoder *d, const struct exec_key *key, struct inst *in)
{
	finish_row(d, decode_find(d, key), in);
}

static void decode_plain(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	const struct exec_row *row = decode_find(d, &key);
	struct inst in = decode_no_operands();
	uint32_t *sources[] = {&in.a, &in.b, &in.c, &in.e};
	unsigned nsources = 0;

	for (unsigned i = 0; row && i < d->inst->noperands; i++)
		if (ptx_operand_role(d->inst, i) == PTX_ROLE_DST)
			in.d = plain_destination(d, i);
		else if (nsources == 4)
			decode_fail(d, "this number of operands is not supported by the CPU device");
		else
			*sources[nsources++] = plain_source(d, i);
	finish_row(d, row, &in);
}

/* Hints, fences: operands do not matter. */
static void decode_bare(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	decode_finish(d, &key, &in);
}

/* Three-operand minimum and maximum are not the two-operand ones. */
static void decode_extreme(struct decoder *d)
{
	if (d->inst->noperands > 3)
		decode_fail(d, "the form with three sources is not supported by the CPU device");
	else
		decode_plain(d);
}

/* --- Moves --- */

static void decode_unpack(struct decoder *d, struct exec_key *key)
{
	const struct ptx_operand *to = operand(d, 0);
	struct inst in = decode_no_operands();
	uint32_t *list = new_list(d, to->count);

	in.vec = (uint8_t)to->count;
	in.bytes = (uint8_t)(ptx_type_bits(d->inst->opcode->type[0]) / 8 / to->count);
	in.a = plain_source(d, 1);
	for (unsigned i = 0; i < to->count; i++)
		list[i] = operand_destination(d, &to->elems[i], 8u * in.bytes, false);
	in.list = list;
	key->type[1] = to->count == 2 && in.bytes >= 2 && in.bytes <= 4 ? PTX_MOV_UNPACK_2 : PTX_MOV_UNPACK;
	decode_finish(d, key, &in);
}

static void decode_pack(struct decoder *d, struct exec_key *key)
{
	const struct ptx_operand *from = operand(d, 1);
	struct inst in = decode_no_operands();
	uint32_t *list = new_list(d, from->count);

	in.vec = (uint8_t)from->count;
	in.bytes = (uint8_t)(ptx_type_bits(d->inst->opcode->type[0]) / 8 / from->count);
	in.d = plain_destination(d, 0);
	for (unsigned i = 0; i < from->count; i++)
		list[i] = operand_source(d, &from->elems[i], 8u * in.bytes);
	in.list = list;
	in.a = list[0];
	in.b = from->count > 1 ? list[1] : OPERAND_NONE;
	key->type[1] = from->count == 2 && in.bytes >= 2 && in.bytes <= 4 ? PTX_MOV_PACK_2 : PTX_MOV_PACK;
	decode_finish(d, key, &in);
}

static void decode_mov(struct decoder *d)
{
	struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	if (d->inst->opcode->vec > 1)
		decode_fail(d, "vector moves are not supported by the CPU device");
	else if (operand(d, 0)->kind == PTX_OPERAND_VEC)
		decode_unpack(d, &key);
	else if (operand(d, 1)->kind == PTX_OPERAND_VEC)
		decode_pack(d, &key);
	else {
		in.a = plain_source(d, 1);
		in.d = plain_destination(d, 0);
		decode_finish(d, &key, &in);
	}
}

static uint64_t window_of(const struct decoder *d, enum ptx_space space)
{
	switch (space) {
	case PTX_SPACE_SHARED: return SHARED_WINDOW;
	case PTX_SPACE_LOCAL: return LOCAL_WINDOW;
	case PTX_SPACE_PARAM: return d->function->is_kernel ? PARAM_WINDOW : LOCAL_WINDOW;
	default: return 0;
	}
}

static void decode_cvta(struct decoder *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = exec_key_of(o);
	uint64_t window = window_of(d, (enum ptx_space)o->space);
	struct inst in = decode_no_operands();

	in.a = plain_source(d, 1);
	in.d = plain_destination(d, 0);
	in.imm = (int64_t)(ptx_has_mod(o, PTX_MOD_to) ? 0 - window : window);
	decode_finish(d, &key, &in);
}

static void decode_isspacep(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_source(d, operand(d, 1), 64);
	in.d = plain_destination(d, 0);
	in.variant = d->inst->opcode->space;
	decode_finish(d, &key, &in);
}

/* alloca d, size {, alignment} */
static void decode_alloca(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_source(d, operand(d, 1), 64);
	if (d->inst->noperands > 2)
		in.b = operand_source(d, operand(d, 2), 32);
	in.d = operand_destination(d, operand(d, 0), 64, false);
	decode_finish(d, &key, &in);
}

/* mapa: a cluster is one CTA, whose addresses are its own. */
static void decode_mapa(struct decoder *d)
{
	const struct exec_key key = {.op = PTX_OP_mov,
				     .type = {operand_bits(d, 0) == 64 ? PTX_b64 : PTX_b32, PTX_untyped}};
	struct inst in = decode_no_operands();

	in.a = plain_source(d, 1);
	in.d = plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

static void decode_getctarank(struct decoder *d)
{
	const struct exec_key key = {.op = PTX_OP_mov, .type = {PTX_b32, PTX_untyped}};
	struct inst in = decode_no_operands();

	in.a = operand_constant(d, 0, 4);
	in.d = plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

/* --- Memory --- */

static void vector_operands(struct decoder *d, const struct ptx_operand *op, bool written, struct inst *in)
{
	bool is_signed = is_signed_type(d->inst->opcode->type[0]);
	unsigned bits = 8u * in->bytes, count = op->kind == PTX_OPERAND_VEC ? op->count : 1;
	uint32_t *list = new_list(d, count);

	if (count != in->vec) {
		decode_fail(d, "the vector has %u elements, the instruction %u", count, in->vec);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		const struct ptx_operand *element = op->kind == PTX_OPERAND_VEC ? &op->elems[i] : op;

		list[i] = written ? operand_destination(d, element, bits, is_signed) : operand_source(d, element, bits);
	}
	in->list = list;
	*(written ? &in->d : &in->b) = list[0];
}

static void decode_access(struct decoder *d, bool is_load)
{
	const struct ptx_opcode *o = d->inst->opcode;
	struct exec_key key = exec_key_of(o);
	struct inst in = decode_no_operands();
	const struct address a = operand_address(d, operand(d, is_load ? 1 : 0), (enum ptx_space)o->space);

	in.bytes = (uint8_t)(ptx_type_bits(o->type[0]) / 8);
	in.vec = o->vec ? o->vec : 1;
	vector_operands(d, operand(d, is_load ? 0 : 1), is_load, &in);
	inst_set_address(&in, &a);
	if (is_load && (o->group[PTX_GROUP_CACHE] == PTX_MOD_ro || o->group[PTX_GROUP_CACHE] == PTX_MOD_nc))
		in.flags |= INST_MARKED;
	key.mods = M_SPACE(a.space);
	if (is_load && in.vec == 1 && in.d == OPERAND_NONE)
		decode_fail(d, "a load into nothing");
	decode_finish(d, &key, &in);
}

static void decode_load(struct decoder *d)
{
	decode_access(d, true);
}

static void decode_store(struct decoder *d)
{
	decode_access(d, false);
}

/* atom d, [a], b {, c}; red [a], b; vectors are {d..}, [a], {b..}. */
static void decode_atomic(struct decoder *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = exec_key_of(o);
	unsigned first = o->op == PTX_OP_red ? 0 : 1, bits = ptx_type_bits(o->type[0]);
	const struct address a = operand_address(d, operand(d, first), (enum ptx_space)o->space);
	struct inst in = decode_no_operands();
	uint32_t *list;

	in.bytes = (uint8_t)(bits / 8);
	in.vec = o->vec ? o->vec : 1;
	list = new_list(d, 2u * in.vec);
	for (unsigned i = 0; i < in.vec; i++) {
		const struct ptx_operand *to = operand(d, 0), *from = operand(d, first + 1);

		to = to->kind == PTX_OPERAND_VEC && i < to->count ? &to->elems[i] : to;
		from = from->kind == PTX_OPERAND_VEC && i < from->count ? &from->elems[i] : from;
		list[i] = first ? operand_destination(d, to, bits, false) : OPERAND_NONE;
		list[in.vec + i] = operand_source(d, from, bits);
	}
	in.list = list;
	in.d = list[0];
	in.b = list[in.vec];
	if (key.which == PTX_MOD_cas)
		in.c = operand_source(d, operand(d, first + 2), bits);
	inst_set_address(&in, &a);
	decode_finish(d, &key, &in);
}

/* --- Predicates --- */

/* What "true" is in the destination type of set. */
static int64_t true_value(enum ptx_type type)
{
	switch (type) {
	case PTX_f32: return 0x3f800000;
	case PTX_f16: return 0x3c00;
	case PTX_bf16: return 0x3f80;
	case PTX_f16x2: return 0x3c003c00;
	case PTX_bf16x2: return 0x3f803f80;
	default: return UINT32_MAX;
	}
}

static void decode_comparison(struct decoder *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	struct exec_key key = exec_key_of(o);
	bool is_setp = o->op == PTX_OP_setp, pairs = key.type[0] == PTX_f16x2 || key.type[0] == PTX_bf16x2;
	struct inst in = decode_no_operands();

	in.a = plain_source(d, 1);
	in.b = plain_source(d, 2);
	if (d->inst->noperands > 3)
		in.c = operand_predicate(d, operand(d, 3), &in.flags);
	if (is_setp)
		pair_destination(d, 0, 1, &in);
	else
		in.d = plain_destination(d, 0);
	in.variant = o->group[PTX_GROUP_OPERATION];
	in.imm = true_value((enum ptx_type)o->type[0]);
	if (is_setp && (in.c != OPERAND_NONE || in.e != OPERAND_NONE || in.d == OPERAND_NONE || pairs))
		key.mods |= M_BIT(COMBINED);
	if (pairs) {
		uint32_t *list = new_list(d, 2);

		list[0] = key.which;
		list[1] = key.type[0] == PTX_bf16x2;
		in.list = list;
		key.which = PTX_MOD_NONE;
		key.mods &= ~M_BIT(FTZ);
	}
	decode_finish(d, &key, &in);
}

static void decode_select(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = plain_source(d, 1);
	in.b = plain_source(d, 2);
	in.c = operand_predicate(d, operand(d, 3), &in.flags);
	in.d = plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

static void decode_lop3(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();
	uint32_t *list = new_list(d, 2);

	for (unsigned i = 1; i <= 4; i++)
		*(uint32_t *[]){&in.a, &in.b, &in.c, &in.e}[i - 1] = operand_source(d, operand(d, i), 32);
	if (key.which == PTX_MOD_NONE) {
		in.d = plain_destination(d, 0);
	} else {
		struct inst pair = decode_no_operands();

		pair_destination(d, 0, 32, &pair);
		in.d = pair.d;
		list[0] = pair.e;
		list[1] = operand_predicate(d, operand(d, 5), &in.flags);
		in.list = list;
	}
	decode_finish(d, &key, &in);
}

/* shfl, match, elect: d|p, then values. */
static void decode_pair(struct decoder *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = exec_key_of(o);
	struct inst in = decode_no_operands();
	uint32_t *sources[] = {&in.a, &in.b, &in.c};

	for (unsigned i = 1; i < d->inst->noperands && i <= 3; i++)
		*sources[i - 1] = plain_source(d, i);
	pair_destination(d, 0, 32, &in);
	decode_finish(d, &key, &in);
}

static void decode_vote(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_predicate(d, operand(d, 1), &in.flags);
	if (d->inst->noperands > 2)
		in.b = operand_source(d, operand(d, 2), 32);
	in.d = plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

/* --- Control --- */

static struct block *block_at(const struct decoder *d, uint32_t inst)
{
	return &d->code->blocks[d->block_of[inst]];
}

struct control *decode_new_control(struct decoder *d)
{
	struct control *c = arena_new(&d->program->arena, struct control);

	c->self = d->block;
	c->rest = d->block + 1;
	c->join = d->block->join;
	return c;
}

void decode_finish_control(struct decoder *d, const struct exec_key *key, struct inst *in)
{
	const struct ptx_inst *ptx = d->inst;

	if (ptx->guard != PTX_NONE) {
		in->flags |= INST_GUARDED | (ptx->guard_not ? INST_GUARD_NOT : 0);
		in->e = d->register_offset[ptx->guard];
	}
	decode_finish(d, key, in);
	if (!d->failed) {
		vec_last(&d->insts).guard = 0;
		vec_last(&d->insts).guard_flip = 0;
	}
}

static const struct block *label_block(struct decoder *d, uint32_t label)
{
	return block_at(d, d->function->labels[label]);
}

static void decode_bra(struct decoder *d)
{
	const struct exec_key key = {.op = PTX_OP_bra,
				     .type = {d->inst->guard == PTX_NONE ? PTX_untyped : PTX_pred, PTX_untyped}};
	struct control *c = decode_new_control(d);
	struct inst in = decode_no_operands();

	if (operand(d, 0)->kind != PTX_OPERAND_LABEL) {
		decode_fail(d, "the target of a branch is a label");
		return;
	}
	c->taken = label_block(d, operand(d, 0)->id);
	in.control = c;
	decode_finish_control(d, &key, &in);
}

static void decode_brx(struct decoder *d)
{
	const struct exec_key key = {.op = PTX_OP_brx_idx};
	struct control *c = decode_new_control(d);
	const struct ptx_symbol *s;
	struct inst in = decode_no_operands();

	if (operand(d, 1)->kind != PTX_OPERAND_SYMBOL) {
		decode_fail(d, "the targets of brx.idx are the name of a .branchtargets list");
		return;
	}
	s = &d->module->ptx->symbols[operand(d, 1)->id];
	c->table_count = s->ntargets;
	c->table = arena_array(&d->program->arena, const struct block *, s->ntargets);
	for (uint32_t i = 0; i < s->ntargets; i++)
		c->table[i] = label_block(d, s->targets[i]);
	in.control = c;
	in.a = plain_source(d, 0);
	decode_finish_control(d, &key, &in);
}

/* ret, exit, trap, nanosleep. */
static void decode_leave(struct decoder *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.control = decode_new_control(d);
	decode_finish_control(d, &key, &in);
}

/* Barrier id and number of threads; bar.red d, a {, b}, p. */
static void decode_barrier(struct decoder *d)
{
	struct exec_key key = exec_key_of(d->inst->opcode);
	bool reduces = key.op == PTX_OP_bar_red || key.op == PTX_OP_barrier_red;
	unsigned first = reduces ? 1 : 0, count = d->inst->noperands - first - (reduces ? 1 : 0);
	struct inst in = decode_no_operands();

	key.mods = 0;
	in.control = decode_new_control(d);
	in.a = count ? operand_source(d, operand(d, first), 32) : operand_constant(d, 0, 4);
	in.b = count > 1 ? operand_source(d, operand(d, first + 1), 32) : operand_constant(d, 0, 4);
	if (reduces) {
		in.c = operand_predicate(d, operand(d, first + count), &in.flags);
		in.d = plain_destination(d, 0);
	}
	decode_finish_control(d, &key, &in);
}

static void decode_warp_sync(struct decoder *d)
{
	const struct exec_key key = {.op = PTX_OP_bar_warp_sync};
	struct inst in = decode_no_operands();

	in.control = decode_new_control(d);
	in.a = operand_source(d, operand(d, 0), 32);
	decode_finish_control(d, &key, &in);
}

/*
 * vabsdiff4 d, a, b, c: the signs of the three types go into the variant. vset4 has two types, and its comparison in
 * the place of the operation: whether its results are added up goes into the variant, too.
 */
static void decode_video(struct decoder *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const bool compares = o->group[PTX_GROUP_COMPARE] != PTX_MOD_NONE;
	const struct exec_key key = {.op = (uint16_t)o->op,
				     .which = o->group[compares ? PTX_GROUP_COMPARE : PTX_GROUP_OPERATION],
				     .mods = ptx_has_mod(o, PTX_MOD_sat) ? M_BIT(SAT) : 0};
	struct inst in = decode_no_operands();

	in.d = plain_destination(d, 0);
	in.a = plain_source(d, 1);
	in.b = plain_source(d, 2);
	in.c = d->inst->noperands > 3 ? plain_source(d, 3) : in.a;
	if (compares && o->group[PTX_GROUP_OPERATION] == PTX_MOD_add)
		in.variant |= VIDEO_SUMS;
	for (int i = compares; i < 3; i++)
		in.variant |= (uint16_t)(is_signed_type(o->type[i - compares]) << i);
	decode_finish(d, &key, &in);
}

/* clang-format off */
static const struct {
	uint16_t op;
	void (*decode)(struct decoder *d);
} forms[] = {
	{PTX_OP_mov, decode_mov}, {PTX_OP_cvta, decode_cvta}, {PTX_OP_isspacep, decode_isspacep}, {PTX_OP_mapa, decode_mapa},
	{PTX_OP_getctarank, decode_getctarank}, {PTX_OP_alloca, decode_alloca},
	{PTX_OP_ld, decode_load}, {PTX_OP_ldu, decode_load},
	{PTX_OP_st, decode_store}, {PTX_OP_atom, decode_atomic}, {PTX_OP_red, decode_atomic},
	{PTX_OP_setp, decode_comparison}, {PTX_OP_set, decode_comparison}, {PTX_OP_selp, decode_select},
	{PTX_OP_lop3, decode_lop3}, {PTX_OP_shfl, decode_pair}, {PTX_OP_match, decode_pair}, {PTX_OP_elect, decode_pair},
	{PTX_OP_vote, decode_vote}, {PTX_OP_min, decode_extreme}, {PTX_OP_max, decode_extreme},
	{PTX_OP_bra, decode_bra}, {PTX_OP_brx_idx, decode_brx}, {PTX_OP_call, decode_call}, {PTX_OP_ret, decode_leave},
	{PTX_OP_exit, decode_leave}, {PTX_OP_trap, decode_leave}, {PTX_OP_nanosleep, decode_leave},
	{PTX_OP_bar_sync, decode_barrier}, {PTX_OP_bar_arrive, decode_barrier}, {PTX_OP_bar_red, decode_barrier},
	{PTX_OP_barrier_sync, decode_barrier}, {PTX_OP_barrier_arrive, decode_barrier},
	{PTX_OP_barrier_red, decode_barrier}, {PTX_OP_bar_warp_sync, decode_warp_sync},
	{PTX_OP_prefetch, decode_bare}, {PTX_OP_prefetchu, decode_bare}, {PTX_OP_applypriority, decode_bare},
	{PTX_OP_discard, decode_bare}, {PTX_OP_membar, decode_bare}, {PTX_OP_fence, decode_bare},
	{PTX_OP_pmevent, decode_bare}, {PTX_OP_griddepcontrol, decode_bare}, {PTX_OP_brkpt, decode_bare},
	{PTX_OP_setmaxnreg, decode_bare},
	{PTX_OP_vadd2, decode_video}, {PTX_OP_vadd4, decode_video}, {PTX_OP_vsub2, decode_video},
	{PTX_OP_vsub4, decode_video}, {PTX_OP_vavrg2, decode_video}, {PTX_OP_vavrg4, decode_video},
	{PTX_OP_vabsdiff2, decode_video}, {PTX_OP_vabsdiff4, decode_video}, {PTX_OP_vmin2, decode_video},
	{PTX_OP_vmin4, decode_video}, {PTX_OP_vmax2, decode_video}, {PTX_OP_vmax4, decode_video},
	{PTX_OP_vset2, decode_video}, {PTX_OP_vset4, decode_video},
	{PTX_OP_mma, decode_multiply}, {PTX_OP_wmma_mma, decode_multiply}, {PTX_OP_wmma_load, decode_wmma_move},
	{PTX_OP_wmma_store, decode_wmma_move}, {PTX_OP_ldmatrix, decode_matrix_rows},
	{PTX_OP_stmatrix, decode_matrix_rows}, {PTX_OP_movmatrix, decode_movmatrix},
	{PTX_OP_cp_async, decode_async_copy}, {PTX_OP_cp_async_bulk, decode_bulk_copy},
	{PTX_OP_cp_async_commit_group, decode_bare}, {PTX_OP_cp_async_wait_group, decode_bare},
	{PTX_OP_cp_async_wait_all, decode_bare}, {PTX_OP_cp_async_bulk_commit_group, decode_bare},
	{PTX_OP_cp_async_bulk_wait_group, decode_bare}, {PTX_OP_cp_async_mbarrier_arrive, decode_mbarrier},
	{PTX_OP_mbarrier_init, decode_mbarrier}, {PTX_OP_mbarrier_inval, decode_mbarrier},
	{PTX_OP_mbarrier_expect_tx, decode_mbarrier}, {PTX_OP_mbarrier_complete_tx, decode_mbarrier},
	{PTX_OP_mbarrier_arrive, decode_mbarrier}, {PTX_OP_mbarrier_arrive_drop, decode_mbarrier},
	{PTX_OP_mbarrier_test_wait, decode_mbarrier}, {PTX_OP_mbarrier_try_wait, decode_mbarrier},
	{PTX_OP_tex, decode_texture}, {PTX_OP_tld4, decode_texture}, {PTX_OP_txq, decode_image_query},
	{PTX_OP_suq, decode_image_query}, {PTX_OP_suld, decode_surface}, {PTX_OP_sust, decode_surface},
	{PTX_OP_sured, decode_surface},
};
/* clang-format on */

void decode_inst(struct decoder *d, const struct ptx_inst *inst)
{
	d->inst = inst;
	d->scratch_used = 0;
	d->after.len = 0;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (forms[i].op == inst->opcode->op) {
			forms[i].decode(d);
			return;
		}
	decode_plain(d);
}

bool decode_ends_block(const struct ptx_inst *inst)
{
	switch (inst->opcode->op) {
	case PTX_OP_bra:
	case PTX_OP_brx_idx:
	case PTX_OP_call:
	case PTX_OP_ret:
	case PTX_OP_exit:
	case PTX_OP_trap:
	case PTX_OP_nanosleep:
	case PTX_OP_bar_sync:
	case PTX_OP_bar_arrive:
	case PTX_OP_bar_red:
	case PTX_OP_barrier_sync:
	case PTX_OP_barrier_arrive:
	case PTX_OP_barrier_red:
	case PTX_OP_bar_warp_sync:
	case PTX_OP_mbarrier_test_wait:
	case PTX_OP_mbarrier_try_wait: return true;
	default: return false;
	}
}

bool decode_starts_block(const struct ptx_inst *inst)
{
	return inst->opcode->op == PTX_OP_call;
}
