/*
 * The part of the CUDA driver that the GPU device uses, found with dlopen so that romark builds and runs without it.
 * Types and numbers are those of the published driver API.
 */
#ifndef ROMARK_RUNTIME_LIBCUDA_H
#define ROMARK_RUNTIME_LIBCUDA_H

#include "common/diag.h"

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

enum { CUDA_SUCCESS = 0, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_ILLEGAL_ADDRESS = 700, CUDA_ERROR_ASSERT = 710,
       CUDA_ERROR_MISALIGNED_ADDRESS = 716, CUDA_ERROR_LAUNCH_FAILED = 719 };

/* CUjit_option */
enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };
/* CUfunction_attribute */
enum { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
       CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3, CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };

/* X(name, parameters): every function takes these and returns CUresult. */
#define LIBCUDA_FUNCTIONS(X)                                                                                           \
	X(cuInit, (unsigned flags))                                                                                    \
	X(cuDeviceGet, (CUdevice * device, int ordinal))                                                               \
	X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                                            \
	X(cuCtxSetCurrent, (CUcontext context))                                                                        \
	X(cuCtxSynchronize, (void))                                                                                    \
	X(cuMemAlloc_v2, (CUdeviceptr * address, size_t size))                                                         \
	X(cuMemFree_v2, (CUdeviceptr address))                                                                         \
	X(cuMemGetInfo_v2, (size_t * free_bytes, size_t *total_bytes))                                                 \
	X(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t size))                                                   \
	X(cuMemsetD8_v2, (CUdeviceptr to, unsigned char value, size_t count))                                          \
	X(cuMemsetD16_v2, (CUdeviceptr to, unsigned short value, size_t count))                                        \
	X(cuMemsetD32_v2, (CUdeviceptr to, unsigned value, size_t count))                                              \
	X(cuModuleLoadDataEx,                                                                                          \
	  (CUmodule * module, const void *image, unsigned noptions, int *options, void **values))                      \
	X(cuModuleUnload, (CUmodule module))                                                                           \
	X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))                             \
	X(cuModuleGetGlobal_v2, (CUdeviceptr * address, size_t *size, CUmodule module, const char *name))              \
	X(cuFuncGetAttribute, (int *value, int attribute, CUfunction function))                                        \
	X(cuFuncSetAttribute, (CUfunction function, int attribute, int value))                                         \
	X(cuLaunchKernel, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,        \
			   unsigned bz, unsigned shared, CUstream stream, void **params, void **extra))                \
	X(cuLaunchCooperativeKernel, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,         \
				      unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params))      \
	X(cuEventCreate, (CUevent * event, unsigned flags))                                                            \
	X(cuEventRecord, (CUevent event, CUstream stream))                                                             \
	X(cuEventSynchronize, (CUevent event))                                                                         \
	X(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end))                                       \
	X(cuEventDestroy_v2, (CUevent event))                                                                          \
	X(cuGetErrorName, (CUresult error, const char **name))

struct libcuda {
	void *handle;
#define X(name, parameters) CUresult(*name) parameters;
	LIBCUDA_FUNCTIONS(X)
#undef X
};

/* Opens libcuda.so.1 (or the file that ROMARK_LIBCUDA names). 0, or DIAG_ERROR saying what is missing. */
int libcuda_open(struct libcuda *lib, struct diag *d);
void libcuda_close(struct libcuda *lib);
/* "CUDA_ERROR_OUT_OF_MEMORY", or "CUDA error N". */
const char *libcuda_error(const struct libcuda *lib, CUresult result);

#endif
