/* The static instruction table as one launch runs it: latencies, operands, and whether the launch honoured the mark. */
#ifndef ROMARK_SIM_LAUNCH_INST_H
#define ROMARK_SIM_LAUNCH_INST_H

#include "sim-backend/memory/memsys.h"
#include "sim-backend/sm/sm_config.h"
#include "trace/trace.h"

/*
 * The kind of a warp instruction for the SM. Kinds from OP_SHARED on go to the LSU. OP_FENCE: a fence, or a wait for
 * groups of copies, which its class tells.
 */
/* clang-format off */
enum sm_op {
	OP_ALU, OP_CONTROL, OP_STALL, OP_CONST, OP_BARRIER, OP_ARRIVE, OP_COPY_COMMIT, OP_FENCE,
	OP_SHARED, OP_LOAD, OP_BYPASS, OP_STORE, OP_ATOMIC, OP_REDUCTION
};
/* clang-format on */

enum { LAUNCH_UNITS = TRACE_CLASS_COUNT };

/* A row of the static instruction table as this launch runs it, in one cache line. */
struct launch_inst {
	uint64_t operand_set; /* bit (register % 64) of each operand */
	uint8_t cls;
	uint8_t kind;      /* enum sm_op of an execution that accesses no memory */
	uint8_t mem_flags; /* MEM_READ_ONLY or 0 */
	uint8_t noperands; /* that it waits for */
	uint8_t ndst;      /* registers that it writes: `operands` in front */
	uint8_t barrier; /* OP_BARRIER, OP_ARRIVE: place in resident_cta.barriers; a wait for copies: groups that may be
			    on their way */
	uint8_t barrier_warps; /* a wait for copies: whether it commits the open group first */
	uint8_t unit;          /* that executes it and may have an interval: the class, or one of machine code's */
	uint8_t stall;         /* OP_STALL, kinds for the LSU: the warp waits so many cycles; OP_CONTROL: latency */
	uint16_t structure;    /* index in the run's structure table */
	uint16_t latency, interval;
	uint16_t operands[TRACE_MAX_DESTINATIONS + TRACE_MAX_SOURCES]; /* each register once, destinations first; the
									   others are TRACE_NO_REGISTER */
};

_Static_assert((TRACE_MAX_DESTINATIONS + TRACE_MAX_SOURCES) % 4 == 0, "operands are looked at in fours");

/* A further texel of a texture fetch (TRACE_PART), which counts as no instruction. */
static inline bool launch_inst_is_part(const struct launch_inst *inst)
{
	return inst->cls == TRACE_TEXTURE && !inst->noperands;
}

/* The row of instruction `index`. `first_structure`: the kernel's first row in the run's structure table, 0 if none. */
struct launch_inst launch_inst_row(const struct trace_launch *launch, const struct trace_kernel *kernel, uint32_t index,
				   const struct exec_config *exec, uint32_t first_structure);
/* Appends a register that is not among the operands yet, and is not TRACE_NO_REGISTER. */
void launch_inst_add(struct launch_inst *row, uint16_t reg);
/* Most rows of one texture fetch: 1 and its TRACE_PART rows. */
uint32_t launch_most_parts(const struct trace_kernel *kernel);

#endif
