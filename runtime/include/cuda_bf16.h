/* bfloat16: the upper half of a float, computed with in single precision and rounded to nearest even. */
#ifndef ROMARK_CUDA_BF16_H
#define ROMARK_CUDA_BF16_H

#if !defined(__clang__) || !defined(__cplusplus)
#error "cuda_bf16.h needs Clang and C++: compile the file with romark cc"
#endif

#include "cuda_runtime.h"
#include "romark_small_float.h"

struct __nv_bfloat16_raw {
	unsigned short x;
};
struct __nv_bfloat162_raw {
	unsigned short x, y;
};

struct __align__(2) __nv_bfloat16 {
	unsigned short __x;

	__nv_bfloat16() = default;
	__host__ __device__ __nv_bfloat16(float v)
	{
		unsigned u;
		__builtin_memcpy(&u, &v, sizeof u);
		__x = v != v ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
	}
	/* Rounds once: a float in between would round twice. */
	__host__ __device__ __nv_bfloat16(double v) : __x(romark_small_bits(v, 7, 127, ROMARK_TO_NEAREST))
	{
	}
	__host__ __device__ __nv_bfloat16(short v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(unsigned short v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(int v) : __nv_bfloat16((double)v)
	{
	}
	__host__ __device__ __nv_bfloat16(unsigned v) : __nv_bfloat16((double)v)
	{
	}
	__host__ __device__ __nv_bfloat16(long v) : __nv_bfloat16(romark_sticky_double((long long)v))
	{
	}
	__host__ __device__ __nv_bfloat16(unsigned long v) : __nv_bfloat16(romark_sticky_double((unsigned long long)v))
	{
	}
	__host__ __device__ __nv_bfloat16(long long v) : __nv_bfloat16(romark_sticky_double(v))
	{
	}
	__host__ __device__ __nv_bfloat16(unsigned long long v) : __nv_bfloat16(romark_sticky_double(v))
	{
	}
	__host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x)
	{
	}
	__host__ __device__ operator __nv_bfloat16_raw() const
	{
		__nv_bfloat16_raw raw = {__x};
		return raw;
	}
	__host__ __device__ float get() const
	{
		unsigned u = (unsigned)__x << 16;
		float v;
		__builtin_memcpy(&v, &u, sizeof v);
		return v;
	}
	ROMARK_SMALL_CASTS
	__host__ __device__ operator float() const
	{
		return get();
	}
};

struct __align__(4) __nv_bfloat162 {
	__nv_bfloat16 x, y;

	__nv_bfloat162() = default;
	__host__ __device__ __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high) : x(low), y(high)
	{
	}
	__host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
	    : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y})
	{
	}
	__host__ __device__ operator __nv_bfloat162_raw() const
	{
		__nv_bfloat162_raw raw = {x.__x, y.__x};
		return raw;
	}
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

ROMARK_BOTH __nv_bfloat16 __hfma(const __nv_bfloat16 a, const __nv_bfloat16 b, const __nv_bfloat16 c)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	__nv_bfloat16 d;

	__asm__("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
	return d;
#else
	return __nv_bfloat16(romark_sticky_fma(a.get(), b.get(), c.get()));
#endif
}

ROMARK_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162)

/* --- Conversion, pairs, bits --- */

