/*
 * The row of engine_ops.def of each opcode: what decoding, running and observing need beside the language's row in
 * ptx_ops.def. decode/engine_ops.c has the table. It is declared here because exec/ and observe/ read it, too.
 */
#ifndef ROMARK_CPU_ENGINE_OP_H
#define ROMARK_CPU_ENGINE_OP_H

#include "ptx-analyzer/language/module/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct decode;

/* How an opcode's types and modifiers become the key of its exec row, unless they are taken as spelled. */
enum key_flag {
	KEY_SPELLED = 0,
	KEY_OF_FORM = 1,     /* the form makes the key, not exec_key_of() */
	KEY_WIDTH = 2,       /* of the first type only the width matters: .b8 .. .b128 */
	KEY_LOAD = 4,        /* width, below 32 bits the sign, and the state space; no modifiers */
	KEY_STORE = 8,       /* width and state space; no modifiers */
	KEY_OPERATION = 16,  /* a modifier of PTX_GROUP_COMPARE or PTX_GROUP_OPERATION is the operation */
	KEY_COMPARISON = 32, /* likewise, and .lo and .hi are comparisons, not halves */
	KEY_BITWISE = 64,    /* of operations on bits (.and, .exch, ...) only the width matters */
	KEY_NO_TYPE = 128,
	KEY_NO_MODS = 256,
	KEY_SECOND = 512, /* the second type has the role that the first has for other opcodes */
};

enum op_fact {
	OP_ENDS_BLOCK = 1,      /* lanes may go on elsewhere, or wait */
	OP_STARTS_BLOCK = 2,    /* lanes may come back to it */
	OP_ASKS_AGAIN = 4,      /* tests whether something has happened; programs repeat it until it has */
	OP_VOTES = 8,           /* a barrier to which each lane brings a predicate, and takes away what all brought */
	OP_NO_RESULT = 16,      /* an atomic operation without a result */
	OP_FETCHES = 32,        /* reads several texels per lane */
	OP_MOVES_FRAGMENT = 64, /* a lane's address follows from its part of the matrix */
	OP_MOVES_ROWS = 128,    /* only the first eight lanes per matrix have an address */
	OP_GROWS_FRAME = 256,   /* takes local memory that is not known when the program is decoded */
	OP_COPIES = 512,        /* its address is the source of a copy, and its list has the destination */
};

struct engine_op {
	void (*decode)(struct decode *d); /* reads its operands; NULL: the engine does not execute it */
	uint16_t rows_of;                 /* enum ptx_op whose exec rows it has: its own, but for ENGINE_AS */
	uint16_t key;                     /* enum key_flag */
	uint16_t facts;                   /* enum op_fact */
	uint32_t tables;                  /* a bit per enum exec_table that has rows of it */
};

extern const struct engine_op engine_ops[PTX_OP_COUNT];

static inline bool op_is(const struct ptx_inst *inst, enum op_fact fact)
{
	return engine_ops[inst->opcode->op].facts & fact;
}

/*
 * Orders its access after others, or reads past caches that may hold older data. Whether it carries a mark plays no
 * part.
 */
static inline bool opcode_is_strong(const struct ptx_opcode *o)
{
	uint16_t order = o->group[PTX_GROUP_ORDER], cache = o->group[PTX_GROUP_CACHE];

	return (order != PTX_MOD_NONE && order != PTX_MOD_weak) || cache == PTX_MOD_cg || cache == PTX_MOD_cv;
}

/* Reads memory that others may write meanwhile, as a loop does that waits for them. */
static inline bool inst_asks(const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;

	if (o->cls == PTX_CLASS_ATOMIC || op_is(inst, OP_ASKS_AGAIN))
		return !op_is(inst, OP_NO_RESULT);
	return o->cls == PTX_CLASS_LOAD && opcode_is_strong(o);
}

#endif
