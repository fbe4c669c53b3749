/*
 * Single and double precision, rounded to nearest even: the processor's own arithmetic, with .ftz, .sat and NVIDIA's
 * not-a-number around it. Directed roundings are in exec_directed.c, the approximations in exec_approx.c.
 */
#include "runtime/cpu/exec/lanes.h"

#define PLAIN(x) (x)
#define FTZ(x) flushed(x)
#define OUT(x) canonical(x)
#define OUT_FTZ(x) flushed(canonical(x))
#define OUT_SAT(x) saturated(x)
#define OUT_FTZ_SAT(x) saturated(flushed(x))

/* Minimum and maximum: a number wins over not-a-number, -0 is less than +0. */
static inline float lesser(float a, float b)
{
	float r = a < b || (a == b && signbit(a)) ? a : b;

	return a != a ? b : b != b ? a : r;
}

static inline float greater(float a, float b)
{
	float r = a > b || (a == b && !signbit(a)) ? a : b;

	return a != a ? b : b != b ? a : r;
}

static inline double lesser64(double a, double b)
{
	double r = a < b || (a == b && signbit(a)) ? a : b;

	return a != a ? b : b != b ? a : r;
}

static inline double greater64(double a, double b)
{
	double r = a > b || (a == b && !signbit(a)) ? a : b;

	return a != a ? b : b != b ? a : r;
}

/* .NaN: not-a-number wins. .xorsign.abs: of the magnitudes, with the product's sign. */
#define NAN_WINS(f, a, b) ((a) != (a) || (b) != (b) ? bits_float(NAN_F32) : f(a, b))
static inline float xorsigned(float magnitude, float a, float b)
{
	return bits_float((float_bits(magnitude) & 0x7fffffff) | ((float_bits(a) ^ float_bits(b)) & 0x80000000));
}

