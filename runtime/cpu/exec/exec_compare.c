/* Comparison and selection: setp, set, selp, slct. A comparison is a function from two operands to a lane mask. */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"

/* `result` with the third operand, a predicate, by .and, .or, .xor (in->variant). */
static inline uint32_t combined(const struct warp *w, const struct inst *in, uint32_t result)
{
	uint32_t c;

	if (in->c == OPERAND_NONE)
		return result;
	c = read_predicate(w, in->c);
	if (in->flags & INST_NEGATE)
		c = ~c;
	return in->variant == PTX_MOD_and ? result & c : in->variant == PTX_MOD_or ? result | c : result ^ c;
}

/* setp p|q: q gets the complement of the comparison. */
static inline int write_combined(const struct warp *w, const struct inst *in, uint32_t mask, uint32_t lanes)
{
	uint32_t p = combined(w, in, lanes), q = combined(w, in, ~lanes);

	if (in->d != OPERAND_NONE)
		write_predicate(w, in->d, mask, p);
	if (in->e != OPERAND_NONE)
		write_predicate(w, in->e, mask, q);
	return STOP_NOT;
}

/* set: in->imm, the bits of "true" in the destination's type, where it holds. */
static inline int write_values(const struct warp *w, const struct inst *in, uint32_t mask, uint32_t lanes)
{
	uint32_t *rd = destination(w, in->d), value = (uint32_t)in->imm;

	lanes = combined(w, in, lanes);
	LANE_LOOP
	{
		uint32_t r = lanes & lane_bit[i] ? value : 0;

		rd[i] = mask & lane_bit[i] ? r : rd[i];
	}
	return STOP_NOT;
}

/* The lanes for which a comparison holds: `load` reads a and b of type `t`, `expr` compares them. */
/* clang-format off */
#define WHERE(name, t, load, expr)                                                                                     \
	static inline uint32_t where_##name(const struct warp *w, const struct inst *in)                               \
	{                                                                                                              \
		REGISTER(t, a) REGISTER(t, b) LANES_WHERE(load, expr)                                                  \
		return lanes;                                                                                          \
	}
