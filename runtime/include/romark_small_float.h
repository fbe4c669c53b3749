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

enum romark_rounding { ROMARK_TO_NEAREST, ROMARK_TO_ZERO, ROMARK_UP, ROMARK_DOWN };

/*
 * Rounds |value| once, by default to nearest even, to a format of `mantissa` stored bits and exponent bias `bias`. The
 * result's exponent may be larger than the format allows. `value` is neither NaN nor infinite.
 */
ROMARK_BOTH unsigned romark_round_to_small(double value, int mantissa, int bias,
					   romark_rounding rounding = ROMARK_TO_NEAREST)
{
	unsigned long long bits, significand, kept, rest, half;
	int exponent, least = 1 - bias, shift;
	bool away = rounding == (__builtin_signbit(value) ? ROMARK_DOWN : ROMARK_UP);

	__builtin_memcpy(&bits, &value, sizeof bits);
	exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	shift = 52 - mantissa + (exponent < least ? least - exponent : 0);
	if (shift > 53)
		return away && value != 0;
	significand = (bits & ((1ull << 52) - 1)) | 1ull << 52;
	kept = significand >> shift;
	rest = significand & ((1ull << shift) - 1);
	half = 1ull << (shift - 1);
	if (rounding == ROMARK_TO_NEAREST)
		kept += rest > half || (rest == half && (kept & 1));
	else
		kept += away && rest;
	return (exponent < least ? 0 : (unsigned)(exponent - least) << mantissa) + (unsigned)kept;
}

/*
 * The bits of the 16-bit format's number for `value`. A value that is too large becomes infinity or the largest number,
 * as the rounding says.
 */
