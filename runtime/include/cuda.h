/*
 * The CUDA driver API: contexts, modules loaded from PTX at run time, memory by address, launches by handle. One
 * device, whose context is there from cuInit on. Numbers and layouts are those of CUDA's published interface.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#define CUDA_VERSION 12000

#include <stddef.h>
#include <stdint.h>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#if defined(__cplusplus)
#define ROMARK_DRIVER_API extern "C" CUresult
#else
#define ROMARK_DRIVER_API extern CUresult
#endif

/* --- Types --- */

typedef enum cudaError_enum {
	CUDA_SUCCESS = 0,
#define ERROR(name, number, driver_name, text) CUDA_ERROR_##driver_name = number,
#define RUNTIME_ERROR(name, number, text)
#include "romark_errors.def"
#undef ERROR
#undef RUNTIME_ERROR
} CUresult;

typedef enum CUdevice_attribute_enum {
#define ATTRIBUTE(name, number, driver_name) CU_DEVICE_ATTRIBUTE_##driver_name = number,
#include "romark_attributes.def"
#undef ATTRIBUTE
	CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
	CU_DEVICE_ATTRIBUTE_MAX
} CUdevice_attribute;

typedef int CUdevice;
typedef int CUdevice_v1;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef struct CUarray_st *CUarray;                   /* what the runtime calls cudaArray_t */
typedef struct CUmipmappedArray_st *CUmipmappedArray; /* cudaMipmappedArray_t */
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
struct CUuuid_st;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04

enum {
	CU_CTX_SCHED_AUTO = 0,
	CU_CTX_SCHED_SPIN = 1,
	CU_CTX_SCHED_YIELD = 2,
	CU_CTX_SCHED_BLOCKING_SYNC = 4,
	CU_CTX_BLOCKING_SYNC = 4,
	CU_CTX_MAP_HOST = 8,
	CU_CTX_LMEM_RESIZE_TO_MAX = 16
};
enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2, CU_EVENT_INTERPROCESS = 4 };
enum { CU_MEM_ATTACH_GLOBAL = 1, CU_MEM_ATTACH_HOST = 2, CU_MEM_ATTACH_SINGLE = 4 };

typedef enum CUfunction_attribute_enum {
	CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
	CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
	CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
	CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
	CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
	CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
	CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
	CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
	CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
	CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
	CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
} CUfunction_attribute;

