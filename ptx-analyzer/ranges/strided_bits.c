/* Masks, shifts and changes of width of wrapped strided intervals. */
#include "ptx-analyzer/ranges/strided.h"

/* The least number of the form 2^k - 1 that is not below `number`. */
static uint64_t ones_above(uint64_t number)
{
	for (unsigned shift = 1; shift < 64; shift *= 2)
		number |= number >> shift;
	return number;
}

/* The greatest power of 2 that divides every member; 0 where all are 0. */
static uint64_t alignment(struct strided a)
{
	uint64_t bits = a.low | a.step;

	return bits & (0 - bits);
}

/* --- Masks --- */

/* Down to a multiple of a power of 2. */
static struct strided align_down(struct strided a, uint64_t power)
{
	uint64_t rest = a.low & (power - 1);

	if (a.step % power == 0)
		return strided_make(a.low - rest, a.span, a.step, a.width);
	if (width_mask(a.width) - rest < a.span)
		return strided_any(0, power, a.width);
	return strided_make(a.low - rest, (a.span + rest) & ~(power - 1), power, a.width);
}

/* The lowest bits: a remainder by a power of 2. */
static struct strided low_bits(struct strided a, uint64_t ones)
{
	uint64_t power = a.step & (0 - a.step), first = a.low & ones;

	if (ones - first >= a.span)
		return strided_make(first, a.span, a.step, a.width);
	if (power > ones)
		return strided_of(first, a.width);
	first &= power - 1;
	return strided_make(first, ones - first, power, a.width);
}

static struct strided and_constant(struct strided a, uint64_t mask)
{
	uint64_t all = width_mask(a.width), low = mask & (0 - mask), most = strided_unsigned(a).high;

	if (mask == 0 || a.span == 0)
		return strided_of(a.low & mask, a.width);
	if ((mask & (mask + 1)) == 0)
		return low_bits(a, mask);
	if ((mask | (low - 1)) == all)
		return align_down(a, low);
	return strided_make(0, (most < mask ? most : mask) & ~(low - 1), low, a.width);
}

struct strided strided_and(struct strided a, struct strided b)
{
	uint64_t x, y;

	if (a.empty || b.empty)
		return strided_empty(a.width);
	if (b.span == 0)
		return and_constant(a, b.low);
	if (a.span == 0)
		return and_constant(b, a.low);
	x = strided_unsigned(a).high;
	y = strided_unsigned(b).high;
	return strided_between(0, x < y ? x : y, a.width);
}

/* No member of one has a bit that a member of the other has: one has multiples of 2^k, the other numbers below. */
static bool have_no_common_bits(struct strided a, struct strided b)
{
	uint64_t align_a = alignment(a), align_b = alignment(b);

	return align_a == 0 || align_b == 0 || strided_unsigned(b).high < align_a || strided_unsigned(a).high < align_b;
}

struct strided strided_or(struct strided a, struct strided b)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);

	if (a.empty || b.empty)
		return strided_empty(a.width);
	if (have_no_common_bits(a, b))
		return strided_add(a, b);
	return strided_between(x.low > y.low ? x.low : y.low, ones_above(x.high | y.high), a.width);
}

struct strided strided_xor(struct strided a, struct strided b)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);

	if (a.empty || b.empty)
		return strided_empty(a.width);
	if (have_no_common_bits(a, b))
		return strided_add(a, b);
	if (a.span == 0 && b.span == 0)
		return strided_of(a.low ^ b.low, a.width);
	if (b.span == 0 && b.low == width_mask(b.width))
		return strided_not(a);
	if (a.span == 0 && a.low == width_mask(a.width))
		return strided_not(b);
	return strided_between(0, ones_above(x.high | y.high), a.width);
}

/* ~a = -1 - a */
struct strided strided_not(struct strided a)
{
	return a.empty ? a : strided_make(~(a.low + a.span), a.span, a.step, a.width);
}

/* --- Shifts --- */

struct strided strided_shl(struct strided a, struct strided amount)
{
	struct bounds_u by = strided_unsigned(amount), x = strided_unsigned(a);

	if (a.empty || amount.empty)
		return strided_empty(a.width);
	if (by.low >= a.width)
		return strided_of(0, a.width);
	if (by.low == by.high)
		return strided_mul(a, strided_of((uint64_t)1 << by.low, a.width));
	if (by.high >= a.width || x.high > width_mask(a.width) >> by.high)
		return strided_any(0, (uint64_t)1 << by.low, a.width);
	return strided_make(x.low << by.low, (x.high << by.high) - (x.low << by.low), (uint64_t)1 << by.low, a.width);
}

struct strided strided_shr_u(struct strided a, struct strided amount)
{
	struct bounds_u by = strided_unsigned(amount), x = strided_unsigned(a);
	uint64_t low, high, step = 1;

	if (a.empty || amount.empty)
		return strided_empty(a.width);
	if (by.low >= a.width)
		return strided_of(0, a.width);
	low = by.high >= a.width ? 0 : x.low >> by.high;
	high = x.high >> by.low;
	if (by.low == by.high && !strided_wraps_unsigned(a) && a.step >> by.low << by.low == a.step)
		step = a.step >> by.low;
	return strided_make(low, high - low, step, a.width);
}

static int64_t shift_signed(int64_t number, uint64_t by)
{
	unsigned bits = by > 63 ? 63 : (unsigned)by;

	return number >= 0 ? number >> bits : ~(~number >> bits);
}

struct strided strided_shr_s(struct strided a, struct strided amount)
{
	struct bounds_u by = strided_unsigned(amount);
	struct bounds_s x = strided_signed(a);
	int64_t low, high;

	if (a.empty || amount.empty)
		return strided_empty(a.width);
	low = shift_signed(x.low, x.low < 0 ? by.low : by.high);
	high = shift_signed(x.high, x.high < 0 ? by.high : by.low);
	return strided_make((uint64_t)low, (uint64_t)high - (uint64_t)low, 1, a.width);
}

/* --- Widths --- */

/* The lattice that an interval keeps where it went around the end and becomes wider. */
static struct strided widened(struct strided a, uint64_t least, unsigned width)
{
	struct strided any = strided_any(a.low, a.step, a.width);

	return strided_make(any.low + least, any.span, any.step, width);
}

struct strided strided_sext(struct strided a, unsigned width)
{
	if (a.empty)
		return strided_empty(width);
	if (strided_wraps_signed(a))
		return widened(a, 0 - ((uint64_t)1 << (a.width - 1)), width);
	return strided_make((uint64_t)width_signed(a.low, a.width), a.span, a.step, width);
}

struct strided strided_zext(struct strided a, unsigned width)
{
	if (a.empty)
		return strided_empty(width);
	if (strided_wraps_unsigned(a))
		return widened(a, 0, width);
	return strided_make(a.low, a.span, a.step, width);
}

struct strided strided_trunc(struct strided a, unsigned width)
{
	if (a.empty)
		return strided_empty(width);
	if (a.span > width_mask(width))
		return strided_any(a.low, a.step, width);
	return strided_make(a.low, a.span, a.step, width);
}
