/* The kernels of a module inside a program or file, by name. */
#ifndef ROMARK_CLI_MODULE_KERNELS_H
#define ROMARK_CLI_MODULE_KERNELS_H

#include "ptx-analyzer/containers/input.h"

/* Calls `take` for each kernel. An entry that is no PTX, or PTX that does not parse, has none. */
void module_kernels(const struct ptx_input *in, size_t entry, void (*take)(void *arg, const char *name), void *arg);

#endif