typedef enum CUfunc_cache_enum {
	CU_FUNC_CACHE_PREFER_NONE = 0,
	CU_FUNC_CACHE_PREFER_SHARED = 1,
	CU_FUNC_CACHE_PREFER_L1 = 2,
	CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;

typedef enum CUsharedconfig_enum {
	CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0,
	CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1,
	CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
} CUsharedconfig;

typedef struct CUdevprop_st {
	int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock, totalConstantMemory, SIMDWidth,
	    memPitch;
	int regsPerBlock, clockRate, textureAlign;
} CUdevprop;

typedef enum CUcomputemode_enum {
	CU_COMPUTEMODE_DEFAULT = 0,
	CU_COMPUTEMODE_PROHIBITED = 2,
	CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;

typedef enum CUlimit_enum {
	CU_LIMIT_STACK_SIZE = 0,
	CU_LIMIT_PRINTF_FIFO_SIZE = 1,
	CU_LIMIT_MALLOC_HEAP_SIZE = 2
} CUlimit;

typedef enum CUmemorytype_enum {
	CU_MEMORYTYPE_HOST = 1,
	CU_MEMORYTYPE_DEVICE = 2,
	CU_MEMORYTYPE_ARRAY = 3,
	CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

typedef enum CUarray_format_enum {
	CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
	CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
	CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
	CU_AD_FORMAT_SIGNED_INT8 = 0x08,
	CU_AD_FORMAT_SIGNED_INT16 = 0x09,
	CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
	CU_AD_FORMAT_HALF = 0x10,
	CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;

typedef enum CUaddress_mode_enum {
	CU_TR_ADDRESS_MODE_WRAP = 0,
	CU_TR_ADDRESS_MODE_CLAMP = 1,
	CU_TR_ADDRESS_MODE_MIRROR = 2,
	CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;

typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 } CUfilter_mode;

typedef enum CUresourcetype_enum {
	CU_RESOURCE_TYPE_ARRAY = 0,
	CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
	CU_RESOURCE_TYPE_LINEAR = 2,
	CU_RESOURCE_TYPE_PITCH2D = 3
} CUresourcetype;

#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10

typedef enum CUpointer_attribute_enum {
	CU_POINTER_ATTRIBUTE_CONTEXT = 1,
	CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
	CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,
	CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
	CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
	CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
	CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
	CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12
} CUpointer_attribute;

typedef enum CUjit_option_enum {
	CU_JIT_MAX_REGISTERS = 0,
	CU_JIT_THREADS_PER_BLOCK = 1,
	CU_JIT_WALL_TIME = 2,
	CU_JIT_INFO_LOG_BUFFER = 3,
	CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
	CU_JIT_ERROR_LOG_BUFFER = 5,
	CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
	CU_JIT_OPTIMIZATION_LEVEL = 7,
	CU_JIT_TARGET_FROM_CUCONTEXT = 8,
	CU_JIT_TARGET = 9,
	CU_JIT_FALLBACK_STRATEGY = 10,
	CU_JIT_GENERATE_DEBUG_INFO = 11,
	CU_JIT_LOG_VERBOSE = 12,
	CU_JIT_GENERATE_LINE_INFO = 13,
	CU_JIT_CACHE_MODE = 14
} CUjit_option;

typedef enum CUjitInputType_enum {
	CU_JIT_INPUT_CUBIN = 0,
	CU_JIT_INPUT_PTX = 1,
	CU_JIT_INPUT_FATBINARY = 2,
	CU_JIT_INPUT_OBJECT = 3,
	CU_JIT_INPUT_LIBRARY = 4
} CUjitInputType;

typedef enum CUlibraryOption_enum {
	CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
	CU_LIBRARY_BINARY_IS_PRESERVED = 1
} CUlibraryOption;

typedef enum CUlaunchAttributeID_enum {
	CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
	CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
	CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
	CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
	CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
	CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
	CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
	CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
	CU_LAUNCH_ATTRIBUTE_PRIORITY = 8
} CUlaunchAttributeID;

typedef union CUlaunchAttributeValue_union {
	char pad[64];
	int cooperative;
	struct {
		unsigned int x, y, z;
	} clusterDim;
	int programmaticStreamSerializationAllowed;
	int priority;
} CUlaunchAttributeValue;

typedef struct CUlaunchAttribute_st {
	CUlaunchAttributeID id;
	char pad[8 - sizeof(CUlaunchAttributeID)];
	CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig_st {
	unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	unsigned int numAttrs;
} CUlaunchConfig;

typedef void (*CUhostFn)(void *data);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

/* --- Start, device, context --- */

ROMARK_DRIVER_API cuInit(unsigned int flags);
ROMARK_DRIVER_API cuDriverGetVersion(int *version);
ROMARK_DRIVER_API cuGetErrorName(CUresult error, const char **name);
ROMARK_DRIVER_API cuGetErrorString(CUresult error, const char **text);
ROMARK_DRIVER_API cuDeviceGet(CUdevice *device, int ordinal);
ROMARK_DRIVER_API cuDeviceGetCount(int *count);
ROMARK_DRIVER_API cuDeviceGetName(char *name, int length, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetUuid(struct CUuuid_st *uuid, CUdevice device);
ROMARK_DRIVER_API cuDeviceTotalMem(size_t *bytes, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
ROMARK_DRIVER_API cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
ROMARK_DRIVER_API cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
ROMARK_DRIVER_API cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
ROMARK_DRIVER_API cuDevicePrimaryCtxRelease(CUdevice device);
ROMARK_DRIVER_API cuDevicePrimaryCtxReset(CUdevice device);
ROMARK_DRIVER_API cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
ROMARK_DRIVER_API cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active);
ROMARK_DRIVER_API cuDeviceGetPCIBusId(char *text, int length, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetByPCIBusId(CUdevice *device, const char *text);
ROMARK_DRIVER_API cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
ROMARK_DRIVER_API cuCtxDestroy(CUcontext context);
ROMARK_DRIVER_API cuCtxPushCurrent(CUcontext context);
ROMARK_DRIVER_API cuCtxPopCurrent(CUcontext *context);
ROMARK_DRIVER_API cuCtxSetCurrent(CUcontext context);
ROMARK_DRIVER_API cuCtxGetCurrent(CUcontext *context);
ROMARK_DRIVER_API cuCtxGetDevice(CUdevice *device);
ROMARK_DRIVER_API cuCtxSynchronize(void);
ROMARK_DRIVER_API cuCtxGetFlags(unsigned int *flags);
ROMARK_DRIVER_API cuCtxGetApiVersion(CUcontext context, unsigned int *version);
ROMARK_DRIVER_API cuCtxGetStreamPriorityRange(int *least, int *greatest);
ROMARK_DRIVER_API cuCtxEnablePeerAccess(CUcontext context, unsigned int flags);
ROMARK_DRIVER_API cuCtxDisablePeerAccess(CUcontext context);
ROMARK_DRIVER_API cuCtxSetCacheConfig(CUfunc_cache config);
ROMARK_DRIVER_API cuCtxAttach(CUcontext *context, unsigned int flags);
ROMARK_DRIVER_API cuCtxDetach(CUcontext context);
ROMARK_DRIVER_API cuCtxGetCacheConfig(CUfunc_cache *config);
ROMARK_DRIVER_API cuCtxSetSharedMemConfig(CUsharedconfig config);
ROMARK_DRIVER_API cuCtxGetSharedMemConfig(CUsharedconfig *config);
ROMARK_DRIVER_API cuCtxSetLimit(CUlimit limit, size_t value);
ROMARK_DRIVER_API cuCtxGetLimit(size_t *value, CUlimit limit);

/* A function of the driver by its name, as the release `version` knows it; in libcuda.so.1 only. */
typedef enum CUdriverProcAddressQueryResult_enum {
	CU_GET_PROC_ADDRESS_SUCCESS = 0,
	CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
	CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;
enum { CU_GET_PROC_ADDRESS_DEFAULT = 0 };
#define cuGetProcAddress cuGetProcAddress_v2
ROMARK_DRIVER_API cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
				   CUdriverProcAddressQueryResult *status);

/* --- Modules and functions --- */

ROMARK_DRIVER_API cuModuleLoad(CUmodule *module, const char *path);
ROMARK_DRIVER_API cuModuleLoadData(CUmodule *module, const void *image);
ROMARK_DRIVER_API cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int noptions, CUjit_option *options,
				     void **values);
ROMARK_DRIVER_API cuModuleLoadFatBinary(CUmodule *module, const void *image);
ROMARK_DRIVER_API cuModuleUnload(CUmodule module);
ROMARK_DRIVER_API cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
ROMARK_DRIVER_API cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule module, const char *name);
ROMARK_DRIVER_API cuLinkCreate(unsigned int noptions, CUjit_option *options, void **values, CUlinkState *state);
ROMARK_DRIVER_API cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
				unsigned int noptions, CUjit_option *options, void **values);
ROMARK_DRIVER_API cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int noptions,
				CUjit_option *options, void **values);
ROMARK_DRIVER_API cuLinkComplete(CUlinkState state, void **image, size_t *size);
ROMARK_DRIVER_API cuLinkDestroy(CUlinkState state);
ROMARK_DRIVER_API cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
ROMARK_DRIVER_API cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
ROMARK_DRIVER_API cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
ROMARK_DRIVER_API cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
ROMARK_DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int blockSize,
							      size_t dynamicSharedBytes);
ROMARK_DRIVER_API cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
						   CUoccupancyB2DSize shared, size_t dynamicSharedBytes, int limit);
ROMARK_DRIVER_API cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
				 unsigned int blockX, unsigned int blockY, unsigned int blockZ,
				 unsigned int sharedBytes, CUstream stream, void **params, void **extra);
