/* The GPU device, for who chooses a device. */
#ifndef ROMARK_GPU_H
#define ROMARK_GPU_H

#include "runtime/device/device.h"

extern const struct device_ops gpu_device_ops;

/* Whether there is a CUDA driver that the device can use: 0, or DIAG_ERROR with what is missing. Opens nothing. */
int gpu_driver_check(const struct settings *settings, struct diag *d);

#endif
