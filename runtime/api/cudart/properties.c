/* The device that programs see: its properties and attributes. */
#include "runtime/api/cudart/topics.h"

#include "runtime/api/cudart/property_layouts.h"
#include "runtime/device/limits.h"

#include <stdio.h>
#include <string.h>

/* Properties that are the same in every run. The device gives the rest. */
static const struct cudaDeviceProp usual = {
    .name = "romark CPU device",
    .uuid = {"romark-cpu-dev0"},
    .sharedMemPerBlock = USUAL_SHARED_BYTES,
    .regsPerBlock = 65536,
    .warpSize = 32,
    .memPitch = 2147483647,
    .maxThreadsPerBlock = MAX_CTA_THREADS,
    .maxThreadsDim = MAX_BLOCK,
    .maxGridSize = MAX_GRID,
    .clockRate = 1400000,
    .totalConstMem = 65536,
    .major = CAPABILITY_MAJOR,
    .minor = CAPABILITY_MINOR,
    .textureAlignment = 512,
    .texturePitchAlignment = 32,
    .deviceOverlap = 1,
    .multiProcessorCount = MULTIPROCESSORS,
    .canMapHostMemory = 1,
    .maxTexture1D = 131072,
    .maxTexture1DMipmap = 32768,
    .maxTexture1DLinear = 268435456,
    .maxTexture2D = {131072, 65536},
    .maxTexture2DMipmap = {32768, 32768},
    .maxTexture2DLinear = {131072, 65000, 2097120},
    .maxTexture2DGather = {32768, 32768},
    .maxTexture3D = {16384, 16384, 16384},
    .maxTexture3DAlt = {8192, 8192, 32768},
    .maxTextureCubemap = 32768,
    .maxTexture1DLayered = {32768, 2048},
    .maxTexture2DLayered = {32768, 32768, 2048},
    .maxTextureCubemapLayered = {32768, 2046},
    .maxSurface1D = 32768,
    .maxSurface2D = {131072, 65536},
    .maxSurface3D = {16384, 16384, 16384},
    .maxSurface1DLayered = {32768, 2048},
    .maxSurface2DLayered = {32768, 32768, 2048},
    .maxSurfaceCubemap = 32768,
    .maxSurfaceCubemapLayered = {32768, 2046},
    .surfaceAlignment = 512,
    .concurrentKernels = 1,
    .pciBusID = 1,
    .asyncEngineCount = 1,
    .unifiedAddressing = 1,
    .memoryClockRate = 924000,
    .memoryBusWidth = 2048,
    .l2CacheSize = 6 << 20,
    .maxThreadsPerMultiProcessor = 2048,
    .globalL1CacheSupported = 1,
    .localL1CacheSupported = 1,
    .sharedMemPerMultiprocessor = 164 << 10,
    .regsPerMultiprocessor = 65536,
    .managedMemory = 1,
    .hostNativeAtomicSupported = 1,
    .singleToDoublePrecisionPerfRatio = 2,
    .concurrentManagedAccess = 1,
    .canUseHostPointerForRegisteredMem = 0,
    .cooperativeLaunch = 1,
    .sharedMemPerBlockOptin = 163 << 10,
    .directManagedMemAccessFromHost = 1,
    .maxBlocksPerMultiProcessor = 32,
    .reservedSharedMemPerBlock = 1024,
    .hostRegisterSupported = 1,
    .memoryPoolsSupported = 1,
};

static cudaError_t check_device(int device)
{
	return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
	ENTER(rt);
	cudaError_t error = prop ? check_device(device) : cudaErrorInvalidValue;

	if (!error)
		*prop = *device_properties(rt);
	return runtime_leave(error);
}

/* --- The struct as other releases of CUDA lay it out --- */

cudaError_t properties_11(struct cudaDeviceProp *prop, int device)
{
	struct cudaDeviceProp all;
	cudaError_t error = cudaGetDeviceProperties_v2(&all, device);

	if (!error)
		memcpy(prop, &all, offsetof(struct cudaDeviceProp, hostRegisterSupported));
	return error;
}

