/*
 * Surfaces, objects and references: T surf2Dread<T>(surface, x, y), surf2Dread(T *result, surface, x, y) and
 * surf2Dwrite(value, surface, x, y). x is in bytes. The last parameter chooses the rule for a place outside.
 */
#ifndef ROMARK_SURFACE_INDIRECT_FUNCTIONS_H
#define ROMARK_SURFACE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(ROMARK_CUDA)
#include "romark_surface_ptx.h"
#include "romark_texture_ptx.h"

/* `handle` is an expression in `s`; cube maps are layers of six faces. */
#define ROMARK_SURFACE_ACCESS(name, instruction, surfaceParam, handle, params, ...)                                    \
	template <class T>                                                                                             \
	static __device__ __forceinline__ T name##read(surfaceParam s, params,                                         \
						       enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)       \
	{                                                                                                              \
		typename romark_surface_unit<sizeof(T)>::word w;                                                       \
		T value;                                                                                               \
                                                                                                                       \
		romark_suld##instruction(w, (char(*)[sizeof(T)])0, handle, mode, __VA_ARGS__);                         \
		__builtin_memcpy(&value, &w, sizeof value);                                                            \
		return value;                                                                                          \
	}                                                                                                              \
	template <class T>                                                                                             \
	static __device__ __forceinline__ void name##read(T *result, surfaceParam s, params,                           \
							  enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
	{                                                                                                              \
		*result = name##read<T>(s, __VA_ARGS__, mode);                                                         \
	}                                                                                                              \
	template <class T>                                                                                             \
	static __device__ __forceinline__ void name##write(T value, surfaceParam s, params,                            \
							   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)   \
	{                                                                                                              \
		typename romark_surface_unit<sizeof(T)>::word w = {};                                                  \
                                                                                                                       \
		__builtin_memcpy(&w, &value, sizeof value);                                                            \
		romark_sust##instruction(w, (char(*)[sizeof(T)])0, handle, mode, __VA_ARGS__);                         \
	}
#define ROMARK_SURFACE_FUNCTIONS(name, instruction, type, params, ...)                                                 \
	ROMARK_SURFACE_ACCESS(name, instruction, cudaSurfaceObject_t, s, ROMARK_LIST(params), __VA_ARGS__)             \
	ROMARK_SURFACE_ACCESS(name, instruction, ROMARK_LIST(surface<void, type>), romark_reference(s),                \
			      ROMARK_LIST(params), __VA_ARGS__)

ROMARK_SURFACE_FUNCTIONS(surf1D, 1D, cudaSurfaceType1D, int x, x)
ROMARK_SURFACE_FUNCTIONS(surf2D, 2D, cudaSurfaceType2D, ROMARK_LIST(int x, int y), x, y)
ROMARK_SURFACE_FUNCTIONS(surf3D, 3D, cudaSurfaceType3D, ROMARK_LIST(int x, int y, int z), x, y, z)
ROMARK_SURFACE_FUNCTIONS(surf1DLayered, 1DLayered, cudaSurfaceType1DLayered, ROMARK_LIST(int x, int layer), x, layer)
ROMARK_SURFACE_FUNCTIONS(surf2DLayered, 2DLayered, cudaSurfaceType2DLayered, ROMARK_LIST(int x, int y, int layer), x, y,
			 layer)
ROMARK_SURFACE_FUNCTIONS(surfCubemap, 2DLayered, cudaSurfaceTypeCubemap, ROMARK_LIST(int x, int y, int face), x, y,
			 face)
ROMARK_SURFACE_FUNCTIONS(surfCubemapLayered, 2DLayered, cudaSurfaceTypeCubemapLayered,
			 ROMARK_LIST(int x, int y, int layerFace), x, y, layerFace)
#undef ROMARK_SURFACE_FUNCTIONS
#undef ROMARK_SURFACE_ACCESS

#endif
#endif
