/* Binding of texture and surface references: the typed calls of C++. */
#ifndef ROMARK_TEXTURE_BINDING_H
#define ROMARK_TEXTURE_BINDING_H

#include "cuda_runtime_api.h"
#include "cuda_texture_types.h"

#if defined(__cplusplus)

#define ROMARK_TEXTURE_TEMPLATE                                                                                        \
	template <class T, int dim, enum cudaTextureReadMode mode>                                                     \
	static inline cudaError_t

ROMARK_TEXTURE_TEMPLATE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
					const struct cudaChannelFormatDesc &desc, size_t size = 0xffffffffu)
{
	return ::cudaBindTexture(offset, static_cast<const textureReference *>(&tex), devPtr, &desc, size);
}

ROMARK_TEXTURE_TEMPLATE cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
					size_t size = 0xffffffffu)
{
	return cudaBindTexture(offset, tex, devPtr, tex.channelDesc, size);
}

ROMARK_TEXTURE_TEMPLATE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
					  const struct cudaChannelFormatDesc &desc, size_t width, size_t height,
					  size_t pitch)
{
	return ::cudaBindTexture2D(offset, static_cast<const textureReference *>(&tex), devPtr, &desc, width, height,
				   pitch);
}

ROMARK_TEXTURE_TEMPLATE cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex, const void *devPtr,
					  size_t width, size_t height, size_t pitch)
{
	return cudaBindTexture2D(offset, tex, devPtr, tex.channelDesc, width, height, pitch);
}

ROMARK_TEXTURE_TEMPLATE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array,
					       const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindTextureToArray(static_cast<const textureReference *>(&tex), array, &desc);
}

ROMARK_TEXTURE_TEMPLATE cudaBindTextureToArray(const texture<T, dim, mode> &tex, cudaArray_const_t array)
{
	return cudaBindTextureToArray(tex, array, tex.channelDesc);
}

ROMARK_TEXTURE_TEMPLATE cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
							cudaMipmappedArray_const_t mipmap)
{
	return ::cudaBindTextureToMipmappedArray(static_cast<const textureReference *>(&tex), mipmap, &tex.channelDesc);
}

ROMARK_TEXTURE_TEMPLATE cudaUnbindTexture(const texture<T, dim, mode> &tex)
{
	return ::cudaUnbindTexture(static_cast<const textureReference *>(&tex));
}

ROMARK_TEXTURE_TEMPLATE cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dim, mode> &tex)
{
	return ::cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference *>(&tex));
}

#undef ROMARK_TEXTURE_TEMPLATE

template <int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<void, dim> &surf, cudaArray_const_t array,
						 const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindSurfaceToArray(static_cast<const surfaceReference *>(&surf), array, &desc);
}

template <int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<void, dim> &surf, cudaArray_const_t array)
{
	return cudaBindSurfaceToArray(surf, array, surf.channelDesc);
}

#endif
#endif