ROMARK_BOTH unsigned short romark_small_bits(double value, int mantissa, int bias, romark_rounding rounding)
{
	unsigned infinity = 0x7fffu >> mantissa << mantissa, code, sign = __builtin_signbit(value) ? 0x8000 : 0;

	if (value != value)
		return 0x7fff;
	if (__builtin_isinf(value))
		return (unsigned short)(infinity | sign);
	code = romark_round_to_small(value, mantissa, bias, rounding);
	if (code >= infinity)
		code = rounding == ROMARK_TO_NEAREST || rounding == (sign ? ROMARK_DOWN : ROMARK_UP) ? infinity
												     : infinity - 1;
	return (unsigned short)(code | sign);
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

/* Integers of at most 32 bits are doubles. */
ROMARK_BOTH double romark_sticky_double(int v)
{
	return v;
}
ROMARK_BOTH double romark_sticky_double(unsigned v)
{
	return v;
}

/* a b + c, with its last bit set if it is not exact. The product of two 16-bit formats is exact in double precision. */
ROMARK_BOTH double romark_sticky_fma(float a, float b, float c)
{
	double product = (double)a * b, sum = product + c, part = sum - product, error;
	unsigned long long bits;

	error = (product - (sum - part)) + (c - part);
	if (error == 0 || error != error)
		return sum;
	__builtin_memcpy(&bits, &sum, sizeof bits);
	if (!(bits & 1))
		bits += (error > 0) == (sum > 0) ? 1 : -1ull;
	__builtin_memcpy(&sum, &bits, sizeof sum);
	return sum;
}

/*
 * Converts a float that is a whole number. A value out of range becomes the nearest value of the type. A NaN becomes 0,
 * but the least value in the 64-bit types.
 */
#if defined(__CUDA_ARCH__)
#define ROMARK_SATURATED(type, name, ptx, constraint, reg, low, high, nan)                                             \
	ROMARK_DEVICE type romark_float_to_##name(float whole)                                                         \
	{                                                                                                              \
		reg integer;                                                                                           \
		__asm__("cvt.rzi." ptx ".f32 %0, %1;" : "=" constraint(integer) : "f"(whole));                         \
		return (type)integer;                                                                                  \
	}
#else
#define ROMARK_SATURATED(type, name, ptx, constraint, reg, low, high, nan)                                             \
	ROMARK_BOTH type romark_float_to_##name(float whole)                                                           \
	{                                                                                                              \
		return whole != whole ? nan : whole <= (float)low ? low : whole >= (float)high ? high : (type)whole;   \
	}
#endif
#define ROMARK_LEAST_LL (-0x7fffffffffffffffll - 1)
ROMARK_SATURATED(signed char, char, "s8", "r", int, -128, 127, 0)
ROMARK_SATURATED(unsigned char, uchar, "u8", "r", unsigned, 0, 255, 0)
ROMARK_SATURATED(short, short, "s16", "h", short, -32768, 32767, 0)
ROMARK_SATURATED(unsigned short, ushort, "u16", "h", unsigned short, 0, 65535, 0)
ROMARK_SATURATED(int, int, "s32", "r", int, (-0x7fffffff - 1), 0x7fffffff, 0)
ROMARK_SATURATED(unsigned, uint, "u32", "r", unsigned, 0u, 0xffffffffu, 0)
ROMARK_SATURATED(long long, ll, "s64", "l", long long, ROMARK_LEAST_LL, 0x7fffffffffffffffll, ROMARK_LEAST_LL)
ROMARK_SATURATED(unsigned long long, ull, "u64", "l", unsigned long long, 0ull, ~0ull, 1ull << 63)
#undef ROMARK_SATURATED
#undef ROMARK_LEAST_LL

/*
 * Members of a type with get(). They are explicit, so that in `x * 2.0f` there is one way to a number. `__half2char_rz`
 * and kin are the same conversions by name.
 */
#define ROMARK_SMALL_CAST(type, name)                                                                                  \
	explicit __host__ __device__ operator type() const                                                             \
	{                                                                                                              \
		return (type)romark_float_to_##name((float)get());                                                     \
	}
#define ROMARK_SMALL_CASTS                                                                                             \
	ROMARK_SMALL_CAST(char, char)                                                                                  \
	ROMARK_SMALL_CAST(signed char, char)                                                                           \
	ROMARK_SMALL_CAST(unsigned char, uchar)                                                                        \
	ROMARK_SMALL_CAST(short, short)                                                                                \
	ROMARK_SMALL_CAST(unsigned short, ushort)                                                                      \
	ROMARK_SMALL_CAST(int, int)                                                                                    \
	ROMARK_SMALL_CAST(unsigned, uint)                                                                              \
	ROMARK_SMALL_CAST(long, ll)                                                                                    \
	ROMARK_SMALL_CAST(unsigned long, ull)                                                                          \
	ROMARK_SMALL_CAST(long long, ll)                                                                               \
	ROMARK_SMALL_CAST(unsigned long long, ull)                                                                     \
	explicit __host__ __device__ operator bool() const                                                             \
	{                                                                                                              \
		return (float)get() != 0;                                                                              \
	}

/* each(T, small, type, name, mode, rounding) for every integer type and rounding mode. */
#define ROMARK_SMALL_MODES(each, T, small, type, name)                                                                 \
	each(T, small, type, name, rn, ROMARK_TO_NEAREST, rint) each(T, small, type, name, rz, ROMARK_TO_ZERO, trunc)  \
	    each(T, small, type, name, ru, ROMARK_UP, ceil) each(T, small, type, name, rd, ROMARK_DOWN, floor)
#define ROMARK_SMALL_INTEGERS(each, T, small)                                                                          \
	ROMARK_SMALL_MODES(each, T, small, int, int)                                                                   \
	ROMARK_SMALL_MODES(each, T, small, unsigned, uint)                                                             \
	ROMARK_SMALL_MODES(each, T, small, short, short)                                                               \
	ROMARK_SMALL_MODES(each, T, small, unsigned short, ushort)                                                     \
	ROMARK_SMALL_MODES(each, T, small, long long, ll)                                                              \
	ROMARK_SMALL_MODES(each, T, small, unsigned long long, ull)
/* __half2int_rn and kin; to 8 bits they round towards zero only. */
#define ROMARK_SMALL_TO_INTEGERS(T, small)                                                                             \
	ROMARK_SMALL_INTEGERS(ROMARK_SMALL_TO_INTEGER, T, small)                                                       \
	ROMARK_SMALL_TO_INTEGER(T, small, signed char, char, rz, ROMARK_TO_ZERO, trunc)                                \
	ROMARK_SMALL_TO_INTEGER(T, small, unsigned char, uchar, rz, ROMARK_TO_ZERO, trunc)
#define ROMARK_SMALL_TO_INTEGER(T, small, type, name, mode, rounding, whole)                                           \
	ROMARK_BOTH type __##small##2##name##_##mode(T a)                                                              \
	{                                                                                                              \
		return romark_float_to_##name(__builtin_##whole##f((float)a.get()));                                   \
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
/*
 * The larger or smaller of two numbers; -0 is smaller than 0. If just one is a NaN, `nan` decides: true gives the NaN,
 * false the number.
 */
#define ROMARK_SMALL_EXTREME(T, T2, name, name2, op, nan)                                                              \
	ROMARK_BOTH T name(const T a, const T b)                                                                       \
	{                                                                                                              \
		bool first = a.get() != a.get()   ? nan                                                                \
			     : b.get() != b.get() ? !nan                                                               \
			     : a.get() == b.get() ? __builtin_signbit((float)a.get()) == (0 op 1)                      \
						  : a.get() op b.get();                                                \
		return T((first ? a : b).get());                                                                       \
	}                                                                                                              \
	ROMARK_BOTH T2 name2(const T2 a, const T2 b)                                                                   \
	{                                                                                                              \
		return T2(name(a.x, b.x), name(a.y, b.y));                                                             \
	}
/* A comparison: the first form is false for NaNs, the u form true. */
#define ROMARK_SMALL_COMPARE(T, T2, name, op)                                                                          \
	ROMARK_SMALL_COMPARISON(T, T2, name, a.get() == a.get() && b.get() == b.get() && a.get() op b.get())           \
	ROMARK_SMALL_COMPARISON(T, T2, name##u, !(a.get() == a.get() && b.get() == b.get()) || a.get() op b.get())
/*
 * For a pair there are three forms: 1.0 or 0.0 for each half, a mask of bits for each half, and a bool for both
 * together.
 */
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
/* Loads and stores with a cache hint move the bits. */
#define ROMARK_SMALL_LOAD(hint, T, bits)                                                                               \
	ROMARK_DEVICE T __ld##hint(const T *ptr)                                                                       \
	{                                                                                                              \
		bits loaded = __ld##hint((const bits *)ptr);                                                           \
		T value;                                                                                               \
		__builtin_memcpy(&value, &loaded, sizeof value);                                                       \
		return value;                                                                                          \
	}
#define ROMARK_SMALL_STORE(hint, T, bits)                                                                              \
	ROMARK_DEVICE void __st##hint(T *ptr, T value)                                                                 \
	{                                                                                                              \
		bits stored;                                                                                           \
		__builtin_memcpy(&stored, &value, sizeof stored);                                                      \
		__st##hint((bits *)ptr, stored);                                                                       \
	}
#define ROMARK_SMALL_HINTS(T, bits)                                                                                    \
	ROMARK_SMALL_LOAD(g, T, bits)                                                                                  \
	ROMARK_SMALL_LOAD(ca, T, bits)                                                                                 \
	ROMARK_SMALL_LOAD(cg, T, bits)                                                                                 \
	ROMARK_SMALL_LOAD(cs, T, bits)                                                                                 \
	ROMARK_SMALL_LOAD(cv, T, bits)                                                                                 \
	ROMARK_SMALL_LOAD(lu, T, bits)                                                                                 \
	ROMARK_SMALL_STORE(wb, T, bits)                                                                                \
	ROMARK_SMALL_STORE(cg, T, bits)                                                                                \
	ROMARK_SMALL_STORE(cs, T, bits)                                                                                \
	ROMARK_SMALL_STORE(wt, T, bits)

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
#define ROMARK_SMALL_HINTS(T, bits)
#define ROMARK_SMALL_SHUFFLES(T)
#endif

#define ROMARK_SMALL_FLOAT(T, T2)                                                                                      \
	ROMARK_SMALL_BINARY(T, T2, __hadd, __hadd2, a.get() + b.get())                                                 \
	ROMARK_SMALL_BINARY(T, T2, __hsub, __hsub2, a.get() - b.get())                                                 \
	ROMARK_SMALL_BINARY(T, T2, __hmul, __hmul2, a.get() * b.get())                                                 \
	ROMARK_SMALL_BINARY(T, T2, __hadd_rn, __hadd2_rn, a.get() + b.get())                                           \
	ROMARK_SMALL_BINARY(T, T2, __hsub_rn, __hsub2_rn, a.get() - b.get())                                           \
	ROMARK_SMALL_BINARY(T, T2, __hmul_rn, __hmul2_rn, a.get() * b.get())                                           \
	ROMARK_SMALL_EXTREME(T, T2, __hmax, __hmax2, >, false)                                                         \
	ROMARK_SMALL_EXTREME(T, T2, __hmax_nan, __hmax2_nan, >, true)                                                  \
	ROMARK_SMALL_EXTREME(T, T2, __hmin, __hmin2, <, false)                                                         \
	ROMARK_SMALL_EXTREME(T, T2, __hmin_nan, __hmin2_nan, <, true)                                                  \
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
		return r.get() <= 0 ? T(0.0f) : r;                                                                     \
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
	ROMARK_SMALL_SHUFFLES(T2)                                                                                      \
	ROMARK_SMALL_HINTS(T, unsigned short)                                                                          \
	ROMARK_SMALL_HINTS(T2, unsigned)

#if defined(ROMARK_CUDA)
/* Computed in float, whose error is far below the last place of the small type. */
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
