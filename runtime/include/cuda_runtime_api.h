/*
 * The CUDA runtime API as C functions. Work is done when the call returns, in the order of the calls; streams and
 * events keep their meaning. Errors are returned, and remembered for cudaGetLastError, as CUDA documents.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#define CUDART_VERSION 12000
#define __CUDART_API_VERSION CUDART_VERSION

#include "host_defines.h"
#include "driver_types.h"
#include "texture_types.h"

/* Prototype of an API call: for C and C++, callable from host code, and from device code where CUDA allows it. */
#if defined(__cplusplus)
#define ROMARK_EXTERN_C extern "C"
#define ROMARK_DEFAULT(value) = value
#else
#define ROMARK_EXTERN_C extern
#define ROMARK_DEFAULT(value)
#endif
#define ROMARK_API ROMARK_EXTERN_C cudaError_t CUDARTAPI

/* --- Device --- */

ROMARK_API cudaDeviceReset(void);
ROMARK_API cudaDeviceSynchronize(void);
ROMARK_API cudaGetDeviceCount(int *count);
ROMARK_API cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
ROMARK_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
ROMARK_API cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
ROMARK_API cudaSetDevice(int device);
ROMARK_API cudaGetDevice(int *device);
ROMARK_API cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
ROMARK_API cudaSetValidDevices(int *devices, int count);
ROMARK_API cudaSetDeviceFlags(unsigned int flags);
ROMARK_API cudaGetDeviceFlags(unsigned int *flags);
ROMARK_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
ROMARK_API cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
ROMARK_API cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
ROMARK_API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
ROMARK_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
ROMARK_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
ROMARK_API cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
ROMARK_API cudaDeviceGetByPCIBusId(int *device, const char *id);
ROMARK_API cudaDeviceGetPCIBusId(char *id, int length, int device);
ROMARK_API cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int from, int to);
ROMARK_API cudaDeviceCanAccessPeer(int *can, int device, int peer);
ROMARK_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
ROMARK_API cudaDeviceDisablePeerAccess(int peer);
ROMARK_API cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
ROMARK_API cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
ROMARK_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
ROMARK_API cudaCtxResetPersistingL2Cache(void);
ROMARK_API cudaDriverGetVersion(int *version);
ROMARK_API cudaRuntimeGetVersion(int *version);
ROMARK_API cudaDeviceGetTexture1DLinearMaxWidth(size_t *maxWidthInElements, const struct cudaChannelFormatDesc *fmtDesc,
						int device);
ROMARK_API cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
					      enum cudaFlushGPUDirectRDMAWritesScope scope);
ROMARK_API cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void *userData,
					       cudaAsyncCallbackHandle_t *callback);
ROMARK_API cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback);
ROMARK_API cudaDeviceGetHostAtomicCapabilities(unsigned int *capabilities, const enum cudaAtomicOperation *operations,
					       unsigned int count, int device);
ROMARK_API cudaDeviceGetNvSciSyncAttributes(void *nvSciSyncAttrList, int device, int flags);
ROMARK_API cudaDeviceGetP2PAtomicCapabilities(unsigned int *capabilities, const enum cudaAtomicOperation *operations,
					      unsigned int count, int srcDevice, int dstDevice);

/* --- Errors --- */

ROMARK_API cudaGetLastError(void);
ROMARK_API cudaPeekAtLastError(void);
ROMARK_EXTERN_C const char *CUDARTAPI cudaGetErrorName(cudaError_t error);
ROMARK_EXTERN_C const char *CUDARTAPI cudaGetErrorString(cudaError_t error);

/* --- Memory --- */

ROMARK_API cudaMalloc(void **ptr, size_t size);
ROMARK_API cudaFree(void *ptr);
ROMARK_API cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);
ROMARK_API cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent);
ROMARK_API cudaMallocHost(void **ptr, size_t size);
ROMARK_API cudaFreeHost(void *ptr);
ROMARK_API cudaHostAlloc(void **ptr, size_t size, unsigned int flags);
ROMARK_API cudaHostRegister(void *ptr, size_t size, unsigned int flags);
ROMARK_API cudaHostUnregister(void *ptr);
ROMARK_API cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
ROMARK_API cudaHostGetFlags(unsigned int *flags, void *host);
ROMARK_API cudaMallocManaged(void **ptr, size_t size, unsigned int flags ROMARK_DEFAULT(cudaMemAttachGlobal));
ROMARK_API cudaMemPrefetchAsync(const void *ptr, size_t count, int device, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice, int device);
ROMARK_API cudaMemGetInfo(size_t *available, size_t *total);
ROMARK_API cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr);

