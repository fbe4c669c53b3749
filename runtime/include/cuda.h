/*
 * The CUDA driver API: contexts, modules loaded from PTX at run time, memory by address, launches by handle. There is a
 * single device, whose context exists from cuInit on. Numbers and layouts are CUDA's published ones.
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

#include "romark_driver_macros.h"

typedef enum cudaError_enum {
	CUDA_SUCCESS = 0,
#define ERROR(name, number, driver_name, text) CUDA_ERROR_##driver_name = number,
#define RUNTIME_ERROR(name, number, text)
#include "romark_errors.def"
#undef ERROR
#undef RUNTIME_ERROR
	CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202 /* has a number, and no release since CUDA 3.2 gives it */
} CUresult;

typedef enum CUdevice_attribute_enum {
#define ATTRIBUTE(name, number, driver_name) CU_DEVICE_ATTRIBUTE_##driver_name = number,
#include "romark_attributes.def"
#undef ATTRIBUTE
	/* Attributes that only the driver has, and second names. */
	CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
	CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
	CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
	CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
	CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER = 44,
	CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
	CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
	CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
	CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
	CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK = 136,
	CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH = 137,
	CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED = 146,
	CU_DEVICE_ATTRIBUTE_MAX = 148
} CUdevice_attribute;

typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUarray_st *CUarray;                   /* what the runtime calls cudaArray_t */
typedef struct CUmipmappedArray_st *CUmipmappedArray; /* cudaMipmappedArray_t */
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef unsigned long long CUtexObject_v1;
typedef unsigned long long CUsurfObject_v1;
typedef struct CUextMemory_st *CUexternalMemory;
typedef struct CUextSemaphore_st *CUexternalSemaphore;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;
typedef struct CUasyncCallbackEntry_st *CUasyncCallbackHandle;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUlinkState_st *CUlinkState;
typedef unsigned long long CUmemGenericAllocationHandle_v1;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
typedef struct CUlogsCallbackEntry_st *CUlogsCallbackHandle;
typedef unsigned int CUlogIterator;

typedef void (*CUhostFn)(void *data);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
typedef struct CUuuid_st {
	char bytes[16];
} CUuuid;
#endif

#include "romark_driver_enums.h"
#include "romark_driver_memory_enums.h"
#include "romark_driver_structs.h"

/* --- Start, device, context --- */

ROMARK_DRIVER_API cuInit(unsigned int flags);
ROMARK_DRIVER_API cuDriverGetVersion(int *version);
ROMARK_DRIVER_API cuGetErrorName(CUresult error, const char **name);
ROMARK_DRIVER_API cuGetErrorString(CUresult error, const char **text);
ROMARK_DRIVER_API cuDeviceGet(CUdevice *device, int ordinal);
ROMARK_DRIVER_API cuDeviceGetCount(int *count);
ROMARK_DRIVER_API cuDeviceGetName(char *name, int length, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
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

/* Looks up a function of the driver by the name that release `version` has for it. Only in libcuda.so.1. */
#define cuGetProcAddress cuGetProcAddress_v2
ROMARK_DRIVER_API cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags,
				   CUdriverProcAddressQueryResult *status);
ROMARK_DRIVER_API cuDeviceGetLuid(char *luid, unsigned int *deviceNodeMask, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, CUarray_format format,
						     unsigned int numChannels, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities, const CUatomicOperation *operations,
						    unsigned int count, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, CUdevice device, int flags);
ROMARK_DRIVER_API cuDeviceGetExecAffinitySupport(int *value, CUexecAffinityType type, CUdevice device);
ROMARK_DRIVER_API cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
					     CUflushGPUDirectRDMAWritesScope scope);
ROMARK_DRIVER_API cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device);
ROMARK_DRIVER_API cuCtxGetDevice_v2(CUdevice *device, CUcontext context);
ROMARK_DRIVER_API cuCtxSetFlags(unsigned int flags);
ROMARK_DRIVER_API cuCtxGetId(CUcontext context, unsigned long long *ctxId);
ROMARK_DRIVER_API cuCtxSynchronize_v2(CUcontext context);
ROMARK_DRIVER_API cuCtxResetPersistingL2Cache(void);
ROMARK_DRIVER_API cuCtxGetExecAffinity(CUexecAffinityParam *execAffinity, CUexecAffinityType type);
ROMARK_DRIVER_API cuCtxRecordEvent(CUcontext context, CUevent event);
ROMARK_DRIVER_API cuCtxWaitEvent(CUcontext context, CUevent event);
ROMARK_DRIVER_API cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void *userData,
						    CUasyncCallbackHandle *callback);
ROMARK_DRIVER_API cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback);
ROMARK_DRIVER_API cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice srcDevice,
					  CUdevice dstDevice);
