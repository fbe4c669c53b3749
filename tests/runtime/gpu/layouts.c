/* Where libcuda.h, or the toolkit's cuda.h in its place, puts the members of the driver's structures. */
#ifdef FROM_TOOLKIT
#include <cuda.h>
#endif

#include "tests/runtime/gpu/layouts.h"

#include "runtime/gpu/libcuda.h"

#define PLACE(type, member) offsetof(type, member), sizeof(((type *)0)->member)

const size_t LAYOUTS[] = {
    sizeof(CUDA_ARRAY3D_DESCRIPTOR),
    PLACE(CUDA_ARRAY3D_DESCRIPTOR, Width),
    PLACE(CUDA_ARRAY3D_DESCRIPTOR, Format),
    PLACE(CUDA_ARRAY3D_DESCRIPTOR, NumChannels),
    PLACE(CUDA_ARRAY3D_DESCRIPTOR, Flags),
    sizeof(CUDA_MEMCPY3D),
    PLACE(CUDA_MEMCPY3D, srcXInBytes),
    PLACE(CUDA_MEMCPY3D, srcMemoryType),
    PLACE(CUDA_MEMCPY3D, srcDevice),
    PLACE(CUDA_MEMCPY3D, srcArray),
    PLACE(CUDA_MEMCPY3D, srcPitch),
    PLACE(CUDA_MEMCPY3D, dstXInBytes),
    PLACE(CUDA_MEMCPY3D, dstMemoryType),
    PLACE(CUDA_MEMCPY3D, dstDevice),
    PLACE(CUDA_MEMCPY3D, dstArray),
    PLACE(CUDA_MEMCPY3D, dstHeight),
    PLACE(CUDA_MEMCPY3D, WidthInBytes),
    PLACE(CUDA_MEMCPY3D, Depth),
    sizeof(CUDA_RESOURCE_DESC),
    PLACE(CUDA_RESOURCE_DESC, res.array.hArray),
    PLACE(CUDA_RESOURCE_DESC, res.mipmap.hMipmappedArray),
    PLACE(CUDA_RESOURCE_DESC, res.linear.format),
    PLACE(CUDA_RESOURCE_DESC, res.linear.sizeInBytes),
    PLACE(CUDA_RESOURCE_DESC, res.pitch2D.numChannels),
    PLACE(CUDA_RESOURCE_DESC, res.pitch2D.pitchInBytes),
    PLACE(CUDA_RESOURCE_DESC, flags),
    sizeof(CUDA_TEXTURE_DESC),
    PLACE(CUDA_TEXTURE_DESC, filterMode),
    PLACE(CUDA_TEXTURE_DESC, flags),
    PLACE(CUDA_TEXTURE_DESC, mipmapFilterMode),
    PLACE(CUDA_TEXTURE_DESC, maxMipmapLevelClamp),
    PLACE(CUDA_TEXTURE_DESC, borderColor),
    sizeof(CUlaunchAttribute),
    PLACE(CUlaunchAttribute, value.clusterDim.z),
    PLACE(CUlaunchAttribute, value.cooperative),
    sizeof(CUlaunchConfig),
    PLACE(CUlaunchConfig, blockDimX),
    PLACE(CUlaunchConfig, sharedMemBytes),
    PLACE(CUlaunchConfig, hStream),
    PLACE(CUlaunchConfig, numAttrs),
};
const size_t LAYOUTS_COUNT = sizeof LAYOUTS / sizeof *LAYOUTS;
