/*
 * Video instructions. Those on two halves or four bytes of a word combine each pair of elements of a and b, and may
 * saturate to the destination's type, or add up all results and c. The scalar instructions do an operation on a byte,
 * half or word of a and of b. in->variant: enum video_variant.
 */
#include "runtime/cpu/exec/lanes.h"
#include "runtime/cpu/exec/video.h"

ALWAYS_INLINE int32_t element(uint32_t word, unsigned i, unsigned bits, bool is_signed)
{
	uint32_t shifted = word << (32 - bits * (i + 1));

	return is_signed ? (int32_t)shifted >> (32 - bits) : (int32_t)(shifted >> (32 - bits));
}

ALWAYS_INLINE int32_t saturated_element(int32_t x, unsigned bits, bool is_signed)
{
	int32_t high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, low = is_signed ? -high - 1 : 0;

	return x < low ? low : x > high ? high : x;
}

/* Halves of sums round away from zero. */
static inline int32_t average(int32_t sum)
{
	return sum >= 0 ? (sum + 1) >> 1 : -((1 - sum) >> 1);
}

typedef uint32_t (*element_fn)(int32_t a, int32_t b);

/* Applies `f` to each pair of elements of `bits` bits. Returns the results packed, or their sum and `c`. */
static inline uint32_t combined(uint32_t wa, uint32_t wb, uint32_t c, unsigned bits, unsigned signs, bool saturates,
				bool sums, element_fn f)
{
	uint32_t packed = 0, total = c, ones = bits == 8 ? 0xff : 0xffff;

	for (unsigned i = 0; i < 32 / bits; i++) {
		int32_t r = (int32_t)f(element(wa, i, bits, signs & VIDEO_SIGNED_A),
				       element(wb, i, bits, signs & VIDEO_SIGNED_B));

		r = saturates ? saturated_element(r, bits, signs & VIDEO_SIGNED_D) : r;
		total += (uint32_t)r;
		packed |= ((uint32_t)r & ones) << i * bits;
	}
	return sums ? total : packed;
}

/* clang-format off */
#define ELEMENT(name, expr)                                                                                            \
	static inline uint32_t name##_element(int32_t a, int32_t b) { return (uint32_t)(expr); }
