/* One function: a machine instruction for each PTX instruction, by its class. */
#include "lowering/lower.h"

#include "ptx-analyzer/flow/resources.h"

/* The opcode that a class of PTX instructions becomes. */
static const uint16_t class_op[] = {
    [PTX_CLASS_INT] = MACHINE_IADD3,         [PTX_CLASS_FP32] = MACHINE_FFMA,   [PTX_CLASS_FP64] = MACHINE_DFMA,
    [PTX_CLASS_FP16] = MACHINE_HFMA2,        [PTX_CLASS_SFU] = MACHINE_MUFU,    [PTX_CLASS_TENSOR] = MACHINE_HMMA,
    [PTX_CLASS_MOVE] = MACHINE_MOV,          [PTX_CLASS_CONVERT] = MACHINE_F2F, [PTX_CLASS_LOAD] = MACHINE_LDG,
    [PTX_CLASS_STORE] = MACHINE_STG,         [PTX_CLASS_ATOMIC] = MACHINE_ATOM, [PTX_CLASS_ASYNC] = MACHINE_LDGSTS,
    [PTX_CLASS_TEXTURE] = MACHINE_TEX_FETCH, [PTX_CLASS_BARRIER] = MACHINE_BAR, [PTX_CLASS_FENCE] = MACHINE_MEMBAR,
    [PTX_CLASS_BRANCH] = MACHINE_BRA,        [PTX_CLASS_CALL] = MACHINE_CALL,   [PTX_CLASS_RETURN] = MACHINE_RET,
    [PTX_CLASS_EXIT] = MACHINE_EXIT,         [PTX_CLASS_WARP] = MACHINE_SHFL,   [PTX_CLASS_OTHER] = MACHINE_NOP,
};

static void add_source(struct machine_inst *in, uint32_t base, uint32_t reg)
{
	if (reg != PTX_NONE && in->nsrc < MACHINE_MAX_SOURCES)
		in->src[in->nsrc++] = (uint16_t)((base + 2 * reg) % TRACE_NO_REGISTER);
}

static void add_operand(struct machine_inst *in, uint32_t base, const struct ptx_operand *op, enum ptx_role role)
{
	if (op->kind == PTX_OPERAND_REG) {
		if ((role == PTX_ROLE_DST || role == PTX_ROLE_DSTSRC) && in->ndst < MACHINE_MAX_DESTINATIONS)
			in->dst[in->ndst++] = (uint16_t)((base + 2 * op->id) % TRACE_NO_REGISTER);
		if (role != PTX_ROLE_DST)
			add_source(in, base, op->id);
	} else if (op->kind == PTX_OPERAND_MEM || op->kind == PTX_OPERAND_TEX) {
		for (unsigned i = 0; i < op->count; i++)
			add_operand(in, base, &op->elems[i], PTX_ROLE_SRC);
	} else if (op->kind == PTX_OPERAND_VEC || op->kind == PTX_OPERAND_PAIR) {
		for (unsigned i = 0; i < op->count; i++)
			add_operand(in, base, &op->elems[i], role);
	}
}

static void lower_inst(struct lower *l, struct lower_block *b, const struct ptx_inst *ptx, uint32_t row, bool access)
{
	struct machine_inst in = {.op = class_op[ptx->opcode->cls], .row = row};

	in.pipe = (uint8_t)machine_op_pipe((enum machine_op)in.op);
	if (ptx->predicate != PTX_NONE) {
		in.flags |= MACHINE_PREDICATED;
		add_source(&in, l->nregisters, ptx->predicate);
	}
	for (unsigned i = 0; i < ptx->noperands; i++)
		add_operand(&in, l->nregisters, &ptx->operands[i], ptx_operand_role(ptx, i));
	if (access) {
		in.access[in.naccess++] = row;
		in.bytes = ptx_access_bytes(ptx);
	}
	vec_push(&b->code, in);
}

/* The block's rows in the trace, or NULL. */
static const struct trace_inst *rows_of(const struct lower *l, const struct lower_block *b)
{
	const struct trace_kernel *t = l->request->table;

	return t ? &t->insts[t->blocks[b - l->blocks].first] : NULL;
}

void lower_function(struct lower *l, const struct ptx_function *f, uint32_t first, uint32_t count)
{
	for (uint32_t b = first; b < first + count; b++) {
		struct lower_block *block = &l->blocks[b];
		const struct trace_inst *rows = rows_of(l, block);
		uint32_t row = 0;

		for (uint32_t i = 0; i < block->count; i++, row++) {
			bool access = rows && rows[row].flags & TRACE_HAS_ACCESS;

			lower_inst(l, block, &f->insts[block->first + i], row, access);
			while (rows && row + 1 < l->request->table->blocks[b].count && rows[row + 1].flags & TRACE_PART)
				row++;
		}
	}
	l->nregisters += 2 * f->nregs;
	if (f->is_kernel)
		l->registers_per_thread = ptx_registers(f);
}
