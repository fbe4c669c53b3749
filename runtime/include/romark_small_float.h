/*
 * Arithmetic, comparison and math of a 16-bit floating-point type and its pair, the same for half and bfloat16: a
 * header defines the type T with `get()` (its value as the type it computes in) and a constructor from that, the pair
 * T2 {x, y}, and expands ROMARK_SMALL_FLOAT(T, T2).
 */
#ifndef ROMARK_SMALL_FLOAT_H
#define ROMARK_SMALL_FLOAT_H

#define ROMARK_BOTH static __inline__ __host__ __device__
#define ROMARK_DEVICE static __inline__ __device__

/* name(a, b) and name2 on pairs. */
#define ROMARK_SMALL_BINARY(T, T2, name, expression)                                                                   \
	ROMARK_BOTH T name(const T a, const T b)                                                                       \
	{                                                                                                              \
		return T(expression);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH T2 name##2(const T2 a, const T2 b)                                                                 \
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
/* A comparison; the u form is also true for NaNs. Pairs give 1.0 or 0.0 for each half, the b forms one bool. */
#define ROMARK_SMALL_COMPARE(T, T2, name, op)                                                                    \
	ROMARK_BOTH bool __h##name(const T a, const T b)                                                               \
	{                                                                                                              \
		return a.get() op b.get();                                                                       \
	}                                                                                                              \
	ROMARK_BOTH bool __h##name##u(const T a, const T b)                                                            \
	{                                                                                                              \
		return a.get() != a.get() || b.get() != b.get() || a.get() op b.get();                           \
	}                                                                                                              \
	ROMARK_BOTH T2 __h##name##2(const T2 a, const T2 b)                                                            \
	{                                                                                                              \
		return T2(T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f));                 \
	}                                                                                                              \
	ROMARK_BOTH bool __hb##name##2(const T2 a, const T2 b)                                                         \
	{                                                                                                              \
		return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                     \
	}
#define ROMARK_SMALL_OPERATORS(T, T2, name, op)                                                                  \
	ROMARK_BOTH T operator op(const T &a, const T &b)                                                        \
	{                                                                                                              \
		return name(a, b);                                                                                     \
	}                                                                                                              \
	ROMARK_BOTH T &operator op##=(T &a, const T &b)                                                          \
	{                                                                                                              \
		return a = name(a, b);                                                                                 \
	}                                                                                                              \
	ROMARK_BOTH T2 operator op(const T2 &a, const T2 &b)                                                     \
	{                                                                                                              \
		return name##2(a, b);                                                                                  \
	}                                                                                                              \
	ROMARK_BOTH T2 &operator op##=(T2 &a, const T2 &b)                                                       \
	{                                                                                                              \
		return a = name##2(a, b);                                                                              \
	}
#define ROMARK_SMALL_ORDER(T, T2, name, op)                                                                      \
	ROMARK_BOTH bool operator op(const T &a, const T &b)                                                     \
	{                                                                                                              \
		return __h##name(a, b);                                                                                \
	}                                                                                                              \
	ROMARK_BOTH bool operator op(const T2 &a, const T2 &b)                                                   \
	{                                                                                                              \
		return __hb##name##2(a, b);                                                                            \
	}
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

#define ROMARK_SMALL_FLOAT(T, T2)                                                                                      \
	ROMARK_SMALL_BINARY(T, T2, __hadd, a.get() + b.get())                                                          \
	ROMARK_SMALL_BINARY(T, T2, __hsub, a.get() - b.get())                                                          \
	ROMARK_SMALL_BINARY(T, T2, __hmul, a.get() * b.get())                                                          \
	ROMARK_SMALL_BINARY(T, T2, __hadd_rn, a.get() + b.get())                                                       \
	ROMARK_SMALL_BINARY(T, T2, __hsub_rn, a.get() - b.get())                                                       \
	ROMARK_SMALL_BINARY(T, T2, __hmul_rn, a.get() * b.get())                                                       \
	ROMARK_SMALL_BINARY(T, T2, __hmax, b.get() != b.get() || a.get() > b.get() ? a.get() : b.get())                \
	ROMARK_SMALL_BINARY(T, T2, __hmin, b.get() != b.get() || a.get() < b.get() ? a.get() : b.get())                \
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
	ROMARK_SMALL_UNARY(T, T2, __habs, __habs2, a.get() < 0 ? -a.get() : a.get())                                   \
	ROMARK_SMALL_UNARY(T, T2, __hsaturate, __hsaturate2, !(a.get() > 0) ? 0 : a.get() > 1 ? 1 : a.get())           \
	ROMARK_SMALL_BINARY(T, T2, __hadd_sat, __hsaturate(__hadd(a, b)).get())                                        \
	ROMARK_SMALL_BINARY(T, T2, __hsub_sat, __hsaturate(__hsub(a, b)).get())                                        \
	ROMARK_SMALL_BINARY(T, T2, __hmul_sat, __hsaturate(__hmul(a, b)).get())                                        \
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
	ROMARK_SMALL_ORDER(T, T2, ne, !=)                                                                              \
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

/* Through single precision: its error is far below one unit of the small type. */
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
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, floor, floorf)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, ceil, ceilf)                                                                 \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, trunc, truncf)                                                               \
	ROMARK_SMALL_THROUGH_FLOAT(T, T2, rint, rintf)

#endif