ROMARK_DRIVER_API cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
					    unsigned int gridZ, unsigned int blockX, unsigned int blockY,
					    unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
					    void **params);
ROMARK_DRIVER_API cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra);
ROMARK_DRIVER_API cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data);
ROMARK_DRIVER_API cuFuncGetName(const char **name, CUfunction function);
ROMARK_DRIVER_API cuFuncGetModule(CUmodule *module, CUfunction function);
ROMARK_DRIVER_API cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size);

/* --- Libraries: modules for all contexts --- */

ROMARK_DRIVER_API cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jit, void **jitValues,
				    unsigned int njit, CUlibraryOption *options, void **values, unsigned int noptions);
ROMARK_DRIVER_API cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit, void **jitValues,
					unsigned int njit, CUlibraryOption *options, void **values,
					unsigned int noptions);
ROMARK_DRIVER_API cuLibraryUnload(CUlibrary library);
ROMARK_DRIVER_API cuLibraryGetModule(CUmodule *module, CUlibrary library);
ROMARK_DRIVER_API cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
ROMARK_DRIVER_API cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library, const char *name);
ROMARK_DRIVER_API cuLibraryGetManaged(CUdeviceptr *address, size_t *size, CUlibrary library, const char *name);
ROMARK_DRIVER_API cuKernelGetFunction(CUfunction *function, CUkernel kernel);
ROMARK_DRIVER_API cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
ROMARK_DRIVER_API cuKernelGetName(const char **name, CUkernel kernel);
ROMARK_DRIVER_API cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device);
ROMARK_DRIVER_API cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device);
ROMARK_DRIVER_API cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device);

