/*
 * Arithmetic of half precision (11 binary digits), bfloat16 (8 digits) and pairs of them. Sums and products are
 * computed in single precision (24 digits) and then rounded to the short format. Two roundings may differ from a single
 * rounding if the first ends exactly halfway between two short numbers: to two decimal digits 1.449 is 1.4, but 1.45,
 * its rounding to three, becomes 1.5. This cannot happen if the first rounding keeps at least twice the digits of the
 * result and two more, here 24 = 2 * 11 + 2: no sum or product of two short numbers comes so close to a halfway point
 * without being on it.
 */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"

/* Functions of float per element; what differs between the two formats has its name ending in f16 or bf16. */
static inline float h_add(float a, float b)
{
	return a + b;
}

static inline float h_sub(float a, float b)
{
	return a - b;
}

static inline float h_mul(float a, float b)
{
	return a * b;
}

static inline float h_min(float a, float b)
{
	float r = a < b || (a == b && signbit(a)) ? a : b;

	return a != a ? b : b != b ? a : r;
}

static inline float h_max(float a, float b)
{
	float r = a > b || (a == b && !signbit(a)) ? a : b;

	return a != a ? b : b != b ? a : r;
}

static inline float h_min_nan(float a, float b)
{
	return a != a || b != b ? bits_float(NAN_F32) : h_min(a, b);
}

static inline float h_max_nan(float a, float b)
{
	return a != a || b != b ? bits_float(NAN_F32) : h_max(a, b);
}

static inline float xorsigned(float magnitude, float a, float b)
{
	return bits_float((float_bits(magnitude) & 0x7fffffff) | ((float_bits(a) ^ float_bits(b)) & 0x80000000));
}

static inline float h_min_xorsign(float a, float b)
{
	return xorsigned(h_min(fabsf(a), fabsf(b)), a, b);
}

static inline float h_max_xorsign(float a, float b)
{
	return xorsigned(h_max(fabsf(a), fabsf(b)), a, b);
}

static inline float h_min_nan_xorsign(float a, float b)
{
	return xorsigned(h_min_nan(fabsf(a), fabsf(b)), a, b);
}

static inline float h_max_nan_xorsign(float a, float b)
{
	return xorsigned(h_max_nan(fabsf(a), fabsf(b)), a, b);
}

#define LOAD_f16(x) f16_to_f32((uint16_t)(x))
#define LOAD_bf16(x) bf16_to_f32((uint16_t)(x))
#define ROUND_f16(x) f32_to_f16(x)
#define ROUND_bf16(x) f32_to_bf16(x)

/* .ftz exists for half precision: magnitudes below 2^-14 are zeros. */
static inline uint16_t f16_flushed(uint16_t h)
{
	return (h & 0x7c00) == 0 ? h & 0x8000 : h;
}

