/* Wrapped strided intervals as sets: how they are made, compared, joined and met. */
#include "ptx-analyzer/ranges/strided.h"

uint64_t width_mask(unsigned width)
{
	return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

int64_t width_signed(uint64_t bits, unsigned width)
{
	uint64_t sign = (uint64_t)1 << (width - 1);

	return (int64_t)(((bits & width_mask(width)) ^ sign) - sign);
}

/* --- Making --- */

uint64_t common_step(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct strided strided_make(uint64_t low, uint64_t span, uint64_t step, unsigned width)
{
	struct strided made = {.low = low & width_mask(width), .width = (uint8_t)width};

	if (step == 0 || span < step)
		return made;
	made.step = step;
	made.span = span - span % step;
	/* Each set has one form, so that a fixpoint is seen. */
	if (made.step == 1 && made.span == width_mask(width))
		made.low = 0;
	return made;
}

struct strided strided_of(uint64_t number, unsigned width)
{
	return strided_make(number, 0, 0, width);
}

struct strided strided_between(uint64_t low, uint64_t high, unsigned width)
{
	return strided_make(low, high - low, 1, width);
}

struct strided strided_full(unsigned width)
{
	return strided_make(0, width_mask(width), 1, width);
}

struct strided strided_empty(unsigned width)
{
	return (struct strided){.width = (uint8_t)width, .empty = true};
}

struct strided strided_any(uint64_t low, uint64_t step, unsigned width)
{
	uint64_t mask = width_mask(width), power = step & (0 - step);

	if (power == 0 || power > mask)
		return strided_of(low, width);
	return strided_make(low & (power - 1), mask - (power - 1), power, width);
}

/* --- Questions --- */

bool strided_equal(struct strided a, struct strided b)
{
	if (a.empty || b.empty)
		return a.empty == b.empty;
	return a.low == b.low && a.span == b.span && a.step == b.step;
}

bool strided_is_single(struct strided a)
{
	return !a.empty && a.span == 0;
}

bool strided_is_full(struct strided a)
{
	return !a.empty && a.span == width_mask(a.width) && a.step == 1;
}

bool strided_wraps_unsigned(struct strided a)
{
	return width_mask(a.width) - a.low < a.span;
}

/* Numbers from the least signed one on, in their order: so a signed interval is an unsigned one that is moved. */
static uint64_t from_least(struct strided a)
{
	return (a.low ^ (uint64_t)1 << (a.width - 1)) & width_mask(a.width);
}

bool strided_wraps_signed(struct strided a)
{
	return width_mask(a.width) - from_least(a) < a.span;
}

struct bounds_u strided_unsigned(struct strided a)
{
	if (strided_wraps_unsigned(a))
		return (struct bounds_u){0, width_mask(a.width)};
	return (struct bounds_u){a.low, a.low + a.span};
}

struct bounds_s strided_signed(struct strided a)
{
	uint64_t sign = (uint64_t)1 << (a.width - 1);

	if (strided_wraps_signed(a))
		return (struct bounds_s){width_signed(sign, a.width), width_signed(sign - 1, a.width)};
	return (struct bounds_s){width_signed(a.low, a.width), width_signed(a.low + a.span, a.width)};
}

/* --- Join --- */

/* The arc that begins with a and holds b; false if that goes around more than once. */
static bool arc_from(struct strided a, struct strided b, uint64_t *span)
{
	uint64_t mask = width_mask(a.width), distance = (b.low - a.low) & mask;

	if (mask - distance < b.span)
		return false;
	*span = distance + b.span > a.span ? distance + b.span : a.span;
	return true;
}

struct strided strided_join(struct strided a, struct strided b)
{
	uint64_t from_a, from_b, step = common_step(common_step(a.step, b.step), (b.low - a.low) & width_mask(a.width));
	bool a_first, b_first;

	if (a.empty)
		return b;
	if (b.empty)
		return a;
	a_first = arc_from(a, b, &from_a);
	b_first = arc_from(b, a, &from_b);
	if (a_first && (!b_first || from_a <= from_b))
		return strided_make(a.low, from_a, step, a.width);
	if (!b_first)
		return strided_any(a.low, step, a.width);
	return strided_make(b.low, from_b,
			    common_step(common_step(a.step, b.step), (a.low - b.low) & width_mask(a.width)), a.width);
}

/* --- Meet --- */

/* Those numbers of `a` that stand from `first` to `last` steps of 1 behind its least. */
static struct strided part_of(struct strided a, uint64_t first, uint64_t last)
{
	uint64_t rest = a.step ? first % a.step : 0;

	if (a.step == 0)
		return first == 0 ? a : strided_empty(a.width);
	if (rest && last - first < a.step - rest)
		return strided_empty(a.width);
	first += rest ? a.step - rest : 0;
	return strided_make(a.low + first, last - first, a.step, a.width);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct strided strided_meet(struct strided a, struct strided b)
{
	uint64_t mask = width_mask(a.width), distance = (b.low - a.low) & mask, beyond = mask - distance;
	bool begins = distance <= a.span;     /* b begins in a */
	bool comes_round = beyond < b.span;   /* b goes over the place where a begins */
	uint64_t round = b.span - beyond - 1; /* and so far behind it */
	uint64_t first, last;

	if (a.empty || b.empty || (!begins && !comes_round))
		return strided_empty(a.width);
	/* Two pieces: the smaller set holds both. */
	if (begins && comes_round)
		return strided_is_full(a) || b.span < a.span ? b : a;
	first = begins ? distance : 0;
	last = begins ? least(a.span, distance + b.span) : least(a.span, round);
	if (b.step > a.step && a.step > 0)
		return part_of(b, begins ? 0 : beyond + 1, begins ? last - first : beyond + 1 + last);
	return part_of(a, first, last);
}