/* Launches as in CUDA's first releases: shape and parameters are set one by one. */
ROMARK_DRIVER_API cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
ROMARK_DRIVER_API cuFuncSetSharedSize(CUfunction function, unsigned int bytes);
ROMARK_DRIVER_API cuParamSetSize(CUfunction function, unsigned int bytes);
ROMARK_DRIVER_API cuParamSeti(CUfunction function, int offset, unsigned int value);
ROMARK_DRIVER_API cuParamSetf(CUfunction function, int offset, float value);
ROMARK_DRIVER_API cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes);
ROMARK_DRIVER_API cuLaunch(CUfunction function);
ROMARK_DRIVER_API cuLaunchGrid(CUfunction function, int width, int height);
ROMARK_DRIVER_API cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream);

/* --- Memory --- */

ROMARK_DRIVER_API cuMemAlloc(CUdeviceptr *address, size_t size);
ROMARK_DRIVER_API cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
				  unsigned int elementSize);
ROMARK_DRIVER_API cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned int flags);
ROMARK_DRIVER_API cuMemFree(CUdeviceptr address);
ROMARK_DRIVER_API cuMemAllocHost(void **ptr, size_t size);
ROMARK_DRIVER_API cuMemHostAlloc(void **ptr, size_t size, unsigned int flags);
ROMARK_DRIVER_API cuMemHostGetDevicePointer(CUdeviceptr *address, void *ptr, unsigned int flags);
ROMARK_DRIVER_API cuMemFreeHost(void *ptr);
ROMARK_DRIVER_API cuMemGetInfo(size_t *available, size_t *total);
ROMARK_DRIVER_API cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr address);
ROMARK_DRIVER_API cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address);
ROMARK_DRIVER_API cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size);
ROMARK_DRIVER_API cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
ROMARK_DRIVER_API cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,
			       size_t size);
ROMARK_DRIVER_API cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,
				    size_t size, CUstream stream);
ROMARK_DRIVER_API cuMemHostRegister(void *ptr, size_t size, unsigned int flags);
ROMARK_DRIVER_API cuMemHostUnregister(void *ptr);
ROMARK_DRIVER_API cuMemHostGetFlags(unsigned int *flags, void *ptr);
ROMARK_DRIVER_API cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream);
ROMARK_DRIVER_API cuMemFreeAsync(CUdeviceptr address, CUstream stream);
ROMARK_DRIVER_API cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size);
ROMARK_DRIVER_API cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size);
ROMARK_DRIVER_API cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size);
ROMARK_DRIVER_API cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream);
ROMARK_DRIVER_API cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream);
ROMARK_DRIVER_API cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
ROMARK_DRIVER_API cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count);
ROMARK_DRIVER_API cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count);
ROMARK_DRIVER_API cuMemsetD32(CUdeviceptr address, unsigned int value, size_t count);
ROMARK_DRIVER_API cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream);
ROMARK_DRIVER_API cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream);
ROMARK_DRIVER_API cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count, CUstream stream);
ROMARK_DRIVER_API cuMemsetD2D8(CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height);
ROMARK_DRIVER_API cuMemsetD2D16(CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height);
ROMARK_DRIVER_API cuMemsetD2D32(CUdeviceptr address, size_t pitch, unsigned int value, size_t width, size_t height);

/* --- Virtual memory: a handle is mapped at one place at a time --- */

