/* Moves, addresses between spaces, loads, stores and atomics: operands that are vectors or addresses. */
#include "runtime/cpu/decode/decode.h"

#include "ptx-analyzer/language/module/ptx_access.h"

/* --- Moves --- */

static void decode_unpack(struct decode *d, struct exec_key *key)
{
	const struct ptx_operand *to = operand_at(d, 0);
	struct inst in = decode_no_operands();
	uint32_t *list = operand_list(d, to->count);

	in.vec = (uint8_t)to->count;
	in.bytes = (uint8_t)(ptx_type_bits(d->inst->opcode->type[0]) / 8 / to->count);
	in.a = operand_plain_source(d, 1);
	for (unsigned i = 0; i < to->count; i++)
		list[i] = operand_destination(d, &to->elems[i], 8u * in.bytes, false);
	in.list = list;
	key->type[1] = to->count == 2 && in.bytes >= 2 && in.bytes <= 4 ? PTX_MOV_UNPACK_2 : PTX_MOV_UNPACK;
	decode_finish(d, key, &in);
}

static void decode_pack(struct decode *d, struct exec_key *key)
{
	const struct ptx_operand *from = operand_at(d, 1);
	struct inst in = decode_no_operands();
	uint32_t *list = operand_list(d, from->count);

	in.vec = (uint8_t)from->count;
	in.bytes = (uint8_t)(ptx_type_bits(d->inst->opcode->type[0]) / 8 / from->count);
	in.d = operand_plain_destination(d, 0);
	for (unsigned i = 0; i < from->count; i++)
		list[i] = operand_source(d, &from->elems[i], 8u * in.bytes);
	in.list = list;
	in.a = list[0];
	in.b = from->count > 1 ? list[1] : OPERAND_NONE;
	key->type[1] = from->count == 2 && in.bytes >= 2 && in.bytes <= 4 ? PTX_MOV_PACK_2 : PTX_MOV_PACK;
	decode_finish(d, key, &in);
}

/* Element `i` of a vector move's source: of {a, b}, or of %tid, whose fourth element is 0. */
static uint32_t vector_element(struct decode *d, unsigned i, unsigned bits)
{
	const struct ptx_operand *from = operand_at(d, 1);
	struct ptx_operand element = {.kind = PTX_OPERAND_INT};

	if (from->kind == PTX_OPERAND_VEC && i < from->count)
		return operand_source(d, &from->elems[i], bits);
	if (from->kind != PTX_OPERAND_SREG || from->id < PTX_SREG_tid || from->id > PTX_SREG_cluster_nctaid)
		decode_fail(d, "a vector move reads a vector of as many elements");
	if (i < 3)
		element = (struct ptx_operand){.kind = PTX_OPERAND_SREG,
					       .id = PTX_SREG_tid_x + 3 * (from->id - PTX_SREG_tid) + i};
	return operand_source(d, &element, bits);
}

static void decode_vector_move(struct decode *d, struct exec_key *key)
{
	const struct ptx_operand *to = operand_at(d, 0);
	unsigned bits = ptx_type_bits(d->inst->opcode->type[0]), n = d->inst->opcode->vec;
	struct inst in = decode_no_operands();
	uint32_t *list = operand_list(d, 2 * n);

	if (to->kind != PTX_OPERAND_VEC || to->count != n) {
		decode_fail(d, "a vector move writes a vector of as many elements");
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		list[n + i] = vector_element(d, i, bits);
		list[i] = operand_destination(d, &to->elems[i], bits, false);
	}
	in.vec = (uint8_t)n;
	in.bytes = (uint8_t)(bits / 8);
	in.list = list;
	key->type[1] = PTX_MOV_VECTOR;
	decode_finish(d, key, &in);
}

void decode_mov(struct decode *d)
{
	struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	if (d->inst->opcode->vec > 1)
		decode_vector_move(d, &key);
	else if (operand_at(d, 0)->kind == PTX_OPERAND_VEC)
		decode_unpack(d, &key);
	else if (operand_at(d, 1)->kind == PTX_OPERAND_VEC)
		decode_pack(d, &key);
	else {
		in.a = operand_plain_source(d, 1);
		in.d = operand_plain_destination(d, 0);
		decode_finish(d, &key, &in);
	}
}

static uint64_t window_of(const struct decode *d, enum ptx_space space)
{
	switch (space) {
	case PTX_SPACE_SHARED: return SHARED_WINDOW;
	case PTX_SPACE_LOCAL: return LOCAL_WINDOW;
	case PTX_SPACE_PARAM: return d->function->is_kernel ? PARAM_WINDOW : LOCAL_WINDOW;
	default: return 0;
	}
}

void decode_cvta(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = exec_key_of(o);
	uint64_t window = window_of(d, (enum ptx_space)o->space);
	struct inst in = decode_no_operands();

	in.a = operand_plain_source(d, 1);
	in.d = operand_plain_destination(d, 0);
	in.imm = (int64_t)(ptx_has_mod(o, PTX_MOD_to) ? 0 - window : window);
	decode_finish(d, &key, &in);
}

