/*
 * Between which bounds the numbers lie that registers hold, found by following values and conditions through the
 * control flow: in `for (int i = 0; i < 4; i++) a[i] = ..` the index is from 0 to 3.
 *
 *	struct interval *bounds = intervals_find(module, function, keeps, context);	// per register; NULL = nothing
 *to say
 */
#ifndef ROMARK_PTX_INTERVALS_H
#define ROMARK_PTX_INTERVALS_H

#include "ptx-analyzer/flow/stack_frame.h"

/* A number as its register holds it, read with a sign: from `low` to `high`. */
struct interval {
	int64_t low, high;
};

/* What a register of so many bits can hold at all. */
struct interval interval_full(unsigned bits);

/*
 * Per register, for whatever instruction writes it: between which numbers it lies afterwards. Registers that hold
 * addresses of local variables, and what is not an integer, are full. The caller frees it. `keeps`: see stack_frame.h.
 */
struct interval *intervals_find(struct ptx_module *m, uint32_t function, frame_keeps keeps, void *context);

#endif
