/*
 * A loaded module: its PTX, the verdicts on it, where its variables lie, and the programs made of its kernels.
 * run/load_module.h has the functions on it.
 */
#ifndef ROMARK_CPU_MODULE_H
#define ROMARK_CPU_MODULE_H

#include "runtime/cpu/engine/engine.h"
#include "runtime/device/guard_memo.h"

struct device_kernel {
	struct device_module *module;
	const struct ptx_function *function;
	struct program *program; /* made when first needed; NULL before */
	bool bad;                /* could not be made: `why` */
	struct diag why;
	bool told;                             /* that its marks were not in force once */
	struct guard_memo guards, copy_guards; /* answers for its own facts, and for its plain copy's */
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
	uint64_t const_base; /* constant variables are in [const_base, const_base + const_bytes) */
	uint64_t const_bytes;
	struct device_kernel *kernels;
	struct device_module *next;
};

/* Address of function `index` of a module as a pointer to it holds it. */
static inline uint64_t function_address(uint32_t index)
{
	return FUNCTION_WINDOW + ((uint64_t)index + 1) * 16;
}

#endif
