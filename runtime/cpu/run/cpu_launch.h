/* A launch from its shape to its end. */
#ifndef ROMARK_CPU_LAUNCH_H
#define ROMARK_CPU_LAUNCH_H

#include "runtime/cpu/engine/cpu_device.h"

/* Runs a grid and all that it launches. */
enum device_status launch_run(struct cpu_device *device, struct device_kernel *kernel,
			      const struct launch_params *shape, struct diag *d);
/* 0 if the kernel can run in this shape, else DIAG_ERROR. */
int launch_check(struct device_kernel *kernel, const struct launch_params *shape, struct diag *d);
/* Runs what CTA `cta` of a running grid has launched so far. */
enum device_status launch_children(struct launch *parent, uint64_t cta, struct diag *d);

#endif
