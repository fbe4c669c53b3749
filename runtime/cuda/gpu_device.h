/* Inside of the GPU device: what its memory half and its module half share. */
#ifndef ROMARK_RUNTIME_GPU_DEVICE_H
#define ROMARK_RUNTIME_GPU_DEVICE_H

#include "common/vec.h"
#include "ptx-analyzer/guarded.h"
#include "runtime/cuda/libcuda.h"
#include "runtime/device.h"

#include <stdbool.h>

struct gpu_allocation {
	uint64_t address;
	size_t size;
};

struct device {
	struct libcuda lib;
	VEC(struct gpu_allocation) allocations; /* by address */
	enum ptx_alias alias;
	enum ptx_load_mark mark; /* NC or KEEP: hardware has no .ro */
	bool quiet, timing;
	struct device_module *modules; /* newest first */
};

struct device_kernel {
	struct device_kernel *next;
	struct device_module *module;
	const struct ptx_function *function;   /* shape of the parameters */
	const struct ptx_kernel_facts *facts;  /* NULL when nothing is marked */
	CUfunction marked, plain;              /* plain is NULL when nothing is marked */
	uint32_t *param_offsets, *param_sizes;
	bool told;                             /* a failed guard was reported */
	uint64_t launches, unmarked_launches;
	double milliseconds;
};

struct device_module {
	struct device_module *next;
	struct device *dev;
	CUmodule handle;
	struct ptx_module *ptx;
	struct ptx_analysis *analysis;
	struct device_kernel *kernels;
};

/* Status and sentence for a failed driver call. */
enum device_status gpu_fail(struct device *dev, CUresult result, const char *what, struct diag *d);

enum device_status gpu_load(struct device *dev, const char *image, size_t size, const char *name,
			    struct device_module **module, struct diag *d);
void gpu_unload(struct device *dev, struct device_module *module);
enum device_status gpu_kernel(struct device *dev, struct device_module *module, const char *name,
			      struct device_kernel **kernel);
enum device_status gpu_variable(struct device *dev, struct device_module *module, const char *name, uint64_t *address,
				size_t *size);
void gpu_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out);
enum device_status gpu_launch(struct device *dev, struct device_kernel *kernel, const struct launch_params *params,
			      struct diag *d);
bool gpu_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size);
/* Kernel times so far, one line each on stderr. */
void gpu_report_times(const struct device *dev);

extern const struct device_ops gpu_device_ops;

#endif
