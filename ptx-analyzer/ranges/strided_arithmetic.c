/* Sums, products, quotients and choices of wrapped strided intervals. */
#include "ptx-analyzer/ranges/strided.h"

static bool is_empty(struct strided a, struct strided b)
{
	return a.empty || b.empty;
}

/* low <= high as signed numbers. */
static struct strided between_signed(int64_t low, int64_t high, uint64_t step, unsigned width)
{
	return strided_make((uint64_t)low, (uint64_t)high - (uint64_t)low, step, width);
}

/* --- Sums --- */

struct strided strided_add(struct strided a, struct strided b)
{
	uint64_t step = common_step(a.step, b.step);

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (width_mask(a.width) - a.span < b.span)
		return strided_any(a.low + b.low, step, a.width);
	return strided_make(a.low + b.low, a.span + b.span, step, a.width);
}

struct strided strided_neg(struct strided a)
{
	return a.empty ? a : strided_make(0 - (a.low + a.span), a.span, a.step, a.width);
}

struct strided strided_sub(struct strided a, struct strided b)
{
	return strided_add(a, strided_neg(b));
}

/* --- Products --- */

static uint64_t size_of(int64_t number)
{
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* The greatest power of 2 that divides a, which is not 0. */
static uint64_t power_in(uint64_t a)
{
	return a & (0 - a);
}

static bool multiply_unsigned(uint64_t a, uint64_t b, uint64_t *product)
{
	*product = a * b;
	return a == 0 || b <= UINT64_MAX / a;
}

static bool multiply_signed(int64_t a, int64_t b, int64_t *product)
{
	uint64_t size;
	bool fits = multiply_unsigned(size_of(a), size_of(b), &size) && size <= INT64_MAX;

	*product = (a < 0) != (b < 0) ? -(int64_t)(fits ? size : 0) : (int64_t)(fits ? size : 0);
	return fits;
}

/* Times a constant: exact where the numbers do not come round. */
static struct strided scale(struct strided a, uint64_t bits)
{
	int64_t factor = width_signed(bits, a.width);
	uint64_t size = size_of(factor), mask = width_mask(a.width), span, power;
	struct strided scaled;

	if (size == 0 || a.span == 0)
		return strided_of(a.low * bits, a.width);
	if (a.span > mask / size) {
		/* Over 64 bits nothing of a step is left. */
		if (!multiply_unsigned(power_in(a.step), power_in(size), &power))
			return strided_of(a.low * bits, a.width);
		return strided_any(a.low * bits, power, a.width);
	}
	span = a.span * size;
	scaled = strided_make(a.low * size, span, a.step * size, a.width);
	return factor < 0 ? strided_neg(scaled) : scaled;
}

/* The least and the largest of four products. */
static bool corners(struct bounds_s a, struct bounds_s b, int64_t *low, int64_t *high)
{
	int64_t product[4];

	if (!multiply_signed(a.low, b.low, &product[0]) || !multiply_signed(a.low, b.high, &product[1]) ||
	    !multiply_signed(a.high, b.low, &product[2]) || !multiply_signed(a.high, b.high, &product[3]))
		return false;
	*low = *high = product[0];
	for (int i = 1; i < 4; i++) {
		*low = product[i] < *low ? product[i] : *low;
		*high = product[i] > *high ? product[i] : *high;
	}
	return true;
}

/* Of numbers up to 2^63: what products of unsigned and of signed numbers are is the same in the lower half. */
static bool product_unsigned(struct strided a, struct strided b, struct strided *product)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);
	uint64_t low, high;

	if (!multiply_unsigned(x.low, y.low, &low) || !multiply_unsigned(x.high, y.high, &high) ||
	    high - low > width_mask(a.width))
		return false;
	*product = strided_make(low, high - low, 1, a.width);
	return true;
}

static bool product_signed(struct strided a, struct strided b, struct strided *product)
{
	int64_t low, high;

	if (!corners(strided_signed(a), strided_signed(b), &low, &high) ||
	    (uint64_t)high - (uint64_t)low > width_mask(a.width))
		return false;
	*product = between_signed(low, high, 1, a.width);
	return true;
}

struct strided strided_mul(struct strided a, struct strided b)
{
	struct strided product;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (b.span == 0)
		return scale(a, b.low);
	if (a.span == 0)
		return scale(b, a.low);
	if (product_unsigned(a, b, &product) || product_signed(a, b, &product))
		return product;
	return strided_full(a.width);
}

struct strided strided_mulhi_u(struct strided a, struct strided b)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (a.width > 32)
		return strided_full(a.width);
	return strided_between(x.low * y.low >> a.width, x.high * y.high >> a.width, a.width);
}

/* Of a division by 2^bits, rounded down. */
static int64_t floor_shift(int64_t number, unsigned bits)
{
	return number >= 0 ? number >> bits : ~(~number >> bits);
}

struct strided strided_mulhi_s(struct strided a, struct strided b)
{
	int64_t low, high;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (a.width > 32 || !corners(strided_signed(a), strided_signed(b), &low, &high))
		return strided_full(a.width);
	return between_signed(floor_shift(low, a.width), floor_shift(high, a.width), 1, a.width);
}

/* --- Quotients --- */

struct strided strided_div_u(struct strided a, struct strided b)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);
	bool whole;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (y.low == 0)
		return strided_full(a.width);
	whole = y.low == y.high && !strided_wraps_unsigned(a) && a.step % y.low == 0;
	return strided_make(x.low / y.high, x.high / y.low - x.low / y.high, whole ? a.step / y.low : 1, a.width);
}

