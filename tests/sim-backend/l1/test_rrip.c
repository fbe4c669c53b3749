/*
 * SRRIP, BRRIP and DRRIP: the access patterns that each resists, its cost, and a plain model of it on random streams.
 */
#include "tests/sim-backend/l1/one_l1.h"

/* Lines 0 .. n - 1 in a circle. Returns the hits. */
static unsigned circle(struct one_l1 *o, unsigned n, unsigned rounds)
{
	unsigned hits = 0;

	for (unsigned i = 0; i < n * rounds; i++)
		hits += touch(o, i % n);
	return hits;
}

/* A circle of five lines in four ways never hits under LRU and SRRIP; BRRIP keeps part of it. */
static void test_brrip_resists_thrashing(void **state)
{
	static const char *const none[] = {"lru", "srrip"};
	struct one_l1 o;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		one_l1_init(&o, none[i], 1, 4);
		one_l1_begin(&o);
		assert_int_equal(circle(&o, 5, 40), 0);
		one_l1_end(&o);
	}
	one_l1_init(&o, "brrip", 1, 4);
	one_l1_begin(&o);
	assert_true(circle(&o, 5, 40) > 5 * 40 / 2);
	one_l1_end(&o);
}

/* A line used twice, then a scan of `length` lines: is it there after that? */
static bool survives(unsigned bits, unsigned length)
{
	struct one_l1 o;
	bool hit;

	one_l1_init(&o, "srrip", 1, 4);
	one_l1_knob(&o, "bits", bits);
	one_l1_begin(&o);
	touch(&o, 0);
	touch(&o, 0);
	for (unsigned n = 1; n <= length; n++)
		touch(&o, n);
	hit = touch(&o, 0);
	one_l1_end(&o);
	return hit;
}

/*
 * The line is at 0 after its second use and leaves when the set has aged to the farthest value: 3 or 7. Three lines of
 * the scan fill free ways, and each aging by one lets three more in.
 */
static void test_more_bits_resist_longer_scans(void **state)
{
	(void)state;
	assert_true(survives(2, 3 * 3));
	assert_false(survives(2, 3 * 3 + 1));
	assert_true(survives(3, 3 * 7));
	assert_false(survives(3, 3 * 7 + 1));
}

/* DRRIP does as its better half: hits where BRRIP does, and where SRRIP does. */
static void test_drrip_takes_the_better_one(void **state)
{
	struct one_l1 o;
	unsigned hits = 0;

	(void)state;
	one_l1_init(&o, "drrip", 32, 4);
	one_l1_knob(&o, "selector_bits", 5);
	one_l1_begin(&o);
	circle(&o, 5 * 32, 20); /* each set sees a circle of five lines */
	hits = circle(&o, 5 * 32, 20);
	assert_true(hits > 5 * 32 * 20 / 2);
	assert_true(counter(&o, "farthest") > 0);
	one_l1_end(&o);
}

static uint64_t bits_of(const char *name)
{
	struct one_l1 o;

	one_l1_init(&o, name, 64, 4);
	return o.policy->storage_bits(&o.config, o.knobs);
}

static void test_storage_is_what_the_parts_take(void **state)
{
	(void)state;
	assert_int_equal(bits_of("lru"), 64 * 4 * 2);
	assert_int_equal(bits_of("srrip"), 64 * 4 * 3);
	assert_int_equal(bits_of("brrip"), 64 * 4 * 3 + 5);
	assert_int_equal(bits_of("drrip"), 64 * 4 * 3 + 5 + 10);
}

/* --- The model: a set is a list of lines with their values, in ways --- */

enum variant { S, B, D };

struct way {
	bool full;
	uint64_t line;
	int value;
};

static struct model {
	enum variant variant;
	unsigned sets, ways, top, one_in, leaders, selector_top;
	unsigned count, selector;
	struct way way[64][8];
} m;

static bool model_far(unsigned set)
{
	bool bimodal = m.variant == B;

	if (m.variant == D) {
		unsigned between = m.sets / m.leaders;
		bool counted = set / between < m.leaders;
		bool first = counted && set % between == 0, middle = counted && set % between == between / 2;

		if (first && m.selector < m.selector_top)
			m.selector++;
		else if (middle && m.selector > 0)
			m.selector--;
		bimodal = middle || (!first && m.selector > m.selector_top / 2);
	}
	return !bimodal || ++m.count % m.one_in == 0;
}

static bool model_access(uint64_t line)
{
	unsigned set = (unsigned)(line % m.sets), chosen = m.ways;
	struct way *w = m.way[set];
	bool far;

	for (unsigned i = 0; i < m.ways; i++)
		if (w[i].full && w[i].line == line) {
			w[i].value = 0;
			return true;
		}
	far = model_far(set);
	for (unsigned i = m.ways; i-- > 0;)
		if (!w[i].full)
			chosen = i;
	while (chosen == m.ways) {
		for (unsigned i = m.ways; i-- > 0;)
			if (w[i].value == (int)m.top)
				chosen = i;
		for (unsigned i = 0; i < m.ways && chosen == m.ways; i++)
			w[i].value++;
	}
	w[chosen] = (struct way){true, line, (int)m.top - far};
	return false;
}

static void model_drop(uint64_t line)
{
	struct way *w = m.way[line % m.sets];

	for (unsigned i = 0; i < m.ways; i++)
		if (w[i].full && w[i].line == line)
			w[i] = (struct way){.full = false};
}

static void compare(const char *name, enum variant variant, unsigned bits, unsigned sets, unsigned ways)
{
	struct one_l1 o;
	uint64_t random = bits * 7919 + sets;
	unsigned hits = 0;

	m = (struct model){.variant = variant,
			   .sets = sets,
			   .ways = ways,
			   .top = (1u << bits) - 1,
			   .one_in = 8,
			   .leaders = 4,
			   .selector_top = 63,
			   .selector = 31};
	one_l1_init(&o, name, sets, ways);
	one_l1_knob(&o, "bits", bits);
	if (variant != S)
		one_l1_knob(&o, "far_one_in", 8);
	if (variant == D)
		one_l1_knob(&o, "selector_bits", 6);
	one_l1_begin(&o);
	for (unsigned i = 0; i < 60000; i++) {
		uint64_t line = mixed_line(&random, sets * ways);
		bool hit;

		if (random_below(&random, 50) == 0) {
			l1_invalidate(o.l1, line * 128, 15);
			model_drop(line);
			continue;
		}
		hit = touch(&o, line);
		assert_int_equal(hit, model_access(line));
		hits += hit;
	}
	assert_true(hits > 6000 && hits < 54000);
	one_l1_end(&o);
}

static void test_every_variant_does_as_the_model(void **state)
{
	(void)state;
	for (unsigned bits = 1; bits <= 4; bits++)
		for (unsigned sets = 8; sets <= 32; sets *= 2) {
			compare("srrip", S, bits, sets, 4);
			compare("brrip", B, bits, sets, 4);
			compare("drrip", D, bits, sets, 4);
			compare("drrip", D, bits, sets + 1, 3);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_brrip_resists_thrashing),
	    cmocka_unit_test(test_more_bits_resist_longer_scans),
	    cmocka_unit_test(test_drrip_takes_the_better_one),
	    cmocka_unit_test(test_storage_is_what_the_parts_take),
	    cmocka_unit_test(test_every_variant_does_as_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
