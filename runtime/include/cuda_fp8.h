/*
 * 8-bit floating point: E4M3 (no infinity, largest value 448) and E5M2 (largest value 57344); one, two or four values
 * in a word. The types only store values: programs convert them to compute. Conversions round once, to nearest even.
 * Saturating conversions, which the classes use, turn values that are too large into the largest value.
 */
#ifndef ROMARK_CUDA_FP8_H
#define ROMARK_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* --- One value --- */

/* A value beyond the largest becomes infinity, or NaN in E4M3. A NaN keeps its sign, and in E5M2 its payload. */
ROMARK_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
						      __nv_fp8_interpretation_t interpretation)
{
	bool e4m3 = interpretation == __NV_E4M3;
	unsigned largest = e4m3 ? 0x7e : 0x7b, beyond = e4m3 ? 0x7f : 0x7c, code;
	unsigned long long bits;

	__builtin_memcpy(&bits, &x, sizeof bits);
	if (x != x)
		return (__nv_fp8_storage_t)((e4m3 ? 0x7f : 0x7e | (bits >> 50 & 3)) | (bits >> 63 << 7));
	code = __builtin_isinf(x) ? 0xff : romark_round_to_small(x, e4m3 ? 3 : 2, e4m3 ? 7 : 15);
	if (code > largest)
		code = saturate == __NV_SATFINITE ? largest : beyond;
	return (__nv_fp8_storage_t)(code | (__builtin_signbit(x) ? 0x80 : 0));
}
ROMARK_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
						     __nv_fp8_interpretation_t interpretation)
{
	return x != x ? 0x7f : __nv_cvt_double_to_fp8(x, saturate, interpretation);
}
ROMARK_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
						       __nv_fp8_interpretation_t interpretation)
{
	return __nv_cvt_float_to_fp8(__half(x), saturate, interpretation);
}
ROMARK_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
							   __nv_fp8_interpretation_t interpretation)
{
	return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, interpretation);
}

/* Exact: E5M2 is the upper half of a half, and a subnormal E4M3 is a multiple of 2^-9. */
ROMARK_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t interpretation)
{
	unsigned magnitude = x & 0x7f, bits;
	__half_raw raw;

	if (magnitude > (interpretation == __NV_E4M3 ? 0x7e : 0x7c))
		raw.x = 0x7fff;
	else if (interpretation == __NV_E5M2)
		raw.x = (unsigned short)(x << 8);
	else {
		bits = magnitude >= 8 ? (magnitude << 7) + (8 << 10) : ((__half_raw)__half((float)magnitude / 512)).x;
		raw.x = (unsigned short)(bits | (x & 0x80) << 8);
	}
	return raw;
}

/* --- Two values: the first in the lower byte --- */

#define ROMARK_FP8_PAIR(type, name, first, second, one)                                                                \
	ROMARK_BOTH __nv_fp8x2_storage_t name(type x, __nv_saturation_t saturate,                                      \
					      __nv_fp8_interpretation_t interpretation)                                \
	{                                                                                                              \
		return (__nv_fp8x2_storage_t)(one(first, saturate, interpretation) |                                   \
					      one(second, saturate, interpretation) << 8);                             \
	}
ROMARK_FP8_PAIR(float2, __nv_cvt_float2_to_fp8x2, x.x, x.y, __nv_cvt_float_to_fp8)
ROMARK_FP8_PAIR(double2, __nv_cvt_double2_to_fp8x2, x.x, x.y, __nv_cvt_double_to_fp8)
ROMARK_FP8_PAIR(__half2_raw, __nv_cvt_halfraw2_to_fp8x2, __half_raw{x.x}, __half_raw{x.y}, __nv_cvt_halfraw_to_fp8)
ROMARK_FP8_PAIR(__nv_bfloat162_raw, __nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y},
		__nv_cvt_bfloat16raw_to_fp8)
#undef ROMARK_FP8_PAIR

ROMARK_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t interpretation)
{
	__half2_raw raw;

	raw.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, interpretation).x;
	raw.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), interpretation).x;
	return raw;
}

/* --- Classes --- */

#define ROMARK_FP8_FROM(name, interpretation, type)                                                                    \
	explicit __host__ __device__ name(type v)                                                                      \
	    : __x(__nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, interpretation))                                   \
	{                                                                                                              \
	}
#define ROMARK_FP8_TO(interpretation, type)                                                                            \
	explicit __host__ __device__ operator type() const                                                             \
	{                                                                                                              \
		return (type)__half(__nv_cvt_fp8_to_halfraw(__x, interpretation));                                     \
	}
