/* SelRep's policy, driven by hand and in the whole memory system: decisions, knobs, what --series shows. */
#include "tests/sim-backend/support.h"

#include "sim-backend/llc/degree_model.h"
#include "sim-backend/knobs/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_close(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

/* The nth line whose home is 0 and whose set is the first sampled set. */
static uint64_t sampled_line(const struct llc_geometry *g, unsigned n)
{
	for (uint64_t line = 0;; line += (uint64_t)g->line_bytes * g->mcs * g->slices)
		if (llc_set_of(g, line) == 0 && !n--)
			return line;
}

static const struct llc_policy_ops *ops;
static void *policy, *knobs;
static struct llc_geometry geometry;

static uint64_t stat(const char *name)
{
	const char *values = ops->statistics(policy);

	for (const struct stat_row *row = ops->stats; row->name; row++)
		if (!strcmp(row->name, name))
			return *(const uint64_t *)(values + row->offset);
	fail_msg("no statistic '%s'", name);
	return 0;
}

static void set(const char *key, const char *value)
{
	char why[200];

	assert_int_equal(knob_set(knob_find(ops->knobs, key), knobs, value, why, sizeof(why)), 0);
}

static void configure(void)
{
	ops = llc_policy_find("selrep");
	geometry = paper_geometry();
	knobs = calloc(1, ops->knobs_size);
	knob_defaults(ops->knobs, knobs);
}

/* With one knob away from its default, or none. */
static void start(const char *key, const char *value)
{
	configure();
	if (key)
		set(key, value);
	policy = ops->create(&geometry, knobs);
}

static void tear_down(void)
{
	ops->destroy(policy);
	free(knobs);
}

static unsigned slice_of(unsigned cluster, unsigned home)
{
	struct mem_request request = read_of(0, true);

	return ops->route(policy, (struct llc_origin){.cluster = (uint8_t)cluster, .home = (uint8_t)home}, &request)
	    .slice;
}

static void tick(uint64_t cycle)
{
	struct llc_orders orders = {0};

	ops->tick(policy, cycle, &orders);
	assert_false(orders.reorganise);
	assert_int_equal(orders.work, LLC_WORK_NONE);
}

/* Every cluster reads `lines` lines of every home, as many times as given. */
static void epoch_of(unsigned lines, unsigned rounds, bool one_home)
{
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned n = 0; n < lines; n++)
			for (unsigned home = 0; home < (one_home ? 1 : 16); home++)
				for (unsigned cluster = 0; cluster < 16; cluster++) {
					struct mem_request request =
					    read_of(sampled_line(&geometry, n * 16 + home), true);

					ops->observe(policy, 0, cluster, home, &request);
				}
}

static void test_one_hot_line_is_replicated_fully_and_given_up_again(void **state)
{
	(void)state;
	start(NULL, NULL);
	assert_int_equal(stat("storage_bytes"), 692);
	assert_int_equal(ops->next_tick(policy), 20000);
	epoch_of(1, 100, true);
	tick(20000);
	/* The decision is on its way: the old degree still rules. */
	assert_int_equal(slice_of(9, 0), 0);
	assert_int_equal(ops->next_tick(policy), 20032);
	tick(20032);
	assert_int_equal(stat("degree"), 16);
	assert_int_equal(slice_of(9, 0), 9);
	/* Nothing seen: it stays. Then far too many lines, evenly spread: copies would only miss. */
	tick(40000);
	assert_int_equal(stat("degree"), 16);
	epoch_of(12, 3, false);
	tick(60000);
	tick(60032);
	assert_int_equal(stat("degree"), 1);
	assert_int_equal(slice_of(9, 0), 0);
	assert_int_equal(stat("epochs"), 3);
	assert_int_equal(stat("changes"), 2);
	assert_int_equal(stat("epochs_at_1"), 1);
	assert_int_equal(stat("epochs_at_16"), 2);
	tear_down();
}

/* A late tick catches up with the epochs that ended meanwhile. */
static void test_time_may_jump(void **state)
{
	(void)state;
	start(NULL, NULL);
	epoch_of(1, 100, true);
	tick(100000);
	assert_int_equal(stat("epochs"), 5);
	assert_int_equal(stat("degree"), 16);
	assert_int_equal(ops->next_tick(policy), 120000);
	tear_down();
}

