/*
 * Functions that the runtime API's files offer each other and the other folders, file by file. state.h has what they
 * share.
 */
#ifndef ROMARK_API_TOPICS_H
#define ROMARK_API_TOPICS_H

#include "runtime/api/state/state.h"

/* --- modules.c: what the program contains --- */

/* Loads the module if it is not loaded; cudaSuccess or why not. */
cudaError_t api_module_load(struct runtime *rt, struct api_module *module);
/* Finds a kernel by the host's handle for it, the address of its stub. cudaErrorInvalidDeviceFunction if unknown. */
cudaError_t api_kernel_find(struct runtime *rt, const void *handle, struct api_kernel **kernel);
cudaError_t api_variable_find(struct runtime *rt, const void *handle, uint64_t *address, size_t *size);
/* True if the bytes are the host's pages of a managed variable. */
bool api_variable_is_shared(const struct runtime *rt, uint64_t address, size_t size);
/* A kernel's parameter that is the host's address of a managed variable becomes the device's. */
void api_device_pointer(struct runtime *rt, void *parameter, size_t size);

/* Modules of the driver API: made from an image, and gone with their kernels when removed. */
struct api_module *api_module_add(const void *image);
/* cudaErrorInvalidResourceHandle if `module` is not a live module. */
cudaError_t api_module_remove(struct runtime *rt, struct api_module *module);
/* The kernel of this name, not yet loaded. Its handle is its own address. NULL if `module` is not a live module. */
struct api_kernel *api_module_kernel(struct runtime *rt, struct api_module *module, const char *name);
/*
 * Gives up to `room` kernels of the module in the order of its text, and in *count how many these are. An error if
 * `module` is not a live module.
 */
cudaError_t api_module_kernels(struct runtime *rt, struct api_module *module, struct api_kernel **kernels,
			       unsigned room, unsigned *count);
/* Loads the module, and finds its variable of this name; cudaErrorSymbolNotFound if it has none. */
cudaError_t api_module_variable(struct runtime *rt, struct api_module *module, const char *name, uint64_t *address,
				size_t *size);

struct api_kernel {
	const void *handle;
	char *name;
	struct api_module *module;
	struct device_kernel *loaded; /* NULL before the first use */
	struct kernel_attributes attributes;
	int max_dynamic_shared, carveout; /* set by cudaFuncSetAttribute; -1 = not set */
};

/* Finds the device's kernel and its attributes on the first use; an error for a kernel whose module is gone. */
cudaError_t api_kernel_load(struct runtime *rt, struct api_kernel *kernel);
/* Unloads every module; what is used again is loaded again. */
void modules_unload(struct runtime *rt);

/* --- launch.c --- */

/* Options of a launch beside its shape. */
struct launch_options {
	bool cooperative;
	uint32_t cluster[3]; /* CTAs of a cluster; zeros: as the kernel's PTX has it */
	bool is_replayed;
	uint64_t regions_seen; /* is_replayed: the `changes` of the regions when the arguments were set */
};

/* Runs a kernel now; `args` points to each parameter. */
cudaError_t api_kernel_launch(struct runtime *rt, struct api_kernel *kernel, const uint32_t grid[3],
			      const uint32_t block[3], void **args, size_t shared_bytes, uint32_t stream,
			      const struct launch_options *options);

/* --- streams.c --- */

/* cudaErrorInvalidResourceHandle if `stream` is neither a live nor a default stream. */
cudaError_t stream_check(cudaStream_t stream);

/* --- events.c --- */

/* Takes the device's events back, before a reset; the program's stay, as if never recorded. */
void events_release(struct runtime *rt);

/* --- properties.c --- */

/* The device that programs see. */
const struct cudaDeviceProp *device_properties(struct runtime *rt);
/* Its compute capability: 80 = 8.0. */
unsigned device_capability(struct runtime *rt);

#endif
