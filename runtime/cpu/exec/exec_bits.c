/* Bits: logic, shifts, fields, counts, permutations, small dot products. */
#include "runtime/cpu/exec/lanes.h"

/* --- Logic --- */

/* clang-format off */
#define DEFINE_LOGIC(t)                                                                                                \
	BINARY(and_##t, t, t, t, a & b)                                                                                \
	BINARY(or_##t, t, t, t, a | b)                                                                                 \
	BINARY(xor_##t, t, t, t, a ^ b)                                                                                \
	UNARY(not_##t, t, t, ~a)                                                                                       \
	UNARY(cnot_##t, t, t, a == 0)
/* clang-format on */
DEFINE_LOGIC(b16)
DEFINE_LOGIC(b32)
DEFINE_LOGIC(b64)

EXEC_FUNCTION(and_pred)
{
	write_predicate(w, in->d, mask, read_predicate(w, in->a) & read_predicate(w, in->b));
	return STOP_NOT;
}

EXEC_FUNCTION(or_pred)
{
	write_predicate(w, in->d, mask, read_predicate(w, in->a) | read_predicate(w, in->b));
	return STOP_NOT;
}

EXEC_FUNCTION(xor_pred)
{
	write_predicate(w, in->d, mask, read_predicate(w, in->a) ^ read_predicate(w, in->b));
	return STOP_NOT;
}

EXEC_FUNCTION(not_pred)
{
	write_predicate(w, in->d, mask, ~read_predicate(w, in->a));
	return STOP_NOT;
}

/* Bit i of the table is the result for the inputs a, b, c that spell i; each lane evaluates the minterms. */
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
	uint32_t r = 0;

	for (unsigned i = 0; i < 8; i++) {
		uint32_t term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);

		r |= term & (0 - (table >> i & 1));
	}
	return r;
}

QUATERNARY(lop3_b32, b32, b32, b32, b32, b32, lop3(a, b, c, e))

/* lop3.and.b32 d|p, a, b, c, table, q: p = (d != 0) op q. The list holds p and q; d may be absent. */
EXEC_FUNCTION(lop3_predicate)
{
	const uint32_t *ra = source(w, in->a), *rb = source(w, in->b), *rc = source(w, in->c), *re = source(w, in->e);
	uint32_t q = read_predicate(w, in->list[1]), any = 0;

	if (in->flags & INST_NEGATE)
		q = ~q;
	FOR_EACH_LANE(i, mask) {
		uint32_t r = lop3(ra[i], rb[i], rc[i], re[i]);

		any |= (uint32_t)(r != 0) << i;
		if (in->d != OPERAND_NONE)
			((uint32_t *)destination(w, in->d))[i] = r;
	}
	write_predicate(w, in->list[0], mask, in->variant == PTX_MOD_or ? any | q : any & q);
	return STOP_NOT;
}

/* --- Shifts: amounts from the width on clear the register, or fill it with the sign --- */

#define DEFINE_SHIFTS(u, s, bits)                                                                                      \
	BINARY(shl_##u, u, u, u32, b < bits ? (reg_##u)a << (b & (bits - 1)) : 0)                                      \
	BINARY(shr_##u, u, u, u32, b < bits ? a >> (b & (bits - 1)) : 0)                                               \
	BINARY(shr_##s, s, s, u32, a >> (b < bits ? b : bits - 1))
DEFINE_SHIFTS(u16, s16, 16)
DEFINE_SHIFTS(u32, s32, 32)
DEFINE_SHIFTS(u64, s64, 64)

#define JOINED(high, low) ((uint64_t)(high) << 32 | (low))
TERNARY(shf_l_wrap, u32, u32, u32, u32, JOINED(b, a) << (c & 31) >> 32)
TERNARY(shf_l_clamp, u32, u32, u32, u32, c < 32 ? JOINED(b, a) << (c & 31) >> 32 : a)
TERNARY(shf_r_wrap, u32, u32, u32, u32, JOINED(b, a) >> (c & 31))
TERNARY(shf_r_clamp, u32, u32, u32, u32, JOINED(b, a) >> (c < 32 ? c : 32))

/* --- Counts and positions --- */

static inline uint32_t reversed(uint32_t x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(x);
}

#define REVERSED64(x) ((uint64_t)reversed((uint32_t)(x)) << 32 | reversed((uint32_t)((x) >> 32)))
#define CLZ32(x) ((x) ? __builtin_clz(x) : 32)
#define CLZ64(x) ((x) ? __builtin_clzll(x) : 64)
/* Position of the most significant bit that differs from the sign; all ones if there is no such bit. */
#define TOP32(x) ((x) ? 31u - (uint32_t)__builtin_clz(x) : UINT32_MAX)
#define TOP64(x) ((x) ? 63u - (uint32_t)__builtin_clzll(x) : UINT32_MAX)
#define TOP_SHIFT32(x) ((x) ? (uint32_t)__builtin_clz(x) : UINT32_MAX)
#define TOP_SHIFT64(x) ((x) ? (uint32_t)__builtin_clzll(x) : UINT32_MAX)
#define MAGNITUDE32(x) ((uint32_t)((x) < 0 ? ~(x) : (x)))
#define MAGNITUDE64(x) ((uint64_t)((x) < 0 ? ~(x) : (x)))

UNARY(popc_32, u32, u32, __builtin_popcount(a))
UNARY(popc_64, u32, u64, __builtin_popcountll(a))
UNARY(clz_32, u32, u32, CLZ32(a))
UNARY(clz_64, u32, u64, CLZ64(a))
UNARY(brev_32, u32, u32, reversed(a))
UNARY(brev_64, u64, u64, REVERSED64(a))
UNARY(bfind_u32, u32, u32, TOP32(a))
UNARY(bfind_s32, u32, s32, TOP32(MAGNITUDE32(a)))
UNARY(bfind_u64, u32, u64, TOP64(a))
UNARY(bfind_s64, u32, s64, TOP64(MAGNITUDE64(a)))
UNARY(bfind_shift_u32, u32, u32, TOP_SHIFT32(a))
UNARY(bfind_shift_s32, u32, s32, TOP_SHIFT32(MAGNITUDE32(a)))
UNARY(bfind_shift_u64, u32, u64, TOP_SHIFT64(a))
UNARY(bfind_shift_s64, u32, s64, TOP_SHIFT64(MAGNITUDE64(a)))

/*
 * The `offset`-th set bit from `base` upward, or downward if negative; `base` itself counts. For 0: `base`, if it is
 * set. All ones if no bit fits.
 */
static inline uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset)
{
	int32_t step = offset < 0 ? -1 : 1, left = offset == 0 ? 1 : offset < 0 ? -offset : offset;

	if (base > 31)
		return UINT32_MAX;
	if (offset == 0)
		return mask >> base & 1 ? base : UINT32_MAX;
	for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += step)
		if ((mask >> at & 1) && --left == 0)
			return (uint32_t)at;
	return UINT32_MAX;
}

TERNARY(fns_b32, u32, u32, u32, s32, find_nth(a, b, c == INT32_MIN ? INT32_MIN + 1 : c))

/* --- Fields; position and length are the low 8 bits of their registers --- */

static inline uint64_t field_u(uint64_t a, uint32_t position, uint32_t length, unsigned bits)
{
	position &= 0xff;
	length &= 0xff;
	if (length == 0 || position >= bits)
		return 0;
	a >>= position;
	return length >= 64 ? a : a & ((UINT64_C(1) << length) - 1);
}

/* Fills above the field with its top bit, or with the operand's sign if the field reaches beyond the operand. */
static inline uint64_t field_s(uint64_t a, uint32_t position, uint32_t length, unsigned bits)
{
	uint32_t top;
	uint64_t r;

	position &= 0xff;
	length &= 0xff;
	if (length == 0)
		return 0;
	top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
	r = field_u(a, position, length, bits);
	if (a >> top & 1) {
		uint32_t known = position >= bits ? 0 : top + 1 - position;

		r |= known >= 64 ? 0 : ~UINT64_C(0) << known;
	}
	return r;
}

static inline uint64_t inserted(uint64_t a, uint64_t b, uint32_t position, uint32_t length, unsigned bits)
{
	uint64_t ones;

	position &= 0xff;
	length &= 0xff;
	if (length == 0 || position >= bits)
		return b;
	ones = length >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << length) - 1;
	return (b & ~(ones << position)) | (a & ones) << position;
}

TERNARY(bfe_u32, u32, u32, u32, u32, field_u(a, b, c, 32))
TERNARY(bfe_u64, u64, u64, u32, u32, field_u(a, b, c, 64))
TERNARY(bfe_s32, u32, u32, u32, u32, field_s(a, b, c, 32))
TERNARY(bfe_s64, u64, u64, u32, u32, field_s(a, b, c, 64))
QUATERNARY(bfi_b32, u32, u32, u32, u32, u32, inserted(a, b, c, e, 32))
QUATERNARY(bfi_b64, u64, u64, u64, u32, u32, inserted(a, b, c, e, 64))

#define ONES(length) ((length) >= 32 ? UINT32_MAX : (1u << ((length) & 31)) - 1)
BINARY(bmsk_clamp, u32, u32, u32, a >= 32 ? 0 : ONES(b) << (a & 31))
BINARY(bmsk_wrap, u32, u32, u32, ONES(b & 31) << (a & 31))

static inline uint32_t extended(uint32_t a, uint32_t bits, bool is_signed)
{
	if (bits == 0)
		return 0;
	if (bits >= 32)
		return a;
	a &= (1u << bits) - 1;
	return is_signed && (a >> (bits - 1) & 1) ? a | ~((1u << bits) - 1) : a;
}

BINARY(szext_clamp_u32, u32, u32, u32, extended(a, b, false))
BINARY(szext_clamp_s32, u32, u32, u32, extended(a, b, true))
BINARY(szext_wrap_u32, u32, u32, u32, extended(a, b & 31, false))
BINARY(szext_wrap_s32, u32, u32, u32, extended(a, b & 31, true))

/* --- Bytes --- */

/* prmt: a byte of {b, a} for each selector nibble; its top bit replicates the byte's sign instead. */
static inline uint32_t chosen_byte(uint64_t bytes, uint32_t selector)
{
	uint32_t byte = (uint32_t)(bytes >> (selector & 7) * 8) & 0xff;

	return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}

static inline uint32_t permuted(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t bytes = JOINED(b, a);

	return chosen_byte(bytes, c & 15) | chosen_byte(bytes, c >> 4 & 15) << 8 |
	       chosen_byte(bytes, c >> 8 & 15) << 16 | chosen_byte(bytes, c >> 12 & 15) << 24;
}

/* The selectors of each named mode, by the low two bits of c. */
static const uint16_t prmt_modes[][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e: forward four bytes */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e: backward */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8: replicate a byte */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl: clamp to the left edge */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr: clamp to the right edge */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16: replicate half a word */
};

TERNARY(prmt_b32, u32, u32, u32, u32, permuted(a, b, c))
TERNARY(prmt_mode, u32, u32, u32, u32, permuted(a, b, prmt_modes[in->variant][c & 3]))

#define BYTE(T, x, i) ((T)((x) >> (i) * 8))
#define DOT4(TA, TB)                                                                                                   \
	(BYTE(TA, a, 0) * BYTE(TB, b, 0) + BYTE(TA, a, 1) * BYTE(TB, b, 1) + BYTE(TA, a, 2) * BYTE(TB, b, 2) +         \
	 BYTE(TA, a, 3) * BYTE(TB, b, 3))
#define DOT2(TH, TB, first)                                                                                            \
	((uint32_t)((TH)a * BYTE(TB, b, first)) + (uint32_t)((TH)(a >> 16) * BYTE(TB, b, (first) + 1)))
TERNARY(dp4a_uu, u32, u32, u32, u32, c + (uint32_t)DOT4(uint8_t, uint8_t))
TERNARY(dp4a_us, u32, u32, u32, u32, c + (uint32_t)DOT4(uint8_t, int8_t))
TERNARY(dp4a_su, u32, u32, u32, u32, c + (uint32_t)DOT4(int8_t, uint8_t))
TERNARY(dp4a_ss, u32, u32, u32, u32, c + (uint32_t)DOT4(int8_t, int8_t))
#define DEFINE_DP2A(name, TH, TB)                                                                                      \
	TERNARY(dp2a_lo_##name, u32, u32, u32, u32, c + DOT2(TH, TB, 0))                                               \
	TERNARY(dp2a_hi_##name, u32, u32, u32, u32, c + DOT2(TH, TB, 2))
DEFINE_DP2A(uu, uint16_t, uint8_t)
DEFINE_DP2A(us, uint16_t, int8_t)
DEFINE_DP2A(su, int16_t, uint8_t)
DEFINE_DP2A(ss, int16_t, int8_t)

#define ROW(op, t, mods, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, mods, fn, 0}
#define ROW_WHICH(op, t, which, mods, fn, variant) {PTX_OP_##op, {PTX_##t}, PTX_MOD_##which, mods, fn, variant}
/* clang-format off */
#define ROWS_LOGIC(t)                                                                                                  \
	ROW(and, t, 0, and_##t), ROW(or, t, 0, or_##t), ROW(xor, t, 0, xor_##t), ROW(not, t, 0, not_##t)
/* clang-format on */
#define ROWS_SHIFT(b, u, s)                                                                                            \
	ROW(shl, b, 0, shl_##u), ROW(shr, b, 0, shr_##u), ROW(shr, u, 0, shr_##u), ROW(shr, s, 0, shr_##s)
#define ROWS_DOT(ta, tb, name)                                                                                         \
	{PTX_OP_dp4a, {PTX_##ta, PTX_##tb}, PTX_MOD_NONE, 0, dp4a_##name, 0},                                          \
	    {PTX_OP_dp2a, {PTX_##ta, PTX_##tb}, PTX_MOD_NONE, M_BIT(LO), dp2a_lo_##name, 0},                           \
	    {PTX_OP_dp2a, {PTX_##ta, PTX_##tb}, PTX_MOD_NONE, M_BIT(HI), dp2a_hi_##name, 0}

extern const struct exec_row EXEC_TABLE(exec_bits)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_bits)[] = {
	ROWS_LOGIC(pred), ROWS_LOGIC(b16), ROWS_LOGIC(b32), ROWS_LOGIC(b64),
	ROW(cnot, b16, 0, cnot_b16), ROW(cnot, b32, 0, cnot_b32), ROW(cnot, b64, 0, cnot_b64),
	ROW(lop3, b32, 0, lop3_b32), ROW_WHICH(lop3, b32, and, 0, lop3_predicate, PTX_MOD_and),
	ROW_WHICH(lop3, b32, or, 0, lop3_predicate, PTX_MOD_or),
	ROWS_SHIFT(b16, u16, s16), ROWS_SHIFT(b32, u32, s32), ROWS_SHIFT(b64, u64, s64),
	ROW_WHICH(shf, b32, l, M_BIT(WRAP), shf_l_wrap, 0), ROW_WHICH(shf, b32, l, M_BIT(CLAMP), shf_l_clamp, 0),
	ROW_WHICH(shf, b32, r, M_BIT(WRAP), shf_r_wrap, 0), ROW_WHICH(shf, b32, r, M_BIT(CLAMP), shf_r_clamp, 0),
	ROW(popc, b32, 0, popc_32), ROW(popc, b64, 0, popc_64), ROW(clz, b32, 0, clz_32), ROW(clz, b64, 0, clz_64),
	ROW(brev, b32, 0, brev_32), ROW(brev, b64, 0, brev_64),
	ROW(bfind, u32, 0, bfind_u32), ROW(bfind, s32, 0, bfind_s32),
	ROW(bfind, u64, 0, bfind_u64), ROW(bfind, s64, 0, bfind_s64),
	ROW(bfind, u32, M_BIT(SHIFTAMT), bfind_shift_u32), ROW(bfind, s32, M_BIT(SHIFTAMT), bfind_shift_s32),
	ROW(bfind, u64, M_BIT(SHIFTAMT), bfind_shift_u64), ROW(bfind, s64, M_BIT(SHIFTAMT), bfind_shift_s64),
	ROW(fns, b32, 0, fns_b32),
	ROW(bfe, u32, 0, bfe_u32), ROW(bfe, s32, 0, bfe_s32), ROW(bfe, u64, 0, bfe_u64), ROW(bfe, s64, 0, bfe_s64),
	ROW(bfi, b32, 0, bfi_b32), ROW(bfi, b64, 0, bfi_b64),
	ROW(bmsk, b32, M_BIT(CLAMP), bmsk_clamp), ROW(bmsk, b32, M_BIT(WRAP), bmsk_wrap),
	ROW(szext, u32, M_BIT(CLAMP), szext_clamp_u32), ROW(szext, s32, M_BIT(CLAMP), szext_clamp_s32),
	ROW(szext, u32, M_BIT(WRAP), szext_wrap_u32), ROW(szext, s32, M_BIT(WRAP), szext_wrap_s32),
	ROW(prmt, b32, 0, prmt_b32),
	ROW_WHICH(prmt, b32, f4e, 0, prmt_mode, 0), ROW_WHICH(prmt, b32, b4e, 0, prmt_mode, 1),
	ROW_WHICH(prmt, b32, rc8, 0, prmt_mode, 2), ROW_WHICH(prmt, b32, ecl, 0, prmt_mode, 3),
	ROW_WHICH(prmt, b32, ecr, 0, prmt_mode, 4), ROW_WHICH(prmt, b32, rc16, 0, prmt_mode, 5),
	ROWS_DOT(u32, u32, uu), ROWS_DOT(u32, s32, us), ROWS_DOT(s32, u32, su), ROWS_DOT(s32, s32, ss),
	{0}};
/* clang-format on */
