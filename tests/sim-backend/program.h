/*
 * Small kernels for timing tests: a table of instructions and, per warp, which of them it executes with which
 * addresses.
 *
 *   struct program p = program_begin(CTAS, WARPS);
 *   unsigned add = program_inst(&p, TRACE_INT, 1, 2);        // r1 = f(r2)
 *   unsigned load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 3);
 *   program_emit(&p, load, 0x1000, 4);                       // every warp: lane l at 0x1000 + 4 l
 *   struct sim_result *r = program_run(&p, config);
 */
#ifndef ROMARK_TESTS_SIM_PROGRAM_H
#define ROMARK_TESTS_SIM_PROGRAM_H

#include "sim-backend/results/result.h"

enum { PROGRAM_INSTS = 64, PROGRAM_STEPS = 4096, PROGRAM_STREAMS = 8 };
enum { PROGRAM_PAD = 7, PROGRAM_WIDE = 8, PROGRAM_REGISTERS = 64 };

struct program_step {
	unsigned inst;
	uint64_t base, stride; /* lane addresses: base + lane * stride + warp * per_warp + cta * per_cta */
	uint64_t per_warp, per_cta;
	uint32_t mask;
	int only_warp; /* -1: all warps of a CTA */
};

struct program {
	struct trace_inst insts[PROGRAM_INSTS];
	unsigned ninsts;
	struct program_step steps[PROGRAM_STEPS];
	unsigned nsteps;
	uint32_t ctas, warps, launches, registers, shared_bytes, local_bytes;
	unsigned more_steps; /* launch i executes the first (i + 1) * more_steps steps; 0: all launches execute all */
	uint32_t more_warps; /* launch i has i * more_warps more than the first */
	uint32_t streams[PROGRAM_STREAMS]; /* of launch i: the one at i % PROGRAM_STREAMS */
	/*
	 * Every other launch is of a second kernel, which does the same with another table: its rows come behind
	 * PROGRAM_PAD others, and its memory instructions write PROGRAM_WIDE registers.
	 */
	bool second_kernel;
	unsigned long_block; /* the block of this instruction has all rows behind it, too; 0: none has */
	bool marked;         /* structure s0 is read-only and marked */
};

void program_begin(struct program *p, uint32_t ctas, uint32_t warps);
unsigned program_inst(struct program *p, enum trace_class cls, int dst, int src);
unsigned program_memory(struct program *p, enum trace_class cls, enum trace_space space, unsigned bytes, int dst);
struct program_step *program_emit(struct program *p, unsigned inst, uint64_t base, uint64_t stride);
/* Writes the trace to a new temporary file and returns its name (malloc'ed). */
char *program_write(const struct program *p);
/* Runs it under the mock memory system and asserts success. */
struct sim_result *program_run(const struct program *p, struct sim_config *config);
/* The same, with what sim_run said. */
int program_try(const struct program *p, struct sim_config *config, const struct sim_options *options,
		struct sim_result **result, struct diag *d);
/* Defaults with one SM. */
struct sim_config *one_sm(void);

#endif
