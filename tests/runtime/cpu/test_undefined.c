/* Bits of bytes that nothing has been written to, against an array of booleans: ranges of any start and length, copies.
 */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/engine/device_memory.h"
#include "runtime/cpu/engine/undefined.h"

enum { BYTES = 300 };

static bool model[BYTES];

static void expect_model(const struct undefined *u)
{
	for (unsigned i = 0; i < BYTES; i++)
		assert_int_equal(undefined_any(u, MEMORY_BASE + i, 1), model[i]);
}

static bool any_in_model(uint64_t first, uint64_t count)
{
	for (uint64_t i = first; i < first + count; i++)
		if (model[i])
			return true;
	return false;
}

static void test_ranges(void **state)
{
	struct undefined *u = undefined_new();

	(void)state;
	memset(model, 0, sizeof model);
	expect_model(u);
	for (unsigned round = 0; round < 3000; round++) {
		uint64_t first = harness_random() % BYTES, count = harness_random() % (BYTES - first + 1);
		bool value = harness_random() & 1;

		memset(model + first, value, count);
		if (value)
			undefined_set(u, MEMORY_BASE + first, count);
		else
			undefined_clear(u, MEMORY_BASE + first, count);
		first = harness_random() % BYTES;
		count = harness_random() % (BYTES - first + 1);
		assert_int_equal(undefined_any(u, MEMORY_BASE + first, count), any_in_model(first, count));
	}
	expect_model(u);
	undefined_free(u);
}

static void test_copies_may_overlap(void **state)
{
	struct undefined *u = undefined_new();

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		uint64_t to = harness_random() % BYTES, from = harness_random() % BYTES;
		uint64_t most = BYTES - (to > from ? to : from), count = harness_random() % (most + 1);

		memset(model, 0, sizeof model);
		undefined_clear(u, MEMORY_BASE, BYTES);
		for (unsigned i = 0; i < BYTES; i += 1 + harness_random() % 5) {
			model[i] = true;
			undefined_set(u, MEMORY_BASE + i, 1);
		}
		if (round % 2) {
			to = to / 8 * 8;
			from = from / 8 * 8;
		}
		memmove(model + to, model + from, count);
		undefined_copy(u, MEMORY_BASE + to, MEMORY_BASE + from, count);
		expect_model(u);
	}
	undefined_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges), cmocka_unit_test(test_copies_may_overlap)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
