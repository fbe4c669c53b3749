/*
 * Surface instructions. romark_suld and romark_sust move the bytes of a type with a size of 1, 2, 4, 8 or 16. A place
 * has one to three integers, the first in bytes. Three rules exist for places outside.
 */
#ifndef ROMARK_SURFACE_PTX_H
#define ROMARK_SURFACE_PTX_H

#include "cuda_texture_types.h"

template <int bytes>
struct romark_surface_unit;

#define ROMARK_UNIT(bytes, type)                                                                                       \
	template <>                                                                                                    \
	struct romark_surface_unit<bytes> {                                                                            \
		typedef type word;                                                                                     \
	};
ROMARK_UNIT(1, unsigned short)
ROMARK_UNIT(2, unsigned short)
ROMARK_UNIT(4, unsigned int)
ROMARK_UNIT(8, unsigned long long)
ROMARK_UNIT(16, uint4)
#undef ROMARK_UNIT

#define ROMARK_SULD(shape, rule, kind, letter, place, ...)                                                             \
	asm volatile("suld.b." shape "." kind "." rule " %0, [%1, {" place "}];"                                       \
		     : "=" letter(w)                                                                                   \
		     : "l"(s), __VA_ARGS__                                                                             \
		     : "memory")
#define ROMARK_SUST(shape, rule, kind, letter, place, ...)                                                             \
	asm volatile("sust.b." shape "." kind "." rule " [%1, {" place "}], %0;"                                       \
		     :                                                                                                 \
		     : letter(w), "l"(s), __VA_ARGS__                                                                  \
		     : "memory")
#define ROMARK_SULD4(shape, rule, place, ...)                                                                          \
	asm volatile("suld.b." shape ".v4.b32." rule " {%0, %1, %2, %3}, [%4, {" place "}];"                           \
		     : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)                                                      \
		     : "l"(s), __VA_ARGS__                                                                             \
		     : "memory")
#define ROMARK_SUST4(shape, rule, place, ...)                                                                          \
	asm volatile("sust.b." shape ".v4.b32." rule " [%4, {" place "}], {%0, %1, %2, %3};"                           \
		     :                                                                                                 \
		     : "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w), "l"(s), __VA_ARGS__                                     \
		     : "memory")

#define ROMARK_BY_RULE(do_zero, do_clamp, do_trap)                                                                     \
	if (rule == cudaBoundaryModeZero)                                                                              \
		do_zero;                                                                                               \
	else if (rule == cudaBoundaryModeClamp)                                                                        \
		do_clamp;                                                                                              \
	else                                                                                                           \
		do_trap;

/* One size: `bytes`, its PTX type, the letter of its register. */
#define ROMARK_SURFACE_SIZE(name, bytes, kind, letter, shape, params, place, ...)                                      \
	static __device__ __forceinline__ void romark_suld##name(romark_surface_unit<bytes>::word &w, char(*)[bytes],  \
								 cudaSurfaceObject_t s,                                \
								 enum cudaSurfaceBoundaryMode rule, params)            \
	{                                                                                                              \
		ROMARK_BY_RULE(ROMARK_SULD(shape, "zero", kind, letter, place, __VA_ARGS__),                           \
			       ROMARK_SULD(shape, "clamp", kind, letter, place, __VA_ARGS__),                          \
			       ROMARK_SULD(shape, "trap", kind, letter, place, __VA_ARGS__))                           \
	}                                                                                                              \
	static __device__ __forceinline__ void romark_sust##name(const romark_surface_unit<bytes>::word &w,            \
								 char(*)[bytes], cudaSurfaceObject_t s,                \
								 enum cudaSurfaceBoundaryMode rule, params)            \
	{                                                                                                              \
		ROMARK_BY_RULE(ROMARK_SUST(shape, "zero", kind, letter, place, __VA_ARGS__),                           \
			       ROMARK_SUST(shape, "clamp", kind, letter, place, __VA_ARGS__),                          \
			       ROMARK_SUST(shape, "trap", kind, letter, place, __VA_ARGS__))                           \
	}

#define ROMARK_SURFACE(name, shape, params, place, place4, ...)                                                        \
	ROMARK_SURFACE_SIZE(name, 1, "b8", "h", shape, ROMARK_LIST(params), place, __VA_ARGS__)                        \
	ROMARK_SURFACE_SIZE(name, 2, "b16", "h", shape, ROMARK_LIST(params), place, __VA_ARGS__)                       \
	ROMARK_SURFACE_SIZE(name, 4, "b32", "r", shape, ROMARK_LIST(params), place, __VA_ARGS__)                       \
	ROMARK_SURFACE_SIZE(name, 8, "b64", "l", shape, ROMARK_LIST(params), place, __VA_ARGS__)                       \
	static __device__ __forceinline__ void romark_suld##name(uint4 &w, char(*)[16], cudaSurfaceObject_t s,         \
								 enum cudaSurfaceBoundaryMode rule, params)            \
	{                                                                                                              \
		ROMARK_BY_RULE(ROMARK_SULD4(shape, "zero", place4, __VA_ARGS__),                                       \
			       ROMARK_SULD4(shape, "clamp", place4, __VA_ARGS__),                                      \
			       ROMARK_SULD4(shape, "trap", place4, __VA_ARGS__))                                       \
	}                                                                                                              \
	static __device__ __forceinline__ void romark_sust##name(const uint4 &w, char(*)[16], cudaSurfaceObject_t s,   \
								 enum cudaSurfaceBoundaryMode rule, params)            \
	{                                                                                                              \
		ROMARK_BY_RULE(ROMARK_SUST4(shape, "zero", place4, __VA_ARGS__),                                       \
			       ROMARK_SUST4(shape, "clamp", place4, __VA_ARGS__),                                      \
			       ROMARK_SUST4(shape, "trap", place4, __VA_ARGS__))                                       \
	}
#define ROMARK_LIST(...) __VA_ARGS__

ROMARK_SURFACE(1D, "1d", int x, "%2", "%5", "r"(x))
ROMARK_SURFACE(2D, "2d", ROMARK_LIST(int x, int y), "%2, %3", "%5, %6", "r"(x), "r"(y))
ROMARK_SURFACE(3D, "3d", ROMARK_LIST(int x, int y, int z), "%2, %3, %4, %4", "%5, %6, %7, %7", "r"(x), "r"(y), "r"(z))
ROMARK_SURFACE(1DLayered, "a1d", ROMARK_LIST(int x, int layer), "%3, %2", "%6, %5", "r"(x), "r"(layer))
ROMARK_SURFACE(2DLayered, "a2d", ROMARK_LIST(int x, int y, int layer), "%4, %2, %3, %3", "%7, %5, %6, %6", "r"(x),
	       "r"(y), "r"(layer))

#undef ROMARK_SURFACE
#undef ROMARK_SURFACE_SIZE
#undef ROMARK_BY_RULE
#undef ROMARK_SULD
#undef ROMARK_SULD4
#undef ROMARK_SUST
#undef ROMARK_SUST4

#endif
