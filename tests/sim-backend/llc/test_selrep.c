/* SelRep's parts against the paper's examples and numbers: directory, equations, storage, decisions. */
#include "tests/sim-backend/support.h"

#include "sim-backend/llc/bandwidth.h"
#include "sim-backend/llc/rdd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_close(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

static void test_parallelism_by_hand(void **state)
{
	static const uint16_t even[4] = {5, 5, 5, 5}, one[4] = {0, 9, 0, 0}, mixed[4] = {8, 4, 2, 2}, none[4] = {0};

	(void)state;
	assert_close(bandwidth_parallelism(even, 4), 4);
	assert_close(bandwidth_parallelism(one, 4), 1);
	assert_close(bandwidth_parallelism(mixed, 4), 2);
	assert_close(bandwidth_parallelism(none, 4), 0);
}

static void test_bandwidth_by_hand(void **state)
{
	(void)state;
	/* All hits: parallelism * slice. */
	assert_close(bandwidth_supplied(16, 1, 32, 6.7), 512);
	/* Few misses fit into the memory's share: 0.9 * 32 + 0.1 * 32. */
	assert_close(bandwidth_supplied(4, 0.9, 32, 6.7), 128);
	/* Half of the requests miss; memory gives 6: 2 * (16 + 6). */
	assert_close(bandwidth_supplied(2, 0.5, 32, 6), 44);
	assert_close(bandwidth_supplied(16, 0, 32, 6.7), 16 * 6.7);
}

/*
 * Figure 10: eight clusters and slices; a line touched by clusters 0, 1 and 3. A request of cluster 3 hits when
 * private; one of cluster 2 misses when private, and hits with degree 4 and 2.
 */
static void test_figure_10(void **state)
{
	struct llc_geometry g = paper_geometry();
	static const unsigned touched[] = {0, 1, 3};
	uint16_t before[4];
	struct rdd rdd;

	(void)state;
	g.clusters = g.slices = 8;
	rdd_init(&rdd, &g, 2, 16);
	assert_int_equal(rdd.degrees, 4);
	for (unsigned i = 0; i < 3; i++)
		rdd_access(&rdd, touched[i], 0, 0);
	/* Only the first touch of a group misses: groups of one, two, four and eight clusters. */
	assert_int_equal(rdd.hits[3], 0);
	assert_int_equal(rdd.hits[2], 1);
	assert_int_equal(rdd.hits[1], 2);
	assert_int_equal(rdd.hits[0], 2);
	memcpy(before, rdd.hits, sizeof before);
	rdd_access(&rdd, 3, 0, 0);
	for (unsigned c = 0; c < 4; c++)
		assert_int_equal(rdd.hits[c], before[c] + 1);
	rdd_access(&rdd, 2, 0, 0);
	assert_int_equal(rdd.hits[3], before[3] + 1);
	assert_int_equal(rdd.hits[2], before[2] + 2);
	assert_int_equal(rdd.hits[1], before[1] + 2);
	assert_int_equal(rdd.hits[0], before[0] + 2);
	rdd_release(&rdd);
}

/* R_i for all degrees at once: cluster 5, home 6 of 16. */
static void test_requests_are_counted_for_every_degree(void **state)
{
	static const unsigned expected[] = {6, 6, 6, 4, 5};
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, 2, 16);
	rdd_access(&rdd, 5, 6, 0x80);
	for (unsigned c = 0; c < 5; c++)
		for (unsigned slice = 0; slice < 16; slice++)
			assert_int_equal(rdd.requests[c][slice], slice == expected[c]);
	rdd_release(&rdd);
}

/* The nth line whose home is 0 and whose set is the first sampled one. */
static uint64_t sampled_line(const struct llc_geometry *g, unsigned n)
{
	for (uint64_t line = 0;; line += (uint64_t)g->line_bytes * g->mcs * g->slices)
		if (llc_set_of(g, line) == 0 && !n--)
			return line;
}

static void test_directory_is_lru_with_the_slices_ways(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, 2, 16);
	for (int round = 0; round < 2; round++)
		for (unsigned n = 0; n < 16; n++)
			rdd_access(&rdd, 0, 0, sampled_line(&g, n));
	assert_int_equal(rdd.hits[0], 16);
	/* One line more than ways, over and over: LRU always drops the one needed next. */
	rdd_new_epoch(&rdd);
	for (unsigned i = 0; i < 17 * 4; i++)
		rdd_access(&rdd, 0, 0, sampled_line(&g, i % 17));
	assert_in_range(rdd.hits[0], 0, 16);
	rdd_release(&rdd);
}

