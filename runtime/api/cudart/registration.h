/*
 * The functions that the start-up code of compiled programs calls to register device code, under Clang's and nvcc's
 * names.
 */
#ifndef ROMARK_API_REGISTRATION_H
#define ROMARK_API_REGISTRATION_H

#include "runtime/include/cuda_runtime_api.h"

#include <stddef.h>

/* The argument of __cudaRegisterFatBinary. */
struct image_wrapper {
	int magic, version; /* version 2: a link of several files, with `parts` */
	const void *data;
	const void *const *parts; /* the fat binaries of the files, up to NULL */
};

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
			    void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t size,
		       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, void *initial, const char *name, size_t size, unsigned align);
void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name,
			   int dimensions, int normalized, int external);
void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device, const char *name,
			   int dimensions, int external);
char __cudaInitModule(void **handle);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
/* CUDA 13: a launch looks its kernel up once and then launches the handle. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
			       cudaStream_t stream);

#endif
