/*
 * Single and double precision arithmetic with directed rounding (.rz, .rm, .rp): the processor's rounding mode is
 * switched around a plain loop over the lanes.
 */
#include "runtime/cpu/exec/lanes.h"

#include <fenv.h>

/* Keeps the compiler from moving arithmetic across a change of the rounding mode. */
#define SETTLED(x) __asm__ volatile("" : "+m"(x))

/* --- Arithmetic: `f` is the operation; an operand that it does not have is read from `a` --- */

typedef float (*f32_fn)(float a, float b, float c);
typedef double (*f64_fn)(double a, double b, double c);

static inline float result_f32(float r, bool ftz, bool sat)
{
	if (sat)
		return saturated(ftz ? flushed(r) : r);
	return ftz ? flushed(canonical(r)) : canonical(r);
}

ALWAYS_INLINE int directed_f32(struct warp *w, const struct inst *in, uint32_t mask, bool ftz, bool sat, f32_fn f)
{
	const float *ra = source(w, in->a);
	const float *rb = in->b == OPERAND_NONE ? ra : source(w, in->b);
	const float *rc = in->c == OPERAND_NONE ? ra : source(w, in->c);
	float *rd = destination(w, in->d);
	int before = fegetround();

	fesetround(in->variant);
	FOR_EACH_LANE(i, mask) {
		float a = ftz ? flushed(ra[i]) : ra[i], b = ftz ? flushed(rb[i]) : rb[i];
		float c = ftz ? flushed(rc[i]) : rc[i], r;

		SETTLED(a);
		r = f(a, b, c);
		SETTLED(r);
		rd[i] = result_f32(r, ftz, sat);
	}
	fesetround(before);
	return STOP_NOT;
}

ALWAYS_INLINE int directed_f64(struct warp *w, const struct inst *in, uint32_t mask, f64_fn f)
{
	const double *ra = source(w, in->a);
	const double *rb = in->b == OPERAND_NONE ? ra : source(w, in->b);
	const double *rc = in->c == OPERAND_NONE ? ra : source(w, in->c);
	double *rd = destination(w, in->d);
	int before = fegetround();

	fesetround(in->variant);
	FOR_EACH_LANE(i, mask) {
		double a = ra[i], r;

		SETTLED(a);
		r = f(a, rb[i], rc[i]);
		SETTLED(r);
		rd[i] = r;
	}
	fesetround(before);
	return STOP_NOT;
}

/* clang-format off */
#define ELEMENT(name, t, expr)                                                                                         \
	ALWAYS_INLINE val_##t name##_element_##t(val_##t a, val_##t b, val_##t c) { (void)b, (void)c; return expr; }
