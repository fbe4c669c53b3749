/*
 * Kernels that kernels launch (dynamic parallelism). A launch in device code waits in its grid's queue. When the grid's
 * CTAs have ended, the grids in the queue run, each with all that it launches itself before the next one; tail launches
 * run last. CUDA lets a child start at any time between its launch and its parent's end, and keeps the order within a
 * stream. The order here is one that CUDA allows, and is the same in every run. If a CTA calls cudaDeviceSynchronize
 * (until CUDA 11), its children run at once.
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
/* Keeps the error for cudaGetLastError, prints the reason once, and returns the error. */
uint32_t nested_refuse(struct launch *l, uint32_t error, const char *why);
void nested_queue_free(struct nested_queue *queue);

#endif
