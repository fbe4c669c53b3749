/*
 * Fetches from texture objects: T tex2D<T>(object, x, y) and tex2D(T *result, object, x, y), for each geometry and way
 * to choose the mipmap level.
 */
#ifndef ROMARK_TEXTURE_INDIRECT_FUNCTIONS_H
#define ROMARK_TEXTURE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(ROMARK_CUDA)
#include "romark_texture_ptx.h"

#define ROMARK_FETCH(name, params, ...)                                                                                \
	template <class T>                                                                                             \
	static __device__ __forceinline__ T name(cudaTextureObject_t object, params)                                   \
	{                                                                                                              \
		typename romark_texel<T>::wide r;                                                                      \
                                                                                                                       \
		romark_##name(r, object, __VA_ARGS__);                                                                 \
		return romark_texel<T>::narrow(r);                                                                     \
	}                                                                                                              \
	template <class T>                                                                                             \
	static __device__ __forceinline__ void name(T *result, cudaTextureObject_t object, params)                     \
	{                                                                                                              \
		*result = name<T>(object, __VA_ARGS__);                                                                \
	}

ROMARK_FETCH(tex1Dfetch, int x, x)
ROMARK_FETCH(tex1D, ROMARK_P1, x)
ROMARK_FETCH(tex2D, ROMARK_PARAMS(ROMARK_P2), x, y)
ROMARK_FETCH(tex3D, ROMARK_PARAMS(ROMARK_P3), x, y, z)
ROMARK_FETCH(texCubemap, ROMARK_PARAMS(ROMARK_P3), x, y, z)
ROMARK_FETCH(tex1DLayered, ROMARK_PARAMS(ROMARK_P1, int layer), x, layer)
ROMARK_FETCH(tex2DLayered, ROMARK_PARAMS(ROMARK_P2, int layer), x, y, layer)
ROMARK_FETCH(texCubemapLayered, ROMARK_PARAMS(ROMARK_P3, int layer), x, y, z, layer)
ROMARK_FETCH(tex1DLod, ROMARK_PARAMS(ROMARK_P1, float level), x, level)
ROMARK_FETCH(tex2DLod, ROMARK_PARAMS(ROMARK_P2, float level), x, y, level)
ROMARK_FETCH(tex3DLod, ROMARK_PARAMS(ROMARK_P3, float level), x, y, z, level)
ROMARK_FETCH(texCubemapLod, ROMARK_PARAMS(ROMARK_P3, float level), x, y, z, level)
ROMARK_FETCH(tex1DLayeredLod, ROMARK_PARAMS(ROMARK_P1, int layer, float level), x, layer, level)
ROMARK_FETCH(tex2DLayeredLod, ROMARK_PARAMS(ROMARK_P2, int layer, float level), x, y, layer, level)
ROMARK_FETCH(tex1DGrad, ROMARK_PARAMS(ROMARK_P1, float dx, float dy), x, dx, dy)
ROMARK_FETCH(tex2DGrad, ROMARK_PARAMS(ROMARK_P2, float2 dx, float2 dy), x, y, dx, dy)
ROMARK_FETCH(tex3DGrad, ROMARK_PARAMS(ROMARK_P3, float4 dx, float4 dy), x, y, z, dx, dy)
ROMARK_FETCH(tex1DLayeredGrad, ROMARK_PARAMS(ROMARK_P1, int layer, float dx, float dy), x, layer, dx, dy)
ROMARK_FETCH(tex2DLayeredGrad, ROMARK_PARAMS(ROMARK_P2, int layer, float2 dx, float2 dy), x, y, layer, dx, dy)
ROMARK_FETCH(tex2Dgather, ROMARK_PARAMS(ROMARK_P2, int channel = 0), x, y, channel)
#undef ROMARK_FETCH

#endif
#endif