cudaError_t properties_13(struct device_prop_13 *prop, int device)
{
	struct cudaDeviceProp all;
	cudaError_t error = cudaGetDeviceProperties_v2(&all, device);

	if (error)
		return error;
	memset(prop, 0, sizeof *prop);
#define ALWAYS(type, name, bounds) memcpy(&prop->name, &all.name, sizeof prop->name);
#define UNTIL_12(type, name, bounds)
#define SINCE_12(type, name, bounds) memcpy(&prop->name, &all.name, sizeof prop->name);
#define SINCE_13(type, name, bounds)
#include "runtime/include/romark_device_prop.def"
#undef ALWAYS
#undef UNTIL_12
#undef SINCE_12
#undef SINCE_13
	return cudaSuccess;
}

/* --- Attributes --- */

/* The attributes that are a field of the properties; all others are 0. */
#define INT_FIELD(field) offsetof(struct cudaDeviceProp, field), sizeof(int)
#define SIZE_FIELD(field) offsetof(struct cudaDeviceProp, field), sizeof(size_t)

static const struct {
	enum cudaDeviceAttr attribute;
	size_t offset, size;
} attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, INT_FIELD(maxThreadsPerBlock)},
    {cudaDevAttrMaxBlockDimX, INT_FIELD(maxThreadsDim[0])},
    {cudaDevAttrMaxBlockDimY, INT_FIELD(maxThreadsDim[1])},
    {cudaDevAttrMaxBlockDimZ, INT_FIELD(maxThreadsDim[2])},
    {cudaDevAttrMaxGridDimX, INT_FIELD(maxGridSize[0])},
    {cudaDevAttrMaxGridDimY, INT_FIELD(maxGridSize[1])},
    {cudaDevAttrMaxGridDimZ, INT_FIELD(maxGridSize[2])},
    {cudaDevAttrMaxSharedMemoryPerBlock, SIZE_FIELD(sharedMemPerBlock)},
    {cudaDevAttrTotalConstantMemory, SIZE_FIELD(totalConstMem)},
    {cudaDevAttrWarpSize, INT_FIELD(warpSize)},
    {cudaDevAttrMaxPitch, SIZE_FIELD(memPitch)},
    {cudaDevAttrMaxRegistersPerBlock, INT_FIELD(regsPerBlock)},
    {cudaDevAttrClockRate, INT_FIELD(clockRate)},
    {cudaDevAttrTextureAlignment, SIZE_FIELD(textureAlignment)},
    {cudaDevAttrGpuOverlap, INT_FIELD(deviceOverlap)},
    {cudaDevAttrMultiProcessorCount, INT_FIELD(multiProcessorCount)},
    {cudaDevAttrCanMapHostMemory, INT_FIELD(canMapHostMemory)},
    {cudaDevAttrMaxTexture1DWidth, INT_FIELD(maxTexture1D)},
    {cudaDevAttrMaxTexture2DWidth, INT_FIELD(maxTexture2D[0])},
    {cudaDevAttrMaxTexture2DHeight, INT_FIELD(maxTexture2D[1])},
    {cudaDevAttrMaxTexture3DWidth, INT_FIELD(maxTexture3D[0])},
    {cudaDevAttrMaxTexture3DHeight, INT_FIELD(maxTexture3D[1])},
    {cudaDevAttrMaxTexture3DDepth, INT_FIELD(maxTexture3D[2])},
    {cudaDevAttrSurfaceAlignment, SIZE_FIELD(surfaceAlignment)},
    {cudaDevAttrConcurrentKernels, INT_FIELD(concurrentKernels)},
    {cudaDevAttrPciBusId, INT_FIELD(pciBusID)},
    {cudaDevAttrMemoryClockRate, INT_FIELD(memoryClockRate)},
    {cudaDevAttrGlobalMemoryBusWidth, INT_FIELD(memoryBusWidth)},
    {cudaDevAttrL2CacheSize, INT_FIELD(l2CacheSize)},
    {cudaDevAttrMaxThreadsPerMultiProcessor, INT_FIELD(maxThreadsPerMultiProcessor)},
    {cudaDevAttrAsyncEngineCount, INT_FIELD(asyncEngineCount)},
    {cudaDevAttrUnifiedAddressing, INT_FIELD(unifiedAddressing)},
    {cudaDevAttrTexturePitchAlignment, SIZE_FIELD(texturePitchAlignment)},
    {cudaDevAttrComputeCapabilityMajor, INT_FIELD(major)},
    {cudaDevAttrComputeCapabilityMinor, INT_FIELD(minor)},
    {cudaDevAttrGlobalL1CacheSupported, INT_FIELD(globalL1CacheSupported)},
    {cudaDevAttrLocalL1CacheSupported, INT_FIELD(localL1CacheSupported)},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, SIZE_FIELD(sharedMemPerMultiprocessor)},
    {cudaDevAttrMaxRegistersPerMultiprocessor, INT_FIELD(regsPerMultiprocessor)},
    {cudaDevAttrManagedMemory, INT_FIELD(managedMemory)},
    {cudaDevAttrHostNativeAtomicSupported, INT_FIELD(hostNativeAtomicSupported)},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, INT_FIELD(singleToDoublePrecisionPerfRatio)},
    {cudaDevAttrConcurrentManagedAccess, INT_FIELD(concurrentManagedAccess)},
    {cudaDevAttrCooperativeLaunch, INT_FIELD(cooperativeLaunch)},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, SIZE_FIELD(sharedMemPerBlockOptin)},
    {cudaDevAttrDirectManagedMemAccessFromHost, INT_FIELD(directManagedMemAccessFromHost)},
    {cudaDevAttrMaxBlocksPerMultiprocessor, INT_FIELD(maxBlocksPerMultiProcessor)},
    {cudaDevAttrReservedSharedMemoryPerBlock, SIZE_FIELD(reservedSharedMemPerBlock)},
    {cudaDevAttrHostRegisterSupported, INT_FIELD(hostRegisterSupported)},
    {cudaDevAttrMemoryPoolsSupported, INT_FIELD(memoryPoolsSupported)},
};

