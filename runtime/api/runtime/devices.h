/* The devices that a program may run on, by the name in ROMARK_DEVICE. */
#ifndef ROMARK_API_DEVICES_H
#define ROMARK_API_DEVICES_H

#include "runtime/device/device.h"

/* NULL and a sentence in `d` for a name that is none; `name` may be NULL for the usual one. */
const struct device_ops *device_choose(const char *name, struct diag *d);

#endif