/* Arithmetic in the four spellings of .f32: DEFINE_F32(suffix, input, output). */
#define DEFINE_F32(suffix, I, O)                                                                                       \
	BINARY(add_f32##suffix, f32, f32, f32, O(I(a) + I(b)))                                                         \
	BINARY(sub_f32##suffix, f32, f32, f32, O(I(a) - I(b)))                                                         \
	BINARY(mul_f32##suffix, f32, f32, f32, O(I(a) * I(b)))                                                         \
	TERNARY(fma_f32##suffix, f32, f32, f32, f32, O(__builtin_fmaf(I(a), I(b), I(c))))
DEFINE_F32(, PLAIN, OUT)
DEFINE_F32(_ftz, FTZ, OUT_FTZ)
DEFINE_F32(_sat, PLAIN, OUT_SAT)
DEFINE_F32(_ftz_sat, FTZ, OUT_FTZ_SAT)

#define DEFINE_F32_QUOTIENTS(suffix, I, O)                                                                             \
	BINARY(div_f32##suffix, f32, f32, f32, O(I(a) / I(b)))                                                         \
	UNARY(rcp_f32##suffix, f32, f32, O(1.0f / I(a)))                                                               \
	UNARY(sqrt_f32##suffix, f32, f32, O(sqrtf(I(a))))
DEFINE_F32_QUOTIENTS(, PLAIN, OUT)
DEFINE_F32_QUOTIENTS(_ftz, FTZ, OUT_FTZ)

/* Minimum and maximum; `f` is lesser or greater. */
#define DEFINE_F32_EXTREME(op, f, suffix, I, O)                                                                        \
	BINARY(op##_f32##suffix, f32, f32, f32, O(f(I(a), I(b))))                                                      \
	BINARY(op##_nan_f32##suffix, f32, f32, f32, O(NAN_WINS(f, I(a), I(b))))                                        \
	BINARY(op##_xorsign_f32##suffix, f32, f32, f32, O(xorsigned(f(fabsf(I(a)), fabsf(I(b))), a, b)))               \
	BINARY(op##_nan_xorsign_f32##suffix, f32, f32, f32, O(xorsigned(NAN_WINS(f, fabsf(I(a)), fabsf(I(b))), a, b)))
DEFINE_F32_EXTREME(min, lesser, , PLAIN, OUT)
DEFINE_F32_EXTREME(max, greater, , PLAIN, OUT)
DEFINE_F32_EXTREME(min, lesser, _ftz, FTZ, OUT_FTZ)
DEFINE_F32_EXTREME(max, greater, _ftz, FTZ, OUT_FTZ)

UNARY(abs_f32, f32, f32, bits_float(float_bits(a) & 0x7fffffff))
UNARY(abs_f32_ftz, f32, f32, fabsf(flushed(a)))
UNARY(neg_f32, f32, f32, bits_float(float_bits(a) ^ 0x80000000))
UNARY(neg_f32_ftz, f32, f32, -flushed(a))
BINARY(copysign_f32, f32, f32, f32, copysignf(b, a))

BINARY(add_f64, f64, f64, f64, a + b)
BINARY(sub_f64, f64, f64, f64, a - b)
BINARY(mul_f64, f64, f64, f64, a *b)
TERNARY(fma_f64, f64, f64, f64, f64, __builtin_fma(a, b, c))
BINARY(div_f64, f64, f64, f64, a / b)
UNARY(rcp_f64, f64, f64, 1.0 / a)
UNARY(sqrt_f64, f64, f64, sqrt(a))
BINARY(min_f64, f64, f64, f64, lesser64(a, b))
BINARY(max_f64, f64, f64, f64, greater64(a, b))
UNARY(abs_f64, f64, f64, fabs(a))
UNARY(neg_f64, f64, f64, -a)
BINARY(copysign_f64, f64, f64, f64, copysign(b, a))

/* Packed pairs of .f32 in a 64-bit register. */
#define FIRST(x) bits_float((uint32_t)(x))
#define SECOND(x) bits_float((uint32_t)((x) >> 32))
#define PACK64(x, y) ((uint64_t)float_bits(x) | (uint64_t)float_bits(y) << 32)
#define SUM(x, y) ((x) + (y))
#define DIFFERENCE(x, y) ((x) - (y))
#define PRODUCT(x, y) ((x) * (y))
/* The same operation on both halves. */
#define BOTH(f, I, O) PACK64(O(f(I(FIRST(a)), I(FIRST(b)))), O(f(I(SECOND(a)), I(SECOND(b)))))
#define BOTH_FMA(I, O)                                                                                                 \
	PACK64(O(__builtin_fmaf(I(FIRST(a)), I(FIRST(b)), I(FIRST(c)))),                                               \
	       O(__builtin_fmaf(I(SECOND(a)), I(SECOND(b)), I(SECOND(c)))))
#define DEFINE_F32X2(suffix, I, O)                                                                                     \
	BINARY(add_f32x2##suffix, u64, u64, u64, BOTH(SUM, I, O))                                                      \
	BINARY(sub_f32x2##suffix, u64, u64, u64, BOTH(DIFFERENCE, I, O))                                               \
	BINARY(mul_f32x2##suffix, u64, u64, u64, BOTH(PRODUCT, I, O))                                                  \
	TERNARY(fma_f32x2##suffix, u64, u64, u64, u64, BOTH_FMA(I, O))
DEFINE_F32X2(, PLAIN, OUT)
DEFINE_F32X2(_ftz, FTZ, OUT_FTZ)

#define DEFINE_TESTS(t, abs_, max_, min_)                                                                              \
	TEST(testp_finite_##t, t, abs_(a) <= max_)                                                                     \
	TEST(testp_infinite_##t, t, abs_(a) > max_)                                                                    \
	TEST(testp_normal_##t, t, abs_(a) <= max_ && (abs_(a) >= min_))                                                \
	TEST(testp_subnormal_##t, t, a != 0 && abs_(a) < min_)
DEFINE_TESTS(f32, fabsf, FLT_MAX, FLT_MIN)
DEFINE_TESTS(f64, fabs, DBL_MAX, DBL_MIN)
TEST(testp_number_f32, f32, a == a)
TEST(testp_number_f64, f64, a == a)
TEST(testp_notanumber_f32, f32, a != a)
TEST(testp_notanumber_f64, f64, a != a)

#define ROW(op, t, mods, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, mods, fn, 0}
#define ROWS_F32(mods, suffix)                                                                                         \
	ROW(add, f32, mods, add_f32##suffix), ROW(sub, f32, mods, sub_f32##suffix),                                    \
	    ROW(mul, f32, mods, mul_f32##suffix), ROW(fma, f32, mods, fma_f32##suffix),                                \
	    ROW(mad, f32, mods, fma_f32##suffix)
#define XORSIGN (M_BIT(XORSIGN) | M_BIT(ABS))
#define ROWS_MINMAX(op, mods, suffix)                                                                                  \
	ROW(op, f32, mods, op##_f32##suffix), ROW(op, f32, mods | M_BIT(NAN_), op##_nan_f32##suffix),                  \
	    ROW(op, f32, mods | XORSIGN, op##_xorsign_f32##suffix),                                                    \
	    ROW(op, f32, mods | M_BIT(NAN_) | XORSIGN, op##_nan_xorsign_f32##suffix)
/* div.full is within 2 ulp, div.approx and the like within theirs: the nearest is a valid answer to all of them. */
#define ROWS_DIVISION(mods, suffix)                                                                                    \
	ROW(div, f32, mods, div_f32##suffix), ROW(div, f32, mods | M_BIT(FULL), div_f32##suffix),                      \
	    ROW(div, f32, mods | M_BIT(APPROX), div_f32##suffix), ROW(rcp, f32, mods, rcp_f32##suffix),                \
	    ROW(rcp, f32, mods | M_BIT(APPROX), rcp_f32##suffix), ROW(sqrt, f32, mods, sqrt_f32##suffix),              \
	    ROW(sqrt, f32, mods | M_BIT(APPROX), sqrt_f32##suffix)
#define ROWS_F32X2(mods, suffix)                                                                                       \
	ROW(add, f32x2, mods, add_f32x2##suffix), ROW(sub, f32x2, mods, sub_f32x2##suffix),                            \
	    ROW(mul, f32x2, mods, mul_f32x2##suffix), ROW(fma, f32x2, mods, fma_f32x2##suffix)
#define ROW_TESTP(t, test) {PTX_OP_testp, {PTX_##t}, PTX_MOD_##test, 0, testp_##test##_##t, 0}
#define ROWS_TESTP(t)                                                                                                  \
	ROW_TESTP(t, finite), ROW_TESTP(t, infinite), ROW_TESTP(t, number), ROW_TESTP(t, notanumber),                  \
	    ROW_TESTP(t, normal), ROW_TESTP(t, subnormal)

extern const struct exec_row EXEC_TABLE(exec_float)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_float)[] = {
	ROWS_F32(0, ), ROWS_F32(M_BIT(FTZ), _ftz), ROWS_F32(M_BIT(SAT), _sat), ROWS_F32(M_BIT(FTZ) | M_BIT(SAT), _ftz_sat),
	ROWS_DIVISION(0, ), ROWS_DIVISION(M_BIT(FTZ), _ftz),
	ROWS_MINMAX(min, 0, ), ROWS_MINMAX(min, M_BIT(FTZ), _ftz), ROWS_MINMAX(max, 0, ), ROWS_MINMAX(max, M_BIT(FTZ), _ftz),
	ROW(abs, f32, 0, abs_f32), ROW(abs, f32, M_BIT(FTZ), abs_f32_ftz),
	ROW(neg, f32, 0, neg_f32), ROW(neg, f32, M_BIT(FTZ), neg_f32_ftz), ROW(copysign, f32, 0, copysign_f32),
	ROW(add, f64, 0, add_f64), ROW(sub, f64, 0, sub_f64), ROW(mul, f64, 0, mul_f64), ROW(fma, f64, 0, fma_f64),
	ROW(mad, f64, 0, fma_f64), ROW(div, f64, 0, div_f64), ROW(rcp, f64, 0, rcp_f64), ROW(sqrt, f64, 0, sqrt_f64),
	ROW(min, f64, 0, min_f64), ROW(max, f64, 0, max_f64), ROW(abs, f64, 0, abs_f64),
	ROW(neg, f64, 0, neg_f64), ROW(copysign, f64, 0, copysign_f64),
	ROWS_F32X2(0, ), ROWS_F32X2(M_BIT(FTZ), _ftz),
	ROWS_TESTP(f32), ROWS_TESTP(f64),
	{0}};
/* clang-format on */