static void test_kernel_end_drops_what_the_knob_says(void **state)
{
	static const struct {
		const char *flush;
		enum llc_work work;
	} cases[] = {{"replicas", LLC_DROP_REPLICAS}, {"read_only", LLC_DROP_READ_ONLY}, {"all", LLC_DROP_ALL}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct llc_orders orders = {0};

		start("flush", cases[i].flush);
		ops->kernel_end(policy, 100, &orders);
		assert_int_equal(orders.work, cases[i].work);
		assert_false(orders.reorganise);
		tear_down();
	}
}

static void test_only_marked_requests_of_router_0_count(void **state)
{
	struct mem_request plain = read_of(0, false), marked = read_of(0, true);

	(void)state;
	start(NULL, NULL);
	for (unsigned cluster = 0; cluster < 16; cluster++) {
		ops->observe(policy, 0, cluster, 0, &plain);
		ops->observe(policy, 1, cluster, 0, &marked);
	}
	tick(20032);
	assert_int_equal(stat("degree"), 1);
	tear_down();
}

/* The value of --series in the column, in cycle `now`. */
static double shown(const char *column, uint64_t now)
{
	char values[4096];

	assert_true(stats_extent(ops->series_rows) <= sizeof values);
	ops->series(policy, now, values);
	for (const struct stat_row *row = ops->series_rows; row->name; row++)
		if (strcmp(row->name, column) == 0)
			return stat_value(row, values);
	fail_msg("no column '%s'", column);
	return 0;
}

/*
 * A single line that all clusters read: under degree d it is requested in d slices, and only the first request of each
 * group misses. So the parallelism is d, and all but d of the 1600 requests hit. Memory's share hides the misses.
 */
static void test_series_has_every_degree(void **state)
{
	struct mem_request request = read_of(0, true);

	(void)state;
	start(NULL, NULL);
	epoch_of(1, 100, true);
	assert_close(shown("lsp_16", 10000), 0);
	for (unsigned i = 0; i < 8; i++)
		ops->looked_up(policy, 0, 0, 3, &request, i != 0);
	ops->looked_up(policy, 1, 0, 3, &request, false);
	assert_close(shown("measured_hit_rate", 20000), 7.0 / 8);
	assert_close(shown("measured_bytes_per_cycle", 20000), 8.0 * 128 * 4 / 20000);
	tick(20000);
	for (unsigned c = 0; c < 5; c++) {
		unsigned degree = 1u << c;
		char name[32];

		snprintf(name, sizeof name, "lsp_%u", degree);
		assert_close(shown(name, 20001), degree);
		snprintf(name, sizeof name, "hit_rate_%u", degree);
		assert_close(shown(name, 20001), (1600.0 - degree) / 1600);
		snprintf(name, sizeof name, "bytes_per_cycle_%u", degree);
		assert_close(shown(name, 20001), degree * 32 * 4);
	}
	assert_close(shown("lsp_32", 20001), 0);
	assert_close(shown("predicted_hit_rate", 20001), (1600.0 - 16) / 1600);
	assert_close(shown("measured_hit_rate", 20001), 0);
	tear_down();
}

/* --- Knobs --- */

/* A directory in which degrees 1 and 16 had the same requests, and hit as often as given, out of 100. */
static void fill_counters(struct rdd *rdd, unsigned low, unsigned high)
{
	struct rdd_counts *counts = &rdd->counts[0];

	for (unsigned c = 0; c < rdd->degrees; c++) {
		for (unsigned i = 0; i < 16; i++)
			counts->requests[c][i] = 10;
		counts->accesses[c] = 100;
		counts->hits[c] = c == 4 ? high : low;
	}
}

static struct degree_prediction predict(const char *key, const char *value, unsigned low, unsigned high,
					unsigned column)
{
	struct degree_prediction p;
	struct rdd_config config;
	struct rdd rdd;

	configure();
	set("access_counters", "per_degree");
	set(key, value);
	config = degree_model_directory(knobs, &geometry, 1);
	rdd_init(&rdd, &geometry, &config);
	fill_counters(&rdd, low, high);
	assert_true(degree_model_predict(knobs, &rdd, &column, &p));
	rdd_release(&rdd);
	free(knobs);
	return p;
}

