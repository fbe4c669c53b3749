/*
 * Arithmetic, comparison and math of a 16-bit floating-point type and its pair, the same for half and bfloat16: a
 * header defines the type T with `get()` (its value as the type it computes in) and a constructor from that, the pair
 * T2 {x, y}, and expands ROMARK_SMALL_FLOAT(T, T2).
 */
#ifndef ROMARK_SMALL_FLOAT_H
#define ROMARK_SMALL_FLOAT_H

/* Host code in a C++ source has conversions, arithmetic and comparison. */

#define ROMARK_BOTH static __inline__ __host__ __device__
#define ROMARK_DEVICE static __inline__ __device__

/*
 * |value| in a format of `mantissa` stored bits and exponent bias `bias`, rounded once to nearest even. The exponent
 * may come out larger than the format has; the value is neither NaN nor infinite.
 */
ROMARK_BOTH unsigned romark_round_to_small(double value, int mantissa, int bias)
{
	unsigned long long bits, significand, kept, rest, half;
	int exponent, least = 1 - bias, shift;

	__builtin_memcpy(&bits, &value, sizeof bits);
	exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	shift = 52 - mantissa + (exponent < least ? least - exponent : 0);
	if (shift > 53)
		return 0;
	significand = (bits & ((1ull << 52) - 1)) | 1ull << 52;
	kept = significand >> shift;
	rest = significand & ((1ull << shift) - 1);
	half = 1ull << (shift - 1);
	kept += rest > half || (rest == half && (kept & 1));
	return (exponent < least ? 0 : (unsigned)(exponent - least) << mantissa) + (unsigned)kept;
}

/* A double that rounds to a smaller format as v does: its last bit is set if any lower bit of v is. */
ROMARK_BOTH double romark_sticky_double(long long v)
{
	unsigned long long magnitude = v < 0 ? -(unsigned long long)v : (unsigned long long)v;
	double d;

	if (magnitude >> 53)
		magnitude = (magnitude & ~0xfffull) | (magnitude & 0xfff ? 0x800 : 0);
	d = (double)magnitude;
	return v < 0 ? -d : d;
}
ROMARK_BOTH double romark_sticky_double(unsigned long long v)
{
	if (v >> 53)
		v = (v & ~0xfffull) | (v & 0xfff ? 0x800 : 0);
	return (double)v;
}

