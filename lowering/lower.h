/* Private to the lowering: a kernel on its way from PTX to machine instructions. All state is in these structs. */
#ifndef ROMARK_LOWERING_LOWER_H
#define ROMARK_LOWERING_LOWER_H

#include "common/arena.h"
#include "common/vec.h"
#include "lowering/machine_kernel.h"
#include "ptx-analyzer/language/module/ptx.h"

/* Blocks that are issued as one. */
struct lower_region {
	VEC(struct machine_inst) code;
	struct machine_part parts[MACHINE_MAX_PARTS];
	uint32_t nparts;
	struct lower_region *next; /* of all */
};

/* A block of the result while it is made. */
struct lower_block {
	VEC(struct machine_inst) code;
	const struct ptx_function *function;
	uint32_t first, count; /* PTX instructions of the function */
	uint32_t *rows;        /* of each: its row, counted from the block's first */
	uint32_t arm[2];
	struct lower_region *region; /* that begins here, or NULL */
	bool unrolled;               /* the region has copies of the loop that the block is */
	bool whole;                  /* and the loop turns so often and no more */
	uint32_t rest;               /* copies that there are for the rest of its trips */
};

struct lower {
	const struct lowering_request *request;
	enum machine_generation generation;
	struct arena arena; /* of the result */
	struct ptx_module *module;
	uint32_t *shared_offset; /* by symbol: where its shared memory is; PTX_NONE: it has none */
	struct lower_block *blocks;
	uint32_t nblocks;
	struct lower_region *regions;
	uint32_t nregisters;
	uint32_t registers_per_thread;
};

#define LOWER_ZERO UINT32_MAX /* the half of a register that is zero, or a constant: no machine register */

/* What is known of a PTX register. Machine registers are counted from the function's first; see struct selection. */
struct reg_fact {
	uint32_t ndef, def;    /* instructions that write it, and the last of them */
	uint32_t uses;         /* as an operand of instructions that are not free */
	uint32_t lo, hi;       /* machine registers that hold it: those of another PTX register after a free move */
	bool number;           /* a constant that the assembler knows */
	bool constant, needed; /* it can be an operand from the constant bank, or an immediate; somebody reads it */
	bool divergent;        /* lanes may differ in it */
	uint8_t zeros;         /* so many of its low bits are certainly zero */
	uint64_t id;           /* constant: equal for equal constants */
};

enum { LOWER_MAX_LEAVES = 12 };

/* What becomes of one PTX instruction. */
struct inst_plan {
	bool free;            /* of nothing */
	const char *sequence; /* as in rules.def */
	uint32_t like;        /* 1 + an earlier division by the same divisor; 0 = none */
	uint16_t reciprocal;  /* a division's machine register with what depends on the divisor alone */
	uint8_t nleaves, nconstants;
	uint32_t leaves[LOWER_MAX_LEAVES]; /* registers that are read, after what is folded into the instruction */
	uint64_t constants[4];
	uint8_t constant_words[4];
};

/* A function while its instructions are chosen. PTX register r is the machine registers base + 2r and base + 2r + 1. */
struct selection {
	struct lower *l;
	const struct ptx_function *f;
	uint32_t base;
	struct reg_fact *facts;
	struct inst_plan *plans;
};

/* Fills the blocks [first, first + count) of `l`, which are those of the function, in the order of the text. */
void lower_function(struct lower *l, struct ptx_function *f, uint32_t first, uint32_t count);

/* --- rules.c --- */

/* The sequence of the first row of rules.def that fits; NULL if none does. */
const char *rule_sequence(const struct ptx_inst *inst, enum machine_generation g);
/* The opcode of a load, store or atomic by its space; MACHINE_OP_COUNT for other instructions. */
enum machine_op memory_op(const struct ptx_opcode *opcode);
/* Takes the next opcode and its count off a sequence; false at the end. Skips a |. */
bool sequence_next(const char **at, enum machine_op *op, unsigned *count);

/* --- fold.c, same_values.c: what ptxas knows of the PTX before it chooses instructions; both change it --- */

void fold_numbers(struct ptx_module *m, struct ptx_function *f);
void join_values(struct selection *s, struct ptx_function *f);

/* --- free.c: registers, and instructions that become nothing --- */

/* How many instructions write each register. The caller frees it. */
uint32_t *lower_definitions(const struct ptx_function *f);
void find_facts(struct selection *s);

/* --- select.c: what each instruction becomes --- */

void select_code(struct selection *s);

/* --- emit.c --- */

void emit_block(struct selection *s, struct lower_block *b);

/* --- joins.c: neighbouring accesses of shared memory --- */

void find_zeros(struct selection *s);
void join_accesses(struct selection *s, struct lower_block *b);

/* --- trips.c: how often loops turn --- */

bool is_counted(const struct selection *s, const struct lower_block *b);
/* Of a loop that is counted; 0: not known. */
uint32_t count_trips(const struct selection *s, const struct lower_block *b);
/* The last instruction of the block that writes the register, or PTX_NONE. */
uint32_t lower_writer(const struct selection *s, const struct lower_block *b, uint32_t reg);

/* --- unroll.c: loops of one block that are unrolled --- */

void unroll_loops(struct selection *s, uint32_t first, uint32_t count);

/* --- control.c: predicated arms, and where lanes meet; before it, registers in which lanes differ --- */

void find_divergence(struct selection *s);
void shape_control(struct selection *s, uint32_t first, uint32_t count);

/* --- regions.c: blocks that are issued as one --- */

struct lower_region *lower_add_region(struct lower *l);
void lower_add_part(struct lower_region *r, const struct lower *l, const struct lower_block *b, bool optional);
void find_regions(struct selection *s, uint32_t first, uint32_t count);

/* --- schedule.c: the order of instructions --- */

void schedule_code(const struct lower *l, struct machine_inst *code, size_t n);

/* --- pressure.c: registers --- */

/* General registers that are live at the busiest instruction of the function. */
uint32_t lower_pressure(const struct selection *s, uint32_t first, uint32_t count);

#endif
