/*
 * Wrapped strided intervals against the sets that they stand for: every result of members is a member of the result,
 * for random intervals of few bits, member by member, and of 32 and 64 bits by samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx-analyzer/ranges/strided.h"

#include <stdio.h>

enum { PAIRS = 20000, SAMPLES = 24, MOST_NUMBERS = 256 };

static uint64_t random_bits(void)
{
	static uint64_t state = 0x9E3779B97F4A7C15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545F4914F6CDD1D;
}

static bool has(struct strided a, uint64_t number)
{
	uint64_t distance = (number - a.low) & width_mask(a.width);

	return !a.empty && distance <= a.span && (a.step ? distance % a.step == 0 : distance == 0);
}

/* Numbers near the ends of the width and near 0 are frequent. */
static uint64_t random_number(unsigned width)
{
	uint64_t near = random_bits() % 8 - 4;

	switch (random_bits() % 4) {
	case 0: return near & width_mask(width);
	case 1: return (near + ((uint64_t)1 << (width - 1))) & width_mask(width);
	case 2: return random_bits() >> random_bits() % 64 & width_mask(width);
	default: return random_bits() & width_mask(width);
	}
}

static struct strided random_interval(unsigned width)
{
	uint64_t step = random_bits() % 3 ? random_bits() % 6 + 1 : random_number(width);
	uint64_t span = random_bits() % 5 ? random_number(width) : 0;

	if (random_bits() % 12 == 0)
		return strided_any(random_number(width), step, width);
	return strided_make(random_number(width), span, step, width);
}

static uint64_t member(struct strided a, uint64_t nth)
{
	uint64_t count = a.step ? a.span / a.step : 0;

	return (a.low + (count == UINT64_MAX ? nth : nth % (count + 1)) * a.step) & width_mask(a.width);
}

/* Members of both, or only some of them. */
static uint64_t members(struct strided a)
{
	uint64_t count = a.step ? a.span / a.step : 0;

	return count < MOST_NUMBERS && a.width <= 8 ? count + 1 : SAMPLES;
}

static uint64_t nth_of(struct strided a, uint64_t i)
{
	if (a.width <= 8)
		return i;
	return i == 0 ? 0 : i == 1 ? (a.step ? a.span / a.step : 0) : random_bits();
}

/* --- Operations as the host has them --- */

static int64_t s(uint64_t bits, unsigned width)
{
	return width_signed(bits, width);
}

static bool by_zero_or_overflow(uint64_t a, uint64_t b, unsigned w)
{
	return b == 0 || (s(a, w) == s((uint64_t)1 << (w - 1), w) && s(b, w) == -1);
}

/* false: there is no result. */
typedef bool (*host)(uint64_t a, uint64_t b, unsigned w, uint64_t *r);
#define HOST(name, exists, value)                                                                                      \
	static bool name(uint64_t a, uint64_t b, unsigned w, uint64_t *r)                                              \
	{                                                                                                              \
		if (!(exists))                                                                                         \
			return false;                                                                                  \
		*r = (uint64_t)(value) & width_mask(w);                                                                \
		(void)a;                                                                                               \
		(void)b;                                                                                               \
		return true;                                                                                           \
	}
HOST(host_add, true, a + b)
HOST(host_sub, true, a - b)
HOST(host_mul, true, a *b)
HOST(host_mulhi_u, true, w == 64 ? (uint64_t)0 : a * b >> w)
HOST(host_mulhi_s, true, w == 64 ? 0 : (uint64_t)(s(a, w) * s(b, w)) >> w)
HOST(host_div_u, b != 0, a / b)
HOST(host_div_s, !by_zero_or_overflow(a, b, w), s(a, w) / s(b, w))
HOST(host_rem_u, b != 0, a % b)
HOST(host_rem_s, !by_zero_or_overflow(a, b, w), s(a, w) % s(b, w))
HOST(host_floor_u, b != 0, a - a % b)
HOST(host_floor_s, !by_zero_or_overflow(a, b, w), s(a, w) - s(a, w) % s(b, w))
HOST(host_min_u, true, a < b ? a : b)
HOST(host_max_u, true, a > b ? a : b)
HOST(host_min_s, true, s(a, w) < s(b, w) ? a : b)
HOST(host_max_s, true, s(a, w) > s(b, w) ? a : b)
HOST(host_and, true, a &b)
HOST(host_or, true, a | b)
HOST(host_xor, true, a ^ b)

