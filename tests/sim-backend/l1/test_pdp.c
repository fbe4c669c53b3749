/* Protecting distances: circles of lines in closed form, what the sampler finds, and a plain model on random streams.
 */
#include "tests/sim-backend/l1/one_l1.h"

/* Hits in the latest of so many rounds over lines 0 .. n - 1. */
static unsigned latest_round(struct one_l1 *o, unsigned n, unsigned rounds)
{
	unsigned hits = 0;

	for (unsigned round = 0; round < rounds; round++) {
		hits = 0;
		for (unsigned i = 0; i < n; i++)
			hits += touch(o, i);
	}
	return hits;
}

/* A circle of n lines in four ways: with distance n as many stay as there are ways; with less, none is there in time.
 */
static void test_a_distance_of_the_circle_keeps_the_set(void **state)
{
	(void)state;
	for (unsigned n = 5; n <= 40; n += 7)
		for (unsigned distance = n - 1; distance <= n; distance++) {
			struct one_l1 o;

			one_l1_init(&o, "spdp", 1, 4);
			one_l1_knob(&o, "distance", distance);
			one_l1_begin(&o);
			assert_int_equal(latest_round(&o, n, 5), distance == n ? 4 : 0);
			if (distance == n)
				assert_int_equal(counter(&o, "bypasses"), 5 * (n - 4));
			one_l1_end(&o);
		}
}

static void test_the_sampler_finds_the_distance_of_a_circle(void **state)
{
	(void)state;
	for (unsigned n = 6; n <= 200; n += 31) {
		struct one_l1 o;

		one_l1_init(&o, "pdp8", 1, 4);
		one_l1_begin(&o);
		latest_round(&o, n, 4096 / n);
		assert_int_equal(counter(&o, "distance"), 4); /* not computed so far */
		assert_int_equal(latest_round(&o, n, 4096 / n + 10), 4);
		assert_int_equal(counter(&o, "distance"), n);
		one_l1_end(&o);
	}
}

/* Nothing is used again, so there is nothing to learn, and the distance stays. */
static void test_a_stream_teaches_nothing(void **state)
{
	struct one_l1 o;

	(void)state;
	one_l1_init(&o, "pdp3", 2, 4);
	one_l1_begin(&o);
	for (unsigned i = 0; i < 10000; i++)
		assert_false(touch(&o, i));
	assert_int_equal(counter(&o, "computations"), 2);
	assert_int_equal(counter(&o, "distance"), 4);
	one_l1_end(&o);
}

static void test_what_does_not_fit_is_refused(void **state)
{
	(void)state;
	assert_refused("pdp3", "pdp3.fifo=7", "pdp3.max_distance is 256; it must be a multiple of pdp3.fifo (7)");
	assert_refused("pdp8", "l1.ways=384", "it must be l1.ways at least (384)");
	assert_null(refusal("pdp3", "pdp3.fifo=64"));
}

/* 64 sets of four ways: bits per line, unit count per set; FIFO with valid bits, its count; counters, sum, the rest. */
static void test_storage_is_what_the_parts_take(void **state)
{
	unsigned sampler = 64 * (32 * 17 + 3) + 256 * 16 + 32;
	struct one_l1 o;

	(void)state;
	one_l1_init(&o, "pdp3", 64, 4);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), 64 * (4 * 3 + 5) + sampler + 3 + 12);
	one_l1_init(&o, "pdp8", 64, 4);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), 64 * 4 * 8 + sampler + 8 + 12);
	one_l1_init(&o, "spdp", 64, 4);
	one_l1_knob(&o, "distance", 15);
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs), 64 * 4 * 4);
}

/* With allocation on a miss a line that waits for its fill cannot leave. What comes then goes past, as past protected
 * lines; it waits for no way. */
static void test_ways_that_wait_are_passed(void **state)
{
	enum { WAYS = 4, LOADS = 10 };
	struct one_l1 o;
	struct l1_fetch fetch;
	uint32_t mshrs[LOADS];
	const uint16_t *waiters;
	bool kept;

	(void)state;
	one_l1_init(&o, "spdp", 1, WAYS);
	one_l1_knob(&o, "distance", WAYS);
	o.config.alloc = L1_ALLOC_MISS;
	o.config.mshrs = LOADS;
	one_l1_begin(&o);
	for (unsigned i = 0; i < LOADS; i++) {
		assert_int_equal(l1_load(o.l1, i * 128, 1, 1, &fetch), L1_MISS);
		mshrs[i] = l1_open(o.l1, i * 128, 0, 1);
	}
	for (unsigned i = 0; i < LOADS; i++) {
		assert_int_equal(l1_fill(o.l1, mshrs[i], 0, 0, &waiters, &kept), 1);
		assert_int_equal(kept, i < WAYS);
	}
	assert_int_equal(counter(&o, "bypasses"), LOADS - WAYS);
	one_l1_end(&o);
}

/* --- The model: times, not counters --- */

enum { MODEL_SETS = 8, MODEL_WAYS = 4, MODEL_STEPS = 60000 };

struct model_line {
	bool full;
	uint64_t line;
	unsigned until; /* unprotected from this moment of the set on */
};

struct sampled {
	uint64_t line;
	unsigned at;
	bool found;
};

struct model_set {
	struct model_line way[MODEL_WAYS];
	unsigned time; /* accesses */
	struct sampled sampled[MODEL_STEPS];
	unsigned nsampled;
};

