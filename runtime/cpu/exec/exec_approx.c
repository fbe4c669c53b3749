/*
 * The special functions: sin, cos, ex2, lg2, rsqrt, tanh and the approximate forms of rcp and sqrt. Hardware gives
 * results within a few units in the last place; here each is the double-precision value rounded once, computed by the
 * same few operations everywhere, so that results do not depend on the host's C library.
 */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"

/* 2^x = 2^n 2^f with |f| <= 1/2; the series of e^(f ln 2) up to the 12th power leaves an error below 2^-50. */
static inline double exp2_double(double x)
{
	double clamped = x < -1000.0 ? -1000.0 : x > 1000.0 ? 1000.0 : x;
	double n = clamped >= 0 ? (double)(int)(clamped + 0.5) : (double)(int)(clamped - 0.5);
	double f = (clamped - n) * 0.693147180559945309417;
	double sum = 1.0;

	for (int i = 12; i > 0; i--)
		sum = 1.0 + sum * f / i;
	return sum * power_of_two((int)n);
}

static inline float ex2(float x)
{
	return x != x ? x : (float)exp2_double(x);
}

/* log2 x: x = 2^n m with m in [sqrt 1/2, sqrt 2), and log m = 2 atanh((m - 1) / (m + 1)) as an odd series. */
static inline double log2_positive(double x)
{
	uint64_t bits = double_bits(x);
	int n = (int)(bits >> 52) - 1023;
	double m = bits_double((bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000));
	double high = m > 1.41421356237309504880 ? 1.0 : 0.0;
	double t, square, sum = 0.0;

	m = high != 0.0 ? m * 0.5 : m;
	t = (m - 1.0) / (m + 1.0);
	square = t * t;
	for (int i = 21; i > 0; i -= 2)
		sum = sum * square + 1.0 / i;
	return (double)n + high + sum * t * 2.88539008177792681472;
}

static inline float lg2(float x)
{
	if (!(x > 0.0f))
		return x == 0.0f ? -INFINITY : bits_float(NAN_F32);
	return x > FLT_MAX ? INFINITY : (float)log2_positive((double)x);
}

/* x - k pi/2 in two steps; exact enough up to |x| = 2^24, beyond which the hardware has no useful digits either. */
static inline double reduced(double x, double *quadrant)
{
	double k = x * 0.636619772367581343076;

	k = k >= 0 ? (double)(int64_t)(k + 0.5) : (double)(int64_t)(k - 0.5);
	*quadrant = k;
	return (x - k * 1.57079632673412561417) - k * 6.07710050650619224932e-11;
}

static inline double sine_series(double r)
{
	double square = r * r, sum = 1.0;

	for (int i = 16; i > 0; i -= 2)
		sum = 1.0 - sum * square / (i * (i + 1));
	return sum * r;
}

static inline double cosine_series(double r)
{
	double square = r * r, sum = 1.0;

	for (int i = 15; i > 0; i -= 2)
		sum = 1.0 - sum * square / (i * (i + 1));
	return sum;
}

/* `shift` 0: sine, 1: cosine. */
static inline float sine(float x, int shift)
{
	double quadrant, r, value;
	bool usable = fabsf(x) <= 1e15f;
	int64_t q;

	r = reduced(usable ? (double)x : 0.0, &quadrant);
	q = (int64_t)quadrant + shift;
	value = q & 1 ? cosine_series(r) : sine_series(r);
	value = q & 2 ? -value : value;
	return !(fabsf(x) <= FLT_MAX) ? bits_float(NAN_F32) : (float)value;
}

/* tanh x = (e^2x - 1) / (e^2x + 1), and x itself where that has lost its digits. */
static inline double tanh_double(double x)
{
	double clamped = x > 20.0 ? 20.0 : x < -20.0 ? -20.0 : x;
	double e = exp2_double(clamped * 2.88539008177792681472);

	return fabs(x) < 1e-4 ? x * (1.0 - x * x / 3.0) : (e - 1.0) / (e + 1.0);
}

static inline float tanh_approx(float x)
{
	return x != x ? bits_float(NAN_F32) : (float)tanh_double((double)x);
}

