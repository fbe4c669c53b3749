/*
 * Names of devices in settings and calls: "cpu", "cuda", and "cuda:N" for one of several GPUs.
 *
 *   struct device_name name;
 *   if (device_name_parse("cuda:1", "ROMARK_DEVICE", &name, &diag) < 0) ...
 */
#ifndef ROMARK_RUNTIME_NAME_H
#define ROMARK_RUNTIME_NAME_H

#include "common/diag.h"

enum device_kind { DEVICE_CPU, DEVICE_CUDA, DEVICE_KINDS };

struct device_name {
	enum device_kind kind;
	int number; /* 0 where the name has none; may be larger than any that there is */
};

/* 0, or DIAG_ERROR; `setting` is what the message calls the place that `text` is from. */
int device_name_parse(const char *text, const char *setting, struct device_name *name, struct diag *d);

#endif