static void test_hit_rates_fall_with_the_degree_unless_told_otherwise(void **state)
{
	(void)state;
	assert_close(predict("monotone", "true", 60, 90, 0).hit_rate, 0.9);
	assert_close(predict("monotone", "false", 60, 90, 0).hit_rate, 0.6);
	assert_close(predict("monotone", "true", 60, 50, 4).hit_rate, 0.5);
}

/* 600 GB/s at 1400 MHz are 428.6 bytes a cycle for 64 slices, 32 channels and 4 controllers. Half of all misses. */
static void test_whose_memory_bandwidth(void **state)
{
	static const struct {
		const char *share;
		double bytes;
	} cases[] = {
	    {"slice", 600e3 / 1400 / 64}, {"channel", 600e3 / 1400 / 32}, {"mc", 16}, {"gpu", 16}, {"unlimited", 16}};

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		assert_close(predict("memory_share", cases[i].share, 50, 50, 0).bytes_per_cycle,
			     16 * (16 + cases[i].bytes));
}

/* The policy ends windows by itself: hot spots that move each window are seen only so. */
static void test_the_policy_ends_windows(void **state)
{
	(void)state;
	for (unsigned windows = 0; windows < 2; windows++) {
		start("model", windows ? "windows" : "paper");
		for (uint64_t now = 0; now < 20000; now += 512) {
			struct mem_request request = read_of(0, true);

			tick(now);
			for (unsigned i = 0; i < 64; i++)
				ops->observe(policy, 0, i % 16, (unsigned)(now / 512) % 16, &request);
		}
		tick(20000);
		if (windows)
			assert_close(shown("lsp_1", 20001), 1);
		else
			assert_true(shown("lsp_1", 20001) > 13);
		assert_close(shown("lsp_16", 20001), 16);
		tear_down();
	}
}

/*
 * A hot line that is read rarely: the paper's model spreads it over all slices, though one slice serves it in time. A
 * slice gives a line in four cycles, so a request every six cycles keeps it busy for more than half of a window of 512.
 */
static void test_service_replicates_what_a_slice_cannot_serve(void **state)
{
	static const struct {
		const char *model;
		unsigned cycles, degree; /* between two requests; what is chosen */
	} cases[] = {{"paper", 20, 16}, {"service", 20, 1}, {"service", 6, 2}, {"service", 1, 8}};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		start("model", cases[i].model);
		for (uint64_t now = 0; now < 20000; now += cases[i].cycles) {
			struct mem_request request = read_of(0, true);

			tick(now);
			ops->observe(policy, 0, (unsigned)(now / cases[i].cycles) % 16, 0, &request);
		}
		tick(20032);
		assert_int_equal(stat("degree"), cases[i].degree);
		assert_int_equal(stat("storage_bytes"), i ? 678 : 692);
		tear_down();
	}
}

/*
 * The model chooses 16 copies of a hot line. Then degree 8 is tried for two epochs, and stays if it had more requests.
 * A new kernel that keeps the degree begins with the model's choice.
 */
static void test_trials_have_the_last_word(void **state)
{
	static const unsigned rounds[] = {100, 100, 100, 150, 150}, expected[] = {16, 8, 8, 8, 4};
	struct llc_orders orders = {0};

	(void)state;
	configure();
	set("model", "trials");
	set("kernel_start", "keep");
	policy = ops->create(&geometry, knobs);
	assert_true(stat("storage_bytes") <= 692);
	for (unsigned i = 0; i < 5; i++) {
		epoch_of(1, rounds[i], true);
		tick(20000 * (i + 1) + 32);
		assert_int_equal(stat("degree"), expected[i]);
	}
	ops->kernel_begin(policy, 110000, (struct llc_kernel){0}, &orders);
	epoch_of(1, 100, true);
	tick(120032);
	assert_int_equal(stat("degree"), 16);
	tear_down();
}

static void test_an_epoch_without_samples(void **state)
{
	(void)state;
	for (unsigned initial = 0; initial < 2; initial++) {
		start("unsampled", initial ? "initial" : "keep");
		epoch_of(1, 100, true);
		tick(20032);
		assert_int_equal(stat("degree"), 16);
		tick(40032);
		assert_int_equal(stat("degree"), initial ? 1 : 16);
		tear_down();
	}
}

static const struct llc_kernel written = {.finds_dirty = true};