static inline float rsqrt_approx(float x)
{
	return canonical((float)(1.0 / sqrt((double)x)));
}

/* Double-precision seeds keep the upper 32 bits of the nearest result; the lower half is zero. */
static inline double upper_half(double x)
{
	return bits_double(double_bits(x) & UINT64_C(0xffffffff00000000));
}

static inline double flushed64(double x)
{
	return fabs(x) < DBL_MIN ? copysign(0.0, x) : x;
}

UNARY(ex2_f32, f32, f32, canonical(ex2(a)))
UNARY(ex2_f32_ftz, f32, f32, flushed(canonical(ex2(flushed(a)))))
UNARY(lg2_f32, f32, f32, lg2(a))
UNARY(lg2_f32_ftz, f32, f32, flushed(lg2(flushed(a))))
UNARY(sin_f32, f32, f32, sine(a, 0))
UNARY(sin_f32_ftz, f32, f32, flushed(sine(flushed(a), 0)))
UNARY(cos_f32, f32, f32, sine(a, 1))
UNARY(cos_f32_ftz, f32, f32, flushed(sine(flushed(a), 1)))
UNARY(tanh_f32, f32, f32, tanh_approx(a))
UNARY(rsqrt_f32, f32, f32, rsqrt_approx(a))
UNARY(rsqrt_f32_ftz, f32, f32, flushed(rsqrt_approx(flushed(a))))
UNARY(rcp_approx_f64, f64, f64, upper_half(flushed64(1.0 / flushed64(a))))
UNARY(rsqrt_f64, f64, f64, 1.0 / sqrt(a))
UNARY(rsqrt_f64_ftz, f64, f64, upper_half(1.0 / sqrt(flushed64(a))))

/* The half-precision forms round the same functions to fewer digits. */
#define HALF_ELEMENT(name, f, load, round)                                                                             \
	static inline uint16_t name(uint16_t h)                                                                        \
	{                                                                                                              \
		return round(f(load(h)));                                                                              \
	}
#define PAIRED(f, x) ((uint32_t)f((uint16_t)(x)) | (uint32_t)f((uint16_t)((x) >> 16)) << 16)
#define DEFINE_HALF(name, f, h, load, round)                                                                           \
	HALF_ELEMENT(name##_element_##h, f, load, round)                                                               \
	UNARY(name##_##h, u32, u32, name##_element_##h((uint16_t)a))                                                   \
	UNARY(name##_##h##x2, u32, u32, PAIRED(name##_element_##h, a))
DEFINE_HALF(ex2, ex2, f16, f16_to_f32, f32_to_f16)
DEFINE_HALF(ex2, ex2, bf16, bf16_to_f32, f32_to_bf16)
DEFINE_HALF(tanh, tanh_approx, f16, f16_to_f32, f32_to_f16)
DEFINE_HALF(tanh, tanh_approx, bf16, bf16_to_f32, f32_to_bf16)

#define ROW(op, t, mods, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, M_BIT(APPROX) | (mods), fn, 0}
#define ROWS(op) ROW(op, f32, 0, op##_f32), ROW(op, f32, M_BIT(FTZ), op##_f32_ftz)

extern const struct exec_row EXEC_TABLE(exec_approx)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_approx)[] = {
	ROWS(ex2), ROWS(lg2), ROWS(sin), ROWS(cos), ROWS(rsqrt), ROW(tanh, f32, 0, tanh_f32),
	ROW(ex2, f16, 0, ex2_f16), ROW(ex2, f16x2, 0, ex2_f16x2), ROW(ex2, bf16, M_BIT(FTZ), ex2_bf16),
	ROW(ex2, bf16x2, M_BIT(FTZ), ex2_bf16x2), ROW(tanh, f16, 0, tanh_f16), ROW(tanh, f16x2, 0, tanh_f16x2),
	ROW(tanh, bf16, 0, tanh_bf16), ROW(tanh, bf16x2, 0, tanh_bf16x2),
	ROW(rcp, f64, M_BIT(FTZ), rcp_approx_f64), ROW(rsqrt, f64, 0, rsqrt_f64), ROW(rsqrt, f64, M_BIT(FTZ), rsqrt_f64_ftz),
	{0}};
/* clang-format on */