ROMARK_API cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
ROMARK_API cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
			   cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count);
ROMARK_API cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
			       cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
			enum cudaMemcpyKind kind);
ROMARK_API cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
			     enum cudaMemcpyKind kind, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpy3D(const struct cudaMemcpy3DParms *params);
ROMARK_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *params, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *params);
ROMARK_API cudaMemset(void *ptr, int value, size_t count);
ROMARK_API cudaMemsetAsync(void *ptr, int value, size_t count, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height);
ROMARK_API cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
			     cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent);
ROMARK_API cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
			     cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset ROMARK_DEFAULT(0),
			      enum cudaMemcpyKind kind ROMARK_DEFAULT(cudaMemcpyHostToDevice));
ROMARK_API cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset ROMARK_DEFAULT(0),
				enum cudaMemcpyKind kind ROMARK_DEFAULT(cudaMemcpyDeviceToHost));
ROMARK_API cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
				   enum cudaMemcpyKind kind, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
				     enum cudaMemcpyKind kind, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaGetSymbolAddress(void **ptr, const void *symbol);
ROMARK_API cudaGetSymbolSize(size_t *size, const void *symbol);
ROMARK_API cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
				struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
				cudaStream_t stream);
ROMARK_API cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
				  cudaStream_t stream);
ROMARK_API cudaMemPrefetchAsync_v2(const void *devPtr, size_t count, struct cudaMemLocation location,
				   unsigned int flags, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs,
				     size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
				     cudaStream_t stream);
ROMARK_API cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
				    cudaStream_t stream);
ROMARK_API cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count,
					       struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
					       size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream);
ROMARK_API cudaMemAdvise_v2(const void *devPtr, size_t count, enum cudaMemoryAdvise advice,
			    struct cudaMemLocation location);
ROMARK_API cudaMemRangeGetAttribute(void *data, size_t dataSize, enum cudaMemRangeAttribute attribute,
				    const void *devPtr, size_t count);
ROMARK_API cudaMemRangeGetAttributes(void **data, size_t *dataSizes, enum cudaMemRangeAttribute *attributes,
				     size_t numAttributes, const void *devPtr, size_t count);

/* Stream-ordered memory. */
ROMARK_API cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream);
ROMARK_API cudaFreeAsync(void *ptr, cudaStream_t stream);
ROMARK_API cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool, cudaStream_t stream);
ROMARK_API cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
ROMARK_API cudaMemPoolDestroy(cudaMemPool_t pool);
ROMARK_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
ROMARK_API cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
ROMARK_API cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value);
ROMARK_API cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count);
ROMARK_API cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location);
ROMARK_API cudaMemGetDefaultMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location,
				    enum cudaMemAllocationType type);
ROMARK_API cudaMemGetMemPool(cudaMemPool_t *memPool, struct cudaMemLocation *location, enum cudaMemAllocationType type);
ROMARK_API cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t memPool);
ROMARK_API cudaMemPoolExportToShareableHandle(void *shareableHandle, cudaMemPool_t memPool,
					      enum cudaMemAllocationHandleType handleType, unsigned int flags);
ROMARK_API cudaMemPoolImportFromShareableHandle(cudaMemPool_t *memPool, void *shareableHandle,
						enum cudaMemAllocationHandleType handleType, unsigned int flags);
ROMARK_API cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *exportData, void *ptr);
ROMARK_API cudaMemPoolImportPointer(void **ptr, cudaMemPool_t memPool, struct cudaMemPoolPtrExportData *exportData);

/* Memory shared between processes: refused with cudaErrorNotSupported. */
ROMARK_API cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr);
ROMARK_API cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags);
ROMARK_API cudaIpcCloseMemHandle(void *ptr);
ROMARK_API cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
ROMARK_API cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);

/* --- Arrays and textures --- */

ROMARK_EXTERN_C struct cudaChannelFormatDesc CUDARTAPI cudaCreateChannelDesc(int x, int y, int z, int w,
									     enum cudaChannelFormatKind f);
ROMARK_API cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
ROMARK_API cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
			   size_t height ROMARK_DEFAULT(0), unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
			     unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaFreeArray(cudaArray_t array);
ROMARK_API cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
			    cudaArray_t array);
ROMARK_API cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
			     enum cudaMemcpyKind kind);
ROMARK_API cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
			       enum cudaMemcpyKind kind);
