/*
 * Pointer origins of a kernel and of everything it calls: a flow-insensitive, field-sensitive points-to analysis. Each
 * call gets its own facts, as if it were inlined, until a budget is spent; after that the calls of a function share
 * facts. Recursive calls share the outer call's facts.
 */
#ifndef ROMARK_PASSES_SOLVE_H
#define ROMARK_PASSES_SOLVE_H

#include "passes/solve/objects.h"

/* One function in one calling context. */
struct instance {
	uint32_t function;
	uint32_t caller;                   /* instance, or NO_INSTANCE */
	uint32_t first_caller, first_call; /* where it was first called: instance, operation; or NO_INSTANCE */
	uint32_t depth;
	struct ir_value *values; /* per local value */
	uint8_t *deps;
	uint8_t *changes;
	struct ir_value result;
	uint8_t result_dep;
	uint32_t round; /* last round that evaluated it */
	bool running, dirty;
};

#define NO_INSTANCE UINT32_MAX

/* One callee of a call; a call's callees are a list. */
struct solved_call {
	uint32_t instance, next;
};

struct solution {
	const struct ir *program;
	uint32_t kernel;
	struct sets sets;
	struct objects objects;
	struct arena arena;
	VEC(struct instance) instances;
	struct ir_value *constants; /* per program constant; made at the first use */
	struct map children;        /* (instance, call) -> first of `calls` */
	struct map shared;          /* function -> instance that serves the calls beyond the budget */
	VEC(struct solved_call) calls;
	uint64_t values; /* local values in all instances */
	uint64_t budget; /* largest `values` before calls share contexts */
	uint32_t round;
	bool changed;
	bool settled; /* what has no origins yet has none */
};

void solve_kernel(struct solution *s, const struct ir *program, uint32_t kernel);
void solution_release(struct solution *s);

/* An operand in an instance. */
struct ir_value solution_value(struct solution *s, const struct instance *instance, uint32_t operand);
/* The objects that an operand reaches if it is used as an address. */
set_id solution_address(struct solution *s, const struct instance *instance, uint32_t operand);
uint8_t solution_dep(const struct instance *instance, uint32_t operand);

#endif
