/* A loaded module: its PTX, the verdicts on it, where its variables lie, and the programs made of its kernels. */
#ifndef ROMARK_CPU_MODULE_H
#define ROMARK_CPU_MODULE_H

#include "runtime/cpu/engine/engine.h"
#include "runtime/cpu/exec/exec.h"

struct device_kernel {
	struct device_module *module;
	const struct ptx_function *function;
	struct program *program; /* made when first needed; NULL before */
	bool bad;                /* could not be made: `why` */
	struct diag why;
	bool reported; /* that its marks were not in force once */
	uint32_t *param_sizes, *param_offsets;
	struct device_kernel *next;
};

struct device_module {
	struct cpu_device *device;
	struct ptx_module *ptx;
	struct ptx_analysis *analysis;
	char *name;
	uint64_t *address;   /* per symbol: device address of a global or constant variable, 0 = none */
	bool *shared;        /* per symbol: its pages are the host's too */
	uint64_t const_base; /* constant variables stand in [const_base, const_base + const_bytes) */
	uint64_t const_bytes;
	struct device_kernel *kernels;
	struct device_module *next;
};

enum device_status module_load(struct cpu_device *device, const char *image, size_t size, const char *name,
			       struct device_module **module, struct diag *d);
void module_unload(struct device_module *module);
/* See struct device_ops. */
enum device_status module_share(struct device_module *module, const char *name, void *host);
/* NULL when there is none of that name. */
struct device_kernel *module_kernel(struct device_module *module, const char *name);

void module_attributes(struct device_kernel *kernel, struct kernel_attributes *out);

/* The kernel's program, or NULL with `d` filled: an instruction that the device lacks, a function without a body. */
struct program *kernel_program(struct device_kernel *kernel, struct diag *d);
struct program *program_build(struct device_module *module, const struct ptx_function *kernel,
			      const struct exec_set *set, struct diag *d);
void program_free(struct program *program);
/* After a fault: takes back the frames that were in use. */
void program_reset(struct program *program);
/* 32-bit registers that a compiler would need for the function at its busiest instruction; see liveness.c. */
uint32_t estimate_registers(const struct ptx_function *function);

/* Address of function `index` of a module as a pointer to it holds it. */
static inline uint64_t function_address(uint32_t index)
{
	return FUNCTION_WINDOW + ((uint64_t)index + 1) * 16;
}

#endif