ROMARK_API cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t count,
				  enum cudaMemcpyKind kind, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
				    enum cudaMemcpyKind kind, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
				  size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
				  enum cudaMemcpyKind kind ROMARK_DEFAULT(cudaMemcpyDeviceToDevice));
ROMARK_API cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
			       size_t width, size_t height, enum cudaMemcpyKind kind);
ROMARK_API cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
				    size_t width, size_t height, enum cudaMemcpyKind kind,
				    cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
				 size_t width, size_t height, enum cudaMemcpyKind kind);
ROMARK_API cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
				      size_t width, size_t height, enum cudaMemcpyKind kind,
				      cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
				    size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
				    enum cudaMemcpyKind kind ROMARK_DEFAULT(cudaMemcpyDeviceToDevice));
ROMARK_API cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
				   const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
ROMARK_API cudaDestroyTextureObject(cudaTextureObject_t object);
ROMARK_API cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc, cudaTextureObject_t object);
ROMARK_API cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc, cudaTextureObject_t object);
ROMARK_API cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
ROMARK_API cudaDestroySurfaceObject(cudaSurfaceObject_t object);
ROMARK_API cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *desc, cudaSurfaceObject_t object);
ROMARK_API cudaArrayGetPlane(cudaArray_t *planeArray, cudaArray_t array, unsigned int planeIdx);
ROMARK_API cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
					  int device);
ROMARK_API cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *memoryRequirements,
						   cudaMipmappedArray_t mipmap, int device);
ROMARK_API cudaArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties, cudaArray_t array);
ROMARK_API cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *sparseProperties,
						 cudaMipmappedArray_t mipmap);
ROMARK_API cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *resViewDesc,
						cudaTextureObject_t texObject);
/* Texture references, which CUDA has until release 11. */
ROMARK_API cudaBindTexture(size_t *offset, const struct textureReference *texref, const void *devPtr,
			   const struct cudaChannelFormatDesc *desc, size_t size ROMARK_DEFAULT(0xffffffffu));
ROMARK_API cudaBindTexture2D(size_t *offset, const struct textureReference *texref, const void *devPtr,
			     const struct cudaChannelFormatDesc *desc, size_t width, size_t height, size_t pitch);
ROMARK_API cudaBindTextureToArray(const struct textureReference *texref, cudaArray_const_t array,
				  const struct cudaChannelFormatDesc *desc);
ROMARK_API cudaBindTextureToMipmappedArray(const struct textureReference *texref, cudaMipmappedArray_const_t mipmap,
					   const struct cudaChannelFormatDesc *desc);
ROMARK_API cudaBindSurfaceToArray(const struct surfaceReference *surfref, cudaArray_const_t array,
				  const struct cudaChannelFormatDesc *desc);
ROMARK_API cudaUnbindTexture(const struct textureReference *texref);
ROMARK_API cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texref);
ROMARK_API cudaGetTextureReference(const struct textureReference **texref, const void *symbol);
ROMARK_API cudaGetSurfaceReference(const struct surfaceReference **surfref, const void *symbol);
ROMARK_API cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap, const struct cudaChannelFormatDesc *desc,
				    struct cudaExtent extent, unsigned int numLevels,
				    unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap, unsigned int level);
ROMARK_API cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap);

/* --- Streams and events --- */

ROMARK_API cudaStreamCreate(cudaStream_t *stream);
ROMARK_API cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
ROMARK_API cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
ROMARK_API cudaStreamDestroy(cudaStream_t stream);
ROMARK_API cudaStreamSynchronize(cudaStream_t stream);
ROMARK_API cudaStreamQuery(cudaStream_t stream);
ROMARK_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
ROMARK_API cudaStreamGetPriority(cudaStream_t stream, int *priority);
ROMARK_API cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
ROMARK_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned int flags);
ROMARK_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
ROMARK_API cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length ROMARK_DEFAULT(0),
				    unsigned int flags ROMARK_DEFAULT(cudaMemAttachSingle));
ROMARK_API cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
				  const cudaLaunchAttributeValue *value);
ROMARK_API cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr, cudaLaunchAttributeValue *value);
ROMARK_API cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
ROMARK_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream ROMARK_DEFAULT(0));
ROMARK_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream ROMARK_DEFAULT(0),
				    unsigned int flags ROMARK_DEFAULT(0));
