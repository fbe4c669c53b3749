/* The CPU device, for who chooses a device. */
#ifndef ROMARK_CPU_H
#define ROMARK_CPU_H

#include "runtime/device/device.h"

extern const struct device_ops cpu_device_ops;

#endif