static const struct {
	const char *name;
	struct strided (*of)(struct strided, struct strided);
	host host;
	unsigned most_width;
} operations[] = {
    {"add", strided_add, host_add, 64},
    {"sub", strided_sub, host_sub, 64},
    {"mul", strided_mul, host_mul, 64},
    {"mulhi_u", strided_mulhi_u, host_mulhi_u, 32},
    {"mulhi_s", strided_mulhi_s, host_mulhi_s, 32},
    {"div_u", strided_div_u, host_div_u, 64},
    {"div_s", strided_div_s, host_div_s, 64},
    {"rem_u", strided_rem_u, host_rem_u, 64},
    {"rem_s", strided_rem_s, host_rem_s, 64},
    {"floor_u", strided_floor_u, host_floor_u, 64},
    {"floor_s", strided_floor_s, host_floor_s, 64},
    {"min_u", strided_min_u, host_min_u, 64},
    {"max_u", strided_max_u, host_max_u, 64},
    {"min_s", strided_min_s, host_min_s, 64},
    {"max_s", strided_max_s, host_max_s, 64},
    {"and", strided_and, host_and, 64},
    {"or", strided_or, host_or, 64},
    {"xor", strided_xor, host_xor, 64},
};

static void print(const char *what, struct strided a)
{
	printf("%s %s%#llx + 0..%#llx by %#llx, %u bits\n", what, a.empty ? "empty " : "", (unsigned long long)a.low,
	       (unsigned long long)a.span, (unsigned long long)a.step, a.width);
}

static void expect(const char *name, struct strided a, struct strided b, struct strided r, uint64_t x, uint64_t y,
		   uint64_t number)
{
	if (has(r, number))
		return;
	print("a", a);
	print("b", b);
	print("r", r);
	fail_msg("%s: %#llx and %#llx give %#llx", name, (unsigned long long)x, (unsigned long long)y,
		 (unsigned long long)number);
}

static const unsigned widths[] = {1, 3, 4, 5, 6, 8, 16, 32, 64};
enum { WIDTHS = sizeof widths / sizeof *widths };

static void test_operations(void **state)
{
	(void)state;
	for (unsigned o = 0; o < sizeof operations / sizeof *operations; o++)
		for (unsigned n = 0; n < PAIRS; n++) {
			unsigned w = widths[random_bits() % WIDTHS];
			struct strided a, b, r;

			if (w > operations[o].most_width)
				continue;
			a = random_interval(w);
			b = random_interval(w);
			r = operations[o].of(a, b);
			for (uint64_t i = 0; i < members(a); i++)
				for (uint64_t j = 0; j < members(b); j++) {
					uint64_t x = member(a, nth_of(a, i)), y = member(b, nth_of(b, j)), number;

					if (operations[o].host(x, y, w, &number))
						expect(operations[o].name, a, b, r, x, y, number);
				}
		}
}

static uint64_t shifted(unsigned how, uint64_t x, uint64_t by, unsigned w)
{
	switch (how) {
	case 0: return by >= w ? 0 : x << by & width_mask(w);
	case 1: return by >= w ? 0 : x >> by;
	default: return (uint64_t)(s(x, w) >> (by > 63 ? 63 : by)) & width_mask(w);
	}
}

