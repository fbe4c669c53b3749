/*
 * Kernels that kernels launch (dynamic parallelism). A launch in device code waits in its grid's queue: when the grid's
 * CTAs have ended, what they launched runs, each grid with all that it launches itself before the next one, and the
 * tail launches last. CUDA lets a child start at any time between its launch and its parent's end, and keeps the order
 * of one stream; this order is one of those it allows, and the same in every run. A CTA that calls
 * cudaDeviceSynchronize (until CUDA 11) has its children run there and then.
 */
#ifndef ROMARK_CPU_NESTED_H
#define ROMARK_CPU_NESTED_H

#include "runtime/cpu/engine/memory.h"
#include "runtime/device/device.h"

enum { MAX_NESTING = 24 };

struct nested_launch {
	struct nested_launch *next;
	struct device_kernel *kernel; /* NULL: the buffer is not yet launched, and its launch will say */
	struct launch_params shape;   /* its parameters are the bytes behind this struct */
	uint64_t buffer;              /* where the kernel's parameters are put; 0 once it is launched */
	uint64_t cta;                 /* who launched it */
	uint32_t depth;
};

struct nested_queue {
	struct nested_launch *first, *last;
};

/* What the CTAs of one grid have launched. */
struct nested {
	struct nested_queue prepared, children, tails;
	uint32_t depth; /* 0: the host launched the grid */
	uint32_t error; /* of the last launch that failed, a cudaError_t */
	bool reported;
};

/* Takes the first grid of `queue`, to be freed, or NULL. */
struct nested_launch *nested_take(struct nested_queue *queue);
/* Takes what CTA `cta` launched, but for its tail launches. */
struct nested_queue nested_take_children(struct nested *nested, uint64_t cta);
/*
 * A grid has ended: what it launched comes before what waits in `queue`. Its buffers that were never launched are
 * freed.
 */
void nested_end(struct nested *nested, struct memory *memory, struct nested_queue *queue);
void nested_queue_free(struct nested_queue *queue);

#endif