ROMARK_API cudaEventQuery(cudaEvent_t event);
ROMARK_API cudaEventSynchronize(cudaEvent_t event);
ROMARK_API cudaEventDestroy(cudaEvent_t event);
ROMARK_API cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
ROMARK_API cudaStreamGetDevice(cudaStream_t stream, int *device);
ROMARK_API cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);

/* --- Kernels --- */

ROMARK_API cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
			    cudaStream_t stream);
ROMARK_API cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args);
ROMARK_API cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t sharedBytes,
				       cudaStream_t stream);
ROMARK_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
ROMARK_API cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attr, int value);
ROMARK_API cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
ROMARK_API cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
ROMARK_API cudaFuncGetName(const char **name, const void *function);
ROMARK_API cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
ROMARK_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int blockSize,
							 size_t dynamicSharedBytes);
ROMARK_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int blockSize,
								  size_t dynamicSharedBytes, unsigned int flags);
ROMARK_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int blockSize);
ROMARK_EXTERN_C unsigned CUDARTAPI __cudaPushCallConfiguration(dim3 grid, dim3 block,
							       size_t sharedBytes ROMARK_DEFAULT(0),
							       struct CUstream_st *stream ROMARK_DEFAULT(0));
ROMARK_API cudaFuncGetParamInfo(const void *function, size_t paramIndex, size_t *paramOffset, size_t *paramSize);
ROMARK_API cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *function,
						const cudaLaunchConfig_t *launchConfig);
ROMARK_API cudaOccupancyMaxActiveClusters(int *numClusters, const void *function,
					  const cudaLaunchConfig_t *launchConfig);

/* Libraries: modules that are loaded while the program runs. */
ROMARK_API cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jitOptions,
			       void **jitOptionsValues, unsigned int numJitOptions,
			       enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
			       unsigned int numLibraryOptions);
ROMARK_API cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, enum cudaJitOption *jitOptions,
				   void **jitOptionsValues, unsigned int numJitOptions,
				   enum cudaLibraryOption *libraryOptions, void **libraryOptionValues,
				   unsigned int numLibraryOptions);
ROMARK_API cudaLibraryUnload(cudaLibrary_t library);
ROMARK_API cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
ROMARK_API cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t library, const char *name);
ROMARK_API cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t library, const char *name);
ROMARK_API cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol);
ROMARK_API cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t lib);
ROMARK_API cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t lib);
ROMARK_API cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
					   int device);
ROMARK_API cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr);

/* --- The driver's functions by name --- */

enum cudaDriverEntryPointQueryResult {
	cudaDriverEntryPointSuccess = 0,
	cudaDriverEntryPointSymbolNotFound = 1,
	cudaDriverEntryPointVersionNotSufficent = 2,
};
ROMARK_API cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
					    unsigned long long flags, enum cudaDriverEntryPointQueryResult *result);
ROMARK_API cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData, cudaLogsCallbackHandle *callback);
ROMARK_API cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);
ROMARK_API cudaLogsCurrent(cudaLogIterator *iterator, unsigned int flags);
ROMARK_API cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile, unsigned int flags);
ROMARK_API cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned int flags);
ROMARK_API cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
				   enum cudaDriverEntryPointQueryResult *driverStatus);
ROMARK_API cudaGetExportTable(const void **exportTable, const cudaUUID_t *exportTableId);

/* --- Profiler --- */

ROMARK_API cudaProfilerStart(void);
ROMARK_API cudaProfilerStop(void);

#include "romark_runtime_graphs.h"
#include "romark_runtime_overloads.h"

/* --- Names that newer releases dropped and programs still use --- */

ROMARK_API cudaThreadSynchronize(void);
ROMARK_API cudaThreadExit(void);
ROMARK_API cudaThreadSetLimit(enum cudaLimit limit, size_t value);
ROMARK_API cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
ROMARK_API cudaThreadSetCacheConfig(enum cudaFuncCache config);
ROMARK_API cudaThreadGetCacheConfig(enum cudaFuncCache *config);

ROMARK_API cudaEventCreate(cudaEvent_t *event);

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
	struct cudaExtent extent;
	extent.width = width;
	extent.height = height;
	extent.depth = depth;
	return extent;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos position;
	position.x = x;
	position.y = y;
	position.z = z;
	return position;
}

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *data, size_t pitch, size_t xsize,
								     size_t ysize)
{
	struct cudaPitchedPtr pitched;
	pitched.ptr = data;
	pitched.pitch = pitch;
	pitched.xsize = xsize;
	pitched.ysize = ysize;
	return pitched;
}

#endif
