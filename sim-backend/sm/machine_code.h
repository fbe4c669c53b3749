/*
 * Machine code that an SM issues in place of a kernel's rows in the trace, as plain tables: the simulator knows neither
 * where they come from nor a machine's opcodes.
 *
 *   struct machine_code *code = machine_code_create(nblocks, ninsts, nparts);
 *   code->blocks[b] = (struct code_block){.first = .., .count = .., .arm = {CODE_NO_BLOCK, CODE_NO_BLOCK}, .rows = ..};
 *   code->insts[i] = ..
 *   machine_code_free(code);
 *
 * A block's instructions issue in their order when a warp executes the block in the trace. An instruction makes the
 * accesses of the block's rows that it names. Where a warp executes all parts of a block's region, the region's
 * instructions issue in their place: parts are blocks, the first of them the one that has the region. Optional ones may
 * be missing in the trace, and come in any order between the others; their instructions then issue without lanes.
 */
#ifndef ROMARK_SIM_MACHINE_CODE_H
#define ROMARK_SIM_MACHINE_CODE_H

#include "sim-backend/sm/launch_inst.h"

enum { CODE_NO_ROW = 0xffffffff, CODE_NO_BLOCK = 0xffffffff };

struct code_inst {
	uint8_t cls;                /* enum trace_class, for the counters */
	uint8_t unit;               /* below LAUNCH_UNITS */
	uint8_t ndst, nsrc, joined; /* joined: rows whose accesses it makes as one; 0 = no access */
	uint8_t bytes;              /* of a lane's access */
	/*
	 * The warp's next instruction issues at least so many cycles later. This covers results that are there after
	 * a fixed time, as compilers set it for hardware: such an instruction has no `latency`.
	 */
	uint8_t stall;
	bool as_row;  /* a barrier, a fence, a wait for copies, of the kind that `row` says */
	bool texel;   /* a further texel of the fetch before it, see TRACE_PART */
	uint8_t part; /* of the region */
	uint16_t latency, interval;
	/* Below machine_code.nregisters: only registers that some instruction with a `latency` or an access writes. */
	uint16_t dst[TRACE_MAX_DESTINATIONS], src[TRACE_MAX_SOURCES];
	uint32_t block;  /* of the trace's table */
	uint32_t row;    /* of the block, counted from its first: the row that it stands for; or CODE_NO_ROW */
	uint32_t access; /* likewise: the row with the lowest addresses */
};

struct code_block {
	uint32_t first, count; /* instructions */
	/* Predicated blocks behind this one's end: their instructions issue without lanes where the trace leaves them
	 * out. */
	uint32_t arm[2];
	uint32_t rows; /* PTX instructions that it stands for */
	/* The region that begins with it: instructions, and parts of machine_code.parts; no parts = no region. */
	uint32_t region_first, region_count, first_part, nparts;
};

struct code_part {
	uint32_t block;
	bool optional;
};

enum { CODE_MOST_PARTS = 64 }; /* of a region */

struct machine_code {
	struct code_block *blocks; /* as the trace's table has them */
	struct code_inst *insts;
	struct code_part *parts;
	uint32_t nblocks, ninsts;
	uint32_t nregisters;
	uint32_t registers_per_thread; /* for the occupancy */
};

struct machine_code *machine_code_create(uint32_t nblocks, uint32_t ninsts, uint32_t nparts);
void machine_code_free(struct machine_code *code);
/* The rows of a launch, code->ninsts; arguments as for launch_inst_row. */
void machine_code_rows(const struct machine_code *code, const struct trace_launch *launch,
		       const struct trace_kernel *kernel, const struct exec_config *exec, uint32_t first_structure,
		       struct launch_inst *rows);

#endif
