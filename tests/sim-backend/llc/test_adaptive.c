/* The adaptive LLC: when it changes, what a change costs, and when it does not. */
#include "tests/sim-backend/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 64, MAX_WAYS = 16 };

static const struct llc_policy_ops *ops;
static void *policy, *knobs;
static struct llc_geometry geometry;

static void set(const char *key, const char *value)
{
	char why[200];

	assert_int_equal(knob_set(knob_find(ops->knobs, key), knobs, value, why, sizeof(why)), 0);
}

static int prepare(void **state)
{
	(void)state;
	ops = llc_policy_find("adaptive");
	geometry = paper_geometry();
	knobs = calloc(1, ops->knobs_size);
	knob_defaults(ops->knobs, knobs);
	return 0;
}

static int finish(void **state)
{
	(void)state;
	ops->destroy(policy);
	free(knobs);
	return 0;
}

static const void *statistic(const char *name)
{
	const char *values = ops->statistics(policy);

	for (const struct stat_row *row = ops->stats; row->name; row++)
		if (!strcmp(row->name, name))
			return values + row->offset;
	fail_msg("no statistic '%s'", name);
	return NULL;
}

static uint64_t stat(const char *name)
{
	return *(const uint64_t *)statistic(name);
}

static double private_hit_rate(void)
{
	return *(const double *)statistic("private_hit_rate");
}

/* A column of --series. */
static double column(const char *name)
{
	double values[8] = {0};

	assert_true(stats_extent(ops->series_rows) <= sizeof values);
	ops->series(policy, 0, values);
	for (const struct stat_row *row = ops->series_rows; row->name; row++)
		if (!strcmp(row->name, name))
			return stat_value(row, values);
	fail_msg("no column '%s'", name);
	return 0;
}

static void start(bool has_atomics)
{
	struct llc_orders orders = {0};

	policy = ops->create(&geometry, knobs);
	ops->kernel_begin(policy, 0, (struct llc_kernel){.has_atomics = has_atomics}, &orders);
	assert_false(orders.reorganise);
}

/* Every cluster reads each of `lines` sampled lines of home 0, `rounds` times over. */
static void profile(unsigned lines, unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++)
		for (uint64_t address = 0, n = 0; n < lines; address += 128 * 64) {
			if (llc_set_of(&geometry, address) != 0)
				continue;
			n++;
			for (unsigned cluster = 0; cluster < 16; cluster++) {
				struct mem_request request = read_of(address, false);

				ops->observe(policy, 0, cluster, 0, &request);
				ops->looked_up(policy, 0, 0, cluster, &request, true);
			}
		}
}

static struct llc_orders tick(uint64_t cycle)
{
	struct llc_orders orders = {0};

	assert_int_equal(ops->next_tick(policy), cycle);
	ops->tick(policy, cycle, &orders);
	return orders;
}

static unsigned slice_of(unsigned cluster, unsigned home)
{
	struct mem_request request = read_of(0, false);

	return ops->route(policy, (struct llc_origin){.cluster = (uint8_t)cluster, .home = (uint8_t)home}, &request)
	    .slice;
}

static void test_goes_private_and_comes_back_each_epoch(void **state)
{
	struct llc_orders orders;

	(void)state;
	start(false);
	profile(4, 50);
	orders = tick(50000);
	assert_true(orders.reorganise);
	assert_int_equal(orders.work, LLC_CLEAN);
	assert_int_equal(slice_of(7, 3), 3);
	ops->reorganised(policy, 50500);
	assert_int_equal(slice_of(7, 3), 7);
	assert_true(ops->write_through(policy));
	orders = tick(1050000);
	assert_true(orders.reorganise);
	assert_int_equal(orders.work, LLC_DROP_ALL);
	ops->reorganised(policy, 1050600);
	assert_int_equal(slice_of(7, 3), 3);
	assert_false(ops->write_through(policy));
	assert_int_equal(ops->next_tick(policy), 1050600 + 50000);
	assert_int_equal(stat("to_private"), 1);
	assert_int_equal(stat("to_shared"), 1);
	assert_int_equal(stat("private_cycles"), 1050600 - 50500);
}

/*
 * Each of 16 clusters reads 4 lines twice. Of these 128 reads 4 miss when the slice is shared, and 64 when each
 * cluster has a slice of its own. All go to one home: one slice supplies them when shared, 16 slices when private.
 */
static void test_series_show_what_a_decision_rests_on(void **state)
{
	double slice = geometry.slice_bytes_per_cycle;
	double memory = geometry.memory_bytes_per_cycle / (geometry.mcs * geometry.slices);

	(void)state;
	start(false);
	assert_true(column("shared_miss_rate") == 0 && column("private_miss_rate") == 0);
	profile(4, 2);
	assert_true(tick(50000).reorganise);
	assert_true(column("shared_miss_rate") == 4. / 128);
	assert_true(column("private_miss_rate") == 64. / 128);
	assert_true(slice / 32 < memory && memory < slice / 2);
	assert_true(fabs(column("shared_bytes_per_cycle") - geometry.mcs * slice) < 1e-6);
	assert_true(fabs(column("private_bytes_per_cycle") - geometry.mcs * 16 * (slice / 2 + memory)) < 1e-6);
	assert_true(column("is_private") == 0);
	ops->reorganised(policy, 50500);
	assert_true(column("is_private") == 1);
}

