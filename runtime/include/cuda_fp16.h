/*
 * Half precision: __half and __half2 over the compiler's own 16-bit floating-point type, which both sides compute in.
 */
#ifndef ROMARK_CUDA_FP16_H
#define ROMARK_CUDA_FP16_H

#if !defined(__clang__) || !defined(__cplusplus)
#error "cuda_fp16.h needs Clang and C++: compile the file with romark cc"
#endif

#include "cuda_runtime.h"
#include "romark_small_float.h"

/*
 * In device code, Clang before 19 has another name for the type, and operations on it only with options of romark cc.
 */
#if defined(__CUDA_ARCH__) && __clang_major__ < 19
typedef __fp16 romark_float16;
static_assert(sizeof(romark_float16() + romark_float16()) == 2,
	      "compile with romark cc, or with -Xclang -fnative-half-type -Xclang -fnative-half-arguments-and-returns");
#define ROMARK_FMA_FLOAT16 __nvvm_fma_rn_f16
#else
typedef _Float16 romark_float16;
#define ROMARK_FMA_FLOAT16 __builtin_fmaf16
#endif

struct __half_raw {
	unsigned short x;
};
struct __half2_raw {
	unsigned short x, y;
};

struct __align__(2) __half {
	union {
		romark_float16 value;
		unsigned short __x;
	};

