/* Modules and their kernels: loading, and the program that a kernel's first launch needs. */
#ifndef ROMARK_CPU_RUN_LOAD_MODULE_H
#define ROMARK_CPU_RUN_LOAD_MODULE_H

#include "runtime/cpu/engine/cpu_module.h"

enum device_status module_load(struct cpu_device *device, const char *image, size_t size, const char *name,
			       struct device_module **module, struct diag *d);
void module_unload(struct device_module *module);
/* See struct device_ops. */
enum device_status module_share(struct device_module *module, const char *name, void *host);
/* NULL if the module has no kernel of that name. */
struct device_kernel *module_kernel(struct device_module *module, const char *name);

void module_attributes(struct device_kernel *kernel, struct kernel_attributes *out);

/* The kernel's program, or NULL with `d` filled: an instruction that the device lacks, a function without a body. */
struct program *kernel_program(struct device_kernel *kernel, struct diag *d);

#endif
