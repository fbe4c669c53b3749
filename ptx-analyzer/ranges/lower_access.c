/* Accesses of memory that may be global, or constant: their addresses as nodes, and how many bytes they take. */
#include "ptx-analyzer/language/module/ptx_access.h"
#include "ptx-analyzer/ranges/nodes.h"

static node_id address(struct ssa_walk *w, const struct ptx_operand *o)
{
	node_id n = ssa_operand(w, &o->elems[0], 64);

	if (o->count > 1)
		n = ssa_binary(w, NODE_ADD, n, ssa_operand(w, &o->elems[1], 64));
	return o->imm ? ssa_binary(w, NODE_ADD, n, ssa_constant(w, (uint64_t)o->imm, 64)) : n;
}

/* How many bytes an instruction accesses through an operand; 0 where that is not known here. */
static uint64_t bytes_of(const struct ptx_inst *inst, unsigned index)
{
	switch (inst->opcode->op) {
	case PTX_OP_ld:
	case PTX_OP_ldu:
	case PTX_OP_st:
	case PTX_OP_atom:
	case PTX_OP_red: return index <= 1 ? ptx_access_bytes(inst) : 0;
	case PTX_OP_cp_async:
		return index == 1 && inst->operands[2].kind == PTX_OPERAND_INT ? (uint64_t)inst->operands[2].imm : 0;
	default: return 0;
	}
}

static void note_access(struct ssa_walk *w, uint32_t index, unsigned operand_index)
{
	const struct ptx_inst *inst = &w->k->function->insts[index];
	const struct ptx_operand *o = &inst->operands[operand_index];
	struct node_access a = {.inst = index,
				.block = w->block,
				.guard = w->guard,
				.truth = !inst->predicate_not,
				.bytes = bytes_of(inst, operand_index)};

	if (o->kind != PTX_OPERAND_MEM || a.bytes == 0)
		return;
	a.address = address(w, o);
	vec_push(&w->k->accesses, a);
}

/* Accesses of memory that may be global, one by one, and loads of constants, which addresses may depend on. */
void ssa_note_accesses(struct ssa_walk *w, uint32_t index)
{
	const struct ptx_inst *inst = &w->k->function->insts[index];

	for (struct ptx_address a = {0}; ptx_next_address(inst, &a);)
		if (a.space == PTX_SPACE_GLOBAL || a.space == PTX_SPACE_GENERIC ||
		    (a.space == PTX_SPACE_CONST && a.role == PTX_ROLE_LOAD))
			note_access(w, index, a.operand);
}
