/*
 * Single and double precision arithmetic with directed rounding (.rz, .rm, .rp): the processor's rounding mode is
 * switched around a plain loop over the lanes.
 */
#include "runtime/cpu/exec/lanes.h"

#include <fenv.h>

/* Keeps the compiler from moving arithmetic across a change of the rounding mode. */
#define SETTLED(x) __asm__ volatile("" : "+m"(x))

#define PLAIN(x) (x)
#define FTZ(x) flushed(x)
#define OUT(x) canonical(x)
#define OUT_FTZ(x) flushed(canonical(x))
#define OUT_SAT(x) saturated(x)
#define OUT_FTZ_SAT(x) saturated(flushed(x))

#define DEFINE_DIRECTED(name, t, I, O, expr)                                                                           \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		const reg_##t *ra = source(w, in->a);                                                                  \
		const reg_##t *rb = in->b == OPERAND_NONE ? ra : source(w, in->b);                                     \
		const reg_##t *rc = in->c == OPERAND_NONE ? ra : source(w, in->c);                                     \
		reg_##t *rd = destination(w, in->d);                                                                   \
		int before = fegetround();                                                                             \
                                                                                                                       \
		fesetround(in->variant);                                                                               \
		FOR_EACH_LANE(i, mask) {                                                                               \
			val_##t a = I(ra[i]), b = I(rb[i]), c = I(rc[i]), r;                                           \
                                                                                                                       \
			SETTLED(a);                                                                                    \
			(void)b, (void)c;                                                                              \
			r = (expr);                                                                                    \
			SETTLED(r);                                                                                    \
			rd[i] = O(r);                                                                                  \
		}                                                                                                      \
		fesetround(before);                                                                                    \
		return STOP_NOT;                                                                                       \
	}
#define DEFINE_SUMS(t, suffix, I, O, fused)                                                                            \
	DEFINE_DIRECTED(add_##t##suffix, t, I, O, a + b)                                                               \
	DEFINE_DIRECTED(sub_##t##suffix, t, I, O, a - b)                                                               \
	DEFINE_DIRECTED(mul_##t##suffix, t, I, O, a *b)                                                                \
	DEFINE_DIRECTED(fma_##t##suffix, t, I, O, fused(a, b, c))
#define DEFINE_QUOTIENTS(t, suffix, I, O, root)                                                                        \
	DEFINE_DIRECTED(div_##t##suffix, t, I, O, a / b)                                                               \
	DEFINE_DIRECTED(rcp_##t##suffix, t, I, O, 1 / a)                                                               \
	DEFINE_DIRECTED(sqrt_##t##suffix, t, I, O, root(a))
DEFINE_SUMS(f32, , PLAIN, OUT, __builtin_fmaf)
DEFINE_SUMS(f32, _ftz, FTZ, OUT_FTZ, __builtin_fmaf)
DEFINE_SUMS(f32, _sat, PLAIN, OUT_SAT, __builtin_fmaf)
DEFINE_SUMS(f32, _ftz_sat, FTZ, OUT_FTZ_SAT, __builtin_fmaf)
DEFINE_SUMS(f64, , PLAIN, PLAIN, __builtin_fma)
DEFINE_QUOTIENTS(f32, , PLAIN, OUT, sqrtf)
DEFINE_QUOTIENTS(f32, _ftz, FTZ, OUT_FTZ, sqrtf)
DEFINE_QUOTIENTS(f64, , PLAIN, PLAIN, sqrt)

/* Conversions that round: integers to floats, doubles to floats. */
#define DEFINE_CONVERT(td, ta, O)                                                                                      \
	EXEC_FUNCTION(cvt_##td##_##ta)                                                                                 \
	{                                                                                                              \
		const reg_##ta *ra = source(w, in->a);                                                                 \
		reg_##td *rd = destination(w, in->d);                                                                  \
		int before = fegetround();                                                                             \
                                                                                                                       \
		fesetround(in->variant);                                                                               \
		FOR_EACH_LANE(i, mask) {                                                                               \
			val_##ta a = (val_##ta)ra[i];                                                                  \
			val_##td r;                                                                                    \
                                                                                                                       \
			SETTLED(a);                                                                                    \
			r = (val_##td)a;                                                                               \
			SETTLED(r);                                                                                    \
			rd[i] = O(r);                                                                                  \
		}                                                                                                      \
		fesetround(before);                                                                                    \
		return STOP_NOT;                                                                                       \
	}
#define FOR_INTEGERS(X, td) X(td, u8) X(td, s8) X(td, u16) X(td, s16) X(td, u32) X(td, s32) X(td, u64) X(td, s64)
#define DEFINE_FROM_INTEGER(td, ta) DEFINE_CONVERT(td, ta, PLAIN)
FOR_INTEGERS(DEFINE_FROM_INTEGER, f32)
FOR_INTEGERS(DEFINE_FROM_INTEGER, f64)
DEFINE_CONVERT(f32, f64, OUT)

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
