/* Names of opcodes and pipes, how often a pipe takes an instruction, and when its results are there. */
#include "lowering/machine_kernel.h"

#include <strings.h>

struct pipe_row {
	const char *name;
	uint8_t interval[MACHINE_GENERATION_COUNT], variable;
};

static const struct pipe_row pipes[MACHINE_PIPE_COUNT] = {
#define PIPE(id, name, volta, ampere, hopper, variable) {name, {volta, ampere, hopper}, variable},
#include "lowering/machine_pipes.def"
#undef PIPE
};

static const struct {
	const char *name;
	enum machine_pipe pipe;
} ops[MACHINE_OP_COUNT] = {
#define MOP(id, name, pipe) {name, MACHINE_##pipe},
#include "lowering/machine_ops.def"
#undef MOP
};

static const char *const generations[MACHINE_GENERATION_COUNT] = {"volta", "ampere", "hopper"};

/*
 * Cycles that the assembler of CUDA 13 leaves between a producer and a consumer, for sm_75, then for sm_80 and sm_90,
 * which are alike. ALU and FMA have 5 between them. A product of 64 bits has 6 to its own kind.
 */
struct pair_row {
	int8_t producer, consumer; /* ANY_PIPE: the rows before have the others */
	uint8_t volta, later;
};
enum { ANY_PIPE = -1 };
static const struct pair_row pairs[] = {
    {MACHINE_ALU, MACHINE_BRANCH, 12, 13},
    {MACHINE_UNIFORM, MACHINE_LSU, 2, 4},
    {ANY_PIPE, MACHINE_LSU, 8, 5},
    {ANY_PIPE, MACHINE_TEX, 8, 5},
    {MACHINE_HALF, ANY_PIPE, 6, 6},
    {MACHINE_WIDE, MACHINE_WIDE, 6, 6},
    {MACHINE_ALU, MACHINE_ALU, 4, 4},
    {MACHINE_FMA, MACHINE_FMA, 4, 4},
    {MACHINE_UNIFORM, MACHINE_UNIFORM, 4, 4},
    {ANY_PIPE, ANY_PIPE, 5, 5},
};

unsigned machine_latency(enum machine_generation g, enum machine_pipe producer, enum machine_pipe consumer)
{
	const struct pair_row *r = pairs;

	if (pipes[producer].variable)
		return 0;
	while ((r->producer != ANY_PIPE && r->producer != (int)producer) ||
	       (r->consumer != ANY_PIPE && r->consumer != (int)consumer))
		r++;
	return g == MACHINE_VOLTA ? r->volta : r->later;
}

unsigned machine_guard_latency(enum machine_generation g, enum machine_pipe producer)
{
	return machine_latency(g, producer, MACHINE_BRANCH);
}

unsigned machine_variable_latency(enum machine_generation g, enum machine_pipe producer)
{
	(void)g;
	return pipes[producer].variable;
}

static bool is_short_product(enum machine_op op)
{
	return op == MACHINE_IMAD || op == MACHINE_IDP;
}

enum machine_pipe machine_unit(enum machine_generation g, enum machine_op op)
{
	if (g == MACHINE_VOLTA)
		return ops[op].pipe == MACHINE_WIDE ? MACHINE_FMA : ops[op].pipe;
	return is_short_product(op) ? MACHINE_WIDE : ops[op].pipe;
}

unsigned machine_interval(enum machine_generation g, enum machine_op op)
{
	return is_short_product(op) ? pipes[MACHINE_FMA].interval[MACHINE_VOLTA] : pipes[ops[op].pipe].interval[g];
}

unsigned machine_inst_interval(enum machine_generation g, const struct machine_inst *in)
{
	unsigned interval = machine_interval(g, (enum machine_op)in->op);

	return g == MACHINE_VOLTA && in->op == MACHINE_LDS && in->bytes == 16 ? 2 * interval : interval;
}

enum machine_pipe machine_op_pipe(enum machine_op op)
{
	return ops[op].pipe;
}

const char *machine_generation_name(enum machine_generation g)
{
	return g < MACHINE_GENERATION_COUNT ? generations[g] : "?";
}

const char *machine_op_name(enum machine_op op)
{
	return op < MACHINE_OP_COUNT ? ops[op].name : "?";
}

const char *machine_pipe_name(enum machine_pipe pipe)
{
	return pipe < MACHINE_PIPE_COUNT ? pipes[pipe].name : "?";
}

enum machine_generation machine_generation_by_name(const char *name)
{
	if (!strcasecmp(name, "turing"))
		return MACHINE_VOLTA;
	for (unsigned g = 0; g < MACHINE_GENERATION_COUNT; g++)
		if (!strcasecmp(name, generations[g]))
			return (enum machine_generation)g;
	return MACHINE_GENERATION_COUNT;
}
