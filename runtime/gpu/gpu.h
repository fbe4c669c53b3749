/* The GPU device, for who chooses a device. */
#ifndef ROMARK_GPU_H
#define ROMARK_GPU_H

#include "runtime/device/device.h"

extern const struct device_ops gpu_device_ops;

/*
 * 0 if there is a CUDA driver that the device can use, else DIAG_ERROR and what is missing. Does not open the device.
 */
int gpu_driver_check(const struct settings *settings, struct diag *d);

#endif