#define IN_PLAIN(x) ((uint16_t)(x))
#define IN_FTZ(x) f16_flushed((uint16_t)(x))
#define OUT_PLAIN(x) (x)
#define OUT_FTZ(x) f16_flushed(x)
/* Clamps to [0, 1]; 1 is 0x3c00 in half precision and 0x3f80 in bfloat16. */
#define CLAMPED(h, one)                                                                                                \
	((h) & 0x8000 || (uint16_t)((h) & 0x7fff) > INFINITE_OF_##one ? 0 : (h) > 0x##one ? 0x##one : (h))
#define INFINITE_OF_3c00 0x7c00
#define INFINITE_OF_3f80 0x7f80
static inline uint16_t sat_f16(uint16_t h)
{
	return CLAMPED(h, 3c00);
}

static inline uint16_t sat_bf16(uint16_t h)
{
	return CLAMPED(h, 3f80);
}

static inline uint16_t relu(uint16_t h, uint16_t infinite)
{
	return (h & 0x7fff) > infinite ? 0x7fff : h & 0x8000 ? 0 : h;
}

static inline uint16_t relu_f16(uint16_t h)
{
	return relu(h, 0x7c00);
}

static inline uint16_t relu_bf16(uint16_t h)
{
	return relu(h, 0x7f80);
}

static inline uint16_t fused_f16(uint16_t a, uint16_t b, uint16_t c)
{
	return f32_to_f16(fma_odd_f32(f16_to_f32(a), f16_to_f32(b), f16_to_f32(c)));
}

static inline uint16_t fused_bf16(uint16_t a, uint16_t b, uint16_t c)
{
	return f64_to_bf16(fma_odd_f64(bf16_to_f32(a), bf16_to_f32(b), bf16_to_f32(c)), ROUND_NEAREST);
}

/* Single precision holds the product exactly, unless it is too small. */
static inline uint16_t mul_bf16_bits(uint16_t a, uint16_t b)
{
	float x = bf16_to_f32(a), y = bf16_to_f32(b), r = x * y;

	return fabsf(r) < 0x1p-118f ? f64_to_bf16((double)x * (double)y, ROUND_NEAREST) : f32_to_bf16(r);
}

#define PAIRED(low, high) ((uint32_t)(uint16_t)(low) | (uint32_t)(uint16_t)(high) << 16)

/* The same element function for one value and for two in a register. */
#define DEFINE_1(name, h, f)                                                                                           \
	UNARY(name##_##h, u32, u32, f((uint16_t)a))                                                                    \
	UNARY(name##_##h##x2, u32, u32, PAIRED(f((uint16_t)a), f((uint16_t)(a >> 16))))
#define DEFINE_2(name, h, f)                                                                                           \
	BINARY(name##_##h, u32, u32, u32, f((uint16_t)a, (uint16_t)b))                                                 \
	BINARY(name##_##h##x2, u32, u32, u32,                                                                          \
	       PAIRED(f((uint16_t)a, (uint16_t)b), f((uint16_t)(a >> 16), (uint16_t)(b >> 16))))
#define DEFINE_3(name, h, f)                                                                                           \
	TERNARY(name##_##h, u32, u32, u32, u32, f((uint16_t)a, (uint16_t)b, (uint16_t)c))                              \
	TERNARY(name##_##h##x2, u32, u32, u32, u32,                                                                    \
		PAIRED(f((uint16_t)a, (uint16_t)b, (uint16_t)c),                                                       \
		       f((uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16))))

#define VIA_FLOAT(name, h, op, I, O)                                                                                   \
	static inline uint16_t name##_element_##h(uint16_t a, uint16_t b)                                              \
	{                                                                                                              \
		return O(ROUND_##h(op(LOAD_##h(I(a)), LOAD_##h(I(b)))));                                               \
	}                                                                                                              \
	DEFINE_2(name, h, name##_element_##h)
#define VIA_FMA(name, h, I, O)                                                                                         \
	static inline uint16_t name##_element_##h(uint16_t a, uint16_t b, uint16_t c)                                  \
	{                                                                                                              \
		return O(fused_##h(I(a), I(b), I(c)));                                                                 \
	}                                                                                                              \
	DEFINE_3(name, h, name##_element_##h)

#define OUT_SAT_f16(x) sat_f16(x)
#define OUT_FTZ_SAT(x) sat_f16(f16_flushed(x))
#define OUT_FTZ_RELU(x) relu_f16(f16_flushed(x))
#define DEFINE_SUMS_F16(suffix, I, O)                                                                                  \
	VIA_FLOAT(add##suffix, f16, h_add, I, O)                                                                       \
	VIA_FLOAT(sub##suffix, f16, h_sub, I, O)                                                                       \
	VIA_FLOAT(mul##suffix, f16, h_mul, I, O)                                                                       \
	VIA_FMA(fma##suffix, f16, I, O)
DEFINE_SUMS_F16(, IN_PLAIN, OUT_PLAIN)
DEFINE_SUMS_F16(_ftz, IN_FTZ, OUT_FTZ)
DEFINE_SUMS_F16(_sat, IN_PLAIN, OUT_SAT_f16)
DEFINE_SUMS_F16(_ftz_sat, IN_FTZ, OUT_FTZ_SAT)
VIA_FMA(fma_relu, f16, IN_PLAIN, relu_f16)
VIA_FMA(fma_ftz_relu, f16, IN_FTZ, OUT_FTZ_RELU)
VIA_FLOAT(add, bf16, h_add, IN_PLAIN, OUT_PLAIN)
VIA_FLOAT(sub, bf16, h_sub, IN_PLAIN, OUT_PLAIN)
DEFINE_2(mul, bf16, mul_bf16_bits)
VIA_FMA(fma, bf16, IN_PLAIN, OUT_PLAIN)
VIA_FMA(fma_sat, bf16, IN_PLAIN, sat_bf16)
VIA_FMA(fma_relu, bf16, IN_PLAIN, relu_bf16)

#define DEFINE_EXTREME(op, h, suffix, I, O)                                                                            \
	VIA_FLOAT(op##suffix, h, h_##op, I, O)                                                                         \
	VIA_FLOAT(op##_nan##suffix, h, h_##op##_nan, I, O)                                                             \
	VIA_FLOAT(op##_xorsign##suffix, h, h_##op##_xorsign, I, O)                                                     \
	VIA_FLOAT(op##_nan_xorsign##suffix, h, h_##op##_nan_xorsign, I, O)
DEFINE_EXTREME(min, f16, , IN_PLAIN, OUT_PLAIN)
DEFINE_EXTREME(max, f16, , IN_PLAIN, OUT_PLAIN)
DEFINE_EXTREME(min, f16, _ftz, IN_FTZ, OUT_FTZ)
DEFINE_EXTREME(max, f16, _ftz, IN_FTZ, OUT_FTZ)
DEFINE_EXTREME(min, bf16, , IN_PLAIN, OUT_PLAIN)
DEFINE_EXTREME(max, bf16, , IN_PLAIN, OUT_PLAIN)

#define NEGATED(h) ((h) ^ 0x8000)
#define NEGATED_FTZ(h) (f16_flushed(h) ^ 0x8000)
#define MAGNITUDE(h) ((h) & 0x7fff)
#define MAGNITUDE_FTZ(h) (f16_flushed(h) & 0x7fff)
DEFINE_1(neg, f16, NEGATED)
DEFINE_1(neg_ftz, f16, NEGATED_FTZ)
DEFINE_1(abs, f16, MAGNITUDE)
DEFINE_1(abs_ftz, f16, MAGNITUDE_FTZ)
DEFINE_1(neg, bf16, NEGATED)
DEFINE_1(abs, bf16, MAGNITUDE)

#define ROW(op, t, mods, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, mods, fn, 0}
#define ROWS_SUMS(h, mods, suffix)                                                                                     \
	ROW(add, h, mods, add##suffix##_##h), ROW(sub, h, mods, sub##suffix##_##h),                                    \
	    ROW(mul, h, mods, mul##suffix##_##h), ROW(fma, h, mods, fma##suffix##_##h)
#define XORSIGN (M_BIT(XORSIGN) | M_BIT(ABS))
#define ROWS_EXTREME(op, h, mods, suffix)                                                                              \
	ROW(op, h, mods, op##suffix##_##h), ROW(op, h, mods | M_BIT(NAN_), op##_nan##suffix##_##h),                    \
	    ROW(op, h, mods | XORSIGN, op##_xorsign##suffix##_##h),                                                    \
	    ROW(op, h, mods | M_BIT(NAN_) | XORSIGN, op##_nan_xorsign##suffix##_##h)
/* clang-format off */
#define ROWS_F16(h)                                                                                                    \
	ROWS_SUMS(h, 0, ), ROWS_SUMS(h, M_BIT(FTZ), _ftz), ROWS_SUMS(h, M_BIT(SAT), _sat),                             \
		ROWS_SUMS(h, M_BIT(FTZ) | M_BIT(SAT), _ftz_sat), ROW(fma, h, M_BIT(RELU), fma_relu_##h),               \
		ROW(fma, h, M_BIT(FTZ) | M_BIT(RELU), fma_ftz_relu_##h), ROWS_EXTREME(min, h, 0, ),                    \
		ROWS_EXTREME(max, h, 0, ), ROWS_EXTREME(min, h, M_BIT(FTZ), _ftz),                                     \
		ROWS_EXTREME(max, h, M_BIT(FTZ), _ftz), ROW(neg, h, 0, neg_##h), ROW(abs, h, 0, abs_##h),              \
		ROW(neg, h, M_BIT(FTZ), neg_ftz_##h), ROW(abs, h, M_BIT(FTZ), abs_ftz_##h)
/* clang-format on */
#define ROWS_BF16(h)                                                                                                   \
	ROWS_SUMS(h, 0, ), ROW(fma, h, M_BIT(SAT), fma_sat_##h), ROW(fma, h, M_BIT(RELU), fma_relu_##h),               \
	    ROWS_EXTREME(min, h, 0, ), ROWS_EXTREME(max, h, 0, ), ROW(neg, h, 0, neg_##h), ROW(abs, h, 0, abs_##h)

extern const struct exec_row EXEC_TABLE(exec_half)[];
const struct exec_row EXEC_TABLE(exec_half)[] = {
    ROWS_F16(f16), ROWS_F16(f16x2), ROWS_BF16(bf16), ROWS_BF16(bf16x2), {0}};