typedef enum CUmemLocationType_enum {
	CU_MEM_LOCATION_TYPE_INVALID = 0,
	CU_MEM_LOCATION_TYPE_DEVICE = 1
} CUmemLocationType;
typedef enum CUmemAllocationType_enum {
	CU_MEM_ALLOCATION_TYPE_INVALID = 0,
	CU_MEM_ALLOCATION_TYPE_PINNED = 1
} CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum {
	CU_MEM_HANDLE_TYPE_NONE = 0,
	CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1
} CUmemAllocationHandleType;
typedef enum CUmemAllocationGranularity_flags_enum {
	CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
	CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;
typedef enum CUmemAccess_flags_enum {
	CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
	CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
	CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;

typedef struct CUmemLocation_st {
	CUmemLocationType type;
	int id;
} CUmemLocation;

typedef struct CUmemAllocationProp_st {
	CUmemAllocationType type;
	CUmemAllocationHandleType requestedHandleTypes;
	CUmemLocation location;
	void *win32HandleMetaData;
	struct {
		unsigned char compressionType, gpuDirectRDMACapable;
		unsigned short usage;
		unsigned char reserved[4];
	} allocFlags;
} CUmemAllocationProp;

typedef struct CUmemAccessDesc_st {
	CUmemLocation location;
	CUmemAccess_flags flags;
} CUmemAccessDesc;

ROMARK_DRIVER_API cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
						CUmemAllocationGranularity_flags option);
ROMARK_DRIVER_API cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr wanted,
				      unsigned long long flags);
ROMARK_DRIVER_API cuMemAddressFree(CUdeviceptr address, size_t size);
ROMARK_DRIVER_API cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
			      unsigned long long flags);
ROMARK_DRIVER_API cuMemRelease(CUmemGenericAllocationHandle handle);
ROMARK_DRIVER_API cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
							 CUmemGenericAllocationHandle handle);
ROMARK_DRIVER_API cuMemMap(CUdeviceptr address, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
			   unsigned long long flags);
ROMARK_DRIVER_API cuMemUnmap(CUdeviceptr address, size_t size);
ROMARK_DRIVER_API cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *desc, size_t count);
ROMARK_DRIVER_API cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address);

/* --- Arrays, textures, surfaces --- */

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
	size_t Width, Height;
	CUarray_format Format;
	unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef struct CUDA_MEMCPY2D_st {
	size_t srcXInBytes, srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st {
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

typedef struct CUDA_RESOURCE_DESC_st {
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
			unsigned int numChannels;
			size_t sizeInBytes;
		} linear;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned int numChannels;
			size_t width, height, pitchInBytes;
		} pitch2D;
		struct {
			int reserved[32];
		} reserved;
	} res;
	unsigned int flags;
} CUDA_RESOURCE_DESC;

typedef struct CUDA_TEXTURE_DESC_st {
	CUaddress_mode addressMode[3];
	CUfilter_mode filterMode;
	unsigned int flags, maxAnisotropy;
	CUfilter_mode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	float borderColor[4];
	int reserved[12];
} CUDA_TEXTURE_DESC;

/* Views are not supported: give NULL. */
typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC;

ROMARK_DRIVER_API cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor);
ROMARK_DRIVER_API cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor);
ROMARK_DRIVER_API cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array);
ROMARK_DRIVER_API cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array);
ROMARK_DRIVER_API cuArrayDestroy(CUarray array);
ROMARK_DRIVER_API cuMemcpy2D(const CUDA_MEMCPY2D *copy);
ROMARK_DRIVER_API cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy);
ROMARK_DRIVER_API cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream);
ROMARK_DRIVER_API cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *descriptor,
					 unsigned int levels);
ROMARK_DRIVER_API cuMipmappedArrayGetLevel(CUarray *level, CUmipmappedArray mipmap, unsigned int number);
ROMARK_DRIVER_API cuMipmappedArrayDestroy(CUmipmappedArray mipmap);
ROMARK_DRIVER_API cuMemcpy3D(const CUDA_MEMCPY3D *copy);
ROMARK_DRIVER_API cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream);
ROMARK_DRIVER_API cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size);
ROMARK_DRIVER_API cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size);
ROMARK_DRIVER_API cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size);
ROMARK_DRIVER_API cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size);
ROMARK_DRIVER_API cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
				    const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view);
ROMARK_DRIVER_API cuTexObjectDestroy(CUtexObject object);
ROMARK_DRIVER_API cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource);
ROMARK_DRIVER_API cuSurfObjectDestroy(CUsurfObject object);

#define CU_TRSA_OVERRIDE_FORMAT 0x01