/* One pass over many lines: shared hits 15 of 16 times, private never, and there is enough parallelism. */
static void test_stays_shared_when_private_would_miss(void **state)
{
	struct llc_orders orders;

	(void)state;
	start(false);
	profile(16, 1);
	for (unsigned home = 1; home < 16; home++)
		for (unsigned i = 0; i < 256; i++) {
			struct mem_request request = read_of(0, false);

			ops->observe(policy, 0, i % 16, home, &request);
		}
	orders = tick(50000);
	assert_false(orders.reorganise);
	assert_int_equal(stat("decisions"), 1);
	/* After the epoch it profiles again, without a change. */
	orders = tick(1050000);
	assert_false(orders.reorganise);
	assert_int_equal(ops->next_tick(policy), 1100000);
}

/* The same misses, but all requests camp on one slice: the bandwidth model prefers private. */
static void test_camping_outweighs_misses(void **state)
{
	(void)state;
	start(false);
	profile(4, 2);
	assert_true(tick(50000).reorganise);
}

static void test_kernels_with_atomics_stay_shared(void **state)
{
	(void)state;
	start(true);
	profile(4, 50);
	assert_false(tick(50000).reorganise);
}

static void test_atomics_may_use_the_home_instead(void **state)
{
	(void)state;
	set("atomics", "home");
	start(true);
	profile(4, 50);
	assert_true(tick(50000).reorganise);
}

/* 8 sampled sets of 16 ways, of which the lines of one home in 16 have 8 places, for each cluster. */
static void test_exact_directories_see_the_capacity(void **state)
{
	(void)state;
	start(false);
	profile(8, 50);
	tick(50000);
	assert_float_equal(private_hit_rate(), 0.98, 1e-9);
	ops->destroy(policy);
	start(false);
	profile(9, 50);
	tick(50000);
	assert_float_equal(private_hit_rate(), 0, 1e-9);
}

/* As `exact`, but the prediction assumes that each cluster has room for the lines of all. */
static void test_a_vector_sees_no_capacity(void **state)
{
	(void)state;
	set("atd", "vector");
	start(false);
	profile(9, 50);
	tick(50000);
	assert_float_equal(private_hit_rate(), 0.98, 1e-9);
}

/* A private slice itself: all lines of a controller that a cluster reads, with LRU replacement. */
struct private_slice {
	uint64_t lines[MAX_SETS][MAX_WAYS]; /* the latest first; 0 = none */
};

static bool read_private(struct private_slice *slice, uint64_t line)
{
	uint64_t *ways = slice->lines[llc_set_of(&geometry, line)];
	unsigned way = 0;
	bool hit;

	while (way < geometry.ways - 1 && ways[way] != line)
		way++;
	hit = ways[way] == line;
	memmove(ways + 1, ways, way * sizeof *ways);
	ways[0] = line;
	return hit;
}

/* Each cluster reads lines of all homes at random, as many as fill a private slice `times` over. */
static double read_at_random(double times, struct private_slice *slices)
{
	uint64_t lines = (uint64_t)(times * geometry.sets * geometry.ways), seed = 1, hits = 0, reads = 0;

	for (unsigned i = 0; i < 400000; i++) {
		unsigned cluster = i % 16;
		uint64_t n = 1 + random_below(&seed, lines);
		/* The controllers' bits are the lowest, then the slices'. */
		uint64_t line = n * geometry.mcs * geometry.line_bytes;
		struct mem_request request = read_of(line, false);
		bool hit = read_private(&slices[cluster], line);

		hits += hit && i >= 200000;
		reads += i >= 200000;
		if (n % geometry.slices == 0)
			ops->looked_up(policy, 0, 0, cluster, &request, true);
	}
	return (double)hits / (double)reads;
}

/* The directory's prediction beside private slices; only the prediction has cold misses. */
static void test_exact_directories_predict_private_slices(void **state)
{
	static const double times[] = {0.5, 1.5, 3, 8};
	static struct private_slice slices[16];

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		double measured;

		if (i)
			ops->destroy(policy);
		memset(slices, 0, sizeof slices);
		start(false);
		measured = read_at_random(times[i], slices);
		tick(50000);
		assert_float_equal(private_hit_rate(), measured, 0.05);
	}
}

