/* A launch from its shape to its end. */
#ifndef ROMARK_CPU_LAUNCH_H
#define ROMARK_CPU_LAUNCH_H

#include "runtime/cpu/device.h"

enum device_status launch_run(struct cpu_device *device, struct device_kernel *kernel, const struct launch_params *shape,
			      struct diag *d);

#endif