void decode_isspacep(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_source(d, operand_at(d, 1), 64);
	in.d = operand_plain_destination(d, 0);
	in.variant = d->inst->opcode->space;
	decode_finish(d, &key, &in);
}

/* alloca d, size {, alignment} */
void decode_alloca(struct decode *d)
{
	const struct exec_key key = exec_key_of(d->inst->opcode);
	struct inst in = decode_no_operands();

	in.a = operand_source(d, operand_at(d, 1), 64);
	if (d->inst->noperands > 2)
		in.imm = operand_at(d, 2)->imm;
	in.d = operand_destination(d, operand_at(d, 0), 64, false);
	decode_finish(d, &key, &in);
}

/* mapa: a cluster is one CTA, whose addresses are its own. */
void decode_mapa(struct decode *d)
{
	const struct exec_key key = {.op = PTX_OP_mov,
				     .type = {operand_bits(d, 0) == 64 ? PTX_b64 : PTX_b32, PTX_untyped}};
	struct inst in = decode_no_operands();

	in.a = operand_plain_source(d, 1);
	in.d = operand_plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

void decode_getctarank(struct decode *d)
{
	const struct exec_key key = {.op = PTX_OP_mov, .type = {PTX_b32, PTX_untyped}};
	struct inst in = decode_no_operands();

	in.a = operand_constant(d, 0, 4);
	in.d = operand_plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

/* createpolicy: caches are the simulator's business, so every policy is the same number. */
void decode_policy(struct decode *d)
{
	static const uint64_t policy = UINT64_C(1) << 60;
	const struct exec_key key = {.op = PTX_OP_mov, .type = {PTX_b64, PTX_untyped}};
	struct inst in = decode_no_operands();

	in.a = operand_constant(d, policy, 8);
	in.d = operand_plain_destination(d, 0);
	decode_finish(d, &key, &in);
}

/* --- Memory --- */

static void vector_operands(struct decode *d, const struct ptx_operand *op, bool written, struct inst *in)
{
	bool is_signed = is_signed_type(d->inst->opcode->type[0]);
	unsigned bits = 8u * in->bytes, count = op->kind == PTX_OPERAND_VEC ? op->count : 1;
	uint32_t *list = operand_list(d, count);

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

static void decode_access(struct decode *d, bool is_load)
{
	const struct ptx_opcode *o = d->inst->opcode;
	struct exec_key key = exec_key_of(o);
	struct inst in = decode_no_operands();
	const struct address a = operand_address(d, operand_at(d, is_load ? 1 : 0), (enum ptx_space)o->space);

	in.bytes = (uint8_t)(ptx_type_bits(o->type[0]) / 8);
	in.vec = o->vec ? o->vec : 1;
	vector_operands(d, operand_at(d, is_load ? 0 : 1), is_load, &in);
	inst_set_address(&in, &a);
	if (is_load && o->group[PTX_GROUP_MARK] != PTX_MOD_NONE)
		in.flags |= INST_MARKED;
	if (is_load && !ptx_mark_obstacle(o))
		in.flags |= INST_MARKABLE;
	key.mods = M_SPACE(a.space);
	if (is_load && in.vec == 1 && in.d == OPERAND_NONE)
		decode_fail(d, "a load into nothing");
	decode_finish(d, &key, &in);
}

void decode_load(struct decode *d)
{
	decode_access(d, true);
}

void decode_store(struct decode *d)
{
	decode_access(d, false);
}

/* atom d, [a], b {, c}; red [a], b; vectors are {d..}, [a], {b..}. */
void decode_atomic(struct decode *d)
{
	const struct ptx_opcode *o = d->inst->opcode;
	const struct exec_key key = exec_key_of(o);
	unsigned first = o->op == PTX_OP_red ? 0 : 1, bits = ptx_type_bits(o->type[0]);
	const struct address a = operand_address(d, operand_at(d, first), (enum ptx_space)o->space);
	struct inst in = decode_no_operands();
	uint32_t *list;

	in.bytes = (uint8_t)(bits / 8);
	in.vec = o->vec ? o->vec : 1;
	list = operand_list(d, 2u * in.vec);
	for (unsigned i = 0; i < in.vec; i++) {
		const struct ptx_operand *to = operand_at(d, 0), *from = operand_at(d, first + 1);

		to = to->kind == PTX_OPERAND_VEC && i < to->count ? &to->elems[i] : to;
		from = from->kind == PTX_OPERAND_VEC && i < from->count ? &from->elems[i] : from;
		list[i] = first ? operand_destination(d, to, bits, false) : OPERAND_NONE;
		list[in.vec + i] = operand_source(d, from, bits);
	}
	in.list = list;
	in.d = list[0];
	in.b = list[in.vec];
	if (key.which == PTX_MOD_cas)
		in.c = operand_source(d, operand_at(d, first + 2), bits);
	inst_set_address(&in, &a);
	decode_finish(d, &key, &in);
}
