/*
 * Video instructions on two halves or four bytes of a word: each element of a and b, optionally saturated to the
 * destination's type, or the sum of the elements added to c. in->variant: enum video_variant.
 */
#include "runtime/cpu/exec/lanes.h"

static inline int32_t element(uint32_t word, unsigned i, unsigned bits, bool is_signed)
{
	uint32_t shifted = word << (32 - bits * (i + 1));

	return is_signed ? (int32_t)shifted >> (32 - bits) : (int32_t)(shifted >> (32 - bits));
}

static inline int32_t saturated_element(int32_t x, unsigned bits, bool is_signed)
{
	int32_t high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, low = is_signed ? -high - 1 : 0;

	return x < low ? low : x > high ? high : x;
}

/* Halves of sums round away from zero. */
static inline int32_t average(int32_t sum)
{
	return sum >= 0 ? (sum + 1) >> 1 : -((1 - sum) >> 1);
}

/* clang-format off */
#define DEFINE_VIDEO(name, expr)                                                                                       \
	static inline uint32_t name##_word(uint32_t wa, uint32_t wb, uint32_t wc, unsigned bits, unsigned signs,       \
					   bool saturate, bool sum)                                                    \
	{                                                                                                              \
		uint32_t packed = 0, total = wc, ones = bits == 8 ? 0xff : 0xffff;                                     \
                                                                                                                       \
		for (unsigned i = 0; i < 32 / bits; i++) {                                                             \
			int32_t a = element(wa, i, bits, signs & VIDEO_SIGNED_A), b = element(wb, i, bits, signs & VIDEO_SIGNED_B); \
			int32_t r = (expr);                                                                            \
                                                                                                                       \
			r = saturate ? saturated_element(r, bits, signs & VIDEO_SIGNED_D) : r;                               \
			total += (uint32_t)r;                                                                          \
			packed |= ((uint32_t)r & ones) << i * bits;                                                    \
		}                                                                                                      \
		return sum ? total : packed;                                                                           \
	}                                                                                                              \
	TERNARY(name##_2, u32, u32, u32, u32, name##_word(a, b, c, 16, in->variant, false, false))                     \
	TERNARY(name##_2_sat, u32, u32, u32, u32, name##_word(a, b, c, 16, in->variant, true, false))                  \
	TERNARY(name##_2_add, u32, u32, u32, u32, name##_word(a, b, c, 16, in->variant, false, true))                  \
	TERNARY(name##_4, u32, u32, u32, u32, name##_word(a, b, c, 8, in->variant, false, false))                      \
	TERNARY(name##_4_sat, u32, u32, u32, u32, name##_word(a, b, c, 8, in->variant, true, false))                   \
	TERNARY(name##_4_add, u32, u32, u32, u32, name##_word(a, b, c, 8, in->variant, false, true))
/* clang-format on */
DEFINE_VIDEO(vadd, a + b)
DEFINE_VIDEO(vsub, a - b)
DEFINE_VIDEO(vavrg, average(a + b))
DEFINE_VIDEO(vabsdiff, a > b ? a - b : b - a)
DEFINE_VIDEO(vmin, a < b ? a : b)
DEFINE_VIDEO(vmax, a > b ? a : b)

/* vset: 1 for each element for which the comparison holds. */
/* clang-format off */
#define DEFINE_COMPARISON(name, operator)                                                                              \
	static inline uint32_t name##_word(uint32_t wa, uint32_t wb, uint32_t wc, unsigned bits, unsigned variant)      \
	{                                                                                                              \
		uint32_t packed = 0, total = wc;                                                                       \
                                                                                                                       \
		for (unsigned i = 0; i < 32 / bits; i++) {                                                             \
			uint32_t r = element(wa, i, bits, variant & VIDEO_SIGNED_A) operator                            \
				     element(wb, i, bits, variant & VIDEO_SIGNED_B);                                    \
                                                                                                                       \
			total += r;                                                                                    \
			packed |= r << i * bits;                                                                       \
		}                                                                                                      \
		return variant & VIDEO_SUMS ? total : packed;                                                          \
	}                                                                                                              \
	TERNARY(name##_2, u32, u32, u32, u32, name##_word(a, b, c, 16, in->variant))                                   \
	TERNARY(name##_4, u32, u32, u32, u32, name##_word(a, b, c, 8, in->variant))
/* clang-format on */
DEFINE_COMPARISON(vset_eq, ==)
DEFINE_COMPARISON(vset_ne, !=)
DEFINE_COMPARISON(vset_lt, <)
DEFINE_COMPARISON(vset_le, <=)
DEFINE_COMPARISON(vset_gt, >)
DEFINE_COMPARISON(vset_ge, >=)

#define ROWS(op)                                                                                                       \
	{PTX_OP_##op##2, {PTX_untyped}, PTX_MOD_NONE, 0, op##_2, 0},                                                   \
	    {PTX_OP_##op##2, {PTX_untyped}, PTX_MOD_NONE, M_BIT(SAT), op##_2_sat, 0},                                  \
	    {PTX_OP_##op##2, {PTX_untyped}, PTX_MOD_add, 0, op##_2_add, 0},                                            \
	    {PTX_OP_##op##4, {PTX_untyped}, PTX_MOD_NONE, 0, op##_4, 0},                                               \
	    {PTX_OP_##op##4, {PTX_untyped}, PTX_MOD_NONE, M_BIT(SAT), op##_4_sat, 0},                                  \
	    {PTX_OP_##op##4, {PTX_untyped}, PTX_MOD_add, 0, op##_4_add, 0}

#define COMPARISON(name)                                                                                               \
	{PTX_OP_vset2, {PTX_untyped}, PTX_MOD_##name, 0, vset_##name##_2, 0},                                          \
	    {PTX_OP_vset4, {PTX_untyped}, PTX_MOD_##name, 0, vset_##name##_4, 0}

extern const struct exec_row EXEC_TABLE(exec_video)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_video)[] = {
	ROWS(vadd), ROWS(vsub), ROWS(vavrg), ROWS(vabsdiff), ROWS(vmin), ROWS(vmax), COMPARISON(eq), COMPARISON(ne),
	COMPARISON(lt), COMPARISON(le), COMPARISON(gt), COMPARISON(ge), {0}};
/* clang-format on */
