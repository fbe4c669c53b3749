/*
 * What the hardware of a GPU generation issues for the PTX of one kernel, basic block by basic block.
 *
 *   struct lowering_request q = {.ptx = text, .size = size, .kernel = "saxpy", .generation = MACHINE_VOLTA,
 *                                .registers = 255, .block = {256, 1, 1}, .table = trace_kernel};
 *   struct machine_kernel *m = machine_kernel_create(&q, &diag);      // NULL and diag: PTX that does not parse, ...
 *   for (uint32_t b = 0; b < m->nblocks; b++) ... m->blocks[b].insts[0 .. ninsts - 1] ...
 *   machine_kernel_free(m);
 *
 * A block's instructions are in the order in which they are issued, which is not PTX's. Each says which memory accesses
 * of the block's rows in the trace it performs; each access of the block is performed by exactly one instruction.
 * docs/lowering.md has what is modelled, and the errors measured against ptxas.
 */
#ifndef ROMARK_MACHINE_KERNEL_H
#define ROMARK_MACHINE_KERNEL_H

#include "common/diag.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum machine_generation { MACHINE_VOLTA, MACHINE_AMPERE, MACHINE_HOPPER, MACHINE_GENERATION_COUNT };

/* The pipe that executes an instruction. */
enum machine_pipe {
#define PIPE(id, name, ...) MACHINE_##id,
#include "lowering/machine_pipes.def"
#undef PIPE
	MACHINE_PIPE_COUNT
};

/* Opcodes: MACHINE_FFMA, MACHINE_IADD3, MACHINE_LDG, ... */
enum machine_op {
#define MOP(id, name, pipe) MACHINE_##id,
#include "lowering/machine_ops.def"
#undef MOP
	MACHINE_OP_COUNT
};

enum {
	MACHINE_NO_BLOCK = 0xffffffff,
	MACHINE_MAX_DESTINATIONS = 8,
	MACHINE_MAX_SOURCES = 12,
	MACHINE_MAX_JOINED = 8, /* accesses that one instruction performs */
	MACHINE_MAX_PARTS = 64, /* blocks of a region */
};

enum machine_inst_flag {
	MACHINE_PREDICATED = 1, /* lanes whose predicate is false do nothing */
};

struct machine_inst {
	uint16_t op;   /* enum machine_op */
	uint8_t pipe;  /* enum machine_pipe */
	uint8_t flags; /* enum machine_inst_flag */
	uint8_t ndst, nsrc, naccess;
	uint8_t part; /* in a region: which of its parts the instruction belongs to */
	/* Virtual machine registers, numbered per kernel, predicates included; the two halves of a pair are two. */
	uint16_t dst[MACHINE_MAX_DESTINATIONS], src[MACHINE_MAX_SOURCES];
	uint16_t guard; /* MACHINE_PREDICATED: which of the sources is the predicate */
	/*
	 * The row of the trace's block that this instruction stands for, counted from the block's first row: the class,
	 * barrier, space and flags are there. MACHINE_NO_BLOCK for one of a sequence that stands for no row by itself.
	 */
	uint32_t row;
	/*
	 * The rows (counted likewise) whose accesses it performs as one. They are neighbours in memory, the lowest
	 * address first; `bytes` a lane is the joined width, so the first row's addresses with that width are the whole
	 * access. 0 accesses: no memory, or memory that the trace does not have (parameters, constants in operands).
	 * Rows with TRACE_PART behind access[0] belong to it.
	 */
	uint32_t access[MACHINE_MAX_JOINED];
	uint32_t bytes;
};

/*
 * Blocks that ptxas schedules together, as one piece of code: where the trace executes the parts one behind the other,
 * it is issued in place of theirs. Optional parts are predicated: they are issued without lanes where the trace goes
 * past them, and come in any order between the others. A loop that is unrolled has the same block several times.
 */
struct machine_part {
	uint32_t block;
	bool optional;
};

struct machine_region {
	const struct machine_inst *insts;
	uint32_t ninsts, nparts;
	const struct machine_part *parts; /* the first is the block that has the region */
};

struct machine_block {
	const struct machine_inst *insts;
	uint32_t ninsts;
	/*
	 * Blocks whose instructions stand, predicated, at this block's end: hardware issues them in each case, also
	 * where the trace goes past them. Where it does, they are issued without lanes. In the order of issue;
	 * MACHINE_NO_BLOCK = none.
	 */
	uint32_t arm[2];
	const struct machine_region *region; /* that begins with the block; NULL = none */
	bool unrolled;                       /* the region has copies of this loop */
	uint32_t rest; /* copies that ptxas has besides, of the block's own code: for the rest of the trips */
};

struct machine_kernel {
	struct machine_block *blocks; /* as the trace's table has them */
	uint32_t nblocks;
	uint32_t nregisters;           /* numbers of virtual registers */
	uint32_t registers_per_thread; /* estimate for the occupancy, after lowering */
	void *storage;
};

struct lowering_request {
	const char *ptx; /* a module that parses by itself; need not end with a zero byte */
	size_t size;
	const char *kernel; /* its name in the module */
	enum machine_generation generation;
	uint32_t registers;               /* a thread may have; 0 = 255 */
	uint32_t block[3];                /* threads; 0 = not known */
	const struct trace_kernel *table; /* rows in the order of the PTX; NULL: the kernel's basic blocks */
};

struct machine_kernel *machine_kernel_create(const struct lowering_request *request, struct diag *d);
void machine_kernel_free(struct machine_kernel *m);

/* --- Timing --- */

/*
 * Cycles from the issue of a producer on one pipe to the issue of a consumer of its result on another; 0: the time
 * varies, and the consumer waits on a scoreboard (machine_variable_latency has a usual value).
 */
unsigned machine_latency(enum machine_generation g, enum machine_pipe producer, enum machine_pipe consumer);
/* The same to an instruction whose predicate it is. */
unsigned machine_guard_latency(enum machine_generation g, enum machine_pipe producer);
unsigned machine_variable_latency(enum machine_generation g, enum machine_pipe producer);
/*
 * The unit that the opcode keeps busy, named as the pipe that has it for itself, and for how many cycles: 2 for 16
 * lanes a cycle. Products of 64 bits are made by the FMA unit of Volta, and by a half of it from Ampere on, which makes
 * the other integer products too.
 */
enum machine_pipe machine_unit(enum machine_generation g, enum machine_op op);
unsigned machine_interval(enum machine_generation g, enum machine_op op);
/* The same of an instruction: Volta's loads of 16 bytes a lane from shared memory take twice as long. */
unsigned machine_inst_interval(enum machine_generation g, const struct machine_inst *in);

enum machine_pipe machine_op_pipe(enum machine_op op);
/* "volta", "IADD3", "alu" */
const char *machine_generation_name(enum machine_generation g);
const char *machine_op_name(enum machine_op op);
const char *machine_pipe_name(enum machine_pipe pipe);
/* MACHINE_GENERATION_COUNT if there is none of that name; "turing" is volta. */
enum machine_generation machine_generation_by_name(const char *name);

#endif
