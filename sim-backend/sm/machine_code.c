/* Rows of a launch's table for machine code: unit and times from the code, marks and barriers from the trace's row. */
#include "sim-backend/sm/machine_code.h"

#include "common/xalloc.h"

#include <string.h>

struct machine_code *machine_code_create(uint32_t nblocks, uint32_t ninsts, uint32_t nparts)
{
	struct machine_code *code = xcalloc(1, sizeof *code);

	code->nblocks = nblocks;
	code->ninsts = ninsts;
	code->blocks = xcalloc((size_t)nblocks + 1, sizeof *code->blocks);
	code->insts = xcalloc((size_t)ninsts + 1, sizeof *code->insts);
	code->parts = xcalloc((size_t)nparts + 1, sizeof *code->parts);
	return code;
}

void machine_code_free(struct machine_code *code)
{
	if (!code)
		return;
	xfree(code->blocks);
	xfree(code->insts);
	xfree(code->parts);
	xfree(code);
}

/* All registers are waited for; those that are there after a fixed time are in no list, since `stall` covers them. */
static void fill_registers(struct launch_inst *row, const struct code_inst *in)
{
	memset(row->operands, 0xff, sizeof row->operands);
	row->operand_set = 0;
	row->noperands = row->ndst = 0;
	for (unsigned i = 0; i < in->ndst; i++)
		launch_inst_add(row, in->dst[i]);
	if (in->latency || in->joined)
		row->ndst = row->noperands;
	if (in->texel) {
		row->noperands = 0;
		row->operand_set = 0;
	}
	for (unsigned i = 0; i < in->nsrc; i++)
		launch_inst_add(row, in->src[i]);
}

static enum sm_op kind_of_code(const struct code_inst *in, const struct launch_inst *row)
{
	if (in->as_row)
		return (enum sm_op)row->kind;
	return in->joined ? OP_ALU : in->latency ? OP_STALL : OP_CONTROL;
}

/* Units whose speed differs among GPUs of a generation, and whose results come after a time that is not the code's. */
static bool is_timed_by_gpu(const struct code_inst *in)
{
	return !in->joined && (in->cls == TRACE_FP64 || in->cls == TRACE_SFU);
}

/* A jump takes at least as long as the model's. */
static uint16_t latency_of(const struct code_inst *in, const struct exec_config *exec)
{
	bool jumps = in->cls == TRACE_BRANCH || in->cls == TRACE_CALL;
	uint32_t least = jumps && !in->latency ? exec->latency[in->cls] : 1;
	uint32_t own = is_timed_by_gpu(in) ? exec->latency[in->cls] : in->latency ? in->latency : in->stall;

	return (uint16_t)(own > least ? own : least);
}

static struct launch_inst row_of(const struct code_inst *in, const struct trace_block *block,
				 const struct trace_launch *launch, const struct trace_kernel *kernel,
				 const struct exec_config *exec, uint32_t first_structure)
{
	uint32_t stands_for = in->joined ? in->access : in->row;
	struct launch_inst row = {.barrier = TRACE_BARRIERS};

	if (stands_for < block->count)
		row = launch_inst_row(launch, kernel, block->first + stands_for, exec, first_structure);
	row.kind = (uint8_t)kind_of_code(in, &row);
	row.cls = in->cls;
	row.unit = in->unit;
	row.stall = in->stall ? in->stall : 1;
	row.interval = is_timed_by_gpu(in) ? (uint16_t)exec->interval[in->cls] : in->interval;
	row.latency = latency_of(in, exec);
	fill_registers(&row, in);
	return row;
}

void machine_code_rows(const struct machine_code *code, const struct trace_launch *launch,
		       const struct trace_kernel *kernel, const struct exec_config *exec, uint32_t first_structure,
		       struct launch_inst *rows)
{
	for (uint32_t i = 0; i < code->ninsts; i++)
		rows[i] = row_of(&code->insts[i], &kernel->blocks[code->insts[i].block], launch, kernel, exec,
				 first_structure);
}