/* Sixteen homes' lines compete for a private slice's set, one home's for a shared one's. */
static void test_replication_costs_capacity(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, 2, 16);
	for (int round = 0; round < 4; round++) {
		if (round == 3)
			rdd_new_epoch(&rdd);
		for (unsigned n = 0; n < 64; n++)
			for (unsigned cluster = 0; cluster < 16; cluster++)
				rdd_access(&rdd, cluster, n % 16, sampled_line(&g, n));
	}
	/* 4 lines per home: 4, 8, 16, 32, 64 lines in a set of 16. */
	assert_close(rdd_hit_rate(&rdd, 0), 1);
	assert_close(rdd_hit_rate(&rdd, 1), 1);
	assert_close(rdd_hit_rate(&rdd, 2), 1);
	assert_close(rdd_hit_rate(&rdd, 3), 1 - 8.0 / 16);
	assert_close(rdd_hit_rate(&rdd, 4), 0);
	for (unsigned c = 0; c < 5; c++)
		assert_close(rdd_hit_rate_one_counter(&rdd, c), rdd_hit_rate(&rdd, c));
	rdd_release(&rdd);
}

static void test_counters_stop_at_16_bits(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, 2, 16);
	for (unsigned i = 0; i < 70000; i++)
		rdd_access(&rdd, 0, 0, 0);
	assert_int_equal(rdd.requests[0][0], 65535);
	assert_int_equal(rdd.hits[4], 65535);
	rdd_new_epoch(&rdd);
	assert_int_equal(rdd.requests[0][0], 0);
	assert_close(rdd_hit_rate(&rdd, 0), -1);
	/* Tags outlive the epoch. */
	rdd_access(&rdd, 0, 0, 0);
	assert_close(rdd_hit_rate(&rdd, 0), 1);
	rdd_release(&rdd);
}

static void test_storage_is_692_bytes(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, 2, 16);
	assert_int_equal(rdd_directory_bits(&rdd), 520 * 8);
	assert_int_equal(rdd_counter_bits(&rdd, true), 172 * 8);
	assert_int_equal(rdd_counter_bits(&rdd, false), 180 * 8);
	rdd_release(&rdd);
	/* Four sets: a tag bit less, twice the entries: 64 entries of 5 * 19 + 30 bits. */
	rdd_init(&rdd, &g, 4, 16);
	assert_int_equal(rdd_directory_bits(&rdd), 64 * 125);
	rdd_release(&rdd);
}

/* The policy driven by hand. */

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

static void start(const char *key, const char *value)
{
	char why[200];

	ops = llc_policy_find("selrep");
	geometry = paper_geometry();
	knobs = calloc(1, ops->knobs_size);
	knob_defaults(ops->knobs, knobs);
	if (key)
		assert_int_equal(knob_set(knob_find(ops->knobs, key), knobs, value, why, sizeof(why)), 0);
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
	} cases[] = {{"replicas", LLC_DROP_REPLICAS}, {"read_only", LLC_DROP_READ_ONLY}};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
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

/*
 * Figure 9: shared; then degree 2, where cluster 1 finds the old copy and cluster 3 fills a second one; then shared
 * again, where the first copy is still there. An unmarked request stands for a shared phase: it uses the home under any
 * degree.
 */
static void test_figure_9(void **state)
{
	static const struct {
		bool replicated;
		unsigned cluster;
		bool hit;
	} accesses[] = {{false, 0, false}, {true, 1, true}, {true, 3, false},
			{true, 0, true},   {true, 2, true}, {false, 3, true}};
	struct memsys_config config = paper_machine();
	uint64_t now = 0, hits = 0;
	struct memsys *ms;

	(void)state;
	config.sms = config.noc.sm_routers = config.llc.slices_per_mc = config.dram.channels_per_mc = 4;
	config.noc.mc_routers = 1;
	config.llc.kilobytes = 256;
	config.map.scheme = MAP_LINEAR;
	ms = memsys_with(&config, "degree2");
	for (unsigned i = 0; i < 6; i++) {
		now = round_trip(ms, accesses[i].cluster, now, read_of(0, accesses[i].replicated)) + 1;
		hits += accesses[i].hit;
		assert_int_equal(memsys_statistics(ms)->llc.hits, hits);
	}
	assert_int_equal(memsys_statistics(ms)->slices[0].accesses, 4);
	assert_int_equal(memsys_statistics(ms)->slices[2].accesses, 2);
	memsys_free(ms);
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
				if (memsys_can_send(ms, sm, now, &request))
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
	    cmocka_unit_test(test_parallelism_by_hand),
	    cmocka_unit_test(test_bandwidth_by_hand),
	    cmocka_unit_test(test_figure_10),
	    cmocka_unit_test(test_requests_are_counted_for_every_degree),
	    cmocka_unit_test(test_directory_is_lru_with_the_slices_ways),
	    cmocka_unit_test(test_replication_costs_capacity),
	    cmocka_unit_test(test_counters_stop_at_16_bits),
	    cmocka_unit_test(test_storage_is_692_bytes),
	    cmocka_unit_test(test_one_hot_line_is_replicated_fully_and_given_up_again),
	    cmocka_unit_test(test_time_may_jump),
	    cmocka_unit_test(test_kernel_end_drops_what_the_knob_says),
	    cmocka_unit_test(test_only_marked_requests_of_router_0_count),
	    cmocka_unit_test(test_figure_9),
	    cmocka_unit_test(test_hot_line_gains_bandwidth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
