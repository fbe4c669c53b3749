/* Integer arithmetic: add to rem, products of all widths, carry chains, packed 16-bit pairs. */
#include "runtime/cpu/exec/lanes.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

/* Division by zero gives all ones, for quotient and remainder, like compiled code on NVIDIA hardware. */
#define QUOTIENT(T, a, b) ((b) == 0 ? (T) - 1 : (T)((a) / (b)))
#define REMAINDER(T, a, b) ((b) == 0 ? (T) - 1 : (T)((a) % (b)))
/* The most negative number divided by -1 overflows in C. */
#define SIGNED_QUOTIENT(T, U, a, b) ((b) == -1 ? (T)(0 - (U)(a)) : QUOTIENT(T, a, b))
#define SIGNED_REMAINDER(T, a, b) ((b) == -1 ? (T)0 : REMAINDER(T, a, b))
#define DIFFERENCE(U, a, b) ((a) > (b) ? (U)((U)(a) - (U)(b)) : (U)((U)(b) - (U)(a)))
#define CLAMP_S32(x) ((x) > INT32_MAX ? INT32_MAX : (x) < INT32_MIN ? INT32_MIN : (int32_t)(x))
#define LOW24_U(x) ((x) & 0xffffffu)
#define LOW24_S(x) ((int32_t)((uint32_t)(x) << 8) >> 8)

#define FOR_UNSIGNED(X) X(u16) X(u32) X(u64)
#define FOR_SIGNED(X) X(s16, u16) X(s32, u32) X(s64, u64)