static void test_shifts(void **state)
{
	static struct strided (*const shifts[])(struct strided, struct strided) = {strided_shl, strided_shr_u,
										   strided_shr_s};

	(void)state;
	for (unsigned n = 0; n < 3 * PAIRS; n++) {
		unsigned w = widths[random_bits() % WIDTHS];
		struct strided a = random_interval(w), by = random_interval(32), r;

		if (random_bits() % 4)
			by = strided_make(random_bits() % 70, random_bits() % 8, random_bits() % 3, 32);
		r = shifts[n % 3](a, by);
		for (uint64_t i = 0; i < members(a); i++)
			for (uint64_t j = 0; j < SAMPLES; j++) {
				uint64_t x = member(a, nth_of(a, i)), y = member(by, nth_of(by, j));

				expect("shift", a, by, r, x, y, shifted(n % 3, x, y, w));
			}
	}
}

static void test_one_operand(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 3 * PAIRS; n++) {
		unsigned w = widths[random_bits() % WIDTHS], to = widths[random_bits() % WIDTHS];
		struct strided a = random_interval(w), changed;

		changed = to <= w ? strided_trunc(a, to) : n % 2 ? strided_sext(a, to) : strided_zext(a, to);
		for (uint64_t i = 0; i < members(a); i++) {
			uint64_t x = member(a, nth_of(a, i));
			uint64_t size = s(x, w) < 0 ? 0 - (uint64_t)s(x, w) : x;

			expect("width", a, a, changed, x, to,
			       (to > w && n % 2 ? (uint64_t)s(x, w) : x) & width_mask(to));
			expect("not", a, a, strided_not(a), x, 0, ~x & width_mask(w));
			expect("neg", a, a, strided_neg(a), x, 0, (0 - x) & width_mask(w));
			expect("abs", a, a, strided_abs(a), x, 0, size & width_mask(w));
		}
	}
}

/* A join holds both, a meet what is in both, the bounds all; and a set that goes around is told. */
static void test_sets(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 5 * PAIRS; n++) {
		unsigned w = widths[random_bits() % WIDTHS];
		struct strided a = random_interval(w), b = random_interval(w);
		struct strided join = strided_join(a, b), meet = strided_meet(a, b);
		struct bounds_u u = strided_unsigned(a);
		struct bounds_s by_sign = strided_signed(a);

		for (uint64_t i = 0; i < members(a); i++) {
			uint64_t x = member(a, nth_of(a, i));

			expect("join", a, b, join, x, 0, x);
			if (has(b, x))
				expect("meet", a, b, meet, x, 0, x);
			assert_true(u.low <= x && x <= u.high);
			assert_true(by_sign.low <= s(x, w) && s(x, w) <= by_sign.high);
		}
		for (uint64_t i = 0; i < members(b); i++) {
			uint64_t x = member(b, nth_of(b, i));

			expect("join", a, b, join, 0, x, x);
			if (has(a, x))
				expect("meet", a, b, meet, 0, x, x);
		}
	}
}

/* What addresses are made of is exact. */
static void test_addresses_are_exact(void **state)
{
	struct strided tid = strided_between(0, 255, 32), row = strided_mul(tid, strided_of(12, 32)), r;

	(void)state;
	r = strided_add(strided_sext(row, 64), strided_of(0x7f0000000000, 64));
	assert_true(r.low == 0x7f0000000000 && r.span == 255 * 12 && r.step == 12);
	r = strided_sub(tid, strided_of(1, 32));
	assert_true(strided_wraps_unsigned(r) && !strided_wraps_signed(r));
	r = strided_sext(r, 64);
	assert_true(r.low == UINT64_MAX && r.span == 255 && r.step == 1);
	r = strided_zext(strided_sub(tid, strided_of(1, 32)), 64);
	assert_true(r.low == 0 && r.span == UINT32_MAX);
	assert_true(strided_is_full(strided_div_u(tid, strided_between(0, 3, 32))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_operations),          cmocka_unit_test(test_shifts),
	    cmocka_unit_test(test_one_operand),         cmocka_unit_test(test_sets),
	    cmocka_unit_test(test_addresses_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
