/*
 * Offsets that are not constant but multiples of a step and a rest: a field of an element of an array of structs.
 *
 *	mul.wide.s32 %rd2, %r1, 24;	a multiple of 24
 *	add.s64 %rd3, %rd1, %rd2;	24 * n bytes behind %rd1
 *	ld.global.u64 %rd4, [%rd3+8];	24 * n + 8 bytes behind %rd1
 *
 * Steps that are powers of two survive sums and products that wrap, since they divide 2^32 and 2^64. Others hold for
 * products that cannot wrap, and for an address that such a product is added to: an address beyond the end of the
 * numbers is none of the program's.
 */
#include "ptx-analyzer/flow/flow.h"

enum { LARGEST_STEP = 4096, LARGEST_FACTOR = INT16_MAX };

/* What is known of a value: it is `rest` plus a multiple of `step`. Step 0: `rest` itself; step 1: anything. */
struct steps {
	int64_t step, rest;
	bool number; /* as a number, whatever its roots; else as a distance from each root */
};
static const struct steps any = {1, 0, false};

static int64_t common(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

/* The power of two in `step`, which a sum that wraps keeps. */
static int64_t wrapping(int64_t step)
{
	return step & -step;
}

static struct steps steps_of(const struct flow *fl, struct value v)
{
	if (v.offset != OFFSET_ANY)
		return (struct steps){0, v.offset, v.set == fl->owner->integer};
	if (v.step > 1)
		return (struct steps){v.step, v.rest, v.counts};
	return any;
}

static struct value with_steps(struct value v, struct steps s)
{
	v = steps_none(v);
	if (s.step > LARGEST_STEP)
		s.step = common(s.step, LARGEST_STEP);
	if (v.offset != OFFSET_ANY || s.step <= 1)
		return v;
	v.step = (uint16_t)s.step;
	v.rest = (uint16_t)((s.rest % s.step + s.step) % s.step);
	v.counts = s.number;
	return v;
}

struct value steps_sum(const struct flow *fl, struct value a, struct value b, struct value sum)
{
	struct steps x = steps_of(fl, a), y = steps_of(fl, b), s = {common(x.step, y.step), 0, x.number && y.number};

	if (__builtin_add_overflow(x.rest, y.rest, &s.rest) || s.step <= 1)
		return steps_none(sum);
	if (s.number)
		s.step = wrapping(s.step);
	else if (!(y.number && sum.set == a.set) && !(x.number && sum.set == b.set))
		return steps_none(sum);
	return with_steps(sum, s);
}

struct value steps_moved(struct value v, int64_t distance)
{
	struct steps s = {v.step, 0, v.counts};

	if (v.step <= 1)
		return v;
	s.rest = v.rest + distance % v.step;
	return with_steps(v, s);
}

/* A constant that registers of 16 bits and more hold as it is. */
static bool is_plain_factor(int64_t factor)
{
	return factor > 1 && factor <= LARGEST_FACTOR;
}

struct value steps_product(const struct flow *fl, struct value v, int64_t factor, bool exact, struct value product)
{
	struct steps s = steps_of(fl, v), p = {factor, 0, true};

	if (!is_plain_factor(factor))
		return steps_none(product);
	if (s.number && s.step > 1 && s.step <= LARGEST_STEP) {
		p.step = s.step * factor;
		p.rest = s.rest * factor;
	}
	if (!exact)
		p.step = wrapping(p.step);
	return with_steps(product, p);
}

struct value steps_convert(struct value v, unsigned from, unsigned to)
{
	if (from < 32 || to < 32)
		v = steps_none(v);
	else if (v.step > 1)
		v = with_steps(v, (struct steps){wrapping(v.step), v.rest, v.counts});
	v.small = from == 32 && to == 64;
	return v;
}

struct value steps_join(const struct flow *fl, struct value a, struct value b, struct value joined)
{
	struct steps x = steps_of(fl, a), y = steps_of(fl, b), s = {common(x.step, y.step), x.rest, x.number};
	bool small = a.small && b.small;
	int64_t apart;

	if (x.number != y.number || __builtin_sub_overflow(y.rest, x.rest, &apart))
		s = any;
	else
		s.step = common(s.step, apart);
	joined = with_steps(joined, s);
	joined.small = small;
	return joined;
}