ROMARK_BOTH __nv_bfloat16 __float2bfloat16(float a)
{
	return __nv_bfloat16(a);
}
ROMARK_BOTH __nv_bfloat16 __float2bfloat16_rn(float a)
{
	return __nv_bfloat16(a);
}
ROMARK_BOTH __nv_bfloat16 __double2bfloat16(double a)
{
	return __nv_bfloat16(a);
}
ROMARK_BOTH float __bfloat162float(__nv_bfloat16 a)
{
	return a.get();
}
ROMARK_BOTH __nv_bfloat162 __float2bfloat162_rn(float a)
{
	return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
ROMARK_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
	return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
ROMARK_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a)
{
	return __nv_bfloat162(__nv_bfloat16(a.x), __nv_bfloat16(a.y));
}
ROMARK_BOTH float2 __bfloat1622float2(__nv_bfloat162 a)
{
	return make_float2(a.x.get(), a.y.get());
}
ROMARK_BOTH float __low2float(__nv_bfloat162 a)
{
	return a.x.get();
}
ROMARK_BOTH float __high2float(__nv_bfloat162 a)
{
	return a.y.get();
}
ROMARK_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a)
{
	return __nv_bfloat162(a, a);
}
ROMARK_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
	return __nv_bfloat162(x, y);
}
ROMARK_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
	return __nv_bfloat162(x, y);
}
ROMARK_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a)
{
	return a.x;
}
ROMARK_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a)
{
	return a.y;
}
ROMARK_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a)
{
	return a.__x;
}
ROMARK_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
	__nv_bfloat16_raw raw = {bits};
	return __nv_bfloat16(raw);
}
ROMARK_BOTH short __bfloat16_as_short(__nv_bfloat16 a)
{
	return (short)a.__x;
}
ROMARK_BOTH __nv_bfloat16 __short_as_bfloat16(short bits)
{
	return __ushort_as_bfloat16((unsigned short)bits);
}
ROMARK_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a)
{
	return __nv_bfloat162(a.x, a.x);
}
ROMARK_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a)
{
	return __nv_bfloat162(a.y, a.y);
}
ROMARK_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
	return __nv_bfloat162(a.x, b.x);
}
ROMARK_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
	return __nv_bfloat162(a.y, b.y);
}
ROMARK_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a)
{
	return __nv_bfloat162(a.y, a.x);
}

/* --- Integers --- */

#define ROMARK_INTEGER_TO_BFLOAT16(T, small, type, name, mode, rounding, whole)                                        \
	ROMARK_BOTH __nv_bfloat16 __##name##2bfloat16_##mode(type a)                                                   \
	{                                                                                                              \
		return __nv_bfloat16(__nv_bfloat16_raw{romark_small_bits(romark_sticky_double(a), 7, 127, rounding)}); \
	}
ROMARK_SMALL_INTEGERS(ROMARK_INTEGER_TO_BFLOAT16, __nv_bfloat16, bfloat16)
#undef ROMARK_INTEGER_TO_BFLOAT16
ROMARK_SMALL_TO_INTEGERS(__nv_bfloat16, bfloat16)

#define ROMARK_FLOAT_TO_BFLOAT16(mode, rounding)                                                                       \
	ROMARK_BOTH __nv_bfloat16 __float2bfloat16_##mode(float a)                                                     \
	{                                                                                                              \
		return __nv_bfloat16(__nv_bfloat16_raw{romark_small_bits(a, 7, 127, rounding)});                       \
	}
ROMARK_FLOAT_TO_BFLOAT16(rz, ROMARK_TO_ZERO)
ROMARK_FLOAT_TO_BFLOAT16(ru, ROMARK_UP)
ROMARK_FLOAT_TO_BFLOAT16(rd, ROMARK_DOWN)
#undef ROMARK_FLOAT_TO_BFLOAT16

/* --- Memory --- */

#if defined(ROMARK_CUDA)
/* A loop of compare-and-swap on the word that holds the pair. */
ROMARK_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *address, __nv_bfloat162 value)
{
	unsigned *word = (unsigned *)address, old = *word, seen, next;
	__nv_bfloat162 pair;

	do {
		seen = old;
		__builtin_memcpy(&pair, &seen, sizeof pair);
		pair = __hadd2(pair, value);
		__builtin_memcpy(&next, &pair, sizeof next);
		old = atomicCAS(word, seen, next);
	} while (old != seen);
	__builtin_memcpy(&pair, &old, sizeof pair);
	return pair;
}
ROMARK_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *address, __nv_bfloat16 value)
{
	unsigned short *place = (unsigned short *)address, old = *place, seen;

	do {
		seen = old;
		old = atomicCAS(place, seen, __hadd(__ushort_as_bfloat16(seen), value).__x);
	} while (old != seen);
	return __ushort_as_bfloat16(old);
}
#endif

#endif
