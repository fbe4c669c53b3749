/*
 * Random kernels of numbers: expressions over thread numbers, parameters, loop variables and what was loaded, branches
 * and loops of many spellings, and accesses at addresses made of all that. A kernel is a tree of statements, of which
 * there is PTX and a run of one thread that knows no PTX (random_run.c).
 */
#ifndef ROMARK_TESTS_RANDOM_PROGRAM_H
#define ROMARK_TESTS_RANDOM_PROGRAM_H

#include "common/strbuf.h"
#include "common/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { NARROWS = 16, WIDES = 12, PARAMS = 4, BASES = 3 };

/* Registers: %r0-%r15 of 32 bits, %rd0-%rd11 of 64. A kernel begins with copies of the first in all others. */
enum { R_TID, R_CTAID, R_NTID, R_INDEX, R_PARAM, R_FREE = R_PARAM + PARAMS };
enum { D_BASE, D_WIDE = BASES, D_FREE };
/* %rd14 is the address of the table. */
enum { D_TABLE = 14, TABLE_BYTES = 1024 };

struct value {
	bool constant;
	unsigned reg;
	uint64_t number;
};

enum number_op {
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_MULHI,
	OP_DIV,
	OP_REM,
	OP_MIN,
	OP_MAX,
	OP_AND,
	OP_OR,
	OP_XOR,
	OP_SHL,
	OP_SHR,
	OP_NEG,
	OP_NOT,
	OP_ABS,
	OP_MOVE,
	OP_MAD,
	OP_FIELD, /* bfe.u32 */
	OP_BITS,  /* popc */
	OP_TID,   /* of %tid.x */
	NUMBER_OPS
};

/* `how` one to the other, as signed numbers or not. */
enum relation { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE };
struct comparison {
	enum relation how;
	bool by_sign, wide;
	struct value a, b;
};

enum { MOST_COMPARISONS = 3 };
struct condition {
	struct comparison all[MOST_COMPARISONS];
	unsigned count;
	bool any, negated; /* any: one is enough */
};

enum statement_kind {
	S_NUMBER,       /* to = op(a, b, c) */
	S_CHOOSE,       /* to = condition ? a : b */
	S_WIDEN,        /* %rd to = a, by sign or not; `bits` choose a spelling */
	S_NARROW,       /* %r to = lower half of a */
	S_CAST,         /* %r to = (signed char)a and its like: of `bits` bits */
	S_WIDE_PRODUCT, /* %rd to = a * b of 32 bits */
	S_LOADED,       /* to = any number */
	S_FOUND,        /* to = number `a` of `bytes` in the table, by sign or not */
	S_ACCESS,       /* of `bytes` at %rd a + offset */
	S_IF,
	S_LOOP,
	S_LEAVE, /* break, continue or return where the condition holds */
};

enum leave { LEAVE_BREAK, LEAVE_CONTINUE, LEAVE_RETURN };

struct statement;
typedef VEC(struct statement *) block;

struct statement {
	enum statement_kind kind;
	enum number_op op;
	bool wide, by_sign, store, guarded; /* guarded: under the condition, as one instruction */
	unsigned to, bits, bytes, nth;      /* nth: of the accesses */
	int64_t offset;
	struct value a, b, c;
	struct condition condition; /* LOOP: that another round follows */
	bool tests_first;           /* LOOP: before the first round, too */
	bool restarts;              /* LOOP: `continue` begins a round without what ends one and without a test */
	enum leave leave;
	block body, other; /* other: of IF; of LOOP what ends each round, also after `continue` */
};

struct program {
	block body;
	unsigned naccesses;
	VEC(struct statement *) all;
};

struct program *program_make(uint64_t seed);
void program_free(struct program *p);
/* PTX whose entry is "k": access i is the i-th access of global memory in it that is not volatile. (random_text.c) */
void program_text(const struct program *p, struct strbuf *text);

uint64_t program_random(void);
void program_seed(uint64_t seed);

/* --- One thread (random_run.c) --- */

struct run {
	const struct program *program;
	uint32_t tid, ctaid, ntid;
	uint32_t params[PARAMS];
	uint64_t wide, bases[BASES];
	const unsigned char *table; /* TABLE_BYTES; behind them a thread finds any number */
	void (*access)(void *data, unsigned nth, uint64_t address, unsigned bytes);
	void *data;
	/* While it runs. */
	uint64_t narrow[NARROWS], wides[WIDES];
	unsigned fuel;
};
void run_thread(struct run *r);

#endif
