/* Declarations that the driver API's files share. */
#ifndef ROMARK_API_DRIVER_H
#define ROMARK_API_DRIVER_H

#include "runtime/api/cudart/topics.h"
#include "runtime/api/state/handles.h"
#include "runtime/include/cuda.h"

/* ENTER for functions of the driver API. */
#define DRIVER_ENTER(rt)                                                                                               \
	struct runtime *rt = runtime_enter();                                                                          \
	if (!rt)                                                                                                       \
	return driver_result(runtime_failed())

/* The kernel of a function. NULL if its module is gone, or if it never was a function. */
struct api_kernel *driver_kernel(CUfunction function);
#define DRIVER_KERNEL(kernel, function)                                                                                \
	struct api_kernel *kernel = driver_kernel(function);                                                           \
	if (!kernel)                                                                                                   \
	return CUDA_ERROR_INVALID_HANDLE

/* The driver's error for a runtime's: the same number where both have it. */
CUresult driver_result(cudaError_t error);
/*
 * Points args at the parameters that a launch's `extra` packs into a buffer. An error if the buffer is too short for a
 * parameter.
 */
cudaError_t driver_unpack(const struct api_kernel *kernel, void **extra, void **args);
/* The runtime's description of a format and a number of channels; false if CUDA has no such format. */
bool driver_channels(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *desc);
/* The runtime's description of a texture over `resource`. */
struct cudaTextureDesc driver_texture(const CUDA_TEXTURE_DESC *texture, const struct cudaResourceDesc *resource);
/* References stay, but the objects that they held are gone: cudaDeviceReset. */
void driver_references_release(struct runtime *rt);
/* The module goes, and its texture and surface references with it. */
void driver_references_forget(struct runtime *rt, const struct api_module *module);

#endif