	__half() = default;
	__host__ __device__ constexpr __half(romark_float16 v) : value(v)
	{
	}
	__host__ __device__ constexpr __half(float v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(double v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(int v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(unsigned v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(short v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(unsigned short v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(long v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(unsigned long v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(long long v) : value((romark_float16)v)
	{
	}
	__host__ __device__ constexpr __half(unsigned long long v) : value((romark_float16)v)
	{
	}
	__host__ __device__ __half(const __half_raw &raw)
	{
		__builtin_memcpy(&value, &raw, sizeof value);
	}
	__host__ __device__ operator __half_raw() const
	{
		__half_raw raw;
		__builtin_memcpy(&raw, &value, sizeof raw);
		return raw;
	}
	__host__ __device__ constexpr operator float() const
	{
		return (float)value;
	}
	ROMARK_SMALL_CASTS
	__host__ __device__ constexpr romark_float16 get() const
	{
		return value;
	}
};

struct __align__(4) __half2 {
	__half x, y;

	__half2() = default;
	__host__ __device__ constexpr __half2(const __half &low, const __half &high) : x(low), y(high)
	{
	}
	__host__ __device__ __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y})
	{
	}
	__host__ __device__ operator __half2_raw() const
	{
		__half2_raw raw = {x.__x, y.__x};
		return raw;
	}
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

ROMARK_BOTH __half __hfma(const __half a, const __half b, const __half c)
{
#if defined(__CUDA_ARCH__)
	return __half(ROMARK_FMA_FLOAT16(a.value, b.value, c.value));
#else
	return __half((romark_float16)__builtin_fma((double)a.value, (double)b.value, (double)c.value));
#endif
}

ROMARK_SMALL_FLOAT(__half, __half2)

/* --- Conversion --- */

ROMARK_BOTH __half __float2half(float a)
{
	return __half(a);
}
ROMARK_BOTH __half __float2half_rn(float a)
{
	return __half(a);
}
ROMARK_BOTH __half __double2half(double a)
{
	return __half(a);
}
ROMARK_BOTH float __half2float(__half a)
{
	return (float)a.value;
}
ROMARK_BOTH __half2 __float2half2_rn(float a)
{
	return __half2(__half(a), __half(a));
}
ROMARK_BOTH __half2 __floats2half2_rn(float a, float b)
{
	return __half2(__half(a), __half(b));
}
ROMARK_BOTH __half2 __float22half2_rn(float2 a)
{
	return __half2(__half(a.x), __half(a.y));
}
ROMARK_BOTH float2 __half22float2(__half2 a)
{
	return make_float2((float)a.x.value, (float)a.y.value);
}
ROMARK_BOTH float __low2float(__half2 a)
{
	return (float)a.x.value;
}
ROMARK_BOTH float __high2float(__half2 a)
{
	return (float)a.y.value;
}

#if defined(__CUDA_ARCH__)
#define ROMARK_FLOAT_TO_HALF(mode, ptx, rounding)                                                                      \
	ROMARK_BOTH __half __float2half_##mode(float a)                                                                \
	{                                                                                                              \
		__half_raw raw;                                                                                        \
		__asm__("cvt." ptx ".f16.f32 %0, %1;" : "=h"(raw.x) : "f"(a));                                         \
		return __half(raw);                                                                                    \
	}
#else
#define ROMARK_FLOAT_TO_HALF(mode, ptx, rounding)                                                                      \
	ROMARK_BOTH __half __float2half_##mode(float a)                                                                \
	{                                                                                                              \
		return __half(__half_raw{romark_small_bits(a, 10, 15, rounding)});                                     \
	}
#endif
ROMARK_FLOAT_TO_HALF(rz, "rz", ROMARK_TO_ZERO)
ROMARK_FLOAT_TO_HALF(ru, "rp", ROMARK_UP)
ROMARK_FLOAT_TO_HALF(rd, "rm", ROMARK_DOWN)
#undef ROMARK_FLOAT_TO_HALF

#define ROMARK_INTEGER_TO_HALF(T, small, type, name, mode, rounding, whole)                                            \
	ROMARK_BOTH __half __##name##2half_##mode(type a)                                                              \
	{                                                                                                              \
		if (rounding == ROMARK_TO_NEAREST)                                                                     \
			return __half(a);                                                                              \
		return __half(__half_raw{romark_small_bits(romark_sticky_double(a), 10, 15, rounding)});               \
	}
ROMARK_SMALL_INTEGERS(ROMARK_INTEGER_TO_HALF, __half, half)
#undef ROMARK_INTEGER_TO_HALF
ROMARK_SMALL_TO_INTEGERS(__half, half)

/* --- Pairs and bits --- */

ROMARK_BOTH __half2 make_half2(__half x, __half y)
{
	return __half2(x, y);
}
ROMARK_BOTH __half2 __halves2half2(__half x, __half y)
{
	return __half2(x, y);
}
ROMARK_BOTH __half2 __half2half2(__half a)
{
	return __half2(a, a);
}
ROMARK_BOTH __half __low2half(__half2 a)
{
	return a.x;
}
ROMARK_BOTH __half __high2half(__half2 a)
{
	return a.y;
}
ROMARK_BOTH __half2 __low2half2(__half2 a)
{
	return __half2(a.x, a.x);
}
ROMARK_BOTH __half2 __high2half2(__half2 a)
{
	return __half2(a.y, a.y);
}
ROMARK_BOTH __half2 __lows2half2(__half2 a, __half2 b)
{
	return __half2(a.x, b.x);
}
ROMARK_BOTH __half2 __highs2half2(__half2 a, __half2 b)
{
	return __half2(a.y, b.y);
}
ROMARK_BOTH __half2 __lowhigh2highlow(__half2 a)
{
	return __half2(a.y, a.x);
}
ROMARK_BOTH unsigned short __half_as_ushort(__half a)
{
	return ((__half_raw)a).x;
}
ROMARK_BOTH short __half_as_short(__half a)
{
	return (short)__half_as_ushort(a);
}
ROMARK_BOTH __half __ushort_as_half(unsigned short bits)
{
	__half_raw raw = {bits};
	return __half(raw);
}
ROMARK_BOTH __half __short_as_half(short bits)
{
	return __ushort_as_half((unsigned short)bits);
}

/* --- Memory --- */

#if defined(ROMARK_CUDA)
ROMARK_DEVICE __half2 atomicAdd(__half2 *address, __half2 value)
{
	unsigned old, add;
	__half2 result;
	__builtin_memcpy(&add, &value, sizeof add);
	__asm__ volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(add) : "memory");
	__builtin_memcpy(&result, &old, sizeof result);
	return result;
}
ROMARK_DEVICE __half atomicAdd(__half *address, __half value)
{
	__half_raw old;
	__asm__ volatile("atom.add.noftz.f16 %0, [%1], %2;"
			 : "=h"(old.x)
			 : "l"(address), "h"(((__half_raw)value).x)
			 : "memory");
	return __half(old);
}
#endif

#endif
