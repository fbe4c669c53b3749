/* The shadow of memory by itself: random accesses beside a plain record of who touched each byte. */
#include "runtime/cpu/observe/shadow.h"
#include "runtime/cpu/engine/device_memory.h"
#include "tests/runtime/cpu/harness.h"

enum { BYTES = 4 * 4096, ROUNDS = 20000, TOUCHES = 12, PLACES = 6 };

/* For each byte and kind, the places that have touched it, a bit each. */
struct record {
	uint8_t touched[2][BYTES];
};

/* The first of the bytes that the other kind has touched, or -1. */
static int64_t first_met(const struct record *r, enum shadow_kind kind, uint64_t first, uint64_t count)
{
	for (uint64_t i = first; i < first + count; i++)
		if (r->touched[!kind][i])
			return (int64_t)i;
	return -1;
}

static uint64_t below(uint64_t limit)
{
	return harness_random() % limit;
}

/* Elements of 1 to 16 bytes at multiples of themselves, whole warps of them, and anything. */
static void random_range(uint64_t *first, uint64_t *count)
{
	uint64_t element = UINT64_C(1) << below(5);

	*count = below(3) ? element : below(2) ? 32 * element : 1 + below(600);
	*first = below(2) ? 4096 - below(40) / element * element : below(BYTES / 4) / element * element;
	if (*first + *count > BYTES)
		*count = BYTES - *first;
}

static void test_shadow_and_record_agree(void **state)
{
	static struct record r;
	struct shadow s;
	unsigned met = 0;

	(void)state;
	shadow_open(&s);
	for (int round = 0; round < ROUNDS; round++) {
		memset(&r, 0, sizeof r);
		shadow_forget(&s);
		for (int i = 0; i < TOUCHES; i++) {
			enum shadow_kind kind = below(4) ? SHADOW_LOAD : SHADOW_STORE;
			uint32_t place = 1 + (uint32_t)below(PLACES), found;
			uint64_t first, count, byte = 0;
			int64_t expected;

			random_range(&first, &count);
			expected = first_met(&r, kind, first, count);
			found = shadow_touch(&s, kind, MEMORY_BASE + first, count, place, &byte);
			assert_int_equal(found != 0, expected >= 0);
			if (found) {
				assert_int_equal(byte - MEMORY_BASE, expected);
				assert_true(r.touched[!kind][expected] >> found & 1);
				met++;
				break;
			}
			for (uint64_t k = first; k < first + count; k++)
				r.touched[kind][k] |= (uint8_t)(1u << place);
		}
	}
	assert_true(met > ROUNDS / 2 && met < ROUNDS);
	shadow_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_shadow_and_record_agree)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