#define ROMARK_FP8_CONVERSIONS(each, ...)                                                                              \
	each(__VA_ARGS__, double) each(__VA_ARGS__, int) each(__VA_ARGS__, unsigned) each(__VA_ARGS__, short)          \
	    each(__VA_ARGS__, unsigned short) each(__VA_ARGS__, long) each(__VA_ARGS__, unsigned long)                 \
		each(__VA_ARGS__, long long) each(__VA_ARGS__, unsigned long long)

#define ROMARK_FP8(name, interpretation)                                                                               \
	struct __align__(1) name {                                                                                     \
		__nv_fp8_storage_t __x;                                                                                \
		name() = default;                                                                                      \
		explicit __host__ __device__ name(__half v) : name((float)v)                                           \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(__nv_bfloat16 v) : name((float)v)                                    \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(float v)                                                             \
		    : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, interpretation))                                    \
		{                                                                                                      \
		}                                                                                                      \
		ROMARK_FP8_CONVERSIONS(ROMARK_FP8_FROM, name, interpretation)                                          \
		ROMARK_FP8_CONVERSIONS(ROMARK_FP8_TO, interpretation)                                                  \
		ROMARK_FP8_TO(interpretation, float)                                                                   \
		ROMARK_FP8_TO(interpretation, char)                                                                    \
		ROMARK_FP8_TO(interpretation, signed char)                                                             \
		ROMARK_FP8_TO(interpretation, unsigned char)                                                           \
		ROMARK_FP8_TO(interpretation, __nv_bfloat16)                                                           \
		explicit __host__ __device__ operator __half() const                                                   \
		{                                                                                                      \
			return __half(__nv_cvt_fp8_to_halfraw(__x, interpretation));                                   \
		}                                                                                                      \
		explicit __host__ __device__ operator bool() const                                                     \
		{                                                                                                      \
			return (__x & 0x7f) != 0;                                                                      \
		}                                                                                                      \
	};

#define ROMARK_FP8_TWO(name, interpretation)                                                                           \
	struct __align__(2) name {                                                                                     \
		__nv_fp8x2_storage_t __x;                                                                              \
		name() = default;                                                                                      \
		explicit __host__ __device__ name(float2 v)                                                            \
		    : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, interpretation))                                 \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(double2 v)                                                           \
		    : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, interpretation))                                \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(__half2 v) : name(__half22float2(v))                                 \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(__nv_bfloat162 v) : name(__bfloat1622float2(v))                      \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ operator __half2() const                                                  \
		{                                                                                                      \
			return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, interpretation));                               \
		}                                                                                                      \
		explicit __host__ __device__ operator float2() const                                                   \
		{                                                                                                      \
			return __half22float2((__half2) * this);                                                       \
		}                                                                                                      \
	};

#define ROMARK_FP8_FOUR(name, pair)                                                                                    \
	struct __align__(4) name {                                                                                     \
		__nv_fp8x4_storage_t __x;                                                                              \
		name() = default;                                                                                      \
		explicit __host__ __device__ name(float4 v)                                                            \
		    : __x(pair(make_float2(v.x, v.y)).__x | (__nv_fp8x4_storage_t)pair(make_float2(v.z, v.w)).__x      \
								<< 16)                                                 \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(double4 v)                                                           \
		    : __x(pair(make_double2(v.x, v.y)).__x | (__nv_fp8x4_storage_t)pair(make_double2(v.z, v.w)).__x    \
								 << 16)                                                \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(__half2 low, __half2 high)                                           \
		    : __x(pair(low).__x | (__nv_fp8x4_storage_t)pair(high).__x << 16)                                  \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ name(__nv_bfloat162 low, __nv_bfloat162 high)                             \
		    : __x(pair(low).__x | (__nv_fp8x4_storage_t)pair(high).__x << 16)                                  \
		{                                                                                                      \
		}                                                                                                      \
		explicit __host__ __device__ operator float4() const                                                   \
		{                                                                                                      \
			pair first, second;                                                                            \
			float2 low, high;                                                                              \
			first.__x = (__nv_fp8x2_storage_t)__x;                                                         \
			second.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                \
			low = (float2)first;                                                                           \
			high = (float2)second;                                                                         \
			return make_float4(low.x, low.y, high.x, high.y);                                              \
		}                                                                                                      \
	};

ROMARK_FP8(__nv_fp8_e4m3, __NV_E4M3)
ROMARK_FP8(__nv_fp8_e5m2, __NV_E5M2)
ROMARK_FP8_TWO(__nv_fp8x2_e4m3, __NV_E4M3)
ROMARK_FP8_TWO(__nv_fp8x2_e5m2, __NV_E5M2)
ROMARK_FP8_FOUR(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
ROMARK_FP8_FOUR(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)

#undef ROMARK_FP8_FROM
#undef ROMARK_FP8_TO
#undef ROMARK_FP8_CONVERSIONS
#undef ROMARK_FP8
#undef ROMARK_FP8_TWO
#undef ROMARK_FP8_FOUR

#endif