static void test_kernel_end_makes_it_shared(void **state)
{
	struct llc_orders orders;

	(void)state;
	start(false);
	profile(4, 50);
	tick(50000);
	/* The kernel ends while the change is under way. */
	memset(&orders, 0, sizeof(orders));
	ops->kernel_end(policy, 50100, &orders);
	assert_int_equal(orders.work, LLC_DROP_ALL);
	ops->reorganised(policy, 50400);
	assert_int_equal(slice_of(7, 3), 3);
	/* Nothing to do at the end of a kernel that was shared throughout. */
	ops->kernel_begin(policy, 60000, (struct llc_kernel){0}, &orders);
	memset(&orders, 0, sizeof(orders));
	ops->kernel_end(policy, 70000, &orders);
	assert_int_equal(orders.work, LLC_WORK_NONE);
	assert_int_equal(ops->next_tick(policy), UINT64_MAX);
}

/* A kernel that ends within its profile stays shared, and so do any number of such kernels. */
static void test_short_kernels_stay_shared(void **state)
{
	(void)state;
	start(false);
	for (uint64_t begin = 0; begin < 400000; begin += 50000) {
		struct llc_orders orders = {0};

		ops->kernel_begin(policy, begin, (struct llc_kernel){0}, &orders);
		assert_int_equal(ops->next_tick(policy), begin + 50000);
		profile(4, 50);
		ops->kernel_end(policy, begin + 40000, &orders);
		assert_false(orders.reorganise);
		assert_int_equal(orders.work, LLC_WORK_NONE);
		assert_int_equal(ops->next_tick(policy), UINT64_MAX);
	}
	assert_int_equal(stat("decisions"), 0);
	assert_int_equal(slice_of(7, 3), 3);
}

/* With short_kernels=go_on, the second kernel's first 10,000 cycles complete the first kernel's profile. */
static void test_a_profile_may_go_on_in_the_next_kernel(void **state)
{
	struct llc_orders orders = {0};

	(void)state;
	set("short_kernels", "go_on");
	start(false);
	profile(4, 50);
	ops->kernel_end(policy, 40000, &orders);
	assert_int_equal(ops->next_tick(policy), UINT64_MAX);
	ops->kernel_begin(policy, 70000, (struct llc_kernel){0}, &orders);
	assert_true(tick(80000).reorganise);
	ops->reorganised(policy, 80100);
	assert_int_equal(slice_of(7, 3), 7);
	/* That kernel was private at its end, and the third one begins anew. */
	ops->kernel_end(policy, 90000, &orders);
	ops->reorganised(policy, 90100);
	ops->kernel_begin(policy, 100000, (struct llc_kernel){0}, &orders);
	assert_int_equal(ops->next_tick(policy), 150000);
}

/* In the whole memory system, with writes: drain, write back, go on; all is conserved. */
static void test_changes_under_load(void **state)
{
	struct memsys_config config = paper_machine();
	struct memsys *ms;
	const struct memsys_stats *s;
	struct mem_request reply;
	uint64_t random = 1, now, held = 0;

	(void)state;
	set("profile_cycles", "2000");
	set("epoch_cycles", "6000");
	set("tolerance", "0.5");
	policy = ops->create(&geometry, knobs);
	ms = memsys_create(&config, ops, knobs, 1);
	memsys_kernel_begin(ms, 0, false);
	for (now = 0; now < 30000; now++) {
		for (unsigned sm = 0; sm < 64; sm++) {
			struct mem_request request = read_of(random_below(&random, 600) * 128, true);

			if (random_below(&random, 8) == 0)
				request = write_of(random_below(&random, 600) * 128 + (1 << 24), 128, 15);
			while (memsys_receive(ms, sm, now, &reply))
				;
			if (memsys_can_send(ms, sm, now))
				memsys_send(ms, sm, now, &request);
			else
				held++;
		}
		memsys_tick(ms, now, false);
	}
	memsys_kernel_end(ms, now);
	drain(ms, 64, now);
	assert_null(memsys_check(ms));
	s = memsys_statistics(ms);
	assert_true(s->llc.flushes >= 4);
	assert_true(s->llc.write_backs > 0 && s->llc.write_throughs > 0);
	assert_true(held > 0);
	memsys_free(ms);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, finish)
	const struct CMUnitTest tests[] = {
	    TEST(test_goes_private_and_comes_back_each_epoch),
	    TEST(test_series_show_what_a_decision_rests_on),
	    TEST(test_stays_shared_when_private_would_miss),
	    TEST(test_camping_outweighs_misses),
	    TEST(test_kernels_with_atomics_stay_shared),
	    TEST(test_atomics_may_use_the_home_instead),
	    TEST(test_exact_directories_see_the_capacity),
	    TEST(test_a_vector_sees_no_capacity),
	    TEST(test_exact_directories_predict_private_slices),
	    TEST(test_kernel_end_makes_it_shared),
	    TEST(test_short_kernels_stay_shared),
	    TEST(test_a_profile_may_go_on_in_the_next_kernel),
	    TEST(test_changes_under_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
