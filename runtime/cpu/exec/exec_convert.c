/*
 * cvt: between integers, between integers and floats, between floats, and the packed small formats. Conversions that
 * need another rounding mode of the host are in exec_directed.c.
 */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"

/* --- Integers --- */

/* clang-format off */
#define FOR_INTEGERS(X, other) X(u8, other) X(s8, other) X(u16, other) X(s16, other) X(u32, other) X(s32, other)      \
	X(u64, other) X(s64, other)
#define FOR_INTEGER_PAIRS(X)                                                                                           \
	FOR_INTEGERS(X, u8) FOR_INTEGERS(X, s8) FOR_INTEGERS(X, u16) FOR_INTEGERS(X, s16)                              \
	FOR_INTEGERS(X, u32) FOR_INTEGERS(X, s32) FOR_INTEGERS(X, u64) FOR_INTEGERS(X, s64)
/* clang-format on */

#define MIN_u8 0
#define MIN_u16 0
#define MIN_u32 0
#define MIN_u64 0
#define MIN_s8 INT8_MIN
#define MIN_s16 INT16_MIN
#define MIN_s32 INT32_MIN
#define MIN_s64 INT64_MIN
#define MAX_u8 UINT8_MAX
#define MAX_u16 UINT16_MAX
#define MAX_u32 UINT32_MAX
#define MAX_u64 UINT64_MAX
#define MAX_s8 INT8_MAX
#define MAX_s16 INT16_MAX
#define MAX_s32 INT32_MAX
#define MAX_s64 INT64_MAX

static inline __int128 between(__int128 x, __int128 low, __int128 high)
{
	return x < low ? low : x > high ? high : x;
}

