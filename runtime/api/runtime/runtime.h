/*
 * Inside of the CUDA runtime library: the one device, what programs registered, and how an API call begins and ends.
 *
 *   cudaError_t cudaFree(void *ptr)
 *   {
 *       struct runtime *rt = runtime_enter();          // takes the lock, opens the device on the first call
 *       if (!rt)
 *               return runtime_failed();               // no device, or an earlier kernel failed
 *       return runtime_leave(status_error(rt, rt->ops->release(...)));
 *   }
 */
#ifndef ROMARK_API_RUNTIME_H
#define ROMARK_API_RUNTIME_H

#include "common/diag.h"
#include "common/file.h"
#include "common/vec.h"
#include "runtime/device/device.h"
#include "runtime/include/cuda_runtime_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct api_kernel;
struct api_variable;

/* A fat binary of the program, or a module of the driver API. Its PTX is loaded when something of it is first used. */
struct api_module {
	struct api_module *next;
	const void *image;            /* as registered */
	struct file_data ptx;         /* data is NULL before the first use */
	struct device_module *loaded; /* NULL: not yet, or failed */
	cudaError_t failed;           /* why loading failed, cudaSuccess otherwise */
	struct api_variable
	    *variables; /* that this module defines for the host, to be given their host initial values */
};

struct runtime {
	const struct device_ops *ops;
	struct device *device;  /* NULL before the first call that needs it */
	cudaError_t open_error; /* why there is no device */
	cudaError_t sticky;     /* a kernel failed: every call fails so until cudaDeviceReset */
	struct api_module *modules;
	uint64_t allocations; /* ever made, for their names */
	size_t limits[8];     /* by enum cudaLimit */
	unsigned device_flags;
	enum cudaFuncCache cache_config;
	enum cudaSharedMemConfig bank_config;
};

/* The state without a lock or device: for functions that only look at constants, and for exit. */
extern struct runtime runtime_state;

/* Takes the lock and makes sure of a device. NULL (lock not held) when the call must fail with runtime_failed(). */
struct runtime *runtime_enter(void);
/* Gives the lock back, remembers an error for cudaGetLastError, and returns it. */
cudaError_t runtime_leave(cudaError_t error);
/* The error that made runtime_enter return NULL; remembered like any other. */
cudaError_t runtime_failed(void);
/* The lock alone, recursive: registration and the error functions. */
void runtime_lock(void);
void runtime_unlock(void);
/* Remembers `error` (if it is one) for this thread and returns it: for checks before runtime_enter. */
cudaError_t runtime_remember(cudaError_t error);

/* The error for a device's status; a kernel's failure becomes sticky. */
cudaError_t status_error(struct runtime *rt, enum device_status status);
/* A sentence of the device, on stderr unless ROMARK_QUIET is set. */
void runtime_notice(const struct diag *d);
/* Frees what the program allocated and loaded, and forgives a kernel's failure if the device can: cudaDeviceReset. */
cudaError_t runtime_reset(struct runtime *rt);

/* --- modules.c: what the program contains --- */

/* Loads the module if it is not loaded; cudaSuccess or why not. */
cudaError_t api_module_load(struct runtime *rt, struct api_module *module);
/* A kernel by the host's handle for it (the address of its stub); cudaErrorInvalidDeviceFunction if unknown. */
cudaError_t api_kernel_find(struct runtime *rt, const void *handle, struct api_kernel **kernel);
cudaError_t api_variable_find(struct runtime *rt, const void *handle, uint64_t *address, size_t *size);
/* A kernel's parameter that is the host's address of a managed variable becomes the device's. */
void api_device_pointer(void *parameter, size_t size);

/* Modules of the driver API: made from an image, and gone with their kernels when removed. */
struct api_module *api_module_add(struct runtime *rt, const void *image);
void api_module_remove(struct runtime *rt, struct api_module *module);
/* The kernel of this name, not yet loaded; its handle is itself. */
struct api_kernel *api_module_kernel(struct api_module *module, const char *name);

struct api_kernel {
	const void *handle;
	char *name;
	struct api_module *module;
	struct device_kernel *loaded; /* NULL before the first use */
	struct kernel_attributes attributes;
	int max_dynamic_shared, carveout; /* set by cudaFuncSetAttribute; -1 = not set */
};

/* Finds the device's kernel and its attributes on the first use. */
cudaError_t api_kernel_load(struct runtime *rt, struct api_kernel *kernel);
/* Unloads every module; what is used again is loaded again. */
void modules_unload(struct runtime *rt);

/* --- launch.c --- */

/* What a launch may ask for beside its shape. */
struct launch_wishes {
	bool cooperative;
	uint32_t cluster[3]; /* CTAs of a cluster; zeros: as the kernel says */
};

/* Runs a kernel now; `args` points to each parameter. */
cudaError_t api_kernel_launch(struct runtime *rt, struct api_kernel *kernel, const uint32_t grid[3],
			      const uint32_t block[3], void **args, size_t shared_bytes, uint32_t stream,
			      const struct launch_wishes *wishes);

/* --- streams.c --- */

/* cudaErrorInvalidResourceHandle for something that is no stream. */
cudaError_t stream_check(cudaStream_t stream);
/* A small number for the trace; the default stream is 0. */
uint32_t stream_number(cudaStream_t stream);

/* --- events.c --- */

/* Takes the device's events back, before a reset; the program's stay, as if never recorded. */
void events_release(struct runtime *rt);

/* --- properties.c --- */

/* The device that programs see. */
const struct cudaDeviceProp *device_properties(struct runtime *rt);
/* Its compute capability: 80 = 8.0. */
unsigned device_capability(struct runtime *rt);

#endif
