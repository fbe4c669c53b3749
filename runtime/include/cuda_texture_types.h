/*
 * texture<T, dim, mode> and surface<void, dim>: references, which are variables of a source file that the host binds to
 * memory. On the device Clang turns each into a .texref or .surfref.
 */
#ifndef ROMARK_CUDA_TEXTURE_TYPES_H
#define ROMARK_CUDA_TEXTURE_TYPES_H

#include "channel_descriptor.h"
#include "texture_types.h"

#if defined(__cplusplus)

template <class T, int textureType = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct
#if defined(ROMARK_CUDA)
    __attribute__((device_builtin_texture_type))
#endif
    texture : public textureReference {
	texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
		enum cudaTextureAddressMode address = cudaAddressModeClamp)
	{
		set(norm, filter, address, cudaCreateChannelDesc<T>());
	}
	texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
		struct cudaChannelFormatDesc desc)
	{
		set(norm, filter, address, desc);
	}

private:
	void set(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
		 struct cudaChannelFormatDesc desc)
	{
		*static_cast<textureReference *>(this) = textureReference();
		normalized = norm;
		filterMode = filter;
		addressMode[0] = addressMode[1] = addressMode[2] = address;
		channelDesc = desc;
	}
};

template <class T, int surfaceType = cudaSurfaceType1D>
struct
#if defined(ROMARK_CUDA)
    __attribute__((device_builtin_surface_type))
#endif
    surface;

template <int surfaceType>
struct
#if defined(ROMARK_CUDA)
    __attribute__((device_builtin_surface_type))
#endif
    surface<void, surfaceType> : public surfaceReference {
	surface()
	{
		channelDesc = cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
	}
};

#endif
#endif