#define DEFINE_INTEGER(d, a_)                                                                                          \
	UNARY(cvt_##d##_##a_, d, a_, a)                                                                                \
	UNARY(cvt_sat_##d##_##a_, d, a_, between(a, MIN_##d, MAX_##d))
FOR_INTEGER_PAIRS(DEFINE_INTEGER)

/* --- Integers to floats, rounded to nearest --- */

/*
 * Prepares a 64-bit integer for two roundings: to a double, which has 53 digits, then to a 16-bit float. Rounding twice
 * may go wrong. 2^63 + 2^55 + 1 is above the middle of two bfloat16 numbers (8 digits) and should go up. As a double it
 * would be 2^63 + 2^55, the middle itself, and go down to the even number. So this first replaces the 11 lowest bits,
 * for which a double has no room, by a bit above them that is set if any of them is.
 */
static inline double sticky_u64(uint64_t x)
{
	return (double)(x >> 53 ? (x & ~UINT64_C(0x7ff)) | ((x & 0x7ff) != 0) << 11 : x);
}

static inline double sticky_s64(int64_t x)
{
	return x < 0 ? -sticky_u64(0 - (uint64_t)x) : sticky_u64((uint64_t)x);
}

#define STICKY_u8 (double)
#define STICKY_s8 (double)
#define STICKY_u16 (double)
#define STICKY_s16 (double)
#define STICKY_u32 (double)
#define STICKY_s32 (double)
#define STICKY_u64 sticky_u64
#define STICKY_s64 sticky_s64
#define DEFINE_TO_FLOAT(a_, d) UNARY(cvt_##d##_##a_, d, a_, (val_##d)a)
FOR_INTEGERS(DEFINE_TO_FLOAT, f32)
FOR_INTEGERS(DEFINE_TO_FLOAT, f64)
#define DEFINE_TO_SAT(a_, d) UNARY(cvt_sat_##d##_##a_, d, a_, a > 0 ? 1 : 0)
FOR_INTEGERS(DEFINE_TO_SAT, f32)
FOR_INTEGERS(DEFINE_TO_SAT, f64)
/* in->variant: enum rounding */
#define DEFINE_TO_HALF(a_, d) UNARY(cvt_##d##_##a_, u32, a_, f64_to_##d(STICKY_##a_(a), (enum rounding)in->variant))
FOR_INTEGERS(DEFINE_TO_HALF, f16)
FOR_INTEGERS(DEFINE_TO_HALF, bf16)

/* --- Floats to integers: clamped to the range --- */

#define LOAD_f16(x) f16_to_f32((uint16_t)(x))
#define LOAD_bf16(x) bf16_to_f32((uint16_t)(x))
#define LOAD_f32(x) (x)
#define LOAD_f64(x) (x)

/* The bound above which a type is clamped is a power of two: exact in every float. */
#define TOP_u8 0x1p8
#define TOP_s8 0x1p7
#define TOP_u16 0x1p16
#define TOP_s16 0x1p15
#define TOP_u32 0x1p32
#define TOP_s32 0x1p31
#define TOP_u64 0x1p64
#define TOP_s64 0x1p63
/* Not-a-number becomes the top bit alone where one of the two types has 64 bits, and else 0. */
#define NONE_OF(d, x)                                                                                                  \
	(sizeof(x) == 8 || sizeof(val_##d) == 8 ? (val_##d)(1ull << (8 * sizeof(val_##d) - 1)) : (val_##d)0)
#define CLAMPED(d, x)                                                                                                  \
	((x) >= TOP_##d ? MAX_##d : (x) <= (double)MIN_##d ? MIN_##d : (x) != (x) ? NONE_OF(d, x) : (val_##d)(x))

#define ROUNDED_RNI_float(x) rintf(x)
#define ROUNDED_RZI_float(x) truncf(x)
#define ROUNDED_RMI_float(x) floorf(x)
#define ROUNDED_RPI_float(x) ceilf(x)
#define ROUNDED_RNI_double(x) rint(x)
#define ROUNDED_RZI_double(x) trunc(x)
#define ROUNDED_RMI_double(x) floor(x)
#define ROUNDED_RPI_double(x) ceil(x)

/* clang-format off */
#define DEFINE_CLAMPED(d, _)                                                                                           \
	static inline val_##d d##_of_float(float x) { return (val_##d)CLAMPED(d, x); }                                 \
	static inline val_##d d##_of_double(double x) { return (val_##d)CLAMPED(d, x); }
/* clang-format on */
FOR_INTEGERS(DEFINE_CLAMPED, )

/* A float of type `a_`, held as float or double, through `in_` and one of the four roundings. */
#define DEFINE_FROM_FLOAT(name, d, a_, held, in_, mode)                                                                \
	UNARY(name##_##mode, d, a_, d##_of_##held(ROUNDED_##mode##_##held(in_(LOAD_##a_(a)))))
#define PLAIN(x) (x)
#define DEFINE_ROUNDINGS(name, d, a_, held, in_)                                                                       \
	DEFINE_FROM_FLOAT(name, d, a_, held, in_, RNI)                                                                 \
	DEFINE_FROM_FLOAT(name, d, a_, held, in_, RZI)                                                                 \
	DEFINE_FROM_FLOAT(name, d, a_, held, in_, RMI)                                                                 \
	DEFINE_FROM_FLOAT(name, d, a_, held, in_, RPI)
#define DEFINE_FROM_F16(d, _) DEFINE_ROUNDINGS(cvt_##d##_f16, d, f16, float, PLAIN)
#define DEFINE_FROM_BF16(d, _) DEFINE_ROUNDINGS(cvt_##d##_bf16, d, bf16, float, PLAIN)
#define DEFINE_FROM_F64(d, _) DEFINE_ROUNDINGS(cvt_##d##_f64, d, f64, double, PLAIN)
#define DEFINE_FROM_F32(d, _)                                                                                          \
	DEFINE_ROUNDINGS(cvt_##d##_f32, d, f32, float, PLAIN)                                                          \
	DEFINE_ROUNDINGS(cvt_ftz_##d##_f32, d, f32, float, flushed)
FOR_INTEGERS(DEFINE_FROM_F16, )
FOR_INTEGERS(DEFINE_FROM_BF16, )
FOR_INTEGERS(DEFINE_FROM_F32, )
FOR_INTEGERS(DEFINE_FROM_F64, )

/* --- Between floats --- */

UNARY(cvt_f32_f16, f32, f16, canonical(f16_to_f32(a)))
UNARY(cvt_f32_bf16, f32, bf16, canonical(bf16_to_f32(a)))
UNARY(cvt_sat_f32_f16, f32, f16, saturated(f16_to_f32(a)))
UNARY(cvt_sat_f32_bf16, f32, bf16, saturated(bf16_to_f32(a)))
UNARY(cvt_ftz_f32_bf16, f32, bf16, canonical(flushed(bf16_to_f32(a))))
UNARY(cvt_f64_f16, f64, f16, f16_to_f32(a))
UNARY(cvt_f64_bf16, f64, bf16, bf16_to_f32(a))
UNARY(cvt_f64_f32, f64, f32, a)
UNARY(cvt_ftz_f64_f32, f64, f32, flushed(a))
UNARY(cvt_sat_f64_f32, f64, f32, saturated(a))
UNARY(cvt_f32_f64, f32, f64, canonical((float)a))
UNARY(cvt_ftz_f32_f64, f32, f64, flushed(canonical((float)a)))
UNARY(cvt_sat_f32_f64, f32, f64, saturated((float)a))
UNARY(cvt_f32_f32, f32, f32, canonical(a))
UNARY(cvt_ftz_f32_f32, f32, f32, flushed(canonical(a)))
UNARY(cvt_sat_f32_f32, f32, f32, saturated(a))
UNARY(cvt_ftz_sat_f32_f32, f32, f32, saturated(flushed(a)))
UNARY(cvt_f64_f64, f64, f64, a)
UNARY(cvt_sat_f64_f64, f64, f64, saturated64(a))
UNARY(cvt_same_16, u32, u32, a)

/* To whole numbers of the same type. */
#define DEFINE_WHOLE(mode)                                                                                             \
	UNARY(whole_f32_##mode, f32, f32, canonical(ROUNDED_##mode##_float(a)))                                        \
	UNARY(whole_ftz_f32_##mode, f32, f32, canonical(ROUNDED_##mode##_float(flushed(a))))                           \
	UNARY(whole_sat_f32_##mode, f32, f32, saturated(ROUNDED_##mode##_float(a)))                                    \
	UNARY(whole_f64_##mode, f64, f64, ROUNDED_##mode##_double(a))
#define DEFINE_WHOLE_HALF(mode)                                                                                        \
	UNARY(whole_f16_##mode, u32, f16, f32_to_f16(ROUNDED_##mode##_float(f16_to_f32(a))))                           \
	UNARY(whole_bf16_##mode, u32, bf16, f32_to_bf16(ROUNDED_##mode##_float(bf16_to_f32(a))))
DEFINE_WHOLE(RNI)
DEFINE_WHOLE(RZI)
DEFINE_WHOLE(RMI)
DEFINE_WHOLE(RPI)
DEFINE_WHOLE_HALF(RNI)
DEFINE_WHOLE_HALF(RZI)
DEFINE_WHOLE_HALF(RMI)
DEFINE_WHOLE_HALF(RPI)

/* Narrowing to 16 bits. in->variant: enum rounding | flags. */
enum { NARROW_ROUNDING = 7, NARROW_RELU = 8, NARROW_FINITE = 16, NARROW_SAT = 32, NARROW_FTZ = 64 };

static inline uint16_t narrowed(uint16_t h, uint16_t infinite, uint16_t one, unsigned flags)
{
	bool is_nan = (h & 0x7fff) > infinite;

	if ((flags & NARROW_FTZ) && (h & infinite) == 0)
		h &= 0x8000;
	if (flags & NARROW_SAT)
		return is_nan || h & 0x8000 ? 0 : h > one ? one : h;
	if ((flags & NARROW_FINITE) && (h & 0x7fff) == infinite)
		h = (uint16_t)(h - 1);
	if (flags & NARROW_RELU)
		return is_nan ? 0x7fff : h & 0x8000 ? 0 : h;
	return h;
}

static inline uint16_t narrow_f16(double x, unsigned variant)
{
	return narrowed(f64_to_f16(x, (enum rounding)(variant & NARROW_ROUNDING)), 0x7c00, 0x3c00, variant);
}

static inline uint16_t narrow_bf16(double x, unsigned variant)
{
	return narrowed(f64_to_bf16(x, (enum rounding)(variant & NARROW_ROUNDING)), 0x7f80, 0x3f80, variant);
}

UNARY(cvt_f16_f32, u32, f32, f32_to_f16(a))
UNARY(cvt_bf16_f32, u32, f32, f32_to_bf16(a))
#define PAIRED(low, high) ((uint32_t)(low) | (uint32_t)(high) << 16)
BINARY(cvt_f16x2_f32, u32, f32, f32, PAIRED(f32_to_f16(b), f32_to_f16(a)))
BINARY(cvt_bf16x2_f32, u32, f32, f32, PAIRED(f32_to_bf16(b), f32_to_bf16(a)))
#define DEFINE_NARROW(h)                                                                                               \
	UNARY(narrow_##h##_f32, u32, f32, narrow_##h(a, in->variant))                                                  \
	UNARY(narrow_##h##_f64, u32, f64, narrow_##h(a, in->variant))                                                  \
	UNARY(narrow_##h##_f16, u32, f16, narrow_##h(f16_to_f32(a), in->variant))                                      \
	BINARY(narrow_##h##x2_f32, u32, f32, f32, PAIRED(narrow_##h(b, in->variant), narrow_##h(a, in->variant)))
DEFINE_NARROW(f16)
DEFINE_NARROW(bf16)
UNARY(narrow_f16_bf16, u32, bf16, narrow_f16(bf16_to_f32(a), in->variant))

/* TF32: single precision with 10 significand bits. */
static inline uint32_t tf32(float x, unsigned variant)
{
	double r;
	float f;

	if (x != x)
		return NAN_F32;
	if (fabsf(x) > FLT_MAX)
		return float_bits(x);
	r = rounded_to(x, 10, -126, (enum rounding)(variant & NARROW_ROUNDING));
	f = (float)r;
	if ((variant & NARROW_FINITE) && fabs(r) > 0x1.ffcp127)
		f = copysignf(0x1.ffcp127f, x);
	return float_bits((variant & NARROW_RELU) && f < 0 ? 0.0f : f);
}

UNARY(cvt_tf32_f32, u32, f32, tf32(a, in->variant))

/* Eight-bit floats: e4m3 has no infinity, its largest number is 448; e5m2 is the upper byte of half precision. */
static inline uint8_t e4m3_from(double x)
{
	uint8_t sign = signbit(x) ? 0x80 : 0;
	double r;
	int exponent;

	if (x != x)
		return 0x7f;
	if (fabs(x) > 464.0)
		return sign | 0x7e;
	r = fabs(rounded_to(x, 3, -6, ROUND_NEAREST));
	if (r > 448.0)
		r = 448.0;
	if (r < 0x1p-6)
		return (uint8_t)(sign | (uint8_t)(r * 0x1p9));
	exponent = (int)(double_bits(r) >> 52) - 1023;
	return (uint8_t)(sign | (exponent + 7) << 3 | (double_bits(r) >> 49 & 7));
}

static inline uint8_t e5m2_from(double x)
{
	uint8_t sign = signbit(x) ? 0x80 : 0;
	double r;

	if (x != x)
		return 0x7f;
	r = fabs(x) > 57344.0 ? 57344.0 : fabs(rounded_to(x, 2, -14, ROUND_NEAREST));
	return (uint8_t)(sign | f32_to_f16((float)r) >> 8);
}

static inline uint16_t e4m3_to_f16(uint8_t v)
{
	unsigned exponent = v >> 3 & 15, digits = v & 7;
	float magnitude = exponent ? (8 + digits) * (float)power_of_two((int)exponent - 10) : digits * 0x1p-9f;

	if ((v & 0x7f) == 0x7f)
		return NAN_F16;
	return f32_to_f16(v & 0x80 ? -magnitude : magnitude);
}

static inline uint16_t e5m2_to_f16(uint8_t v)
{
	return (v & 0x7f) > 0x7c ? NAN_F16 : (uint16_t)(v << 8);
}

#define SMALL_RELU(x) (in->variant & NARROW_RELU ? ((x) < 0 ? 0 : (x)) : (x))
/* clang-format off */
#define DEFINE_SMALL(e)                                                                                                \
	BINARY(cvt_##e##x2_f32, u32, f32, f32, e##_from(SMALL_RELU(b)) | e##_from(SMALL_RELU(a)) << 8)                 \
	UNARY(cvt_##e##x2_f16x2, u32, u32,                                                                             \
	      e##_from(SMALL_RELU(f16_to_f32((uint16_t)a))) | e##_from(SMALL_RELU(f16_to_f32((uint16_t)(a >> 16)))) << 8) \
	UNARY(cvt_f16x2_##e##x2, u32, u32, PAIRED(e##_to_f16((uint8_t)a), e##_to_f16((uint8_t)(a >> 8))))
/* clang-format on */
DEFINE_SMALL(e4m3)
DEFINE_SMALL(e5m2)

/* cvt.pack.sat: a and b fill d, or its low half where they are bytes; its high half is then the low half of c. */
#define PACKED(x, d) (uint32_t)(val_##d)between(x, MIN_##d, MAX_##d)
BINARY(pack_s16_s32, u32, s32, s32, (PACKED(b, s16) & 0xffff) | PACKED(a, s16) << 16)
BINARY(pack_u16_s32, u32, s32, s32, (PACKED(b, u16) & 0xffff) | PACKED(a, u16) << 16)
TERNARY(pack_s8_s32, u32, s32, s32, u32, (PACKED(b, s8) & 0xff) | (PACKED(a, s8) & 0xff) << 8 | c << 16)
TERNARY(pack_u8_s32, u32, s32, s32, u32, (PACKED(b, u8) & 0xff) | (PACKED(a, u8) & 0xff) << 8 | c << 16)

#define ROW(d, a, mods, fn, variant) {PTX_OP_cvt, {PTX_##d, PTX_##a}, PTX_MOD_NONE, mods, fn, variant}
#define ROW_INTEGER(d, a) ROW(d, a, 0, cvt_##d##_##a, 0), ROW(d, a, M_BIT(SAT), cvt_sat_##d##_##a, 0),
#define ROW_TO_FLOAT(a, d) ROW(d, a, 0, cvt_##d##_##a, 0), ROW(d, a, M_BIT(SAT), cvt_sat_##d##_##a, 0),
#define ROW_TO_HALF(a, d)                                                                                              \
	ROW(d, a, 0, cvt_##d##_##a, ROUND_NEAREST), ROW(d, a, M_BIT(RZ), cvt_##d##_##a, ROUND_ZERO),                   \
	    ROW(d, a, M_BIT(RM), cvt_##d##_##a, ROUND_DOWN), ROW(d, a, M_BIT(RP), cvt_##d##_##a, ROUND_UP),
/* Conversions to integers clamp with and without .sat. */
/* clang-format off */
#define ROWS_FROM(d, a, mode)                                                                                          \
	ROW(d, a, M_BIT(mode), cvt_##d##_##a##_##mode, 0), ROW(d, a, M_BIT(mode) | M_BIT(SAT), cvt_##d##_##a##_##mode, 0)
#define ROWS_FROM_FLOAT(d, a)                                                                                          \
	ROWS_FROM(d, a, RNI), ROWS_FROM(d, a, RZI), ROWS_FROM(d, a, RMI), ROWS_FROM(d, a, RPI),
/* clang-format on */
#define ROWS_FROM_FTZ(d, a)                                                                                            \
	ROW(d, f32, M_BIT(RNI) | M_BIT(FTZ), cvt_ftz_##d##_f32_RNI, 0),                                                \
	    ROW(d, f32, M_BIT(RZI) | M_BIT(FTZ), cvt_ftz_##d##_f32_RZI, 0),                                            \
	    ROW(d, f32, M_BIT(RMI) | M_BIT(FTZ), cvt_ftz_##d##_f32_RMI, 0),                                            \
	    ROW(d, f32, M_BIT(RPI) | M_BIT(FTZ), cvt_ftz_##d##_f32_RPI, 0),
/* clang-format off */
#define ROWS_WHOLE(mode)                                                                                               \
	ROW(f32, f32, M_BIT(mode), whole_f32_##mode, 0), ROW(f32, f32, M_BIT(mode) | M_BIT(FTZ), whole_ftz_f32_##mode, 0), \
		ROW(f32, f32, M_BIT(mode) | M_BIT(SAT), whole_sat_f32_##mode, 0),                                      \
		ROW(f64, f64, M_BIT(mode), whole_f64_##mode, 0), ROW(f16, f16, M_BIT(mode), whole_f16_##mode, 0),      \
		ROW(bf16, bf16, M_BIT(mode), whole_bf16_##mode, 0)
/* clang-format on */
#define ROWS_NARROW_ROUNDED(h, a, mods, flags, fn)                                                                     \
	ROW(h, a, mods, fn, flags | ROUND_NEAREST), ROW(h, a, (mods) | M_BIT(RZ), fn, flags | ROUND_ZERO),             \
	    ROW(h, a, (mods) | M_BIT(RM), fn, flags | ROUND_DOWN), ROW(h, a, (mods) | M_BIT(RP), fn, flags | ROUND_UP)
/* clang-format off */
#define ROWS_NARROW(h, a, fn)                                                                                          \
	ROWS_NARROW_ROUNDED(h, a, M_BIT(RELU), NARROW_RELU, fn), ROWS_NARROW_ROUNDED(h, a, M_BIT(SAT), NARROW_SAT, fn), \
		ROWS_NARROW_ROUNDED(h, a, M_BIT(FTZ), NARROW_FTZ, fn),                                                 \
		ROWS_NARROW_ROUNDED(h, a, M_BIT(SATFINITE), NARROW_FINITE, fn),                                        \
		ROWS_NARROW_ROUNDED(h, a, M_BIT(SATFINITE) | M_BIT(RELU), NARROW_FINITE | NARROW_RELU, fn),            \
		ROW(h, a, M_BIT(RZ), fn, ROUND_ZERO), ROW(h, a, M_BIT(RM), fn, ROUND_DOWN),                            \
		ROW(h, a, M_BIT(RP), fn, ROUND_UP)
/* clang-format on */
#define ROWS_NARROW_ALL(h, a, fn) ROW(h, a, 0, fn, ROUND_NEAREST), ROWS_NARROW(h, a, fn)
#define ROWS_SMALL(e)                                                                                                  \
	ROW(e##x2, f32, M_BIT(SATFINITE), cvt_##e##x2_f32, 0),                                                         \
	    ROW(e##x2, f32, M_BIT(SATFINITE) | M_BIT(RELU), cvt_##e##x2_f32, NARROW_RELU),                             \
	    ROW(e##x2, f16x2, M_BIT(SATFINITE), cvt_##e##x2_f16x2, 0),                                                 \
	    ROW(e##x2, f16x2, M_BIT(SATFINITE) | M_BIT(RELU), cvt_##e##x2_f16x2, NARROW_RELU),                         \
	    ROW(f16x2, e##x2, 0, cvt_f16x2_##e##x2, 0)
/* clang-format off */
#define ROWS_TF32(round, mode)                                                                                         \
	ROW(tf32, f32, round, cvt_tf32_f32, mode), ROW(tf32, f32, (round) | M_BIT(RELU), cvt_tf32_f32, (mode) | NARROW_RELU), \
		ROW(tf32, f32, (round) | M_BIT(SATFINITE), cvt_tf32_f32, (mode) | NARROW_FINITE)
/* clang-format on */
#define ROW_PACK(d, fn) {PTX_OP_cvt_pack, {PTX_##d, PTX_s32}, PTX_MOD_NONE, M_BIT(SAT), fn, 0}

extern const struct exec_row EXEC_TABLE(exec_convert)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_convert)[] = {
	FOR_INTEGER_PAIRS(ROW_INTEGER)
	FOR_INTEGERS(ROW_TO_FLOAT, f32) FOR_INTEGERS(ROW_TO_FLOAT, f64)
	FOR_INTEGERS(ROW_TO_HALF, f16) FOR_INTEGERS(ROW_TO_HALF, bf16)
	FOR_INTEGERS(ROWS_FROM_FLOAT, f16) FOR_INTEGERS(ROWS_FROM_FLOAT, bf16)
	FOR_INTEGERS(ROWS_FROM_FLOAT, f32) FOR_INTEGERS(ROWS_FROM_FLOAT, f64) FOR_INTEGERS(ROWS_FROM_FTZ, )
	ROWS_WHOLE(RNI), ROWS_WHOLE(RZI), ROWS_WHOLE(RMI), ROWS_WHOLE(RPI),
	ROW(f32, f16, 0, cvt_f32_f16, 0), ROW(f32, f16, M_BIT(FTZ), cvt_f32_f16, 0),
	ROW(f32, f16, M_BIT(SAT), cvt_sat_f32_f16, 0),
	ROW(f32, bf16, 0, cvt_f32_bf16, 0), ROW(f32, bf16, M_BIT(FTZ), cvt_ftz_f32_bf16, 0),
	ROW(f32, bf16, M_BIT(SAT), cvt_sat_f32_bf16, 0),
	ROW(f64, f16, 0, cvt_f64_f16, 0), ROW(f64, bf16, 0, cvt_f64_bf16, 0), ROW(f64, f32, 0, cvt_f64_f32, 0),
	ROW(f64, f32, M_BIT(FTZ), cvt_ftz_f64_f32, 0), ROW(f64, f32, M_BIT(SAT), cvt_sat_f64_f32, 0),
	ROW(f32, f64, 0, cvt_f32_f64, 0), ROW(f32, f64, M_BIT(FTZ), cvt_ftz_f32_f64, 0),
	ROW(f32, f64, M_BIT(SAT), cvt_sat_f32_f64, 0),
	ROW(f32, f32, 0, cvt_f32_f32, 0), ROW(f32, f32, M_BIT(FTZ), cvt_ftz_f32_f32, 0),
	ROW(f32, f32, M_BIT(SAT), cvt_sat_f32_f32, 0),
	ROW(f32, f32, M_BIT(FTZ) | M_BIT(SAT), cvt_ftz_sat_f32_f32, 0),
	ROW(f64, f64, 0, cvt_f64_f64, 0), ROW(f64, f64, M_BIT(SAT), cvt_sat_f64_f64, 0),
	ROW(f16, f16, 0, cvt_same_16, 0), ROW(bf16, bf16, 0, cvt_same_16, 0),
	ROW(f16, f16, M_BIT(SAT), narrow_f16_f16, NARROW_SAT),
	ROW(f16, f32, 0, cvt_f16_f32, 0), ROW(bf16, f32, 0, cvt_bf16_f32, 0),
	ROW(f16x2, f32, 0, cvt_f16x2_f32, 0), ROW(bf16x2, f32, 0, cvt_bf16x2_f32, 0),
	ROWS_NARROW(f16, f32, narrow_f16_f32), ROWS_NARROW(bf16, f32, narrow_bf16_f32),
	ROWS_NARROW(f16x2, f32, narrow_f16x2_f32), ROWS_NARROW(bf16x2, f32, narrow_bf16x2_f32),
	ROWS_NARROW_ALL(f16, f64, narrow_f16_f64), ROWS_NARROW_ALL(bf16, f64, narrow_bf16_f64),
	ROWS_NARROW_ALL(f16, bf16, narrow_f16_bf16), ROWS_NARROW_ALL(bf16, f16, narrow_bf16_f16),
	ROWS_TF32(0, ROUND_NEAREST), ROWS_TF32(M_BIT(RZ), ROUND_ZERO), ROWS_TF32(M_BIT(RNA), ROUND_AWAY),
	ROWS_SMALL(e4m3), ROWS_SMALL(e5m2),
	ROW_PACK(s16, pack_s16_s32), ROW_PACK(u16, pack_u16_s32), ROW_PACK(s8, pack_s8_s32), ROW_PACK(u8, pack_u8_s32),
	{0}};
/* clang-format on */
