/*
 * Private to the intervals of a function (intervals.h): the state of its abstract execution, which goes through
 * instructions (interval_steps.c) and conditions (interval_conditions.c), block by block (intervals.c).
 */
#ifndef ROMARK_PTX_INTERVAL_RUN_H
#define ROMARK_PTX_INTERVAL_RUN_H

#include "ptx-analyzer/flow/interval_math.h"

struct interval_run {
	struct ptx_function *f;
	struct stack_frame frame;
	uint32_t *variable;       /* per register: its number, or PTX_NONE */
	uint32_t nregs, nvars;    /* variables that are registers; with the slots behind them */
	struct interval *regs;    /* of registers that are no variables */
	struct interval *written; /* per register: the hull of all that is written */
	struct interval *blocks;  /* at the start of each block, `nvars` each */
	bool *entered;            /* per block */
	VEC(int64_t) landmarks;   /* numbers that the code compares with, ascending: bounds stop there */
	bool changed;
	/* While a block is executed: */
	struct interval *now, *beyond;
	uint32_t *source;     /* per register: the variable that it was copied from in this block and still equals */
	VEC(uint32_t) copies; /* registers that have a source, and perhaps others */
};

static inline unsigned interval_register_bits(const struct interval_run *r, uint32_t reg)
{
	return ptx_type_bits(r->f->regs[reg].type);
}
/* Registers of 16 to 64 bits that are declared as anything but floating point. */
bool interval_is_number(const struct interval_run *r, uint32_t reg);
/* Where the register's interval is kept. */
struct interval *interval_of_register(const struct interval_run *r, uint32_t reg);
/* The number of an operand of so many bits; a place in a frame is no number. */
struct interval interval_of_operand(const struct interval_run *r, const struct ptx_operand *o, unsigned bits);
/* Executes an instruction on `r->now`. */
void interval_step(struct interval_run *r, const struct ptx_inst *inst);
/* At the start of a block no register is known to be a copy. */
void interval_forget_copies(struct interval_run *r);

/* What a predicate says: how the number of `left` compares with that of `right`. */
struct interval_condition {
	enum ptx_mod how; /* PTX_MOD_COUNT: not known */
	enum ptx_type type;
	const struct ptx_operand *left, *right;
	bool constant, value; /* it is true or false, whatever the numbers */
};

/* A predicate of which nothing is known. */
extern const struct interval_condition interval_unconditional;
/* What a predicate, or its opposite, says at the end of a block that has been executed, as far as the block tells. */
struct interval_condition interval_find_condition(const struct interval_run *r, const struct ptx_block *b,
						  uint32_t predicate, bool negated);
/* `state` where the condition holds, or does not. False if that cannot be, since a number would be left with nothing.
 */
bool interval_assume(const struct interval_run *r, const struct interval_condition *c, bool holds,
		     struct interval *state);

#endif
