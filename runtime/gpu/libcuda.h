/*
 * The part of libcuda that the GPU device uses, found with dlopen so that romark builds and runs without it.
 * Types and numbers follow the published driver API. tests/runtime/gpu includes a toolkit's cuda.h before this header,
 * if there is a toolkit, and compares them.
 *
 *   struct libcuda lib;
 *   if (libcuda_open(&lib, NULL, &diag) < 0) ... // no driver, or one that is too old: diag says which and what to do
 *   lib.cuInit(0);
 *   libcuda_close(&lib);
 */
#ifndef ROMARK_RUNTIME_LIBCUDA_H
#define ROMARK_RUNTIME_LIBCUDA_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, value): the numbers used, of CUresult, CUlimit, CUjit_option, CU..._attribute and flags. */
#define LIBCUDA_NUMBERS(X)                                                                                             \
	X(CUDA_SUCCESS, 0)                                                                                             \
	X(CUDA_ERROR_INVALID_VALUE, 1)                                                                                 \
	X(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                                 \
	X(CUDA_ERROR_NOT_INITIALIZED, 3)                                                                               \
	X(CUDA_ERROR_DEINITIALIZED, 4)                                                                                 \
	X(CUDA_ERROR_STUB_LIBRARY, 34)                                                                                 \
	X(CUDA_ERROR_NO_DEVICE, 100)                                                                                   \
	X(CUDA_ERROR_INVALID_DEVICE, 101)                                                                              \
	X(CUDA_ERROR_INVALID_IMAGE, 200)                                                                               \
	X(CUDA_ERROR_INVALID_CONTEXT, 201)                                                                             \
	X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                                           \
	X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                                                           \
	X(CUDA_ERROR_INVALID_PTX, 218)                                                                                 \
	X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                                                     \
	X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                                                   \
	X(CUDA_ERROR_INVALID_HANDLE, 400)                                                                              \
	X(CUDA_ERROR_NOT_FOUND, 500)                                                                                   \
	X(CUDA_ERROR_NOT_READY, 600)                                                                                   \
	X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                                             \
	X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                                     \
	X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                                              \
	X(CUDA_ERROR_ASSERT, 710)                                                                                      \
	X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                                                        \
	X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                                                         \
	X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                                                          \
	X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                                                       \
	X(CUDA_ERROR_INVALID_PC, 718)                                                                                  \
	X(CUDA_ERROR_LAUNCH_FAILED, 719)                                                                               \
	X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                                                \
	X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                                               \
	X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                                                                        \
	X(CU_LIMIT_PRINTF_FIFO_SIZE, 1)                                                                                \
	X(CU_LIMIT_MALLOC_HEAP_SIZE, 2)                                                                                \
	X(CU_JIT_INFO_LOG_BUFFER, 3)                                                                                   \
	X(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4)                                                                        \
	X(CU_JIT_ERROR_LOG_BUFFER, 5)                                                                                  \
	X(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                                                                       \
	X(CU_JIT_LOG_VERBOSE, 12)                                                                                      \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                                            \
	X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                                            \
	X(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                                                                  \
	X(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                                                  \
	X(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                                                      \
	X(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 2)                                                                       \
	X(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3)                                                                       \
	X(CU_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                                               \
	X(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                                                          \
	X(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 14)                                                     \
	X(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 2)                                                                          \
	X(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4)                                                                    \
	X(CU_MEM_ATTACH_GLOBAL, 1)                                                                                     \
	X(CU_MEMHOSTALLOC_PORTABLE, 1)                                                                                 \
	X(CU_MEMHOSTALLOC_DEVICEMAP, 2)                                                                                \
	X(CU_MEMORYTYPE_ARRAY, 3)                                                                                      \
	X(CU_MEMORYTYPE_UNIFIED, 4)                                                                                    \
	X(CU_AD_FORMAT_UNSIGNED_INT8, 1)                                                                               \
	X(CU_AD_FORMAT_UNSIGNED_INT16, 2)                                                                              \
	X(CU_AD_FORMAT_UNSIGNED_INT32, 3)                                                                              \
	X(CU_AD_FORMAT_SIGNED_INT8, 8)                                                                                 \
	X(CU_AD_FORMAT_SIGNED_INT16, 9)                                                                                \
	X(CU_AD_FORMAT_SIGNED_INT32, 10)                                                                               \
	X(CU_AD_FORMAT_HALF, 16)                                                                                       \
	X(CU_AD_FORMAT_FLOAT, 32)                                                                                      \
	X(CU_RESOURCE_TYPE_ARRAY, 0)                                                                                   \
	X(CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, 1)                                                                         \
	X(CU_RESOURCE_TYPE_LINEAR, 2)                                                                                  \
	X(CU_RESOURCE_TYPE_PITCH2D, 3)                                                                                 \
	X(CU_TRSF_READ_AS_INTEGER, 1)                                                                                  \
	X(CU_TRSF_NORMALIZED_COORDINATES, 2)                                                                           \
	X(CU_TRSF_SRGB, 16)

/* The enumerations of cuda.h are ints here. */
#ifndef CUDA_VERSION
typedef int CUresult, CUjit_option, CUdevice_attribute, CUfunction_attribute, CUlimit, CUmemorytype, CUarray_format;
typedef int CUresourcetype, CUaddress_mode, CUfilter_mode, CUlaunchAttributeID;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef unsigned long long CUtexObject, CUsurfObject;
enum {
#define X(name, value) name = (value),
	LIBCUDA_NUMBERS(X)
#undef X
};

typedef struct {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef struct {
	size_t srcXInBytes, srcY, srcZ, srcLOD;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	void *reserved0;
	size_t srcPitch, srcHeight;
	size_t dstXInBytes, dstY, dstZ, dstLOD;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	void *reserved1;
	size_t dstPitch, dstHeight;
	size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct {
	CUresourcetype resType;
	union {
		struct {
			CUarray hArray;
		} array;
		struct {
			CUmipmappedArray hMipmappedArray;
		} mipmap;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned numChannels;
			size_t sizeInBytes;
		} linear;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned numChannels;
			size_t width, height, pitchInBytes;
		} pitch2D;
		struct {
			int reserved[32];
		} reserved;
	} res;
	unsigned flags;
} CUDA_RESOURCE_DESC;

typedef struct {
	CUaddress_mode addressMode[3];
	CUfilter_mode filterMode;
	unsigned flags, maxAnisotropy;
	CUfilter_mode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
	int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC; /* always NULL here */

typedef struct {
	CUlaunchAttributeID id;
	char pad[4];
	union {
		char pad[64];
		struct {
			unsigned x, y, z;
		} clusterDim;
		int cooperative;
	} value;
} CUlaunchAttribute;

typedef struct {
	unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	unsigned numAttrs;
} CUlaunchConfig;
#endif

/* X(name, parameters): every function takes these and returns CUresult. All are there since CUDA 11.0. */
/* clang-format off */
#define LIBCUDA_FUNCTIONS(X)                                                                                           \
	X(cuInit, (unsigned flags))                                                                                    \
	X(cuDriverGetVersion, (int *version))                                                                          \
	X(cuGetErrorName, (CUresult error, const char **name))                                                         \
	X(cuGetErrorString, (CUresult error, const char **text))                                                       \
	X(cuDeviceGet, (CUdevice * device, int ordinal))                                                               \
	X(cuDeviceGetCount, (int *count))                                                                              \
	X(cuDeviceGetName, (char *name, int length, CUdevice device))                                                  \
	X(cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device))                           \
	X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                                            \
	X(cuDevicePrimaryCtxReset_v2, (CUdevice device))                                                               \
	X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                                             \
	X(cuCtxGetCurrent, (CUcontext * context))                                                                      \
	X(cuCtxSetCurrent, (CUcontext context))                                                                        \
	X(cuCtxPushCurrent_v2, (CUcontext context))                                                                    \
	X(cuCtxPopCurrent_v2, (CUcontext * context))                                                                   \
	X(cuCtxSynchronize, (void))                                                                                    \
	X(cuCtxSetLimit, (CUlimit limit, size_t value))                                                                \
	X(cuCtxGetLimit, (size_t * value, CUlimit limit))                                                              \
	X(cuMemAlloc_v2, (CUdeviceptr * address, size_t size))                                                         \
	X(cuMemAllocManaged, (CUdeviceptr * address, size_t size, unsigned flags))                                     \
	X(cuMemFree_v2, (CUdeviceptr address))                                                                         \
	X(cuMemHostAlloc, (void **address, size_t size, unsigned flags))                                               \
	X(cuMemFreeHost, (void *address))                                                                              \
	X(cuMemGetInfo_v2, (size_t * free_bytes, size_t *total_bytes))                                                 \
	X(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t size))                                                   \
	X(cuMemsetD8_v2, (CUdeviceptr to, unsigned char value, size_t count))                                          \
	X(cuMemsetD16_v2, (CUdeviceptr to, unsigned short value, size_t count))                                        \
	X(cuMemsetD32_v2, (CUdeviceptr to, unsigned value, size_t count))                                              \
	X(cuModuleLoadDataEx,                                                                                          \
	  (CUmodule * module, const void *image, unsigned noptions, CUjit_option *options, void **values))             \
	X(cuModuleUnload, (CUmodule module))                                                                           \
	X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))                             \
	X(cuModuleGetGlobal_v2, (CUdeviceptr * address, size_t *size, CUmodule module, const char *name))              \
	X(cuFuncGetAttribute, (int *value, CUfunction_attribute attribute, CUfunction function))                       \
	X(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value))                        \
	X(cuLaunchKernel, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,        \
			   unsigned bz, unsigned shared, CUstream stream, void **params, void **extra))                \
	X(cuLaunchCooperativeKernel, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,         \
				      unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params))      \
	X(cuArray3DCreate_v2, (CUarray * array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor))                            \
	X(cuArrayDestroy, (CUarray array))                                                                             \
	X(cuMipmappedArrayCreate, (CUmipmappedArray * array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned levels)) \
	X(cuMipmappedArrayGetLevel, (CUarray * level, CUmipmappedArray array, unsigned number))                        \
	X(cuMipmappedArrayDestroy, (CUmipmappedArray array))                                                           \
	X(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *copy))                                                                  \
	X(cuTexObjectCreate, (CUtexObject * object, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,       \
			      const CUDA_RESOURCE_VIEW_DESC *view))                                                          \
	X(cuTexObjectDestroy, (CUtexObject object))                                                                    \
	X(cuSurfObjectCreate, (CUsurfObject * object, const CUDA_RESOURCE_DESC *resource))                             \
	X(cuSurfObjectDestroy, (CUsurfObject object))                                                                  \
	X(cuEventCreate, (CUevent * event, unsigned flags))                                                            \
	X(cuEventRecord, (CUevent event, CUstream stream))                                                             \
	X(cuEventQuery, (CUevent event))                                                                               \
	X(cuEventSynchronize, (CUevent event))                                                                         \
	X(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end))                                       \
	X(cuEventDestroy_v2, (CUevent event))
/* clang-format on */

/* Functions of later releases: NULL where libcuda lacks them. */
#define LIBCUDA_LATER_FUNCTIONS(X)                                                                                     \
	X(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function, void **params, void **extra))

struct libcuda {
	void *handle;
#define X(name, parameters) CUresult(*name) parameters;
	LIBCUDA_FUNCTIONS(X)
	LIBCUDA_LATER_FUNCTIONS(X)
#undef X
};

/*
 * Opens libcuda in the file `path`. If that is NULL, opens the system's libcuda.so.1, passing over romark's own
 * stand-in of that name. 0, or DIAG_ERROR with what is missing.
 */
int libcuda_open(struct libcuda *lib, const char *path, struct diag *d);
void libcuda_close(struct libcuda *lib);
/* "CUDA_ERROR_OUT_OF_MEMORY (out of memory)", or "CUDA error N". Valid until the thread's next call. */
const char *libcuda_error(const struct libcuda *lib, CUresult result);

#endif
