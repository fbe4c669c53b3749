/*
 * Kernels that kernels launch (dynamic parallelism). A launch in device code waits in its grid's queue: when the grid's
 * CTAs have ended, what they launched runs, each grid with all that it launches itself before the next one, and the
 * tail launches last. CUDA lets a child start at any time between its launch and its parent's end, and keeps the order
 * of one stream; this order is one of those it allows, and the same in every run. A CTA that calls
 * cudaDeviceSynchronize (until CUDA 11) has its children run there and then.
 */
#ifndef ROMARK_CPU_RUN_NESTED_H
#define ROMARK_CPU_RUN_NESTED_H

#include "runtime/cpu/engine/engine.h"
#include "runtime/cpu/engine/grid_launches.h"

/* Takes the first grid of `queue`, to be freed, or NULL. */
struct nested_launch *nested_take(struct nested_queue *queue);
/* Takes what CTA `cta` launched, but for its tail launches. */
struct nested_queue nested_take_children(struct nested *nested, uint64_t cta);
/*
 * A grid has ended: what it launched comes before what waits in `queue`. Its buffers that were never launched are
 * freed.
 */
void nested_end(struct nested *nested, struct memory *memory, struct nested_queue *queue);
/* Takes a copy or fill into the queue of the warp's grid. */
void nested_add_copy(struct warp *w, const struct nested_copy *copy, uint64_t stream);
/* device_runtime.c: an error if its memory is gone. */
enum device_status nested_copy_run(struct cpu_device *device, const struct nested_copy *copy, struct diag *d);
/* Keeps the error for cudaGetLastError, says why once, and returns it. */
uint32_t nested_refuse(struct launch *l, uint32_t error, const char *why);
void nested_queue_free(struct nested_queue *queue);

#endif
