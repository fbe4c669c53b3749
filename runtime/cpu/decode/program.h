/* A kernel's program, made when it is first launched. */
#ifndef ROMARK_CPU_PROGRAM_H
#define ROMARK_CPU_PROGRAM_H

#include "runtime/cpu/engine/cpu_module.h"

struct exec_set;

struct program *program_build(struct device_module *module, const struct ptx_function *kernel,
			      const struct exec_set *set, struct diag *d);
void program_free(struct program *program);
/* After a fault: takes back the frames that were in use. */
void program_reset(struct program *program);

#endif
