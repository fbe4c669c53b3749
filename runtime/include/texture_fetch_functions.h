/* Fetches from texture references: tex2D(reference, x, y). */
#ifndef ROMARK_TEXTURE_FETCH_FUNCTIONS_H
#define ROMARK_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(ROMARK_CUDA)
#include "romark_texture_ptx.h"

/* In normalised mode the four results are floats, whatever the texture holds. */
#define ROMARK_FETCH(name, textureType, params, ...)                                                                   \
	template <class T, enum cudaTextureReadMode mode>                                                              \
	static __device__ __forceinline__ typename romark_fetched<T, mode>::type name(                                 \
	    texture<T, textureType, mode> reference, params)                                                           \
	{                                                                                                              \
		typedef romark_texel<typename romark_fetched<T, mode>::type> texel;                                    \
		typename texel::wide r;                                                                                \
                                                                                                                       \
		romark_##name(r, romark_reference(reference), __VA_ARGS__);                                            \
		return texel::narrow(r);                                                                               \
	}

ROMARK_FETCH(tex1Dfetch, cudaTextureType1D, int x, x)
ROMARK_FETCH(tex1D, cudaTextureType1D, ROMARK_P1, x)
ROMARK_FETCH(tex2D, cudaTextureType2D, ROMARK_PARAMS(ROMARK_P2), x, y)
ROMARK_FETCH(tex3D, cudaTextureType3D, ROMARK_PARAMS(ROMARK_P3), x, y, z)
ROMARK_FETCH(texCubemap, cudaTextureTypeCubemap, ROMARK_PARAMS(ROMARK_P3), x, y, z)
ROMARK_FETCH(tex1DLayered, cudaTextureType1DLayered, ROMARK_PARAMS(ROMARK_P1, int layer), x, layer)
ROMARK_FETCH(tex2DLayered, cudaTextureType2DLayered, ROMARK_PARAMS(ROMARK_P2, int layer), x, y, layer)
ROMARK_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered, ROMARK_PARAMS(ROMARK_P3, int layer), x, y, z, layer)
ROMARK_FETCH(tex1DLod, cudaTextureType1D, ROMARK_PARAMS(ROMARK_P1, float level), x, level)
ROMARK_FETCH(tex2DLod, cudaTextureType2D, ROMARK_PARAMS(ROMARK_P2, float level), x, y, level)
ROMARK_FETCH(tex3DLod, cudaTextureType3D, ROMARK_PARAMS(ROMARK_P3, float level), x, y, z, level)
ROMARK_FETCH(tex1DGrad, cudaTextureType1D, ROMARK_PARAMS(ROMARK_P1, float dx, float dy), x, dx, dy)
ROMARK_FETCH(tex2DGrad, cudaTextureType2D, ROMARK_PARAMS(ROMARK_P2, float2 dx, float2 dy), x, y, dx, dy)
ROMARK_FETCH(tex3DGrad, cudaTextureType3D, ROMARK_PARAMS(ROMARK_P3, float4 dx, float4 dy), x, y, z, dx, dy)
ROMARK_FETCH(tex2Dgather, cudaTextureType2D, ROMARK_PARAMS(ROMARK_P2, int channel = 0), x, y, channel)
#undef ROMARK_FETCH

#endif
#endif
