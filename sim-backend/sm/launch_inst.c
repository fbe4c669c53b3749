/* Rows of a launch's instruction table: everything about an instruction that is the same at each of its executions. */
#include "sim-backend/sm/launch_inst.h"

#include <string.h>

void launch_inst_add(struct launch_inst *row, uint16_t reg)
{
	if (reg == TRACE_NO_REGISTER)
		return;
	for (unsigned i = 0; i < row->noperands; i++)
		if (row->operands[i] == reg)
			return;
	row->operands[row->noperands++] = reg;
	row->operand_set |= (uint64_t)1 << reg % 64;
}

/*
 * Rows of a fetch's further texels. They write the fetch's registers, and wait for no register: the row of the first
 * texel, which comes before, waits for the operands.
 */
static void fill_part(struct launch_inst *row, const struct trace_inst *first, const struct trace_inst *inst)
{
	while (inst > first && inst->flags & TRACE_PART)
		inst--;
	for (unsigned i = 0; i < inst->ndst; i++)
		launch_inst_add(row, inst->dst[i]);
	row->ndst = row->noperands;
	row->noperands = 0;
	row->operand_set = 0;
}

static void fill_operands(struct launch_inst *row, const struct trace_inst *inst)
{
	for (unsigned i = 0; i < inst->ndst; i++)
		launch_inst_add(row, inst->dst[i]);
	row->ndst = row->noperands;
	for (unsigned i = 0; i < inst->nsrc; i++)
		launch_inst_add(row, inst->src[i]);
}

static enum sm_op kind_without_access(const struct trace_inst *inst)
{
	switch (inst->cls) {
	case TRACE_BARRIER:
		return !trace_is_barrier(inst) ? OP_ALU : inst->flags & TRACE_ARRIVES ? OP_ARRIVE : OP_BARRIER;
	case TRACE_FENCE: return OP_FENCE;
	case TRACE_BRANCH:
	case TRACE_CALL: return OP_CONTROL;
	case TRACE_ASYNC_COPY:
		if (trace_waits_for_copies(inst))
			return OP_FENCE;
		return trace_commits_copies(inst) ? OP_COPY_COMMIT : OP_ALU;
	default: return OP_ALU;
	}
}

/* Whether the mark counts: the instruction carries it, and the launch honoured it for the structure that is read. */
static bool is_marked(const struct trace_launch *launch, const struct trace_kernel *kernel, uint32_t row)
{
	const struct trace_inst *inst = &kernel->insts[row];

	if (!trace_is_marked(launch, inst, row))
		return false;
	return inst->structure >= kernel->nstructures || launch->structures[inst->structure].marked;
}

uint32_t launch_most_parts(const struct trace_kernel *kernel)
{
	uint32_t most = 1, run = 1;

	for (uint32_t i = 0; i < kernel->ninsts; i++) {
		run = kernel->insts[i].flags & TRACE_PART ? run + 1 : 1;
		most = run > most ? run : most;
	}
	return most;
}

struct launch_inst launch_inst_row(const struct trace_launch *launch, const struct trace_kernel *kernel, uint32_t index,
				   const struct exec_config *exec, uint32_t first_structure)
{
	const struct trace_inst *inst = &kernel->insts[index];
	bool known = first_structure && inst->structure < kernel->nstructures;
	uint32_t latency = exec->latency[inst->cls];
	/* Classes without a latency of their own take one cycle: EXIT, a store without an active lane. */
	struct launch_inst row = {.cls = inst->cls,
				  .unit = inst->cls,
				  .stall = 1,
				  .kind = (uint8_t)kind_without_access(inst),
				  .mem_flags = is_marked(launch, kernel, index) ? MEM_READ_ONLY : 0,
				  .structure = (uint16_t)(known ? first_structure + inst->structure : 0),
				  .barrier = inst->barrier < TRACE_BARRIERS ? inst->barrier : TRACE_BARRIERS,
				  .barrier_warps = inst->barrier_warps,
				  .latency = (uint16_t)(latency ? latency : 1),
				  .interval = (uint16_t)exec->interval[inst->cls]};

	if (trace_waits_for_copies(inst)) {
		row.barrier = (uint8_t)(inst->access_bytes - 1);
		row.barrier_warps = trace_commits_copies(inst);
	}
	memset(row.operands, 0xff, sizeof row.operands);
	if (inst->flags & TRACE_PART)
		fill_part(&row, kernel->insts, inst);
	else
		fill_operands(&row, inst);
	return row;
}