#define SETP(name)                                                                                                     \
	EXEC_FUNCTION(setp_##name)                                                                                     \
	{                                                                                                              \
		write_predicate(w, in->d, mask, where_##name(w, in));                                                  \
		return STOP_NOT;                                                                                       \
	}
#define SETP_COMBINED(name)                                                                                            \
	EXEC_FUNCTION(setp_combined_##name) { return write_combined(w, in, mask, where_##name(w, in)); }
#define SET(name)                                                                                                      \
	EXEC_FUNCTION(set_##name) { return write_values(w, in, mask, where_##name(w, in)); }
/* clang-format on */
/* DEFINE(comparison, suffix of the names, type, how operands are read, expression in a and b) */
#define DEFINE(cmp, suffix, t, load, expr)                                                                             \
	WHERE(cmp##_##suffix, t, load, expr)                                                                           \
	SETP(cmp##_##suffix) SETP_COMBINED(cmp##_##suffix) SET(cmp##_##suffix)

#define LOAD_INTEGER(t)                                                                                                \
	val_##t a = (val_##t)ra[i];                                                                                    \
	val_##t b = (val_##t)rb[i]
#define EQUALITIES(t) DEFINE(eq, t, t, LOAD_INTEGER(t), a == b) DEFINE(ne, t, t, LOAD_INTEGER(t), a != b)
#define ORDERS(t)                                                                                                      \
	DEFINE(lt, t, t, LOAD_INTEGER(t), a < b)                                                                       \
	DEFINE(le, t, t, LOAD_INTEGER(t), a <= b)                                                                      \
	DEFINE(gt, t, t, LOAD_INTEGER(t), a > b)                                                                       \
	DEFINE(ge, t, t, LOAD_INTEGER(t), a >= b)
EQUALITIES(u16)
EQUALITIES(u32)
EQUALITIES(u64)
ORDERS(u16)
ORDERS(s16)
ORDERS(u32)
ORDERS(s32)
ORDERS(u64)
ORDERS(s64)

#define ORDERED(suffix, t, load)                                                                                       \
	DEFINE(eq, suffix, t, load, a == b)                                                                            \
	DEFINE(ne, suffix, t, load, a<b || a> b)                                                                       \
	DEFINE(lt, suffix, t, load, a < b)                                                                             \
	DEFINE(le, suffix, t, load, a <= b)                                                                            \
	DEFINE(gt, suffix, t, load, a > b)                                                                             \
	DEFINE(ge, suffix, t, load, a >= b)
/* These hold where one of both is not a number. */
#define UNORDERED(suffix, t, load)                                                                                     \
	DEFINE(equ, suffix, t, load, !(a < b || a > b))                                                                \
	DEFINE(neu, suffix, t, load, !(a == b))                                                                        \
	DEFINE(ltu, suffix, t, load, !(a >= b))                                                                        \
	DEFINE(leu, suffix, t, load, !(a > b))                                                                         \
	DEFINE(gtu, suffix, t, load, !(a <= b))                                                                        \
	DEFINE(geu, suffix, t, load, !(a < b))
#define FLOAT_COMPARISONS(suffix, t, load)                                                                             \
	ORDERED(suffix, t, load)                                                                                       \
	UNORDERED(suffix, t, load)                                                                                     \
	DEFINE(num, suffix, t, load, a == a && b == b)                                                                 \
	DEFINE(nan, suffix, t, load, a != a || b != b)
FLOAT_COMPARISONS(f32, f32, float a = ra[i]; float b = rb[i])
FLOAT_COMPARISONS(f32_ftz, f32, float a = flushed(ra[i]); float b = flushed(rb[i]))
FLOAT_COMPARISONS(f64, f64, double a = ra[i]; double b = rb[i])
#define FTZ_F16(h) ((h) & 0x7c00 ? (h) : (h) & 0x8000)
#define LOAD_F16(x) f16_to_f32((uint16_t)(x))
#define LOAD_F16_FTZ(x) f16_to_f32((uint16_t)FTZ_F16(x))
#define LOAD_BF16(x) bf16_to_f32((uint16_t)(x))
FLOAT_COMPARISONS(f16, f16, float a = LOAD_F16(ra[i]); float b = LOAD_F16(rb[i]))
FLOAT_COMPARISONS(f16_ftz, f16, float a = LOAD_F16_FTZ(ra[i]); float b = LOAD_F16_FTZ(rb[i]))
FLOAT_COMPARISONS(bf16, bf16, float a = LOAD_BF16(ra[i]); float b = LOAD_BF16(rb[i]))

/* --- Packed halves: setp writes a predicate for each element, set writes both elements --- */

/* Bit set: the comparison holds when a < b (1), a == b (2), a > b (4), unordered (8). */
static const uint8_t float_relations[PTX_MOD_COUNT] = {
    [PTX_MOD_lt] = 1,   [PTX_MOD_eq] = 2,   [PTX_MOD_le] = 3,   [PTX_MOD_gt] = 4,   [PTX_MOD_ne] = 5,
    [PTX_MOD_ge] = 6,   [PTX_MOD_num] = 7,  [PTX_MOD_nan] = 8,  [PTX_MOD_ltu] = 9,  [PTX_MOD_equ] = 10,
    [PTX_MOD_leu] = 11, [PTX_MOD_gtu] = 12, [PTX_MOD_neu] = 13, [PTX_MOD_geu] = 14,
};

static inline bool related(float a, float b, unsigned relations)
{
	return relations & (a < b ? 1 : a == b ? 2 : a > b ? 4 : 8);
}

/* in->list: {comparison, .bf16}; results of the low and the high elements. */
static void compare_pairs(const struct warp *w, const struct inst *in, uint32_t mask, uint32_t *low, uint32_t *high)
{
	const uint32_t *ra = source(w, in->a), *rb = source(w, in->b);
	unsigned relations = float_relations[in->list[0]];

	*low = *high = 0;
	FOR_EACH_LANE(i, mask) {
		float a = in->list[1] ? LOAD_BF16(ra[i]) : LOAD_F16(ra[i]),
		      b = in->list[1] ? LOAD_BF16(rb[i]) : LOAD_F16(rb[i]);
		float c = in->list[1] ? LOAD_BF16(ra[i] >> 16) : LOAD_F16(ra[i] >> 16);
		float e = in->list[1] ? LOAD_BF16(rb[i] >> 16) : LOAD_F16(rb[i] >> 16);

		*low |= (uint32_t)related(a, b, relations) << i;
		*high |= (uint32_t)related(c, e, relations) << i;
	}
}

EXEC_FUNCTION(setp_pairs)
{
	uint32_t low, high;

	compare_pairs(w, in, mask, &low, &high);
	if (in->d != OPERAND_NONE)
		write_predicate(w, in->d, mask, combined(w, in, low));
	if (in->e != OPERAND_NONE)
		write_predicate(w, in->e, mask, combined(w, in, high));
	return STOP_NOT;
}

EXEC_FUNCTION(set_pairs)
{
	uint32_t *rd = destination(w, in->d), value = (uint32_t)in->imm, low, high;

	compare_pairs(w, in, mask, &low, &high);
	low = combined(w, in, low);
	high = combined(w, in, high);
	FOR_EACH_LANE(i, mask)
		rd[i] = (low >> i & 1 ? value & 0xffff : 0) | (high >> i & 1 ? value & 0xffff0000 : 0);
	return STOP_NOT;
}

/* --- Selection --- */

static inline uint32_t chosen(const struct warp *w, const struct inst *in)
{
	return read_predicate(w, in->c) ^ (in->flags & INST_NEGATE ? ALL_LANES : 0);
}

#define SELP(bits)                                                                                                     \
	EXEC_FUNCTION(selp_##bits)                                                                                     \
	{                                                                                                              \
		REGISTER(u##bits, a) REGISTER(u##bits, b) uint32_t p = chosen(w, in);                                  \
		LANES_INTO(u##bits, , p &lane_bit[i] ? ra[i] : rb[i])                                                  \
	}
#define SLCT(bits)                                                                                                     \
	TERNARY(slct_##bits##_s32, u##bits, u##bits, u##bits, s32, c >= 0 ? a : b)                                     \
	TERNARY(slct_##bits##_f32, u##bits, u##bits, u##bits, f32, c >= 0 ? a : b)                                     \
	TERNARY(slct_##bits##_f32_ftz, u##bits, u##bits, u##bits, f32, flushed(c) >= 0 ? a : b)
SELP(32)
SELP(64)
SLCT(32)
SLCT(64)

EXEC_FUNCTION(selp_128)
{
	const uint64_t(*ra)[2] = source(w, in->a), (*rb)[2] = source(w, in->b);
	uint64_t(*rd)[2] = destination(w, in->d);
	uint32_t p = chosen(w, in);

	FOR_EACH_LANE(i, mask) {
		const uint64_t *from = p >> i & 1 ? ra[i] : rb[i];
		uint64_t first = from[0], second = from[1];

		rd[i][0] = first;
		rd[i][1] = second;
	}
	return STOP_NOT;
}

#define ROW(cmp, t, mods, suffix)                                                                                      \
	{PTX_OP_setp, {PTX_##t}, PTX_MOD_##cmp, mods, setp_##cmp##_##suffix, 0},                                       \
	    {PTX_OP_setp, {PTX_##t}, PTX_MOD_##cmp, (mods) | M_BIT(COMBINED), setp_combined_##cmp##_##suffix, 0},      \
	    {PTX_OP_set, {PTX_##t}, PTX_MOD_##cmp, mods, set_##cmp##_##suffix, 0}
#define ROWS_EQUALITIES(t, u) ROW(eq, t, 0, u), ROW(ne, t, 0, u)
#define ROWS_ORDERS(t) ROW(lt, t, 0, t), ROW(le, t, 0, t), ROW(gt, t, 0, t), ROW(ge, t, 0, t)
#define ROW_NAMED(name, cmp, t)                                                                                        \
	{PTX_OP_setp, {PTX_##t}, PTX_MOD_##name, 0, setp_##cmp##_##t, 0},                                              \
	    {PTX_OP_setp, {PTX_##t}, PTX_MOD_##name, M_BIT(COMBINED), setp_combined_##cmp##_##t, 0},                   \
	    {PTX_OP_set, {PTX_##t}, PTX_MOD_##name, 0, set_##cmp##_##t, 0}
/* clang-format off */
#define ROWS_UNSIGNED_NAMES(t)                                                                                         \
	ROW_NAMED(lo, lt, t), ROW_NAMED(ls, le, t), ROW_NAMED(hi, gt, t), ROW_NAMED(hs, ge, t)
/* clang-format on */
#define ROWS_INTEGER(u, s, b)                                                                                          \
	ROWS_EQUALITIES(u, u), ROWS_EQUALITIES(s, u), ROWS_EQUALITIES(b, u), ROWS_ORDERS(u), ROWS_ORDERS(s),           \
	    ROWS_UNSIGNED_NAMES(u)
/* clang-format off */
#define ROWS_FLOAT(t, mods, suffix)                                                                                    \
	ROW(eq, t, mods, suffix), ROW(ne, t, mods, suffix), ROW(lt, t, mods, suffix), ROW(le, t, mods, suffix),        \
		ROW(gt, t, mods, suffix), ROW(ge, t, mods, suffix), ROW(equ, t, mods, suffix),                         \
		ROW(neu, t, mods, suffix), ROW(ltu, t, mods, suffix), ROW(leu, t, mods, suffix),                       \
		ROW(gtu, t, mods, suffix), ROW(geu, t, mods, suffix), ROW(num, t, mods, suffix),                       \
		ROW(nan, t, mods, suffix)
/* clang-format on */
/* Pairs: whatever the comparison, forms.c puts it into in->list. */
#define ROWS_PAIRS(t)                                                                                                  \
	{PTX_OP_setp, {PTX_##t}, PTX_MOD_NONE, M_BIT(COMBINED), setp_pairs, 0},                                        \
	    {PTX_OP_set, {PTX_##t}, PTX_MOD_NONE, 0, set_pairs, 0}
#define ROWS_SLCT(b, bits)                                                                                             \
	{PTX_OP_slct, {PTX_##b, PTX_s32}, PTX_MOD_NONE, 0, slct_##bits##_s32, 0},                                      \
	    {PTX_OP_slct, {PTX_##b, PTX_f32}, PTX_MOD_NONE, 0, slct_##bits##_f32, 0},                                  \
	    {PTX_OP_slct, {PTX_##b, PTX_f32}, PTX_MOD_NONE, M_BIT(FTZ), slct_##bits##_f32_ftz, 0}

extern const struct exec_row EXEC_TABLE(exec_compare)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_compare)[] = {
	ROWS_INTEGER(u16, s16, b16), ROWS_INTEGER(u32, s32, b32), ROWS_INTEGER(u64, s64, b64),
	ROWS_FLOAT(f32, 0, f32), ROWS_FLOAT(f32, M_BIT(FTZ), f32_ftz), ROWS_FLOAT(f64, 0, f64),
	ROWS_FLOAT(f16, 0, f16), ROWS_FLOAT(f16, M_BIT(FTZ), f16_ftz), ROWS_FLOAT(bf16, 0, bf16),
	ROWS_PAIRS(f16x2), ROWS_PAIRS(bf16x2),
	{PTX_OP_selp, {PTX_b16}, PTX_MOD_NONE, 0, selp_32, 0}, {PTX_OP_selp, {PTX_b32}, PTX_MOD_NONE, 0, selp_32, 0},
	{PTX_OP_selp, {PTX_b64}, PTX_MOD_NONE, 0, selp_64, 0}, {PTX_OP_selp, {PTX_b128}, PTX_MOD_NONE, 0, selp_128, 0},
	ROWS_SLCT(b16, 32), ROWS_SLCT(b32, 32), ROWS_SLCT(b64, 64),
	{0}};
/* clang-format on */