/* Does it hold 0, or the one quotient that there is no number for? */
static bool divides_badly(struct bounds_s x, struct bounds_s y, unsigned width)
{
	int64_t least = width_signed((uint64_t)1 << (width - 1), width);

	return (y.low <= 0 && y.high >= 0) || (x.low == least && y.low <= -1 && y.high >= -1);
}

struct strided strided_div_s(struct strided a, struct strided b)
{
	struct bounds_s x = strided_signed(a), y = strided_signed(b);
	int64_t quotient[4], low, high;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (divides_badly(x, y, a.width))
		return strided_full(a.width);
	quotient[0] = x.low / y.low;
	quotient[1] = x.low / y.high;
	quotient[2] = x.high / y.low;
	quotient[3] = x.high / y.high;
	low = high = quotient[0];
	for (int i = 1; i < 4; i++) {
		low = quotient[i] < low ? quotient[i] : low;
		high = quotient[i] > high ? quotient[i] : high;
	}
	return between_signed(low, high, 1, a.width);
}

/* The remainders of numbers from low to high, all of them a step apart, by one divisor. */
static struct strided remainders(uint64_t low, uint64_t high, uint64_t step, uint64_t divisor, unsigned width)
{
	uint64_t common = common_step(step, divisor), first = low % common;

	if (low / divisor == high / divisor)
		return strided_make(low % divisor, high - low, step, width);
	return strided_make(first, divisor - 1 - first, common, width);
}

struct strided strided_rem_u(struct strided a, struct strided b)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (y.low == 0)
		return strided_full(a.width);
	if (x.high < y.low)
		return a;
	if (y.low == y.high)
		return remainders(x.low, x.high, strided_wraps_unsigned(a) ? 1 : a.step, y.low, a.width);
	return strided_between(0, x.high < y.high - 1 ? x.high : y.high - 1, a.width);
}

struct strided strided_rem_s(struct strided a, struct strided b)
{
	struct bounds_s x = strided_signed(a), y = strided_signed(b);
	uint64_t most;
	int64_t low, high;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (divides_badly(x, y, a.width))
		return strided_full(a.width);
	if (x.low >= 0 && y.low > 0)
		return strided_rem_u(a, b);
	most = (size_of(y.low) > size_of(y.high) ? size_of(y.low) : size_of(y.high)) - 1;
	low = x.low >= 0 ? 0 : size_of(x.low) < most ? x.low : -(int64_t)most;
	high = x.high <= 0 ? 0 : (uint64_t)x.high < most ? x.high : (int64_t)most;
	return between_signed(low, high, 1, a.width);
}

struct strided strided_floor_u(struct strided a, struct strided b)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);
	uint64_t low;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (y.low == 0)
		return strided_full(a.width);
	if (y.low == y.high) {
		low = x.low - x.low % y.low;
		return strided_make(low, x.high - x.high % y.low - low, y.low, a.width);
	}
	return strided_between(x.low < y.high - 1 ? 0 : x.low - (y.high - 1), x.high, a.width);
}

struct strided strided_floor_s(struct strided a, struct strided b)
{
	struct bounds_s x = strided_signed(a), y = strided_signed(b);

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (divides_badly(x, y, a.width))
		return strided_full(a.width);
	if (x.low >= 0 && y.low > 0)
		return strided_floor_u(a, b);
	/* Towards zero. */
	return between_signed(x.low < 0 ? x.low : 0, x.high > 0 ? x.high : 0, 1, a.width);
}

/* --- Choices --- */

static uint64_t step_of_either(struct strided a, struct strided b)
{
	return common_step(common_step(a.step, b.step), a.low > b.low ? a.low - b.low : b.low - a.low);
}

static struct strided choose_u(struct strided a, struct strided b, bool lesser)
{
	struct bounds_u x = strided_unsigned(a), y = strided_unsigned(b);
	uint64_t low, high;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (x.high <= y.low)
		return lesser ? a : b;
	if (y.high <= x.low)
		return lesser ? b : a;
	low = (x.low < y.low) == lesser ? x.low : y.low;
	high = (x.high < y.high) == lesser ? x.high : y.high;
	if (strided_wraps_unsigned(a) || strided_wraps_unsigned(b))
		return strided_between(low, high, a.width);
	return strided_make(low, high - low, step_of_either(a, b), a.width);
}

static struct strided choose_s(struct strided a, struct strided b, bool lesser)
{
	struct bounds_s x = strided_signed(a), y = strided_signed(b);
	int64_t low, high;

	if (is_empty(a, b))
		return strided_empty(a.width);
	if (x.high <= y.low)
		return lesser ? a : b;
	if (y.high <= x.low)
		return lesser ? b : a;
	low = (x.low < y.low) == lesser ? x.low : y.low;
	high = (x.high < y.high) == lesser ? x.high : y.high;
	return between_signed(low, high, 1, a.width);
}

struct strided strided_min_u(struct strided a, struct strided b)
{
	return choose_u(a, b, true);
}

struct strided strided_min_s(struct strided a, struct strided b)
{
	return choose_s(a, b, true);
}

struct strided strided_max_u(struct strided a, struct strided b)
{
	return choose_u(a, b, false);
}

struct strided strided_max_s(struct strided a, struct strided b)
{
	return choose_s(a, b, false);
}

struct strided strided_abs(struct strided a)
{
	struct bounds_s x = strided_signed(a);
	uint64_t low, high;

	if (a.empty || x.low >= 0)
		return a;
	if (x.high <= 0)
		return strided_neg(a);
	low = size_of(x.low);
	high = (uint64_t)x.high;
	return strided_between(0, low > high ? low : high, a.width);
}
