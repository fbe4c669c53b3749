/* Private to the lowering: a kernel on its way from PTX to machine instructions. All state is in these structs. */
#ifndef ROMARK_LOWERING_LOWER_H
#define ROMARK_LOWERING_LOWER_H

#include "common/arena.h"
#include "common/vec.h"
#include "lowering/machine_kernel.h"
#include "ptx-analyzer/language/module/ptx.h"

/* A block of the result while it is made. */
struct lower_block {
	VEC(struct machine_inst) code;
	const struct ptx_function *function;
	uint32_t first, count; /* PTX instructions of the function */
	uint32_t arm[2];
	uint32_t unrolled;
};

struct lower {
	const struct lowering_request *request;
	enum machine_generation generation;
	struct arena arena; /* of the result */
	struct ptx_module *module;
	struct lower_block *blocks;
	uint32_t nblocks;
	uint32_t nregisters;
	uint32_t registers_per_thread;
};

/* Fills the blocks [first, first + count) of `l`, which are those of the function, in the order of the text. */
void lower_function(struct lower *l, const struct ptx_function *f, uint32_t first, uint32_t count);

#endif