/* Replaces the constants by what the device reports. */
static void ask_device(struct runtime *rt, struct cudaDeviceProp *prop)
{
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		char *field = (char *)prop + attributes[i].offset;
		int value;

		if (!rt->ops->attribute(rt->device, attributes[i].attribute, &value))
			continue;
		if (attributes[i].size == sizeof(int))
			memcpy(field, &value, sizeof value);
		else
			*(size_t *)(void *)field = (size_t)value;
	}
	rt->ops->device_name(rt->device, prop->name, sizeof prop->name);
	memset(&prop->uuid, 0, sizeof prop->uuid);
}

const struct cudaDeviceProp *device_properties(struct runtime *rt)
{
	struct cudaDeviceProp *properties = &rt->about.properties;
	size_t free_bytes;

	if (properties->totalGlobalMem)
		return properties;
	*properties = usual;
	if (rt->ops->attribute)
		ask_device(rt, properties);
	rt->ops->memory_info(rt->device, &free_bytes, &properties->totalGlobalMem);
	return properties;
}

unsigned device_capability(struct runtime *rt)
{
	return (unsigned)(device_properties(rt)->major * 10 + device_properties(rt)->minor);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
	ENTER(rt);
	const char *prop;

	if (!value || attr < 1 || attr >= cudaDevAttrMax)
		return runtime_leave(cudaErrorInvalidValue);
	if (check_device(device))
		return runtime_leave(check_device(device));
	prop = (const char *)device_properties(rt);
	*value = 0;
	if (rt->ops->attribute && rt->ops->attribute(rt->device, attr, value))
		return runtime_leave(cudaSuccess);
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		if (attributes[i].attribute != attr)
			continue;
		if (attributes[i].size == sizeof(int))
			memcpy(value, prop + attributes[i].offset, sizeof *value);
		else
			*value = (int)*(const size_t *)(prop + attributes[i].offset);
	}
	return runtime_leave(cudaSuccess);
}
