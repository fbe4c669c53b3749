/*
 * Inside of the GPU device: what its files share. Everything runs in order in the legacy default stream of the
 * device's primary context, whatever streams the program names: the guards rely on that (docs/soundness.md).
 */
#ifndef ROMARK_RUNTIME_GPU_DEVICE_H
#define ROMARK_RUNTIME_GPU_DEVICE_H

#include "common/vec.h"
#include "ptx-analyzer/guarded.h"
#include "runtime/cuda/libcuda.h"
#include "runtime/device.h"

#include <stdbool.h>
#include <sys/types.h>

enum gpu_memory { GPU_MEMORY_DEVICE, GPU_MEMORY_MANAGED, GPU_MEMORY_PINNED };

struct gpu_allocation {
	uint64_t address;
	size_t size;       /* as asked for, and one byte: a pointer to the end belongs to it */
	enum gpu_memory kind;
};

/* Times of one version of one kernel; they outlive its module. */
struct gpu_times {
	char *kernel;
	bool marked;
	VEC(float) milliseconds;
};

struct device {
	struct libcuda lib;
	CUdevice ordinal;
	pid_t process;                          /* that opened it: a child made by fork cannot use it */
	CUcontext context;
	char name[128];
	int driver;                             /* 12040 = CUDA 12.4 */
	int capability;                         /* 80 = 8.0 */
	unsigned ptx_version;                   /* newest that the driver takes: 80 = 8.0; UINT_MAX if not known */
	VEC(struct gpu_allocation) allocations; /* by address */
	enum ptx_alias alias;
	enum ptx_load_mark mark;                /* NC or KEEP: hardware has no .ro */
	bool quiet;
	const char *times_to;                   /* NULL: not measured; "1": table on stderr; else a JSON file as well */
	VEC(struct gpu_times) times;
	struct device_module *modules;          /* newest first */
	const struct device_kernel *last;       /* launched last, NULL if none or its module is gone */
};

struct device_kernel {
	struct device_kernel *next;
	struct device_module *module;
	const struct ptx_function *function;  /* shape of the parameters */
	const struct ptx_kernel_facts *facts; /* guards of the marked version */
	CUfunction marked, plain;             /* plain is NULL when nothing is marked */
	bool listens;                         /* may wait for what others write while it runs */
	uint32_t *param_offsets, *param_sizes;
	uint32_t static_shared;
	bool told;                            /* a failed guard was reported */
};

struct device_module {
	struct device_module *next;
	struct device *dev;
	CUmodule handle;
	struct ptx_module *ptx;
	struct ptx_analysis *analysis;
	struct device_kernel *kernels;
};

/*
 * Makes the device's context the calling thread's until the end of the block. A thread without a context keeps it, as
 * with NVIDIA's runtime; one that has another gets that back.
 */
#define GPU_CONTEXT(dev_) __attribute__((cleanup(gpu_leave))) struct device *gpu_pushed = gpu_enter(dev_)
struct device *gpu_enter(struct device *dev);
void gpu_leave(struct device **pushed);

/* The newest PTX that a driver takes, by the CUDA release it came with; UINT_MAX for those not known here. */
unsigned gpu_newest_ptx(int driver);
/* Status for a driver call's result, and a sentence if it failed. */
enum device_status gpu_status(struct device *dev, CUresult result, const char *what, struct diag *d);
/* The same for calls that wait: what failed is a kernel, the last one or an earlier one. */
enum device_status gpu_kernel_status(struct device *dev, CUresult result, struct diag *d);

/* --- gpu_memory.c ------------------------------------------------------------------------------------------------ */

enum device_status gpu_alloc(struct device *dev, size_t size, const char *name, uint64_t *address);
enum device_status gpu_alloc_shared(struct device *dev, size_t size, bool managed, uint64_t *address, struct diag *d);
enum device_status gpu_release(struct device *dev, uint64_t address);
/* The allocation that holds `address`, or whose end it is; NULL if none. */
const struct gpu_allocation *gpu_allocation(const struct device *dev, uint64_t address);
bool gpu_find(struct device *dev, uint64_t address, uint64_t *base, size_t *size);
enum device_status gpu_copy(struct device *dev, uint64_t to, uint64_t from, size_t size);
enum device_status gpu_fill(struct device *dev, uint64_t to, const void *pattern, size_t pattern_bytes, size_t count);
void gpu_memory_info(struct device *dev, size_t *free_bytes, size_t *total_bytes);

/* --- gpu_module.c ------------------------------------------------------------------------------------------------ */

/*
 * An older driver refuses newer PTX for its version line alone, so the line says no more than the driver knows; text
 * that does need the newer version is refused with the line and reason. Returns the version that the text had, or 0.
 */
unsigned gpu_lower_version(struct ptx_module *m, unsigned newest);
enum device_status gpu_load(struct device *dev, const char *image, size_t size, const char *name,
			    struct device_module **module, struct diag *d);
void gpu_unload(struct device *dev, struct device_module *module);
enum device_status gpu_kernel(struct device *dev, struct device_module *module, const char *name,
			      struct device_kernel **kernel);
enum device_status gpu_variable(struct device *dev, struct device_module *module, const char *name, uint64_t *address,
				size_t *size);
void gpu_attributes(struct device *dev, struct device_kernel *kernel, struct kernel_attributes *out);

/* --- gpu_launch.c ------------------------------------------------------------------------------------------------ */

enum device_status gpu_launch(struct device *dev, struct device_kernel *kernel, const struct launch_params *params,
			      struct diag *d);

/* --- gpu_events.c ------------------------------------------------------------------------------------------------ */

enum device_status gpu_event_record(struct device *dev, struct device_event **event);
enum device_status gpu_event_reached(struct device *dev, struct device_event *event, bool wait, bool *done,
				     struct diag *d);
enum device_status gpu_event_elapsed(struct device *dev, const struct device_event *start,
				     const struct device_event *end, float *milliseconds);
void gpu_event_free(struct device *dev, struct device_event *event);

/* --- gpu_times.c ------------------------------------------------------------------------------------------------- */

void gpu_times_add(struct device *dev, const char *kernel, bool marked, float milliseconds);
/* The table on stderr, and the JSON file if one is asked for. */
void gpu_times_report(const struct device *dev);
void gpu_times_release(struct device *dev);

#endif