#define F32(name, suffix, ftz, sat)                                                                                    \
	EXEC_FUNCTION(name##_f32##suffix) { return directed_f32(w, in, mask, ftz, sat, name##_element_f32); }
#define DIRECTED(name, f32_expr, f64_expr)                                                                             \
	ELEMENT(name, f32, f32_expr)                                                                                   \
	ELEMENT(name, f64, f64_expr)                                                                                   \
	F32(name, , false, false) F32(name, _ftz, true, false)                                                         \
	EXEC_FUNCTION(name##_f64) { return directed_f64(w, in, mask, name##_element_f64); }
#define SATURATED(name) F32(name, _sat, false, true) F32(name, _ftz_sat, true, true)
/* clang-format on */
DIRECTED(add, a + b, a + b)
DIRECTED(sub, a - b, a - b)
DIRECTED(mul, a *b, a *b)
DIRECTED(fma, __builtin_fmaf(a, b, c), __builtin_fma(a, b, c))
DIRECTED(div, a / b, a / b)
DIRECTED(rcp, 1 / a, 1 / a)
DIRECTED(sqrt, sqrtf(a), sqrt(a))
SATURATED(add)
SATURATED(sub)
SATURATED(mul)
SATURATED(fma)

/* --- Conversions that round: integers to floats, doubles to floats --- */

/* clang-format off */
#define CONVERSION(td, ta, result)                                                                                     \
	EXEC_FUNCTION(cvt_##td##_##ta)                                                                                 \
	{                                                                                                              \
		REGISTER(ta, a)                                                                                        \
		reg_##td *rd = destination(w, in->d);                                                                  \
		int before = fegetround();                                                                             \
		fesetround(in->variant);                                                                               \
		FOR_EACH_LANE(i, mask) {                                                                               \
			VALUE(ta, a); SETTLED(a);                                                                      \
			val_##td r = (val_##td)a; SETTLED(r);                                                          \
			rd[i] = result(r);                                                                             \
		}                                                                                                      \
		fesetround(before);                                                                                    \
		return STOP_NOT;                                                                                       \
	}
#define PLAIN(x) (x)
#define FROM_INTEGER(ta) CONVERSION(f32, ta, PLAIN) CONVERSION(f64, ta, PLAIN)
/* clang-format on */
FROM_INTEGER(u8)
FROM_INTEGER(s8)
FROM_INTEGER(u16)
FROM_INTEGER(s16)
FROM_INTEGER(u32)
FROM_INTEGER(s32)
FROM_INTEGER(u64)
FROM_INTEGER(s64)
CONVERSION(f32, f64, canonical)

#define ROW(op, t, round, mods, host, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, (round) | (mods), fn, host}
#define ROWS_SUMS(t, round, host, mods, suffix)                                                                        \
	ROW(add, t, round, mods, host, add_##t##suffix), ROW(sub, t, round, mods, host, sub_##t##suffix),              \
	    ROW(mul, t, round, mods, host, mul_##t##suffix), ROW(fma, t, round, mods, host, fma_##t##suffix),          \
	    ROW(mad, t, round, mods, host, fma_##t##suffix)
#define ROWS_QUOTIENTS(t, round, host, mods, suffix)                                                                   \
	ROW(div, t, round, mods, host, div_##t##suffix), ROW(rcp, t, round, mods, host, rcp_##t##suffix),              \
	    ROW(sqrt, t, round, mods, host, sqrt_##t##suffix)
#define ROW_CVT(td, ta, round, host) {PTX_OP_cvt, {PTX_##td, PTX_##ta}, PTX_MOD_NONE, round, cvt_##td##_##ta, host}
#define ROWS_CVT(td, round, host)                                                                                      \
	ROW_CVT(td, u8, round, host), ROW_CVT(td, s8, round, host), ROW_CVT(td, u16, round, host),                     \
	    ROW_CVT(td, s16, round, host), ROW_CVT(td, u32, round, host), ROW_CVT(td, s32, round, host),               \
	    ROW_CVT(td, u64, round, host), ROW_CVT(td, s64, round, host)
#define ROWS_ROUND(round, host)                                                                                        \
	ROWS_SUMS(f32, round, host, 0, ), ROWS_SUMS(f32, round, host, M_BIT(FTZ), _ftz),                               \
	    ROWS_SUMS(f32, round, host, M_BIT(SAT), _sat),                                                             \
	    ROWS_SUMS(f32, round, host, M_BIT(FTZ) | M_BIT(SAT), _ftz_sat), ROWS_SUMS(f64, round, host, 0, ),          \
	    ROWS_QUOTIENTS(f32, round, host, 0, ), ROWS_QUOTIENTS(f32, round, host, M_BIT(FTZ), _ftz),                 \
	    ROWS_QUOTIENTS(f64, round, host, 0, ), ROWS_CVT(f32, round, host), ROWS_CVT(f64, round, host),             \
	    ROW_CVT(f32, f64, round, host)

extern const struct exec_row EXEC_TABLE(exec_directed)[];
const struct exec_row EXEC_TABLE(exec_directed)[] = {
    ROWS_ROUND(M_BIT(RZ), FE_TOWARDZERO), ROWS_ROUND(M_BIT(RM), FE_DOWNWARD), ROWS_ROUND(M_BIT(RP), FE_UPWARD), {0}};
