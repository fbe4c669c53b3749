/*
 * Functions that the device provides to kernels. They are called like others: arguments and results are in the caller's
 * local memory, at the offsets in in->list (arguments first; in->vec is their number).
 */
#ifndef ROMARK_CPU_INTRINSICS_H
#define ROMARK_CPU_INTRINSICS_H

#include "runtime/cpu/engine/engine.h"

#include <string.h>

struct intrinsic {
	const char *name;
	exec_fn exec;
};

/* nested.c: what launches kernels, and waits for them; ended by a NULL name. */
extern const struct intrinsic nested_intrinsics[];
/* device_runtime.c: the rest of CUDA's device runtime. */
extern const struct intrinsic device_runtime_intrinsics[];

static inline void argument_bytes(const struct warp *w, const struct inst *in, unsigned lane, unsigned index, void *to,
				  size_t bytes)
{
	memcpy(to, lane_local(w, lane) + w->frame->local_base + in->list[index], bytes);
}

static inline uint64_t argument(const struct warp *w, const struct inst *in, unsigned lane, unsigned index,
				size_t bytes)
{
	uint64_t value = 0;

	argument_bytes(w, in, lane, index, &value, bytes);
	return value;
}

static inline void set_result(const struct warp *w, const struct inst *in, unsigned lane, uint64_t value, size_t bytes)
{
	memcpy(lane_local(w, lane) + w->frame->local_base + in->list[in->vec], &value, bytes);
}

#endif