ROMARK_DRIVER_API cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities, const CUatomicOperation *operations,
						   unsigned int count, CUdevice srcDevice, CUdevice dstDevice);

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
ROMARK_DRIVER_API cuModuleGetLoadingMode(CUmoduleLoadingMode *mode);
ROMARK_DRIVER_API cuModuleGetFunctionCount(unsigned int *count, CUmodule module);
ROMARK_DRIVER_API cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule module);
ROMARK_DRIVER_API cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function);
ROMARK_DRIVER_API cuFuncLoad(CUfunction function);
ROMARK_DRIVER_API cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launchParamsList, unsigned int numDevices,
						       unsigned int flags);
ROMARK_DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, CUfunction function,
								       int blockSize, size_t dynamicSMemSize,
								       unsigned int flags);
ROMARK_DRIVER_API cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction function,
							    CUoccupancyB2DSize blockSizeToDynamicSMemSize,
							    size_t dynamicSMemSize, int blockSizeLimit,
							    unsigned int flags);
ROMARK_DRIVER_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize, CUfunction function, int numBlocks,
							  int blockSize);
ROMARK_DRIVER_API cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction function,
						     const CUlaunchConfig *config);
ROMARK_DRIVER_API cuOccupancyMaxActiveClusters(int *numClusters, CUfunction function, const CUlaunchConfig *config);

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
ROMARK_DRIVER_API cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib);
ROMARK_DRIVER_API cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib);
ROMARK_DRIVER_API cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol);
ROMARK_DRIVER_API cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize);

/* Launches as in CUDA's first releases: each call sets the shape or a parameter. */
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
ROMARK_DRIVER_API cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy);
ROMARK_DRIVER_API cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream);
ROMARK_DRIVER_API cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
				     CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream stream);
ROMARK_DRIVER_API cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
				       CUstream stream);
ROMARK_DRIVER_API cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t width,
				    size_t height, CUstream stream);
ROMARK_DRIVER_API cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t width,
				     size_t height, CUstream stream);
ROMARK_DRIVER_API cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t width,
				     size_t height, CUstream stream);
ROMARK_DRIVER_API cuMemBatchDecompressAsync(CUmemDecompressParams *paramsArray, size_t count, unsigned int flags,
					    size_t *errorIndex, CUstream stream);
ROMARK_DRIVER_API cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
					CUstream stream);
ROMARK_DRIVER_API cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location);
ROMARK_DRIVER_API cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
					  size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
					  CUstream stream);
ROMARK_DRIVER_API cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
					 CUstream stream);
ROMARK_DRIVER_API cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count,
						    CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
						    size_t numPrefetchLocs, unsigned long long flags, CUstream stream);
ROMARK_DRIVER_API cuMemRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute,
					 CUdeviceptr devPtr, size_t count);
ROMARK_DRIVER_API cuMemRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes,
					  size_t numAttributes, CUdeviceptr devPtr, size_t count);
ROMARK_DRIVER_API cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr);
ROMARK_DRIVER_API cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
					 CUdeviceptr ptr);
ROMARK_DRIVER_API cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise advice, CUdevice device);
ROMARK_DRIVER_API cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUdevice device, CUstream stream);

/* Pools of stream-ordered memory. */
ROMARK_DRIVER_API cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
ROMARK_DRIVER_API cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device);
ROMARK_DRIVER_API cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device);
ROMARK_DRIVER_API cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);
ROMARK_DRIVER_API cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value);
ROMARK_DRIVER_API cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value);
ROMARK_DRIVER_API cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count);
ROMARK_DRIVER_API cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location);
ROMARK_DRIVER_API cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *poolProps);
ROMARK_DRIVER_API cuMemPoolDestroy(CUmemoryPool pool);
ROMARK_DRIVER_API cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type);
ROMARK_DRIVER_API cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type);
ROMARK_DRIVER_API cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool);
ROMARK_DRIVER_API cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream);
ROMARK_DRIVER_API cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool,
						   CUmemAllocationHandleType handleType, unsigned long long flags);
ROMARK_DRIVER_API cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle,
						     CUmemAllocationHandleType handleType, unsigned long long flags);
ROMARK_DRIVER_API cuMemPoolExportPointer(CUmemPoolPtrExportData *shareData, CUdeviceptr ptr);
ROMARK_DRIVER_API cuMemPoolImportPointer(CUdeviceptr *ptr, CUmemoryPool pool, CUmemPoolPtrExportData *shareData);

/* --- Virtual memory: a handle is mapped at one place at a time --- */

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
ROMARK_DRIVER_API cuMemGetHandleForAddressRange(void *handle, CUdeviceptr address, size_t size,
						CUmemRangeHandleType handleType, unsigned long long flags);
