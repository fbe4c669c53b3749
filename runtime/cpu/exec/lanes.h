/*
 * Loops over the lanes of a warp, for the exec_*.c files: UNARY(name, type of d, type of a, expression in `a`) and so
 * on define an exec_fn. The loops are plain C that compilers turn into vector code for the instruction set that the
 * file is compiled for; a full mask takes a loop without the blend.
 */
#ifndef ROMARK_CPU_LANES_H
#define ROMARK_CPU_LANES_H

#include "runtime/cpu/exec/exec.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define EXEC_PASTE_(a, b) a##_##b
#define EXEC_PASTE(a, b) EXEC_PASTE_(a, b)
/* Name of a table in the instruction set of this compilation. */
#define EXEC_TABLE(name) EXEC_PASTE(name, ROMARK_EXEC_SET)

#define LANE_LOOP _Pragma("omp simd") for (unsigned i = 0; i < LANES; i++)

static const uint32_t lane_bit[LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* How a PTX type is computed with (val) and kept in a register (reg). */
typedef uint8_t val_u8;
typedef int8_t val_s8;
typedef uint16_t val_u16;
typedef int16_t val_s16;
typedef uint32_t val_u32;
typedef int32_t val_s32;
typedef uint64_t val_u64;
typedef int64_t val_s64;
typedef float val_f32;
typedef double val_f64;
typedef uint16_t val_b16;
typedef uint32_t val_b32;
typedef uint64_t val_b64;
typedef uint16_t val_f16; /* the bits; see half.h */
typedef uint16_t val_bf16;
typedef uint32_t reg_u8, reg_u16, reg_u32, reg_b16, reg_b32, reg_f16, reg_bf16;
typedef int32_t reg_s8, reg_s16, reg_s32;
typedef uint64_t reg_u64, reg_b64;
typedef int64_t reg_s64;
typedef float reg_f32;
typedef double reg_f64;

#define EXEC_FUNCTION(name) static int name(struct warp *w, const struct inst *in, uint32_t mask)

/* clang-format off */
#define LANES_INTO(td, load, expr)                                                                                     \
	reg_##td *rd = destination(w, in->d);                                                                          \
	if (mask == ALL_LANES)                                                                                         \
		LANE_LOOP {                                                                                            \
			load;                                                                                          \
			rd[i] = (val_##td)(expr);                                                                      \
		}                                                                                                      \
	else                                                                                                           \
		LANE_LOOP {                                                                                            \
			load;                                                                                          \
			reg_##td r = (val_##td)(expr);                                                                 \
			rd[i] = mask & lane_bit[i] ? r : rd[i];                                                        \
		}                                                                                                      \
	return STOP_NOT;
/* clang-format on */

#define UNARY(name, td, ta, expr)                                                                                      \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		const reg_##ta *ra = source(w, in->a);                                                                 \
		LANES_INTO(td, val_##ta a = (val_##ta)ra[i], expr)                                                     \
	}

#define BINARY(name, td, ta, tb, expr)                                                                                 \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		const reg_##ta *ra = source(w, in->a);                                                                 \
		const reg_##tb *rb = source(w, in->b);                                                                 \
		LANES_INTO(td, val_##ta a = (val_##ta)ra[i]; val_##tb b = (val_##tb)rb[i], expr)                       \
	}

#define TERNARY(name, td, ta, tb, tc, expr)                                                                            \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		const reg_##ta *ra = source(w, in->a);                                                                 \
		const reg_##tb *rb = source(w, in->b);                                                                 \
		const reg_##tc *rc = source(w, in->c);                                                                 \
		LANES_INTO(td, val_##ta a = (val_##ta)ra[i]; val_##tb b = (val_##tb)rb[i];                             \
			   val_##tc c = (val_##tc)rc[i], expr)                                                         \
	}

#define QUATERNARY(name, td, ta, tb, tc, te, expr)                                                                     \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		const reg_##ta *ra = source(w, in->a);                                                                 \
		const reg_##tb *rb = source(w, in->b);                                                                 \
		const reg_##tc *rc = source(w, in->c);                                                                 \
		const reg_##te *re = source(w, in->e);                                                                 \
		LANES_INTO(td, val_##ta a = (val_##ta)ra[i]; val_##tb b = (val_##tb)rb[i];                             \
			   val_##tc c = (val_##tc)rc[i]; val_##te e = (val_##te)re[i], expr)                           \
	}

/* Declares `lanes`: those of all 32 for which `expr` holds. */
#define LANES_WHERE(load, expr)                                                                                        \
	uint32_t lanes = 0;                                                                                            \
	_Pragma("omp simd reduction(|:lanes)") for (unsigned i = 0; i < LANES; i++)                                    \
	{                                                                                                              \
		load;                                                                                                  \
		lanes |= (expr) ? lane_bit[i] : 0;                                                                     \
	}

/* Predicates: `lanes` of `mask` are written. */
static inline void write_predicate(const struct warp *w, uint32_t operand, uint32_t mask, uint32_t lanes)
{
	uint32_t *p = destination(w, operand);

	*p = (*p & ~mask) | (lanes & mask);
}

static inline uint32_t read_predicate(const struct warp *w, uint32_t operand)
{
	return *(const uint32_t *)source(w, operand);
}

/* For lanes one by one, in order. */
#define FOR_EACH_LANE(lane, mask)                                                                                      \
	for (uint32_t rest_ = (mask), lane; rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1); rest_ &= rest_ - 1)

static inline uint32_t float_bits(float f)
{
	uint32_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline float bits_float(uint32_t u)
{
	float f;

	memcpy(&f, &u, sizeof f);
	return f;
}

static inline uint64_t double_bits(double f)
{
	uint64_t u;

	memcpy(&u, &f, sizeof u);
	return u;
}

static inline double bits_double(uint64_t u)
{
	double f;

	memcpy(&f, &u, sizeof f);
	return f;
}

/* Single-precision results that are not a number are this one on NVIDIA hardware. */
#define NAN_F32 0x7fffffffu

static inline float canonical(float f)
{
	return f == f ? f : bits_float(NAN_F32);
}

/* .ftz: subnormals are zeros of the same sign. */
static inline float flushed(float f)
{
	return fabsf(f) < FLT_MIN ? copysignf(0.0f, f) : f;
}

/* .sat: [0, 1], not-a-number becomes 0. */
static inline float saturated(float f)
{
	return f > 0.0f ? (f < 1.0f ? f : 1.0f) : 0.0f;
}

static inline double saturated64(double f)
{
	return f > 0.0 ? (f < 1.0 ? f : 1.0) : 0.0;
}

#endif
