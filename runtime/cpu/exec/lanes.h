/*
 * Loops over the lanes of a warp, for the exec_*.c files: UNARY(name, type of d, type of a, expression in `a`) and so
 * on define an exec_fn in one row. The loops are plain C that compilers turn into vector code for the instruction set
 * that the file is compiled for; a full mask takes a loop without the blend.
 */
#ifndef ROMARK_CPU_LANES_H
#define ROMARK_CPU_LANES_H

#include "runtime/cpu/engine/float_bits.h"
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

/* The C types of a PTX type in a computation (val) and in a register (reg). */
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

/*
 * For functions that serve many instructions. Each instruction calls them with constants; the compiler makes separate
 * code for each call and removes the tests of these constants.
 */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- Arithmetic: the loop over lanes, and functions of one to four operands that are an expression in it --- */

/* clang-format off */
#define LANES_INTO(td, load, expr)                                                                                     \
	reg_##td *rd = destination(w, in->d);                                                                          \
	if (mask == ALL_LANES)                                                                                         \
		LANE_LOOP { load; rd[i] = (val_##td)(expr); }                                                          \
	else                                                                                                           \
		LANE_LOOP { load; reg_##td r = (val_##td)(expr); rd[i] = mask & lane_bit[i] ? r : rd[i]; }             \
	return STOP_NOT;
/* The register of operand `x`, r##x, and its value in lane i. */
#define REGISTER(t, x) const reg_##t *r##x = source(w, in->x);
#define VALUE(t, x) val_##t x = (val_##t)r##x[i]

#define UNARY(name, td, ta, expr)                                                                                      \
	EXEC_FUNCTION(name) { REGISTER(ta, a) LANES_INTO(td, VALUE(ta, a), expr) }

#define BINARY(name, td, ta, tb, expr)                                                                                 \
	EXEC_FUNCTION(name) { REGISTER(ta, a) REGISTER(tb, b) LANES_INTO(td, VALUE(ta, a); VALUE(tb, b), expr) }

#define TERNARY(name, td, ta, tb, tc, expr)                                                                            \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		REGISTER(ta, a) REGISTER(tb, b) REGISTER(tc, c)                                                        \
		LANES_INTO(td, VALUE(ta, a); VALUE(tb, b); VALUE(tc, c), expr)                                         \
	}

#define QUATERNARY(name, td, ta, tb, tc, te, expr)                                                                     \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		REGISTER(ta, a) REGISTER(tb, b) REGISTER(tc, c) REGISTER(te, e)                                        \
		LANES_INTO(td, VALUE(ta, a); VALUE(tb, b); VALUE(tc, c); VALUE(te, e), expr)                           \
	}

/* Declares `lanes`: a bit for each of the 32 lanes for which `expr` holds. */
#define LANES_WHERE(load, expr)                                                                                        \
	uint32_t lanes = 0;                                                                                            \
	_Pragma("omp simd reduction(|:lanes)") for (unsigned i = 0; i < LANES; i++)                                    \
	{ load; lanes |= (expr) ? lane_bit[i] : 0; }
/* clang-format on */

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

/*
 * --- Elements of `bytes` bytes. `bytes` is a constant at each call, so each call becomes a single move. Memory may be
 * of any type, and is aligned ---
 */

ALWAYS_INLINE uint64_t element_at(const void *p, unsigned bytes, bool is_signed)
{
	switch (bytes) {
	case 1: return is_signed ? (uint64_t)*(const int8_t *)p : *(const uint8_t *)p;
	case 2: return is_signed ? (uint64_t)*(const int16_t *)p : *(const uint16_t *)p;
	case 4: return is_signed ? (uint64_t)*(const int32_t *)p : *(const uint32_t *)p;
	default: return *(const uint64_t *)p;
	}
}

ALWAYS_INLINE void set_element(void *p, unsigned bytes, uint64_t value)
{
	switch (bytes) {
	case 1: *(uint8_t *)p = (uint8_t)value; break;
	case 2: *(uint16_t *)p = (uint16_t)value; break;
	case 4: *(uint32_t *)p = (uint32_t)value; break;
	default: *(uint64_t *)p = value; break;
	}
}

/* Lane `i` of a register: 8 bytes if `bytes` is 8, else 4. */
ALWAYS_INLINE uint64_t lane_value(const void *r, unsigned i, unsigned bytes)
{
	return bytes == 8 ? ((const uint64_t *)r)[i] : ((const uint32_t *)r)[i];
}

ALWAYS_INLINE void set_lane(void *r, unsigned i, unsigned bytes, uint64_t value)
{
	if (bytes == 8)
		((uint64_t *)r)[i] = value;
	else
		((uint32_t *)r)[i] = (uint32_t)value;
}

/* Like UNARY, for a predicate: whether `expr` holds. */
#define TEST(name, ta, expr)                                                                                           \
	EXEC_FUNCTION(name)                                                                                            \
	{                                                                                                              \
		REGISTER(ta, a) LANES_WHERE(VALUE(ta, a), expr) write_predicate(w, in->d, mask, lanes);                \
		return STOP_NOT;                                                                                       \
	}

/* Runs over the lanes in the mask, in order. */
#define FOR_EACH_LANE(lane, mask)                                                                                      \
	for (uint32_t rest_ = (mask), lane; rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1); rest_ &= rest_ - 1)

/* NVIDIA hardware gives this NaN for every single-precision result that is a NaN. */
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
