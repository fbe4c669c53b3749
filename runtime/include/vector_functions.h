/* make_char1 .. make_double4: the constructors of the vector types. */
#ifndef ROMARK_VECTOR_FUNCTIONS_H
#define ROMARK_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define ROMARK_MAKE_FOUR(type, base)                                                                                   \
	static __inline__ __host__ __device__ type make_##type(base x, base y, base z, base w)                         \
	{                                                                                                              \
		type v;                                                                                                \
		v.x = x;                                                                                               \
		v.y = y;                                                                                               \
		v.z = z;                                                                                               \
		v.w = w;                                                                                               \
		return v;                                                                                              \
	}

#define ROMARK_MAKE(type, base)                                                                                        \
	static __inline__ __host__ __device__ type##1 make_##type##1(base x)                                           \
	{                                                                                                              \
		type##1 v;                                                                                             \
		v.x = x;                                                                                               \
		return v;                                                                                              \
	}                                                                                                              \
	static __inline__ __host__ __device__ type##2 make_##type##2(base x, base y)                                   \
	{                                                                                                              \
		type##2 v;                                                                                             \
		v.x = x;                                                                                               \
		v.y = y;                                                                                               \
		return v;                                                                                              \
	}                                                                                                              \
	static __inline__ __host__ __device__ type##3 make_##type##3(base x, base y, base z)                           \
	{                                                                                                              \
		type##3 v;                                                                                             \
		v.x = x;                                                                                               \
		v.y = y;                                                                                               \
		v.z = z;                                                                                               \
		return v;                                                                                              \
	}                                                                                                              \
	ROMARK_MAKE_FOUR(type##4, base)

ROMARK_MAKE(char, signed char)
ROMARK_MAKE(uchar, unsigned char)
ROMARK_MAKE(short, short)
ROMARK_MAKE(ushort, unsigned short)
ROMARK_MAKE(int, int)
ROMARK_MAKE(uint, unsigned int)
ROMARK_MAKE(long, long)
ROMARK_MAKE(ulong, unsigned long)
ROMARK_MAKE(longlong, long long)
ROMARK_MAKE(ulonglong, unsigned long long)
ROMARK_MAKE(float, float)
ROMARK_MAKE(double, double)
ROMARK_MAKE_FOUR(long4_16a, long)
ROMARK_MAKE_FOUR(long4_32a, long)
ROMARK_MAKE_FOUR(ulong4_16a, unsigned long)
ROMARK_MAKE_FOUR(ulong4_32a, unsigned long)
ROMARK_MAKE_FOUR(longlong4_16a, long long)
ROMARK_MAKE_FOUR(longlong4_32a, long long)
ROMARK_MAKE_FOUR(ulonglong4_16a, unsigned long long)
ROMARK_MAKE_FOUR(ulonglong4_32a, unsigned long long)
ROMARK_MAKE_FOUR(double4_16a, double)
ROMARK_MAKE_FOUR(double4_32a, double)
#undef ROMARK_MAKE
#undef ROMARK_MAKE_FOUR

#endif
