/*
 * Lines of the source, and the way by which inlining brought their code into a function.
 *
 * `atomicAdd` called in `put`, which was inlined into a kernel, gives three places, the innermost first:
 *
 *   sm_20_atomic_functions.hpp:84    in a header of the toolkit
 *   k.cu:2                           in `put`: the innermost line that the user wrote, which `own` tells
 *   k.cu:11                          in the kernel
 */
#ifndef ROMARK_VERDICT_PLACE_H
#define ROMARK_VERDICT_PLACE_H

#include "common/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct source_place {
	const char *file;      /* as debug information has it */
	uint32_t line, column; /* column 0: not known */
};

/* Each place but the last was inlined at the next one. Empty without debug information. */
struct place_chain {
	const struct source_place *places;
	uint32_t count;
	uint32_t own; /* the innermost that is not in a header of a toolkit or of the system; 0 if all are */
};

/* A step from a kernel to a function: a call, in the kernel or in the function that the previous step calls. */
struct call_step {
	const char *callee; /* as the module calls it */
	uint32_t line;      /* of the text that was analysed, 0 = none */
	struct place_chain from;
};

/* A header of the CUDA toolkit, of a compiler, of the system or of romark, by its path. */
bool place_is_of_toolkit(const char *file);
/* The chain of `count` places, the innermost first, copied to `arena`. */
struct place_chain place_chain_make(struct arena *arena, const struct source_place *places, uint32_t count);
/* The line to show, or NULL if no line is known. */
const struct source_place *place_shown(const struct place_chain *chain);
/* "k.cu" for "/data/k.cu". */
const char *place_base_name(const char *path);

#endif
