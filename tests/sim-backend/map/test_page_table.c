/* Owners of pages against a reference that keeps every touch, in all orders within a cycle. */
#include "tests/sim-backend/support.h"

#include "sim-backend/map/page_table.h"

#include <stdlib.h>

enum { PAGES = 3000, TOUCHES = 20000 };

static struct memsys_config config;

static void table_init(struct page_table *t)
{
	page_table_init(t, config.chips.count, config.map.page_bytes, (enum page_owner)config.chips.pages);
}

static int reset(void **state)
{
	(void)state;
	config = paper_machine();
	config.chips.count = 4;
	return 0;
}

struct touch {
	uint64_t line, cycle;
	unsigned chip;
};

/* Several touches a cycle, over addresses far apart. */
static void draw(struct touch *touches, uint64_t seed)
{
	uint64_t random = seed, cycle = 0;

	for (unsigned i = 0; i < TOUCHES; i++) {
		cycle += random_below(&random, 4) == 0;
		touches[i] =
		    (struct touch){.line = (random_below(&random, PAGES) << 33) + random_below(&random, 32) * 128,
				   .cycle = cycle,
				   .chip = (unsigned)random_below(&random, 4)};
	}
}

/* The chip that a page prefers among those that touched it in the first cycle in which any did. */
static unsigned reference(const struct touch *touches, uint64_t page)
{
	uint64_t first = UINT64_MAX;
	unsigned chips = 0;

	for (unsigned i = 0; i < TOUCHES; i++)
		if (touches[i].line >> 12 == page && touches[i].cycle <= first) {
			first = touches[i].cycle;
			chips |= 1u << touches[i].chip;
		}
	for (unsigned k = 0; k < 4; k++)
		if (chips >> ((page + k) % 4) & 1)
			return (unsigned)((page + k) % 4);
	fail_msg("nobody touched the page");
	return 0;
}

/* Touches of one cycle in the order of the list or backwards. */
static void play(struct page_table *t, const struct touch *touches, bool backwards)
{
	for (unsigned i = 0, end; i < TOUCHES; i = end) {
		for (end = i; end < TOUCHES && touches[end].cycle == touches[i].cycle; end++)
			;
		for (unsigned k = 0; k < end - i; k++) {
			const struct touch *x = &touches[backwards ? end - 1 - k : i + k];

			page_table_touch(t, x->line, x->chip, x->cycle);
		}
	}
}

static void test_the_first_touch_owns_in_any_order(void **state)
{
	struct touch *touches = malloc(TOUCHES * sizeof *touches);

	(void)state;
	for (uint64_t seed = 1; seed < 4; seed++) {
		struct page_table forward, backward;

		draw(touches, seed);
		table_init(&forward);
		table_init(&backward);
		play(&forward, touches, false);
		play(&backward, touches, true);
		for (unsigned i = 0; i < TOUCHES; i += 37) {
			unsigned expected = reference(touches, touches[i].line >> 12);

			assert_int_equal(page_table_chip(&forward, touches[i].line), expected);
			assert_int_equal(page_table_chip(&backward, touches[i].line), expected);
		}
		for (unsigned i = 0; i < TOUCHES; i++)
			assert_int_equal(page_table_chip(&forward, touches[i].line),
					 page_table_chip(&backward, touches[i].line));
		assert_int_equal(forward.used, backward.used);
		assert_true(forward.used > PAGES * 9 / 10 && forward.used <= PAGES);
		page_table_release(&forward);
		page_table_release(&backward);
	}
	free(touches);
}

static void test_all_of_a_page_has_one_owner(void **state)
{
	(void)state;
	for (uint32_t bytes = 4096; bytes <= 1 << 21; bytes *= 2) {
		struct page_table t;

		config.map.page_bytes = bytes;
		table_init(&t);
		page_table_touch(&t, 5 * (uint64_t)bytes + 128, 2, 10);
		page_table_touch(&t, 6 * (uint64_t)bytes, 3, 11);
		page_table_touch(&t, 5 * (uint64_t)bytes, 1, 11);
		assert_int_equal(page_table_chip(&t, 5 * (uint64_t)bytes), 2);
		assert_int_equal(page_table_chip(&t, 6 * (uint64_t)bytes - 128), 2);
		assert_int_equal(page_table_chip(&t, 6 * (uint64_t)bytes), 3);
		page_table_release(&t);
	}
}

static void test_interleaved_pages_go_by_their_numbers(void **state)
{
	struct page_table t;

	(void)state;
	config.chips.pages = PAGES_INTERLEAVE;
	table_init(&t);
	for (uint64_t page = 0; page < 100; page++) {
		page_table_touch(&t, page * 4096, 3, page);
		assert_int_equal(page_table_chip(&t, page * 4096 + 4095), page % 4);
	}
	assert_int_equal(t.used, 0);
	page_table_release(&t);
}

/* No stride stays with one of two chips or four: each of 256 aligned pages at any power of two goes to all alike. */
static void test_hashed_pages_go_by_all_digits(void **state)
{
	(void)state;
	for (uint32_t chips = 2; chips <= 4; chips *= 2) {
		struct page_table t;

		config.chips.pages = PAGES_HASH;
		config.chips.count = chips;
		table_init(&t);
		assert_int_equal(page_table_chip(&t, 0), 0);
		assert_int_equal(page_table_chip(&t, (chips + 1) * UINT64_C(4096)), 0);
		assert_int_equal(page_table_chip(&t, 3 * UINT64_C(4096)), chips == 2 ? 0 : 3);
		for (unsigned shift = 12; shift < 30; shift++) {
			unsigned counts[4] = {0};

			for (uint64_t k = 0; k < 256; k++)
				counts[page_table_chip(&t, k << shift)]++;
			for (unsigned chip = 0; chip < chips; chip++)
				assert_int_equal(counts[chip], 256 / chips);
		}
		page_table_release(&t);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_the_first_touch_owns_in_any_order),
	    TEST(test_all_of_a_page_has_one_owner),
	    TEST(test_interleaved_pages_go_by_their_numbers),
	    TEST(test_hashed_pages_go_by_all_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
