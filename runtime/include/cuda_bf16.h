/* bfloat16: the upper half of a float, computed with in single precision and rounded to nearest even. */
#ifndef ROMARK_CUDA_BF16_H
#define ROMARK_CUDA_BF16_H

#if !(defined(__CUDA__) && defined(__clang__))
#error "cuda_bf16.h needs a CUDA source: give the file the ending .cu or use -x cu"
#endif

#include "cuda_runtime.h"
#include "romark_small_float.h"

struct __nv_bfloat16_raw {
	unsigned short x;
};

struct __align__(2) __nv_bfloat16 {
	unsigned short bits;

	__nv_bfloat16() = default;
	__host__ __device__ __nv_bfloat16(float v)
	{
		unsigned u;
		__builtin_memcpy(&u, &v, sizeof u);
		bits = v != v ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
	}
	__host__ __device__ __nv_bfloat16(double v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(int v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(unsigned v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(long long v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(unsigned long long v) : __nv_bfloat16((float)v)
	{
	}
	__host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw) : bits(raw.x)
	{
	}
	__host__ __device__ operator __nv_bfloat16_raw() const
	{
		__nv_bfloat16_raw raw = {bits};
		return raw;
	}
	__host__ __device__ float get() const
	{
		unsigned u = (unsigned)bits << 16;
		float v;
		__builtin_memcpy(&v, &u, sizeof v);
		return v;
	}
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
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

ROMARK_BOTH __nv_bfloat16 __hfma(const __nv_bfloat16 a, const __nv_bfloat16 b, const __nv_bfloat16 c)
{
	return __nv_bfloat16(__builtin_fmaf(a.get(), b.get(), c.get()));
}

ROMARK_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162)

/* --- Conversion, pairs, bits ------------------------------------------------------------------------------------- */

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
ROMARK_BOTH __nv_bfloat16 __int2bfloat16_rn(int a)
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
	return a.bits;
}
ROMARK_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
	__nv_bfloat16_raw raw = {bits};
	return __nv_bfloat16(raw);
}
ROMARK_DEVICE int __bfloat162int_rn(__nv_bfloat16 a)
{
	return __float2int_rn(a.get());
}
ROMARK_DEVICE int __bfloat162int_rz(__nv_bfloat16 a)
{
	return __float2int_rz(a.get());
}

/* --- Memory ------------------------------------------------------------------------------------------------------ */

ROMARK_DEVICE __nv_bfloat16 __ldg(const __nv_bfloat16 *ptr)
{
	return __ushort_as_bfloat16(__ldg((const unsigned short *)ptr));
}
ROMARK_DEVICE __nv_bfloat162 __ldg(const __nv_bfloat162 *ptr)
{
	unsigned bits = __ldg((const unsigned *)ptr);
	__nv_bfloat162 value;
	__builtin_memcpy(&value, &bits, sizeof value);
	return value;
}
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
		old = atomicCAS(place, seen, __hadd(__ushort_as_bfloat16(seen), value).bits);
	} while (old != seen);
	return __ushort_as_bfloat16(old);
}

#endif