ROMARK_DRIVER_API cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name);
ROMARK_DRIVER_API cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name);
ROMARK_DRIVER_API cuTexRefSetArray(CUtexref reference, CUarray array, unsigned int flags);
ROMARK_DRIVER_API cuTexRefSetAddress(size_t *offset, CUtexref reference, CUdeviceptr address, size_t bytes);
ROMARK_DRIVER_API cuTexRefSetAddress2D(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR *descriptor, CUdeviceptr address,
				       size_t pitch);
ROMARK_DRIVER_API cuTexRefSetFormat(CUtexref reference, CUarray_format format, int channels);
ROMARK_DRIVER_API cuTexRefSetAddressMode(CUtexref reference, int dimension, CUaddress_mode mode);
ROMARK_DRIVER_API cuTexRefSetFilterMode(CUtexref reference, CUfilter_mode mode);
ROMARK_DRIVER_API cuTexRefSetFlags(CUtexref reference, unsigned int flags);
ROMARK_DRIVER_API cuTexRefSetBorderColor(CUtexref reference, float *color);
ROMARK_DRIVER_API cuParamSetTexRef(CUfunction function, int unit, CUtexref reference);
ROMARK_DRIVER_API cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned int flags);

/* --- Streams and events --- */

ROMARK_DRIVER_API cuStreamCreate(CUstream *stream, unsigned int flags);
ROMARK_DRIVER_API cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
ROMARK_DRIVER_API cuStreamDestroy(CUstream stream);
ROMARK_DRIVER_API cuStreamSynchronize(CUstream stream);
ROMARK_DRIVER_API cuStreamQuery(CUstream stream);
ROMARK_DRIVER_API cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
ROMARK_DRIVER_API cuEventCreate(CUevent *event, unsigned int flags);
ROMARK_DRIVER_API cuEventRecord(CUevent event, CUstream stream);
ROMARK_DRIVER_API cuEventSynchronize(CUevent event);
ROMARK_DRIVER_API cuEventQuery(CUevent event);
ROMARK_DRIVER_API cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
ROMARK_DRIVER_API cuEventDestroy(CUevent event);
ROMARK_DRIVER_API cuStreamGetFlags(CUstream stream, unsigned int *flags);
ROMARK_DRIVER_API cuStreamGetPriority(CUstream stream, int *priority);
ROMARK_DRIVER_API cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags);

/* --- Graphs --- */

typedef enum CUstreamCaptureMode_enum {
	CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
	CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
	CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
	CU_STREAM_CAPTURE_STATUS_NONE = 0,
	CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
	CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;

typedef struct CUDA_KERNEL_NODE_PARAMS_st {
	CUfunction func;
	unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
	void **kernelParams, **extra;
	CUkernel kern;
	CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

ROMARK_DRIVER_API cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode);
ROMARK_DRIVER_API cuStreamEndCapture(CUstream stream, CUgraph *graph);
ROMARK_DRIVER_API cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
ROMARK_DRIVER_API cuGraphCreate(CUgraph *graph, unsigned int flags);
ROMARK_DRIVER_API cuGraphDestroy(CUgraph graph);
ROMARK_DRIVER_API cuGraphClone(CUgraph *clone, CUgraph graph);
ROMARK_DRIVER_API cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
ROMARK_DRIVER_API cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count);
ROMARK_DRIVER_API cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count);
ROMARK_DRIVER_API cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
				       const CUDA_KERNEL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
						 const CUDA_KERNEL_NODE_PARAMS *params);
ROMARK_DRIVER_API cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
ROMARK_DRIVER_API cuGraphLaunch(CUgraphExec exec, CUstream stream);
ROMARK_DRIVER_API cuGraphUpload(CUgraphExec exec, CUstream stream);
ROMARK_DRIVER_API cuGraphExecDestroy(CUgraphExec exec);

ROMARK_DRIVER_API cuProfilerStart(void);
ROMARK_DRIVER_API cuProfilerStop(void);

#if defined(__cplusplus)
/* CUDA 13's form; `params` asks for what this device does not have and may be NULL. */
typedef struct CUctxCreateParams_st {
	void *execAffinityParams;
	int numExecAffinityParams;
	void *cigParams;
} CUctxCreateParams;

static inline CUresult cuCtxCreate(CUcontext *context, const CUctxCreateParams *params, unsigned int flags,
				   CUdevice device)
{
	if (params && (params->numExecAffinityParams || params->cigParams))
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuCtxCreate(context, flags, device);
}
#endif

#endif