/* Wrapping operations do not depend on the sign; uint64_t keeps 16-bit products from overflowing an int. */
/* clang-format off */
#define DEFINE_WRAPPING(u)                                                                                             \
	BINARY(add_##u, u, u, u, a + b)                                                                                \
	BINARY(sub_##u, u, u, u, a - b)                                                                                \
	BINARY(mul_lo_##u, u, u, u, (reg_##u)a * b)                                                                    \
	TERNARY(mad_lo_##u, u, u, u, u, (reg_##u)a * b + c)
#define DEFINE_UNSIGNED(u)                                                                                             \
	BINARY(div_##u, u, u, u, QUOTIENT(val_##u, a, b))                                                              \
	BINARY(rem_##u, u, u, u, REMAINDER(val_##u, a, b))                                                             \
	BINARY(min_##u, u, u, u, a < b ? a : b)                                                                        \
	BINARY(max_##u, u, u, u, a > b ? a : b)                                                                        \
	TERNARY(sad_##u, u, u, u, u, c + DIFFERENCE(val_##u, a, b))
/* clang-format on */
#define DEFINE_SIGNED(s, u)                                                                                            \
	BINARY(div_##s, s, s, s, SIGNED_QUOTIENT(val_##s, val_##u, a, b))                                              \
	BINARY(rem_##s, s, s, s, SIGNED_REMAINDER(val_##s, a, b))                                                      \
	UNARY(abs_##s, s, s, a < 0 ? (val_##s)(0 - (val_##u)a) : a)                                                    \
	UNARY(neg_##s, s, s, 0 - (val_##u)a)                                                                           \
	TERNARY(sad_##s, u, s, s, u, c + DIFFERENCE(val_##u, a, b))
#define DEFINE_SIGNED_EXTREMES(s, u)                                                                                   \
	BINARY(min_##s, s, s, s, a < b ? a : b)                                                                        \
	BINARY(max_##s, s, s, s, a > b ? a : b)                                                                        \
	BINARY(max_relu_##s, s, s, s, (a > b ? a : b) > 0 ? (a > b ? a : b) : 0)                                       \
	BINARY(min_relu_##s, s, s, s, (a < b ? a : b) > 0 ? (a < b ? a : b) : 0)
FOR_UNSIGNED(DEFINE_WRAPPING)
FOR_UNSIGNED(DEFINE_UNSIGNED)
FOR_SIGNED(DEFINE_SIGNED)
FOR_SIGNED(DEFINE_SIGNED_EXTREMES)

/* Upper halves and full products: DEFINE_HIGH(type, type of the full product, bits). */
/* clang-format off */
#define DEFINE_HIGH(t, full, bits)                                                                                     \
	BINARY(mul_hi_##t, t, t, t, (full)a * b >> bits)                                                               \
	TERNARY(mad_hi_##t, t, t, t, t, (reg_u64)(val_##t)((full)a * b >> bits) + (reg_u64)c)
/* clang-format on */
DEFINE_HIGH(u16, uint32_t, 16)
DEFINE_HIGH(s16, int32_t, 16)
DEFINE_HIGH(u32, uint64_t, 32)
DEFINE_HIGH(s32, int64_t, 32)
DEFINE_HIGH(u64, u128, 64)
DEFINE_HIGH(s64, s128, 64)
/* clang-format off */
#define DEFINE_WIDE(t, full, wide_u)                                                                                   \
	BINARY(mul_wide_##t, full, t, t, (val_##full)a * (val_##full)b)                                                \
	TERNARY(mad_wide_##t, wide_u, t, t, wide_u, (val_##wide_u)((val_##full)a * (val_##full)b) + c)
/* clang-format on */
DEFINE_WIDE(u16, u32, u32)
DEFINE_WIDE(s16, s32, u32)
DEFINE_WIDE(u32, u64, u64)
DEFINE_WIDE(s32, s64, u64)

BINARY(add_sat_s32, s32, s32, s32, CLAMP_S32((int64_t)a + b))
BINARY(sub_sat_s32, s32, s32, s32, CLAMP_S32((int64_t)a - b))
TERNARY(mad_hi_sat_s32, s32, s32, s32, s32, CLAMP_S32(((int64_t)a * b >> 32) + c))

BINARY(mul24_lo_u32, u32, u32, u32, LOW24_U(a) * LOW24_U(b))
BINARY(mul24_hi_u32, u32, u32, u32, (uint64_t)LOW24_U(a) * LOW24_U(b) >> 16)
BINARY(mul24_lo_s32, s32, s32, s32, (int64_t)LOW24_S(a) * LOW24_S(b))
BINARY(mul24_hi_s32, s32, s32, s32, (int64_t)LOW24_S(a) * LOW24_S(b) >> 16)
TERNARY(mad24_lo_u32, u32, u32, u32, u32, LOW24_U(a) * LOW24_U(b) + c)
TERNARY(mad24_hi_u32, u32, u32, u32, u32, ((uint64_t)LOW24_U(a) * LOW24_U(b) >> 16) + c)
TERNARY(mad24_lo_s32, u32, s32, s32, u32, (uint32_t)((int64_t)LOW24_S(a) * LOW24_S(b)) + c)
TERNARY(mad24_hi_s32, u32, s32, s32, u32, (uint32_t)((int64_t)LOW24_S(a) * LOW24_S(b) >> 16) + c)
TERNARY(mad24_hi_sat_s32, s32, s32, s32, s32, CLAMP_S32(((int64_t)LOW24_S(a) * LOW24_S(b) >> 16) + c))

/* --- Packed pairs of 16-bit integers --- */

#define LOW16(x) ((x) & 0xffffu)
#define PAIR(low, high) (LOW16((uint32_t)(low)) | (uint32_t)(high) << 16)
#define HALVES(T, f) PAIR(f((T)a, (T)b), f((T)(a >> 16), (T)(b >> 16)))
#define LESSER(x, y) ((x) < (y) ? (x) : (y))
#define GREATER(x, y) ((x) > (y) ? (x) : (y))
#define LESSER_RELU(x, y) GREATER(LESSER(x, y), 0)
#define GREATER_RELU(x, y) GREATER(GREATER(x, y), 0)
#define TOTAL(x, y) ((x) + (y))
BINARY(add_16x2, u32, u32, u32, HALVES(uint16_t, TOTAL))
BINARY(min_u16x2, u32, u32, u32, HALVES(uint16_t, LESSER))
BINARY(max_u16x2, u32, u32, u32, HALVES(uint16_t, GREATER))
BINARY(min_s16x2, u32, u32, u32, HALVES(int16_t, LESSER))
BINARY(max_s16x2, u32, u32, u32, HALVES(int16_t, GREATER))
BINARY(min_relu_s16x2, u32, u32, u32, HALVES(int16_t, LESSER_RELU))
BINARY(max_relu_s16x2, u32, u32, u32, HALVES(int16_t, GREATER_RELU))

/*
 * --- Carry chains: the condition code is a bit per lane, the carry of the last sum. A difference is the sum a + ~b +
 * 1, so after it a set bit means no borrow, and subc subtracts one more if the bit is clear ---
 */

enum carry_use { TAKES = 1, GIVES = 2 };

/* Stores each lane's carry in the condition code. */
ALWAYS_INLINE void give_carries(struct warp *w, uint32_t mask, uint32_t carries, unsigned use)
{
	if (use & GIVES)
		w->carry = (w->carry & ~mask) | (carries & mask);
}

/*
 * Like LANES_INTO: r = x + y + the lane's carry, which is `first` for instructions that take none. The sum is carried
 * over when r is less than x, or as much although a carry was added.
 */
/* clang-format off */
#define CARRY_LANES(u, use, first, load, x, y)                                                                         \
	reg_##u *rd = destination(w, in->d);                                                                           \
	uint32_t carries = 0, before = (use) & TAKES ? w->carry : (first) ? ALL_LANES : 0;                             \
	for (unsigned i = 0; i < LANES; i++) {                                                                         \
		load; val_##u carry = before >> i & 1, one = (val_##u)(x), r = (val_##u)(one + (val_##u)(y) + carry);  \
		carries |= (uint32_t)(r < one || (carry && r == one)) << i;                                            \
		if (mask >> i & 1)                                                                                     \
			rd[i] = r;                                                                                     \
	}                                                                                                              \
	give_carries(w, mask, carries, use);                                                                           \
	return STOP_NOT;

#define SUM(name, u, y, first, use)                                                                                    \
	EXEC_FUNCTION(name##_##u)                                                                                      \
	{ REGISTER(u, a) REGISTER(u, b) CARRY_LANES(u, use, first, VALUE(u, a); VALUE(u, b), a, y) }
#define SUMS(u)                                                                                                        \
	SUM(add_cc, u, b, 0, GIVES) SUM(addc, u, b, 0, TAKES) SUM(addc_cc, u, b, 0, TAKES | GIVES)                     \
	SUM(sub_cc, u, ~b, 1, GIVES) SUM(subc, u, ~b, 1, TAKES) SUM(subc_cc, u, ~b, 1, TAKES | GIVES)

/* d = half of a b, plus c, plus carry; a and b of type t, the rest of the unsigned type u. */
#define PRODUCT_SUM(name, t, u, half, use)                                                                             \
	EXEC_FUNCTION(name##_##t)                                                                                      \
	{                                                                                                              \
		REGISTER(t, a) REGISTER(t, b) REGISTER(u, c)                                                           \
		CARRY_LANES(u, use, 0, VALUE(t, a); VALUE(t, b); VALUE(u, c), half, c)                                 \
	}
#define PRODUCT_SUMS(name, t, u, half)                                                                                 \
	PRODUCT_SUM(mad_##name##_cc, t, u, half, GIVES) PRODUCT_SUM(madc_##name, t, u, half, TAKES)                    \
	PRODUCT_SUM(madc_##name##_cc, t, u, half, TAKES | GIVES)
/* clang-format on */
SUMS(u32)
SUMS(u64)
PRODUCT_SUMS(lo, u32, u32, a *b)
PRODUCT_SUMS(hi, u32, u32, (uint64_t)a *b >> 32)
PRODUCT_SUMS(lo, s32, u32, (uint32_t)a *(uint32_t)b)
PRODUCT_SUMS(hi, s32, u32, (int64_t)a *b >> 32)
PRODUCT_SUMS(lo, u64, u64, a *b)
PRODUCT_SUMS(hi, u64, u64, (u128)a *b >> 64)
PRODUCT_SUMS(lo, s64, u64, (uint64_t)a *(uint64_t)b)
PRODUCT_SUMS(hi, s64, u64, (s128)a *b >> 64)

#define ROW(op, t, mods, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, mods, fn, 0}
#define ROWS_WRAPPING(t, u)                                                                                            \
	ROW(add, t, 0, add_##u), ROW(sub, t, 0, sub_##u), ROW(mul, t, M_BIT(LO), mul_lo_##u),                          \
	    ROW(mad, t, M_BIT(LO), mad_lo_##u)
#define ROWS_BY_SIGN(t)                                                                                                \
	ROW(div, t, 0, div_##t), ROW(rem, t, 0, rem_##t), ROW(min, t, 0, min_##t), ROW(max, t, 0, max_##t),            \
	    ROW(sad, t, 0, sad_##t), ROW(mul, t, M_BIT(HI), mul_hi_##t), ROW(mad, t, M_BIT(HI), mad_hi_##t)
#define ROWS_UNSIGNED(u) ROWS_WRAPPING(u, u), ROWS_BY_SIGN(u),
#define ROWS_SIGNED(s, u)                                                                                              \
	ROWS_WRAPPING(s, u), ROWS_BY_SIGN(s), ROW(abs, s, 0, abs_##s), ROW(neg, s, 0, neg_##s),                        \
	    ROW(min, s, M_BIT(RELU), min_relu_##s), ROW(max, s, M_BIT(RELU), max_relu_##s),
#define ROWS_WIDE(t) ROW(mul, t, M_BIT(WIDE), mul_wide_##t), ROW(mad, t, M_BIT(WIDE), mad_wide_##t)
/* clang-format off */
#define ROWS_CARRY(t, u)                                                                                               \
	ROW(add, t, M_BIT(CC), add_cc_##u), ROW(addc, t, 0, addc_##u), ROW(addc, t, M_BIT(CC), addc_cc_##u),           \
		ROW(sub, t, M_BIT(CC), sub_cc_##u), ROW(subc, t, 0, subc_##u), ROW(subc, t, M_BIT(CC), subc_cc_##u),   \
		ROW(mad, t, M_BIT(LO) | M_BIT(CC), mad_lo_cc_##t), ROW(mad, t, M_BIT(HI) | M_BIT(CC), mad_hi_cc_##t),  \
		ROW(madc, t, M_BIT(LO), madc_lo_##t), ROW(madc, t, M_BIT(HI), madc_hi_##t),                            \
		ROW(madc, t, M_BIT(LO) | M_BIT(CC), madc_lo_cc_##t),                                                   \
		ROW(madc, t, M_BIT(HI) | M_BIT(CC), madc_hi_cc_##t)
/* clang-format on */

extern const struct exec_row EXEC_TABLE(exec_integer)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_integer)[] = {
	FOR_UNSIGNED(ROWS_UNSIGNED)
	FOR_SIGNED(ROWS_SIGNED)
	ROWS_WIDE(u16), ROWS_WIDE(s16), ROWS_WIDE(u32), ROWS_WIDE(s32),
	ROWS_CARRY(u32, u32), ROWS_CARRY(s32, u32), ROWS_CARRY(u64, u64), ROWS_CARRY(s64, u64),
	ROW(add, s32, M_BIT(SAT), add_sat_s32), ROW(sub, s32, M_BIT(SAT), sub_sat_s32),
	ROW(mad, s32, M_BIT(HI) | M_BIT(SAT), mad_hi_sat_s32),
	ROW(mul24, u32, M_BIT(LO), mul24_lo_u32), ROW(mul24, u32, M_BIT(HI), mul24_hi_u32),
	ROW(mul24, s32, M_BIT(LO), mul24_lo_s32), ROW(mul24, s32, M_BIT(HI), mul24_hi_s32),
	ROW(mad24, u32, M_BIT(LO), mad24_lo_u32), ROW(mad24, u32, M_BIT(HI), mad24_hi_u32),
	ROW(mad24, s32, M_BIT(LO), mad24_lo_s32), ROW(mad24, s32, M_BIT(HI), mad24_hi_s32),
	ROW(mad24, s32, M_BIT(HI) | M_BIT(SAT), mad24_hi_sat_s32),
	ROW(add, u16x2, 0, add_16x2), ROW(add, s16x2, 0, add_16x2),
	ROW(min, u16x2, 0, min_u16x2), ROW(max, u16x2, 0, max_u16x2),
	ROW(min, s16x2, 0, min_s16x2), ROW(max, s16x2, 0, max_s16x2),
	ROW(min, s16x2, M_BIT(RELU), min_relu_s16x2), ROW(max, s16x2, M_BIT(RELU), max_relu_s16x2),
	{0}};
/* clang-format on */