/* name(a, b), and name2 on pairs. */
#define ROMARK_SMALL_BINARY(T, T2, name, name2, expression)                                                            \
	ROMARK_BOTH T name(const T a, const T b)                                                                       \
	{                                                                                                              \
		return T(expression);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH T2 name2(const T2 a, const T2 b)                                                                   \
	{                                                                                                              \
		return T2(name(a.x, b.x), name(a.y, b.y));                                                             \
	}
#define ROMARK_SMALL_UNARY(T, T2, name, name2, expression)                                                             \
	ROMARK_BOTH T name(const T a)                                                                                  \
	{                                                                                                              \
		return T(expression);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH T2 name2(const T2 a)                                                                               \
	{                                                                                                              \
		return T2(name(a.x), name(a.y));                                                                       \
	}
/* A comparison: the first form is false for NaNs, the u form true. */
#define ROMARK_SMALL_COMPARE(T, T2, name, op)                                                                          \
	ROMARK_SMALL_COMPARISON(T, T2, name, a.get() == a.get() && b.get() == b.get() && a.get() op b.get())           \
	ROMARK_SMALL_COMPARISON(T, T2, name##u, !(a.get() == a.get() && b.get() == b.get()) || a.get() op b.get())
/* A pair gives 1.0 or 0.0 for each half, or ones or zeros, or one bool for both halves. */
#define ROMARK_SMALL_COMPARISON(T, T2, name, expression)                                                               \
	ROMARK_BOTH bool __h##name(const T a, const T b)                                                               \
	{                                                                                                              \
		return expression;                                                                                     \
	}                                                                                                              \
	ROMARK_BOTH T2 __h##name##2(const T2 a, const T2 b)                                                            \
	{                                                                                                              \
		return T2(T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f));                 \
	}                                                                                                              \
	ROMARK_BOTH unsigned __h##name##2_mask(const T2 a, const T2 b)                                                 \
	{                                                                                                              \
		return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);                  \
	}                                                                                                              \
	ROMARK_BOTH bool __hb##name##2(const T2 a, const T2 b)                                                         \
	{                                                                                                              \
		return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                     \
	}
/* clang-format off */
#define ROMARK_SMALL_OPERATORS(T, T2, name, op)                                                                        \
	ROMARK_BOTH T operator op(const T &a, const T &b)                                                              \
	{                                                                                                              \
		return name(a, b);                                                                                     \
	}                                                                                                              \
	ROMARK_BOTH T &operator op##=(T &a, const T &b)                                                                \
	{                                                                                                              \
		return a = name(a, b);                                                                                 \
	}                                                                                                              \
	ROMARK_BOTH T2 operator op(const T2 &a, const T2 &b)                                                           \
	{                                                                                                              \
		return name##2(a, b);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH T2 &operator op##=(T2 &a, const T2 &b)                                                             \
	{                                                                                                              \
		return a = name##2(a, b);                                                                              \
	}
/* clang-format on */
#define ROMARK_SMALL_ORDER(T, T2, name, op)                                                                            \
	ROMARK_BOTH bool operator op(const T &a, const T &b)                                                           \
	{                                                                                                              \
		return __h##name(a, b);                                                                                \
	}                                                                                                              \
	ROMARK_BOTH bool operator op(const T2 &a, const T2 &b)                                                         \
	{                                                                                                              \
		return __hb##name##2(a, b);                                                                            \
	}
#if defined(ROMARK_CUDA)
/* A shuffle moves the bits of a value or of a pair. */
#define ROMARK_SMALL_SHUFFLE(T, name, type)                                                                            \
	ROMARK_DEVICE T name(unsigned mask, T value, type where, int width = 32)                                       \
	{                                                                                                              \
		int bits = 0;                                                                                          \
		__builtin_memcpy(&bits, &value, sizeof value);                                                         \
		bits = name(mask, bits, where, width);                                                                 \
		__builtin_memcpy(&value, &bits, sizeof value);                                                         \
		return value;                                                                                          \
	}
#define ROMARK_SMALL_SHUFFLES(T)                                                                                       \
	ROMARK_SMALL_SHUFFLE(T, __shfl_sync, int)                                                                      \
	ROMARK_SMALL_SHUFFLE(T, __shfl_up_sync, unsigned)                                                              \
	ROMARK_SMALL_SHUFFLE(T, __shfl_down_sync, unsigned)                                                            \
	ROMARK_SMALL_SHUFFLE(T, __shfl_xor_sync, int)
#else
#define ROMARK_SMALL_SHUFFLES(T)
#endif

#define ROMARK_SMALL_FLOAT(T, T2)                                                                                      \
	ROMARK_SMALL_BINARY(T, T2, __hadd, __hadd2, a.get() + b.get())                                                 \
	ROMARK_SMALL_BINARY(T, T2, __hsub, __hsub2, a.get() - b.get())                                                 \
	ROMARK_SMALL_BINARY(T, T2, __hmul, __hmul2, a.get() * b.get())                                                 \
	ROMARK_SMALL_BINARY(T, T2, __hadd_rn, __hadd2_rn, a.get() + b.get())                                           \
	ROMARK_SMALL_BINARY(T, T2, __hsub_rn, __hsub2_rn, a.get() - b.get())                                           \
	ROMARK_SMALL_BINARY(T, T2, __hmul_rn, __hmul2_rn, a.get() * b.get())                                           \
	ROMARK_SMALL_BINARY(T, T2, __hmax, __hmax2, b.get() != b.get() || a.get() > b.get() ? a.get() : b.get())       \
	ROMARK_SMALL_BINARY(T, T2, __hmax_nan, __hmax2_nan,                                                            \
			    a.get() != a.get() || a.get() > b.get() ? a.get() : b.get())                               \
	ROMARK_SMALL_BINARY(T, T2, __hmin, __hmin2, b.get() != b.get() || a.get() < b.get() ? a.get() : b.get())       \
	ROMARK_SMALL_BINARY(T, T2, __hmin_nan, __hmin2_nan,                                                            \
			    a.get() != a.get() || a.get() < b.get() ? a.get() : b.get())                               \
	ROMARK_BOTH T __hdiv(const T a, const T b)                                                                     \
	{                                                                                                              \
		return T((float)a.get() / (float)b.get());                                                             \
	}                                                                                                              \
	ROMARK_BOTH T2 __h2div(const T2 a, const T2 b)                                                                 \
	{                                                                                                              \
		return T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));                                                         \
	}                                                                                                              \
	ROMARK_BOTH T2 __hdiv2(const T2 a, const T2 b)                                                                 \
	{                                                                                                              \
		return __h2div(a, b);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH T2 __hfma2(const T2 a, const T2 b, const T2 c)                                                     \
	{                                                                                                              \
		return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                               \
	}                                                                                                              \
	ROMARK_SMALL_UNARY(T, T2, __hneg, __hneg2, -a.get())                                                           \
	ROMARK_BOTH T __habs(const T a)                                                                                \
	{                                                                                                              \
		T magnitude = a;                                                                                       \
		magnitude.__x &= 0x7fff;                                                                               \
		return magnitude;                                                                                      \
	}                                                                                                              \
	ROMARK_BOTH T2 __habs2(const T2 a)                                                                             \
	{                                                                                                              \
		return T2(__habs(a.x), __habs(a.y));                                                                   \
	}                                                                                                              \
	ROMARK_SMALL_UNARY(T, T2, __hsaturate, __hsaturate2, !(a.get() > 0) ? 0 : a.get() > 1 ? 1 : a.get())           \
	ROMARK_SMALL_BINARY(T, T2, __hadd_sat, __hadd2_sat, __hsaturate(__hadd(a, b)).get())                           \
	ROMARK_SMALL_BINARY(T, T2, __hsub_sat, __hsub2_sat, __hsaturate(__hsub(a, b)).get())                           \
	ROMARK_SMALL_BINARY(T, T2, __hmul_sat, __hmul2_sat, __hsaturate(__hmul(a, b)).get())                           \
	ROMARK_SMALL_COMPARE(T, T2, eq, ==)                                                                            \
	ROMARK_SMALL_COMPARE(T, T2, ne, !=)                                                                            \
	ROMARK_SMALL_COMPARE(T, T2, lt, <)                                                                             \
	ROMARK_SMALL_COMPARE(T, T2, le, <=)                                                                            \
	ROMARK_SMALL_COMPARE(T, T2, gt, >)                                                                             \
	ROMARK_SMALL_COMPARE(T, T2, ge, >=)                                                                            \
	ROMARK_SMALL_OPERATORS(T, T2, __hadd, +)                                                                       \
	ROMARK_SMALL_OPERATORS(T, T2, __hsub, -)                                                                       \
	ROMARK_SMALL_OPERATORS(T, T2, __hmul, *)                                                                       \
	ROMARK_SMALL_OPERATORS(T, T2, __hdiv, /)                                                                       \
	ROMARK_SMALL_ORDER(T, T2, eq, ==)                                                                              \
	ROMARK_SMALL_ORDER(T, T2, neu, !=)                                                                             \
	ROMARK_SMALL_ORDER(T, T2, lt, <)                                                                               \
	ROMARK_SMALL_ORDER(T, T2, le, <=)                                                                              \
	ROMARK_SMALL_ORDER(T, T2, gt, >)                                                                               \
	ROMARK_SMALL_ORDER(T, T2, ge, >=)                                                                              \
	ROMARK_BOTH T operator-(const T &a)                                                                            \
	{                                                                                                              \
		return __hneg(a);                                                                                      \
	}                                                                                                              \
	ROMARK_BOTH T operator+(const T &a)                                                                            \
	{                                                                                                              \
		return a;                                                                                              \
	}                                                                                                              \
	ROMARK_BOTH T2 operator-(const T2 &a)                                                                          \
	{                                                                                                              \
		return __hneg2(a);                                                                                     \
	}                                                                                                              \
	ROMARK_BOTH T &operator++(T &a)                                                                                \
	{                                                                                                              \
		return a = T(a.get() + 1.0f);                                                                          \
	}                                                                                                              \
	ROMARK_BOTH T &operator--(T &a)                                                                                \
	{                                                                                                              \
		return a = T(a.get() - 1.0f);                                                                          \
	}                                                                                                              \
	ROMARK_BOTH T __hfma_sat(const T a, const T b, const T c)                                                      \
	{                                                                                                              \
		return __hsaturate(__hfma(a, b, c));                                                                   \
	}                                                                                                              \
	ROMARK_BOTH T2 __hfma2_sat(const T2 a, const T2 b, const T2 c)                                                 \
	{                                                                                                              \
		return __hsaturate2(__hfma2(a, b, c));                                                                 \
	}                                                                                                              \
	ROMARK_BOTH T __hfma_relu(const T a, const T b, const T c)                                                     \
	{                                                                                                              \
		T r = __hfma(a, b, c);                                                                                 \
		return r.get() < 0 ? T(0.0f) : r;                                                                      \
	}                                                                                                              \
	ROMARK_BOTH T2 __hfma2_relu(const T2 a, const T2 b, const T2 c)                                                \
	{                                                                                                              \
		return T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                                     \
	}                                                                                                              \
	/* Complex numbers: a b + c */                                                                                 \
	ROMARK_BOTH T2 __hcmadd(const T2 a, const T2 b, const T2 c)                                                    \
	{                                                                                                              \
		return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));   \
	}                                                                                                              \
	ROMARK_BOTH T2 __hisnan2(const T2 a)                                                                           \
	{                                                                                                              \
		return __hneu2(a, a);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH bool __hisnan(const T a)                                                                           \
	{                                                                                                              \
		return a.get() != a.get();                                                                             \
	}                                                                                                              \
	ROMARK_BOTH int __hisinf(const T a)                                                                            \
	{                                                                                                              \
		return __builtin_isinf((float)a.get()) ? a.get() < 0 ? -1 : 1 : 0;                                     \
	}                                                                                                              \
	ROMARK_SMALL_MATH(T, T2)                                                                                       \
	ROMARK_SMALL_SHUFFLES(T)                                                                                       \
	ROMARK_SMALL_SHUFFLES(T2)

#if defined(ROMARK_CUDA)
/* Through float, whose error is far below one unit of the small type. */
#define ROMARK_SMALL_THROUGH_FLOAT(T, T2, name, function)                                                              \
	ROMARK_DEVICE T h##name(const T a)                                                                             \
	{                                                                                                              \
		return T(function((float)a.get()));                                                                    \
	}                                                                                                              \
	ROMARK_DEVICE T2 h2##name(const T2 a)                                                                          \
	{                                                                                                              \
		return T2(h##name(a.x), h##name(a.y));                                                                 \
	}
#define ROMARK_SMALL_MATH(T, T2)                                                                                       \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, sqrt, sqrtf)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, rsqrt, rsqrtf)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, rcp, 1.0f /)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, exp, expf)                                                                   \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, exp2, exp2f)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, exp10, exp10f)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, log, logf)                                                                   \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, log2, log2f)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, log10, log10f)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, sin, sinf)                                                                   \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, cos, cosf)                                                                   \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, tanh, tanhf)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, tanh_approx, tanhf)                                                          \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, floor, floorf)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, ceil, ceilf)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, trunc, truncf)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, rint, rintf)
#else
#define ROMARK_SMALL_MATH(T, T2)
#endif

#endif
