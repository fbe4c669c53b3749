/* char1 .. double4 and dim3: small structs with members x, y, z, w and the alignment that device vector loads need. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

/* Alignments of the two- and four-element types; one and three elements align as the base does. */
/* clang-format off */
#define ROMARK_VECTOR(type, base, align2, align4)                                                                      \
	struct type##1 {                                                                                               \
		base x;                                                                                                \
	};                                                                                                             \
	struct __align__(align2) type##2 {                                                                             \
		base x, y;                                                                                             \
	};                                                                                                             \
	struct type##3 {                                                                                               \
		base x, y, z;                                                                                          \
	};                                                                                                             \
	struct __align__(align4) type##4 {                                                                             \
		base x, y, z, w;                                                                                       \
	};                                                                                                             \
	typedef struct type##1 type##1;                                                                                \
	typedef struct type##2 type##2;                                                                                \
	typedef struct type##3 type##3;                                                                                \
	typedef struct type##4 type##4;
/* clang-format on */

ROMARK_VECTOR(char, signed char, 2, 4)
ROMARK_VECTOR(uchar, unsigned char, 2, 4)
ROMARK_VECTOR(short, short, 4, 8)
ROMARK_VECTOR(ushort, unsigned short, 4, 8)
ROMARK_VECTOR(int, int, 8, 16)
ROMARK_VECTOR(uint, unsigned int, 8, 16)
ROMARK_VECTOR(long, long, 16, 16)
ROMARK_VECTOR(ulong, unsigned long, 16, 16)
ROMARK_VECTOR(longlong, long long, 16, 16)
ROMARK_VECTOR(ulonglong, unsigned long long, 16, 16)
ROMARK_VECTOR(float, float, 8, 16)
ROMARK_VECTOR(double, double, 16, 16)
#undef ROMARK_VECTOR

/* CUDA 13 puts the alignment of the 32-byte types into their names. */
/* clang-format off */
#define ROMARK_VECTOR_ALIGNED(type, base)                                                                              \
	struct __align__(16) type##4_16a {                                                                             \
		base x, y, z, w;                                                                                       \
	};                                                                                                             \
	struct __align__(32) type##4_32a {                                                                             \
		base x, y, z, w;                                                                                       \
	};                                                                                                             \
	typedef struct type##4_16a type##4_16a;                                                                        \
	typedef struct type##4_32a type##4_32a;
/* clang-format on */

ROMARK_VECTOR_ALIGNED(long, long)
ROMARK_VECTOR_ALIGNED(ulong, unsigned long)
ROMARK_VECTOR_ALIGNED(longlong, long long)
ROMARK_VECTOR_ALIGNED(ulonglong, unsigned long long)
ROMARK_VECTOR_ALIGNED(double, double)
#undef ROMARK_VECTOR_ALIGNED

/* Extents of a grid or a block; those not given are 1. */
struct dim3 {
	unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
	__host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
	    : x(vx), y(vy), z(vz)
	{
	}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__host__ __device__ constexpr operator uint3(void) const
	{
		return uint3{x, y, z};
	}
#else
	__host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz)
	{
	}
	__host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__host__ __device__ operator uint3(void) const
	{
		uint3 v;
		v.x = x;
		v.y = y;
		v.z = z;
		return v;
	}
#endif
#endif
};
typedef struct dim3 dim3;

#endif
