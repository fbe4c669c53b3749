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

unsigned machine_latency(enum machine_generation g, enum machine_pipe producer, enum machine_pipe consumer)
{
	(void)g;
	if (pipes[producer].variable)
		return 0;
	return producer == consumer ? 4 : 5;
}

unsigned machine_variable_latency(enum machine_generation g, enum machine_pipe producer)
{
	(void)g;
	return pipes[producer].variable;
}

unsigned machine_interval(enum machine_generation g, enum machine_pipe pipe)
{
	return pipes[pipe].interval[g];
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