ROMARK_DRIVER_API cuMemMapArrayAsync(CUarrayMapInfo *mapInfoList, unsigned int count, CUstream stream);
ROMARK_DRIVER_API cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
					       CUmemAllocationHandleType handleType, unsigned long long flags);
ROMARK_DRIVER_API cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
						 CUmemAllocationHandleType shHandleType);
ROMARK_DRIVER_API cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr);
ROMARK_DRIVER_API cuMulticastCreate(CUmemGenericAllocationHandle *mcHandle, const CUmulticastObjectProp *prop);
ROMARK_DRIVER_API cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice device);
ROMARK_DRIVER_API cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
				     CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size,
				     unsigned long long flags);
ROMARK_DRIVER_API cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr,
				      size_t size, unsigned long long flags);
ROMARK_DRIVER_API cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice device, size_t mcOffset,
				    size_t size);
ROMARK_DRIVER_API cuMulticastGetGranularity(size_t *granularity, const CUmulticastObjectProp *prop,
					    CUmulticastGranularity_flags option);

/* --- Arrays, textures, surfaces --- */

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
ROMARK_DRIVER_API cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t size);
ROMARK_DRIVER_API cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t size,
				    CUstream stream);
ROMARK_DRIVER_API cuMemcpyAtoHAsync(void *dstHost, CUarray srcArray, size_t srcOffset, size_t size, CUstream stream);
ROMARK_DRIVER_API cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUarray array);
ROMARK_DRIVER_API cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
						      CUmipmappedArray mipmap);
ROMARK_DRIVER_API cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUarray array,
					       CUdevice device);
ROMARK_DRIVER_API cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
							CUmipmappedArray mipmap, CUdevice device);
ROMARK_DRIVER_API cuArrayGetPlane(CUarray *planeArray, CUarray array, unsigned int planeIdx);
ROMARK_DRIVER_API cuTexRefSetMipmappedArray(CUtexref reference, CUmipmappedArray mipmappedArray, unsigned int flags);
ROMARK_DRIVER_API cuTexRefSetMipmapFilterMode(CUtexref reference, CUfilter_mode fm);
ROMARK_DRIVER_API cuTexRefSetMipmapLevelBias(CUtexref reference, float bias);
ROMARK_DRIVER_API cuTexRefSetMipmapLevelClamp(CUtexref reference, float minMipmapLevelClamp, float maxMipmapLevelClamp);
ROMARK_DRIVER_API cuTexRefSetMaxAnisotropy(CUtexref reference, unsigned int maxAniso);
ROMARK_DRIVER_API cuTexRefGetAddress(CUdeviceptr *pdptr, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetArray(CUarray *array, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetMipmappedArray(CUmipmappedArray *mipmappedArray, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetAddressMode(CUaddress_mode *pam, CUtexref reference, int dim);
ROMARK_DRIVER_API cuTexRefGetFilterMode(CUfilter_mode *pfm, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetFormat(CUarray_format *format, int *numChannels, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetMipmapFilterMode(CUfilter_mode *pfm, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetMipmapLevelBias(float *pbias, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetMipmapLevelClamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp,
					      CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetMaxAnisotropy(int *pmaxAniso, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetBorderColor(float *borderColor, CUtexref reference);
ROMARK_DRIVER_API cuTexRefGetFlags(unsigned int *flags, CUtexref reference);
ROMARK_DRIVER_API cuTexRefCreate(CUtexref *reference);
ROMARK_DRIVER_API cuTexRefDestroy(CUtexref reference);
ROMARK_DRIVER_API cuSurfRefGetArray(CUarray *array, CUsurfref reference);
ROMARK_DRIVER_API cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resDesc, CUtexObject texObject);
ROMARK_DRIVER_API cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texDesc, CUtexObject texObject);
ROMARK_DRIVER_API cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *resViewDesc, CUtexObject texObject);
ROMARK_DRIVER_API cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resDesc, CUsurfObject surfObject);

/* Tensor maps describe tiles of a tensor to the instructions that copy them. */
ROMARK_DRIVER_API cuTensorMapEncodeTiled(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
					 cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
					 const cuuint64_t *globalStrides, const cuuint32_t *boxDim,
					 const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
					 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
					 CUtensorMapFloatOOBfill oobFill);
ROMARK_DRIVER_API cuTensorMapEncodeIm2col(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
					  cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
					  const cuuint64_t *globalStrides, const int *pixelBoxLowerCorner,
					  const int *pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
					  cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
					  CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
					  CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
ROMARK_DRIVER_API cuTensorMapEncodeIm2colWide(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType,
					      cuuint32_t tensorRank, void *globalAddress, const cuuint64_t *globalDim,
					      const cuuint64_t *globalStrides, int pixelBoxLowerCornerWidth,
					      int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel,
					      cuuint32_t pixelsPerColumn, const cuuint32_t *elementStrides,
					      CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
					      CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
					      CUtensorMapFloatOOBfill oobFill);
ROMARK_DRIVER_API cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress);

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
ROMARK_DRIVER_API cuStreamGetDevice(CUstream stream, CUdevice *device);
ROMARK_DRIVER_API cuStreamGetId(CUstream stream, unsigned long long *streamId);
ROMARK_DRIVER_API cuStreamGetCtx(CUstream stream, CUcontext *context);
ROMARK_DRIVER_API cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *greenCtx);
ROMARK_DRIVER_API cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t length, unsigned int flags);
ROMARK_DRIVER_API cuStreamCopyAttributes(CUstream dst, CUstream src);
ROMARK_DRIVER_API cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value);
ROMARK_DRIVER_API cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue *value);
ROMARK_DRIVER_API cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags);
ROMARK_DRIVER_API cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);
ROMARK_DRIVER_API cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);
ROMARK_DRIVER_API cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);
ROMARK_DRIVER_API cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);
ROMARK_DRIVER_API cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *paramArray,
				     unsigned int flags);
