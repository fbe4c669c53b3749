/*
 * Single and double precision arithmetic with directed rounding (.rz, .rm, .rp): the processor's rounding mode is
 * switched around a plain loop over the lanes.
 */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"

#include <fenv.h>

/* The host's name of in->variant, an enum rounding. Its own has 32 bits on some processors, a variant 16. */
static const int host_modes[] = {
    [ROUND_ZERO] = FE_TOWARDZERO,
    [ROUND_DOWN] = FE_DOWNWARD,
    [ROUND_UP] = FE_UPWARD,
};

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

	fesetround(host_modes[in->variant]);
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

	fesetround(host_modes[in->variant]);
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
		fesetround(host_modes[in->variant]);                                                                   \
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

#define ROW(op, t, round, mods, mode, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, (round) | (mods), fn, mode}
#define ROWS_SUMS(t, round, mode, mods, suffix)                                                                        \
	ROW(add, t, round, mods, mode, add_##t##suffix), ROW(sub, t, round, mods, mode, sub_##t##suffix),              \
	    ROW(mul, t, round, mods, mode, mul_##t##suffix), ROW(fma, t, round, mods, mode, fma_##t##suffix),          \
	    ROW(mad, t, round, mods, mode, fma_##t##suffix)
#define ROWS_QUOTIENTS(t, round, mode, mods, suffix)                                                                   \
	ROW(div, t, round, mods, mode, div_##t##suffix), ROW(rcp, t, round, mods, mode, rcp_##t##suffix),              \
	    ROW(sqrt, t, round, mods, mode, sqrt_##t##suffix)
#define ROW_CVT(td, ta, round, mode) {PTX_OP_cvt, {PTX_##td, PTX_##ta}, PTX_MOD_NONE, round, cvt_##td##_##ta, mode}
#define ROWS_CVT(td, round, mode)                                                                                      \
	ROW_CVT(td, u8, round, mode), ROW_CVT(td, s8, round, mode), ROW_CVT(td, u16, round, mode),                     \
	    ROW_CVT(td, s16, round, mode), ROW_CVT(td, u32, round, mode), ROW_CVT(td, s32, round, mode),               \
	    ROW_CVT(td, u64, round, mode), ROW_CVT(td, s64, round, mode)
#define ROWS_ROUND(round, mode)                                                                                        \
	ROWS_SUMS(f32, round, mode, 0, ), ROWS_SUMS(f32, round, mode, M_BIT(FTZ), _ftz),                               \
	    ROWS_SUMS(f32, round, mode, M_BIT(SAT), _sat),                                                             \
	    ROWS_SUMS(f32, round, mode, M_BIT(FTZ) | M_BIT(SAT), _ftz_sat), ROWS_SUMS(f64, round, mode, 0, ),          \
	    ROWS_QUOTIENTS(f32, round, mode, 0, ), ROWS_QUOTIENTS(f32, round, mode, M_BIT(FTZ), _ftz),                 \
	    ROWS_QUOTIENTS(f64, round, mode, 0, ), ROWS_CVT(f32, round, mode), ROWS_CVT(f64, round, mode),             \
	    ROW_CVT(f32, f64, round, mode)

extern const struct exec_row EXEC_TABLE(exec_directed)[];
const struct exec_row EXEC_TABLE(exec_directed)[] = {
    ROWS_ROUND(M_BIT(RZ), ROUND_ZERO), ROWS_ROUND(M_BIT(RM), ROUND_DOWN), ROWS_ROUND(M_BIT(RP), ROUND_UP), {0}};