/* Earlier counts are forgotten, too. */
static void test_a_kernel_may_begin_anew(void **state)
{
	(void)state;
	for (unsigned initial = 0; initial < 2; initial++) {
		struct llc_orders orders = {0};

		start("kernel_start", initial ? "initial" : "keep");
		epoch_of(1, 100, true);
		tick(20032);
		epoch_of(1, 100, true);
		ops->kernel_begin(policy, 30000, written, &orders);
		assert_int_equal(orders.work, initial ? LLC_WORK_NONE : LLC_CLEAN);
		assert_int_equal(stat("degree"), initial ? 1 : 16);
		assert_int_equal(ops->next_tick(policy), initial ? 50000 : 40000);
		tick(50032);
		assert_int_equal(stat("degree"), initial ? 1 : 16);
		tear_down();
	}
}

/* While no degree is above 1 there are no copies; the first change to a higher degree waits for the write-backs. */
static void test_cleaning_may_wait_for_a_degree(void **state)
{
	struct llc_orders orders = {0};

	(void)state;
	start("kernel_start", "keep");
	ops->kernel_begin(policy, 0, written, &orders);
	assert_int_equal(orders.work, LLC_WORK_NONE);
	epoch_of(1, 100, true);
	tick(20000);
	ops->tick(policy, 20032, &orders);
	assert_true(orders.reorganise);
	assert_int_equal(orders.work, LLC_CLEAN);
	assert_int_equal(slice_of(9, 0), 0);
	ops->reorganised(policy, 20100);
	assert_int_equal(slice_of(9, 0), 9);
	/* With copies about, the next kernel's data are written back as it begins. */
	ops->kernel_begin(policy, 30000, written, &orders);
	assert_false(orders.reorganise);
	assert_int_equal(orders.work, LLC_CLEAN);
	tear_down();
	/* Where nothing is to be written, nobody waits. */
	start("kernel_start", "keep");
	ops->kernel_begin(policy, 0, (struct llc_kernel){0}, &orders);
	epoch_of(1, 100, true);
	orders = (struct llc_orders){0};
	tick(20000);
	ops->tick(policy, 20032, &orders);
	assert_false(orders.reorganise);
	assert_int_equal(slice_of(9, 0), 9);
	tear_down();
	/* As they are without any when it is asked for. */
	start("clean", "kernel");
	ops->kernel_begin(policy, 0, written, &orders);
	assert_int_equal(orders.work, LLC_CLEAN);
	tear_down();
}

/* Through the whole memory system: one hot line read by all SMs; SelRep must learn to spread it. */
static void test_hot_line_gains_bandwidth(void **state)
{
	struct memsys_config config = paper_machine();
	uint64_t replies[2] = {0};

	(void)state;
	for (int p = 0; p < 2; p++) {
		struct memsys *ms = memsys_with(&config, p ? "selrep" : "shared");
		struct mem_request reply;

		for (uint64_t now = 0; now < 26000; now++) {
			for (unsigned sm = 0; sm < 64; sm++) {
				struct mem_request request = read_of(0, true);

				while (memsys_receive(ms, sm, now, &reply))
					replies[p] += now >= 22000;
				if (memsys_can_send(ms, sm, now))
					memsys_send(ms, sm, now, &request);
			}
			memsys_tick(ms, now, false);
		}
		memsys_free(ms);
	}
	/* The hot line's controller: one slice gives a line in four cycles, 16 slices up to 16 times as much. */
	assert_in_range(replies[0], 990, 1000);
	assert_true(replies[1] > 2 * replies[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_hot_line_is_replicated_fully_and_given_up_again),
	    cmocka_unit_test(test_time_may_jump),
	    cmocka_unit_test(test_kernel_end_drops_what_the_knob_says),
	    cmocka_unit_test(test_only_marked_requests_of_router_0_count),
	    cmocka_unit_test(test_series_has_every_degree),
	    cmocka_unit_test(test_hit_rates_fall_with_the_degree_unless_told_otherwise),
	    cmocka_unit_test(test_whose_memory_bandwidth),
	    cmocka_unit_test(test_the_policy_ends_windows),
	    cmocka_unit_test(test_service_replicates_what_a_slice_cannot_serve),
	    cmocka_unit_test(test_trials_have_the_last_word),
	    cmocka_unit_test(test_an_epoch_without_samples),
	    cmocka_unit_test(test_a_kernel_may_begin_anew),
	    cmocka_unit_test(test_cleaning_may_wait_for_a_degree),
	    cmocka_unit_test(test_hot_line_gains_bandwidth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