static struct model {
	unsigned sets, unit, most, fifo, farthest, period;
	bool fixed;
	unsigned distance, accesses, inserted;
	unsigned seen[4097];
	struct model_set set[MODEL_SETS];
} m;

/* The moment until which a line that is used now is protected: so many ends of units away. */
static unsigned protected_until(const struct model_set *s)
{
	unsigned units = (m.distance + m.unit - 1) / m.unit;

	if (units > m.most)
		units = m.most;
	return s->time / m.unit + units;
}

static void model_compute(void)
{
	unsigned best = 0;
	uint64_t best_hits = 0, best_cost = 1;

	for (unsigned d = MODEL_WAYS; d <= m.farthest; d++) {
		uint64_t hits = 0, cost = 0;

		for (unsigned i = 1; i <= d; i++) {
			hits += m.seen[i];
			cost += m.seen[i] * i;
		}
		if (m.inserted > hits)
			cost += (m.inserted - hits) * (d + MODEL_WAYS);
		if (hits * best_cost > best_hits * cost) {
			best = d;
			best_hits = hits;
			best_cost = cost;
		}
	}
	if (best)
		m.distance = best;
	memset(m.seen, 0, sizeof m.seen);
	m.inserted = 0;
}

/* After the access, whose time is s->time. */
static void model_sample(struct model_set *s, uint64_t line)
{
	for (unsigned i = s->nsampled - 1; i < s->nsampled && i + m.fifo >= s->nsampled; i--)
		if (s->sampled[i].line == line && !s->sampled[i].found) {
			s->sampled[i].found = true;
			if (s->time - s->sampled[i].at <= m.farthest)
				m.seen[s->time - s->sampled[i].at]++;
			break;
		}
	if (s->time % (m.farthest / m.fifo) == 0) {
		s->sampled[s->nsampled++] = (struct sampled){line, s->time, false};
		m.inserted++;
	}
	if (++m.accesses % m.period == 0)
		model_compute();
}

static struct model_line *model_find(struct model_set *s, uint64_t line)
{
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		if (s->way[i].full && s->way[i].line == line)
			return &s->way[i];
	return NULL;
}

static struct model_line *model_room(struct model_set *s)
{
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		if (!s->way[i].full)
			return &s->way[i];
	for (unsigned i = 0; i < MODEL_WAYS; i++)
		if (s->time / m.unit >= s->way[i].until)
			return &s->way[i];
	return NULL;
}

static struct access model_access(uint64_t line)
{
	struct model_set *s = &m.set[line % m.sets];
	struct model_line *way = model_find(s, line);
	struct access a = {.hit = way != NULL};

	if (!way)
		way = model_room(s);
	a.kept = !a.hit && way;
	if (way)
		*way = (struct model_line){true, line, protected_until(s)};
	s->time++;
	if (!m.fixed)
		model_sample(s, line);
	return a;
}

static void compare(const char *name, unsigned bits, unsigned distance, unsigned seed)
{
	struct one_l1 o;
	uint64_t random = seed;
	unsigned hits = 0, bypasses = 0;

	memset(&m, 0, sizeof m);
	m.sets = MODEL_SETS;
	m.farthest = 256;
	m.fifo = 32;
	m.period = 500;
	m.fixed = distance != 0;
	m.unit = distance || bits == 8 ? 1 : 256 >> bits;
	m.most = distance ? distance : (1u << bits) - 1;
	m.distance = distance ? distance : MODEL_WAYS;
	one_l1_init(&o, name, MODEL_SETS, MODEL_WAYS);
	one_l1_knob(&o, distance ? "distance" : "period", distance ? distance : m.period);
	if (!distance)
		one_l1_knob(&o, "bits", bits);
	one_l1_begin(&o);
	for (unsigned i = 0; i < MODEL_STEPS; i++) {
		uint64_t line = mixed_line(&random, MODEL_SETS * MODEL_WAYS);
		struct access a, expected;

		if (random_below(&random, 80) == 0) {
			struct model_line *way = model_find(&m.set[line % m.sets], line);

			l1_invalidate(o.l1, line * 128, 15);
			if (way)
				way->full = false;
			continue;
		}
		a = one_access(&o, line, 1, 0);
		expected = model_access(line);
		assert_int_equal(a.hit, expected.hit);
		assert_int_equal(a.kept, expected.kept);
		hits += a.hit;
		bypasses += !a.hit && !a.kept;
	}
	assert_int_equal(counter(&o, "distance"), m.distance);
	assert_int_equal(counter(&o, "bypasses"), bypasses);
	assert_true(hits > 6000 && bypasses > 1000);
	one_l1_end(&o);
}

static void test_every_variant_does_as_the_model(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 3; seed++) {
		compare("pdp3", 3, 0, seed);
		compare("pdp3", 2, 0, seed);
		compare("pdp8", 8, 0, seed);
		compare("pdp8", 5, 0, seed);
		compare("spdp", 0, 9 * seed, seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_distance_of_the_circle_keeps_the_set),
	    cmocka_unit_test(test_the_sampler_finds_the_distance_of_a_circle),
	    cmocka_unit_test(test_a_stream_teaches_nothing),
	    cmocka_unit_test(test_what_does_not_fit_is_refused),
	    cmocka_unit_test(test_storage_is_what_the_parts_take),
	    cmocka_unit_test(test_ways_that_wait_are_passed),
	    cmocka_unit_test(test_every_variant_does_as_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