#define VIDEO_WIDTH(name, n, bits)                                                                                     \
	TERNARY(name##_##n, u32, u32, u32, u32, combined(a, b, c, bits, in->variant, false, false, name##_element))    \
	TERNARY(name##_##n##_sat, u32, u32, u32, u32, combined(a, b, c, bits, in->variant, true, false, name##_element)) \
	TERNARY(name##_##n##_add, u32, u32, u32, u32, combined(a, b, c, bits, in->variant, false, true, name##_element))
/* clang-format on */
#define VIDEO(name, expr) ELEMENT(name, expr) VIDEO_WIDTH(name, 2, 16) VIDEO_WIDTH(name, 4, 8)
VIDEO(vadd, a + b)
VIDEO(vsub, a - b)
VIDEO(vavrg, average(a + b))
VIDEO(vabsdiff, a > b ? a - b : b - a)
VIDEO(vmin, a < b ? a : b)
VIDEO(vmax, a > b ? a : b)

/* vset: 1 for each pair of elements for which `f` holds; or their number and `c`. */
static inline uint32_t compared(uint32_t wa, uint32_t wb, uint32_t c, unsigned bits, unsigned variant, element_fn f)
{
	uint32_t packed = 0, total = c;

	for (unsigned i = 0; i < 32 / bits; i++) {
		uint32_t r = (int32_t)f(element(wa, i, bits, variant & VIDEO_SIGNED_A),
					element(wb, i, bits, variant & VIDEO_SIGNED_B));

		total += r;
		packed |= r << i * bits;
	}
	return variant & VIDEO_SUMS ? total : packed;
}

#define VSET(name, expr)                                                                                               \
	ELEMENT(name, expr)                                                                                            \
	TERNARY(name##_2, u32, u32, u32, u32, compared(a, b, c, 16, in->variant, name##_element))                      \
	TERNARY(name##_4, u32, u32, u32, u32, compared(a, b, c, 8, in->variant, name##_element))
VSET(vset_eq, a == b)
VSET(vset_ne, a != b)
VSET(vset_lt, a < b)
VSET(vset_le, a <= b)
VSET(vset_gt, a > b)
VSET(vset_ge, a >= b)

/* --- Scalar: the operation, .sat, then .add, .min or .max with c, or a place in c for the result --- */

typedef int64_t (*scalar_fn)(int64_t a, int64_t b);

struct word_part {
	unsigned bits, shift;
};

static inline struct word_part part_named(uint32_t part)
{
	if (part == PART_WORD)
		return (struct word_part){32, 0};
	return part < PART_H0 ? (struct word_part){8, 8 * (part - PART_B0)}
			      : (struct word_part){16, 16 * (part - PART_H0)};
}

static inline int64_t part_of(uint32_t word, struct word_part p, bool is_signed)
{
	uint32_t top = word << (32 - p.bits - p.shift);

	return is_signed ? (int64_t)((int32_t)top >> (32 - p.bits)) : (int64_t)(top >> (32 - p.bits));
}

static inline int64_t saturated_part(int64_t x, unsigned bits, bool is_signed)
{
	int64_t high = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1, low = is_signed ? -high - 1 : 0;

	return x < low ? low : x > high ? high : x;
}

/* Between its steps the manual has 33 bits, one of them the sign. */
static inline int64_t wrapped33(int64_t x)
{
	return (int64_t)((uint64_t)x << 31) >> 31;
}

static inline int64_t second(int64_t x, int64_t c, uint32_t operation)
{
	switch (operation) {
	case PTX_MOD_add: return x + c;
	case PTX_MOD_min: return x < c ? x : c;
	case PTX_MOD_max: return x > c ? x : c;
	default: return x;
	}
}

static inline uint32_t merged(int64_t x, uint32_t c, struct word_part p)
{
	uint32_t ones = (uint32_t)((UINT64_C(1) << p.bits) - 1);

	return ((uint32_t)x & ones) << p.shift | (c & ~(ones << p.shift));
}

ALWAYS_INLINE int scalar_lanes(struct warp *w, const struct inst *in, uint32_t mask, scalar_fn f)
{
	const struct word_part pa = part_named(in->list[SCALAR_PART_A]), pb = part_named(in->list[SCALAR_PART_B]);
	const struct word_part pd = part_named(in->list[SCALAR_PART_D]);
	const bool is_signed = in->variant & VIDEO_SIGNED_D;
	const uint32_t *ra = source(w, in->a), *rb = source(w, in->b), *rc = source(w, in->c);
	uint32_t *rd = destination(w, in->d);

	FOR_EACH_LANE(i, mask) {
		int64_t c = is_signed ? (int64_t)(int32_t)rc[i] : (int64_t)rc[i];
		int64_t r = f(part_of(ra[i], pa, in->variant & VIDEO_SIGNED_A),
			      part_of(rb[i], pb, in->variant & VIDEO_SIGNED_B));

		r = in->list[SCALAR_SATURATES] ? saturated_part(r, pd.bits, is_signed) : wrapped33(r);
		rd[i] = merged(second(r, c, in->list[SCALAR_SECOND]), rc[i], pd);
	}
	return STOP_NOT;
}

/* clang-format off */
#define SCALAR(name, expr)                                                                                             \
	static inline int64_t name##_scalar(int64_t a, int64_t b) { return expr; }                                     \
	EXEC_FUNCTION(name) { return scalar_lanes(w, in, mask, name##_scalar); }
/* clang-format on */
SCALAR(vadd, a + b)
SCALAR(vsub, a - b)
SCALAR(vabsdiff, a > b ? a - b : b - a)
SCALAR(vmin, a < b ? a : b)
SCALAR(vmax, a > b ? a : b)
/* Shifts by b, which is a number without a sign: of its last five bits, or at most 32. */
#define CLAMPED(b) ((b) > 32 ? 32 : (b))
SCALAR(vshl_wrap, (int64_t)((uint64_t)a << (b & 31)))
SCALAR(vshl_clamp, b < 32 ? (int64_t)((uint64_t)a << b) : a == 0 ? 0 : a > 0 ? INT64_C(1) << 62 : -(INT64_C(1) << 62))
SCALAR(vshr_wrap, a >> (b & 31))
SCALAR(vshr_clamp, a >> CLAMPED(b))
SCALAR(vset_eq, a == b)
SCALAR(vset_ne, a != b)
SCALAR(vset_lt, a < b)
SCALAR(vset_le, a <= b)
SCALAR(vset_gt, a > b)
SCALAR(vset_ge, a >= b)

#define ROWS_WIDTH(op, n)                                                                                              \
	{PTX_OP_##op##n, {PTX_untyped}, PTX_MOD_NONE, 0, op##_##n, 0},                                                 \
	    {PTX_OP_##op##n, {PTX_untyped}, PTX_MOD_NONE, M_BIT(SAT), op##_##n##_sat, 0},                              \
	    {PTX_OP_##op##n, {PTX_untyped}, PTX_MOD_add, 0, op##_##n##_add, 0}
#define ROWS(op) ROWS_WIDTH(op, 2), ROWS_WIDTH(op, 4)
#define COMPARISON(name)                                                                                               \
	{PTX_OP_vset, {PTX_untyped}, PTX_MOD_##name, 0, vset_##name, 0},                                               \
	    {PTX_OP_vset2, {PTX_untyped}, PTX_MOD_##name, 0, vset_##name##_2, 0},                                      \
	    {PTX_OP_vset4, {PTX_untyped}, PTX_MOD_##name, 0, vset_##name##_4, 0}

#define ROW_SCALAR(op) {PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, 0, op, 0}
#define ROWS_SHIFT(op)                                                                                                 \
	{PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, M_BIT(CLAMP), op##_clamp, 0},                                       \
	    {PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, M_BIT(WRAP), op##_wrap, 0}

extern const struct exec_row EXEC_TABLE(exec_video)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_video)[] = {
	ROWS(vadd), ROWS(vsub), ROWS(vavrg), ROWS(vabsdiff), ROWS(vmin), ROWS(vmax), COMPARISON(eq), COMPARISON(ne),
	COMPARISON(lt), COMPARISON(le), COMPARISON(gt), COMPARISON(ge),
	ROW_SCALAR(vadd), ROW_SCALAR(vsub), ROW_SCALAR(vabsdiff), ROW_SCALAR(vmin), ROW_SCALAR(vmax),
	ROWS_SHIFT(vshl), ROWS_SHIFT(vshr),
	{0}};
/* clang-format on */
