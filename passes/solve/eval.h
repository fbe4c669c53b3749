/*
 * Private to the solver: an operation in a calling context, and helpers to evaluate it. solve.c runs the rounds and
 * dispatches to eval_move.c for moves, eval_memory.c for loads and stores, and eval_call.c for calls.
 */
#ifndef ROMARK_PASSES_EVAL_H
#define ROMARK_PASSES_EVAL_H

#include "passes/solve/solve.h"

struct eval {
	struct solution *s;
	uint32_t instance;
	const struct op *op;
	uint32_t op_index;
	unsigned depth; /* of calls that are being evaluated */
};

static inline struct instance *self(const struct eval *e)
{
	return &e->s->instances.data[e->instance];
}

static inline uint32_t operand_at(const struct eval *e, uint32_t n)
{
	return e->s->program->operands.data[e->op->first + n];
}

static inline struct ir_value value_at(const struct eval *e, uint32_t n)
{
	return solution_value(e->s, self(e), operand_at(e, n));
}

static inline set_id origins_at(const struct eval *e, uint32_t n)
{
	return value_at(e, n).set;
}

static inline uint8_t dep_at(const struct eval *e, uint32_t n)
{
	return solution_dep(self(e), operand_at(e, n));
}

/* Adds `v` to a local value, and `dep` to what it depends on. Returns whether the value changed. */
bool add_to_value(struct solution *s, struct instance *i, uint32_t local, struct ir_value v, uint8_t dep);

/* Facts of their own for a function; `caller` is NO_INSTANCE for the kernel and for what calls share. */
uint32_t add_instance(struct solution *s, uint32_t function, uint32_t caller);
/* All operations of an instance, and of those that it calls. */
void eval_instance(struct solution *s, uint32_t id, unsigned depth);

void eval_move(const struct eval *e);
/* Bits of all operands stay where OP_STATE moves find them. */
void eval_keep(const struct eval *e);

void eval_load(const struct eval *e);
void eval_store(const struct eval *e);
void eval_atomic(const struct eval *e);
void eval_read(const struct eval *e);
void eval_write(const struct eval *e);
void eval_copy(const struct eval *e);
/* Operand `n` may be kept by code that cannot be seen. */
void eval_escape(const struct eval *e, uint32_t n);
/* The result is an address from anywhere, or a number that was made of anything that others may find. */
void eval_opaque(const struct eval *e);

void eval_call(const struct eval *e);
void eval_return(const struct eval *e);

#endif