ROMARK_DRIVER_API cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *context);

/* --- Parts of devices, tools --- */

ROMARK_DRIVER_API cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc desc, CUdevice device, unsigned int flags);
ROMARK_DRIVER_API cuGreenCtxDestroy(CUgreenCtx context);
ROMARK_DRIVER_API cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx hCtx);
ROMARK_DRIVER_API cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type);
ROMARK_DRIVER_API cuCtxGetDevResource(CUcontext context, CUdevResource *resource, CUdevResourceType type);
ROMARK_DRIVER_API cuGreenCtxGetDevResource(CUgreenCtx context, CUdevResource *resource, CUdevResourceType type);
ROMARK_DRIVER_API cuDevSmResourceSplitByCount(CUdevResource *result, unsigned int *nbGroups, const CUdevResource *input,
					      CUdevResource *remaining, unsigned int useFlags, unsigned int minCount);
ROMARK_DRIVER_API cuDevResourceGenerateDesc(CUdevResourceDesc *desc, CUdevResource *resources,
					    unsigned int nbResources);
ROMARK_DRIVER_API cuGreenCtxRecordEvent(CUgreenCtx context, CUevent event);
ROMARK_DRIVER_API cuGreenCtxWaitEvent(CUgreenCtx context, CUevent event);
ROMARK_DRIVER_API cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx greenCtx, unsigned int flags, int priority);
ROMARK_DRIVER_API cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long *greenCtxId);

ROMARK_DRIVER_API cuCoredumpGetAttribute(CUcoredumpSettings attribute, void *value, size_t *size);
ROMARK_DRIVER_API cuCoredumpGetAttributeGlobal(CUcoredumpSettings attribute, void *value, size_t *size);
ROMARK_DRIVER_API cuCoredumpSetAttribute(CUcoredumpSettings attribute, void *value, size_t *size);
ROMARK_DRIVER_API cuCoredumpSetAttributeGlobal(CUcoredumpSettings attribute, void *value, size_t *size);
ROMARK_DRIVER_API cuGetExportTable(const void **exportTable, const CUuuid *exportTableId);
ROMARK_DRIVER_API cuLogsRegisterCallback(CUlogsCallback callbackFunc, void *userData, CUlogsCallbackHandle *callback);
ROMARK_DRIVER_API cuLogsUnregisterCallback(CUlogsCallbackHandle callback);
ROMARK_DRIVER_API cuLogsCurrent(CUlogIterator *iterator, unsigned int flags);
ROMARK_DRIVER_API cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned int flags);
ROMARK_DRIVER_API cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size, unsigned int flags);
ROMARK_DRIVER_API cuCheckpointProcessGetRestoreThreadId(int pid, int *tid);
ROMARK_DRIVER_API cuCheckpointProcessGetState(int pid, CUprocessState *state);
ROMARK_DRIVER_API cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args);
ROMARK_DRIVER_API cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs *args);
ROMARK_DRIVER_API cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args);
ROMARK_DRIVER_API cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args);
ROMARK_DRIVER_API cuProfilerInitialize(const char *configFile, const char *outputFile, CUoutput_mode outputMode);
ROMARK_DRIVER_API cuProfilerStart(void);
ROMARK_DRIVER_API cuProfilerStop(void);

#include "romark_driver_graphs.h"
#include "romark_driver_overloads.h"

#endif
