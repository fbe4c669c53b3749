/*
 * Offsets that are not constant but lie between bounds: an element of a local table whose index is masked, one of two
 * locals of a frame. Bounds tell which places of local memory such an address may reach, and have no other use. So an
 * offset beyond all variables may be left open above.
 */
#include "ptx-analyzer/flow/flow.h"

/* A frame is small, and an address that walks through it settles after a few doublings. */
enum { WIDEST = 1024 };

struct bounds {
	int64_t low, high; /* NO_END = open above */
};
#define NO_END INT64_MAX

static struct value with_bounds(struct value v, struct bounds b, bool number)
{
	v = range_none(v);
	if (v.offset != OFFSET_ANY || b.high <= b.low || b.low < INT32_MIN || b.low > INT32_MAX)
		return v;
	v.low = (int32_t)b.low;
	v.span = (uint32_t)(b.high > INT32_MAX || b.high - b.low >= SPAN_OPEN ? SPAN_OPEN : b.high - b.low) & INT32_MAX;
	v.number = number;
	return v;
}

static bool is_constant(const struct flow *fl, struct value v)
{
	return v.set == fl->owner->integer && v.offset != OFFSET_ANY;
}

static bool is_bounded(struct value v)
{
	return v.offset != OFFSET_ANY || v.span > 0;
}

static struct bounds bounds_of(struct value v)
{
	if (v.offset != OFFSET_ANY)
		return (struct bounds){v.offset, v.offset};
	return (struct bounds){v.low, v.span == SPAN_OPEN ? NO_END : (int64_t)v.low + v.span};
}

/* Whether the bounds are bounds of the value as a number. */
static bool is_number(const struct flow *fl, struct value v)
{
	return is_constant(fl, v) || (v.span > 0 && v.number);
}

/* Whether the bounds are bounds of its distance from the only local variable that it points into. */
static bool is_place(const struct flow *fl, struct value v)
{
	const struct set *s = set_get(fl->owner->sets, v.set);

	return s->count == 1 && (s->elems[0] & ELEM_LOCAL) && is_bounded(v) && !v.number;
}

static bool add_bounds(struct bounds a, struct bounds b, struct bounds *sum)
{
	if (__builtin_add_overflow(a.low, b.low, &sum->low))
		return false;
	if (a.high == NO_END || b.high == NO_END || __builtin_add_overflow(a.high, b.high, &sum->high))
		sum->high = NO_END;
	return true;
}

struct value range_number(struct value v, int64_t last)
{
	return with_bounds(v, (struct bounds){0, last}, true);
}

/* A register that is written several times has the same bounds from each, so that they stay when the values are joined.
 */
struct value range_known(const struct flow *fl, struct value v, struct interval known, unsigned bits)
{
	bool narrow = bits < 64;

	if (known.low < (narrow ? 0 : INT32_MIN) || known.low > INT32_MAX)
		return v.span && v.number && v.low < 0 && narrow ? range_none(v) : v;
	if (known.low != known.high && is_constant(fl, v))
		v = value_unplaced(v);
	return with_bounds(v, (struct bounds){known.low, known.high}, true);
}

struct value range_sum(const struct flow *fl, struct value a, struct value b, struct value sum)
{
	bool number = is_number(fl, a) && is_number(fl, b);
	struct bounds both;

	sum = range_none(sum);
	if (sum.offset != OFFSET_ANY || !is_bounded(a) || !is_bounded(b) ||
	    !add_bounds(bounds_of(a), bounds_of(b), &both))
		return sum;
	if (number)
		return both.low >= 0 && both.high <= INT32_MAX ? with_bounds(sum, both, true) : sum;
	if ((is_place(fl, a) && is_number(fl, b) && sum.set == a.set) ||
	    (is_place(fl, b) && is_number(fl, a) && sum.set == b.set))
		sum = with_bounds(sum, both, false);
	return sum;
}

struct value range_product(const struct flow *fl, struct value v, int64_t factor, struct value product)
{
	struct bounds b = bounds_of(v);

	product = range_none(product);
	if (!is_number(fl, v) || b.low < 0 || b.high > INT32_MAX || factor <= 0 || factor > WIDEST ||
	    b.high * factor > INT32_MAX)
		return product;
	return with_bounds(product, (struct bounds){b.low * factor, b.high * factor}, true);
}

struct value range_convert(struct value v, unsigned from, unsigned to)
{
	unsigned bits = from < to ? from : to;
	struct bounds b = bounds_of(v);

	if (v.span && v.number && (v.low < 0 || (v.span == SPAN_OPEN && to < from)))
		return range_none(v);
	if (bits >= 32 || !is_bounded(v) || (b.low >= 0 && b.high < 1 << (bits - 1) && (v.number || !v.span)))
		return v;
	return value_unplaced(v);
}

/* Bounds that grow do so by doubling, and are then left open: a loop that moves an address settles. */
static struct bounds widened(struct bounds old, struct bounds hull)
{
	int64_t span = 1;

	if (hull.low >= old.low && hull.high <= old.high)
		return old;
	while (span <= WIDEST && (hull.high == NO_END || span < hull.high - hull.low))
		span *= 2;
	if (span > WIDEST)
		return hull.low < old.low ? (struct bounds){INT64_MIN, NO_END} : (struct bounds){old.low, NO_END};
	if (hull.low < old.low)
		hull.low = hull.high - span;
	else
		hull.high = hull.low + span;
	return hull;
}

struct value range_join(const struct flow *fl, struct value a, struct value b, struct value joined)
{
	struct bounds old = bounds_of(a), hull = old, other = bounds_of(b);

	joined = range_none(joined);
	if (joined.offset != OFFSET_ANY)
		return joined;
	if (a.span == b.span && a.low == b.low && a.number == b.number && a.offset == b.offset &&
	    (a.number || a.set == b.set))
		return with_bounds(joined, old, a.number);
	if (a.set != b.set || !is_place(fl, a) || !is_place(fl, b))
		return joined;
	hull.low = other.low < hull.low ? other.low : hull.low;
	hull.high = other.high > hull.high ? other.high : hull.high;
	return with_bounds(joined, a.span ? widened(old, hull) : hull, false);
}
