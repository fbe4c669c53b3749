/* The directory and the equations against the paper's examples and numbers. */
#include "tests/sim-backend/support.h"

#include "sim-backend/llc/bandwidth.h"
#include "sim-backend/llc/rdd.h"

#include <math.h>
#include <string.h>

/* The paper's directory. */
static const struct rdd_config paper = {
    .sets = 2, .ways = 16, .slots = 1, .counter_bits = 16, .one_access_counter = true};

static void assert_close(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9);
}

static void test_parallelism_by_hand(void **state)
{
	static const uint32_t even[4] = {5, 5, 5, 5}, one[4] = {0, 9, 0, 0}, mixed[4] = {8, 4, 2, 2}, none[4] = {0};

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

/* R_i for all degrees at once: cluster 5, home 6 of 16. */
static void test_requests_are_counted_for_every_degree(void **state)
{
	static const unsigned expected[] = {6, 6, 6, 4, 5};
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, &paper);
	rdd_access(&rdd, 0, 5, 6, 0x80);
	for (unsigned c = 0; c < 5; c++)
		for (unsigned slice = 0; slice < 16; slice++)
			assert_int_equal(rdd.counts[0].requests[c][slice], slice == expected[c]);
	rdd_release(&rdd);
}

/* The nth line whose home is 0 and whose set is the first sampled set. */
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
	rdd_init(&rdd, &g, &paper);
	for (int round = 0; round < 2; round++)
		for (unsigned n = 0; n < 16; n++)
			rdd_access(&rdd, 0, 0, 0, sampled_line(&g, n));
	assert_int_equal(rdd.counts[0].hits[0], 16);
	/* One line more than ways, over and over: LRU always drops the one needed next. */
	rdd_new_epoch(&rdd);
	for (unsigned i = 0; i < 17 * 4; i++)
		rdd_access(&rdd, 0, 0, 0, sampled_line(&g, i % 17));
	assert_in_range(rdd.counts[0].hits[0], 0, 16);
	rdd_release(&rdd);
}

/* Sixteen homes' lines compete for a private slice's set, one home's for a shared one's. */
static void test_replication_costs_capacity(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd_config config = paper;
	struct rdd rdd;

	(void)state;
	config.one_access_counter = false;
	rdd_init(&rdd, &g, &config);
	for (int round = 0; round < 4; round++) {
		if (round == 3)
			rdd_new_epoch(&rdd);
		for (unsigned n = 0; n < 64; n++)
			for (unsigned cluster = 0; cluster < 16; cluster++)
				rdd_access(&rdd, 0, cluster, n % 16, sampled_line(&g, n));
	}
	/* 4 lines per home: 4, 8, 16, 32, 64 lines in a set of 16. */
	assert_close(rdd_hit_rate(&rdd, 0, 0), 1);
	assert_close(rdd_hit_rate(&rdd, 0, 1), 1);
	assert_close(rdd_hit_rate(&rdd, 0, 2), 1);
	assert_close(rdd_hit_rate(&rdd, 0, 3), 1 - 8.0 / 16);
	assert_close(rdd_hit_rate(&rdd, 0, 4), 0);
	/* The slices' counters tell a column's share of the accesses. */
	for (unsigned c = 0; c < 5; c++) {
		double rate = rdd_hit_rate(&rdd, 0, c);

		rdd.config.one_access_counter = true;
		assert_close(rdd_hit_rate(&rdd, 0, c), rate);
		rdd.config.one_access_counter = false;
	}
	rdd_release(&rdd);
}

static void test_counters_stop_at_16_bits(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	(void)state;
	rdd_init(&rdd, &g, &paper);
	for (unsigned i = 0; i < 70000; i++)
		rdd_access(&rdd, 0, 0, 0, 0);
	assert_int_equal(rdd.counts[0].requests[0][0], 65535);
	assert_int_equal(rdd.counts[0].hits[4], 65535);
	rdd_new_epoch(&rdd);
	assert_int_equal(rdd.counts[0].requests[0][0], 0);
	assert_close(rdd_hit_rate(&rdd, 0, 0), -1);
	/* Tags outlive the epoch. */
	rdd_access(&rdd, 0, 0, 0, 0);
	assert_close(rdd_hit_rate(&rdd, 0, 0), 1);
	rdd_release(&rdd);
}

/* Bits of the directory and of its counters. */
static void assert_bits(struct rdd_config config, unsigned directory, unsigned counters)
{
	struct llc_geometry g = paper_geometry();
	struct rdd rdd;

	rdd_init(&rdd, &g, &config);
	assert_int_equal(rdd_directory_bits(&rdd), directory);
	assert_int_equal(rdd_counter_bits(&rdd), counters);
	rdd_release(&rdd);
}

static void test_storage_is_692_bytes(void **state)
{
	struct rdd_config config = paper;

	(void)state;
	assert_bits(config, 520 * 8, 172 * 8);
	config.one_access_counter = false;
	assert_bits(config, 520 * 8, 180 * 8);
	/* 80 counters of 12 bits, 10 of 16, 6 sums of 24: no more than the paper's 172 bytes. */
	config.windows = true;
	assert_bits(config, 520 * 8, 80 * 12 + 10 * 16 + 6 * 24);
	assert_true(80 * 12 + 10 * 16 + 6 * 24 <= 172 * 8);
	/* No vectors: 32 entries of 5 * 20 bits. */
	config.one_slice = true;
	assert_bits(config, 400 * 8, 80 * 12 + 10 * 16 + 6 * 24);
	/* Four sets: a tag bit less, twice the entries: 64 entries of 5 * 19 + 30 bits. */
	config = paper;
	config.sets = 4;
	assert_bits(config, 64 * 125, 172 * 8);
	config.tag_bits = 8;
	config.counter_bits = 10;
	assert_bits(config, 64 * 70, 86 * 10);
}

static void test_full_counters_may_halve(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd_config config = paper;
	struct rdd rdd;

	(void)state;
	config.counter_bits = 4;
	config.halve = true;
	rdd_init(&rdd, &g, &config);
	for (unsigned i = 0; i < 5; i++)
		rdd_access(&rdd, 0, 1, 1, 128);
	for (unsigned i = 0; i < 16; i++)
		rdd_access(&rdd, 0, 0, 0, 0);
	/* 15 is the end: 15 and 5 become 7 and 2, and the 16th request counts. */
	assert_int_equal(rdd.counts[0].requests[0][0], 8);
	assert_int_equal(rdd.counts[0].requests[0][1], 2);
	rdd_release(&rdd);
}

/* With 4 bits, the lines 0 and 0x11 have the same tag. */
static void test_short_tags_mistake_lines(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd_config config = paper;
	struct rdd rdd;

	(void)state;
	g.sets = 1;
	config.tag_bits = 4;
	rdd_init(&rdd, &g, &config);
	rdd_access(&rdd, 0, 0, 0, 0);
	rdd_access(&rdd, 0, 0, 0, 0x11 << 7);
	assert_int_equal(rdd.counts[0].hits[0], 1);
	rdd_access(&rdd, 0, 0, 0, 0x12 << 7);
	assert_int_equal(rdd.counts[0].hits[0], 1);
	rdd_release(&rdd);
}

/*
 * Two windows. In each, all four requests go to one slice, but not the same slice. So the parallelism is two over the
 * epoch, and one within windows.
 */
static void test_windows_see_short_hot_spots(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd_config config = paper;
	static const unsigned column = 0;
	struct rdd rdd;

	(void)state;
	for (unsigned windows = 0; windows < 2; windows++) {
		config.windows = windows;
		rdd_init(&rdd, &g, &config);
		for (unsigned home = 0; home < 2; home++) {
			for (unsigned i = 0; i < 4; i++)
				rdd_access(&rdd, 0, i, home, home * 128);
			if (windows)
				rdd_end_window(&rdd);
		}
		assert_close(rdd_parallelism(&rdd, &column), windows ? 1 : 2);
		assert_int_equal(rdd_requests(&rdd, 0), 8);
		rdd_release(&rdd);
	}
}

/*
 * Each cluster reads two lines of its own, again and again, all in the same set. Sixteen slices of 16 ways hold them
 * with ease. One set of 16 ways for all clusters' 32 lines does not, and so the column with vectors misses always.
 */
static void test_clusters_that_drift_apart_compete_in_vectors_only(void **state)
{
	struct llc_geometry g = paper_geometry();
	struct rdd_config config = paper;

	(void)state;
	for (unsigned one_slice = 0; one_slice < 2; one_slice++) {
		struct rdd rdd;

		config.one_slice = one_slice;
		rdd_init(&rdd, &g, &config);
		for (unsigned i = 0; i < 10 * 32; i++)
			rdd_access(&rdd, 0, i % 16, 0, sampled_line(&g, i % 32));
		for (unsigned access_counters = 0; access_counters < 2; access_counters++) {
			rdd.config.one_access_counter = access_counters;
			assert_close(rdd_hit_rate(&rdd, 0, 4), one_slice ? 0.9 : 0);
		}
		rdd_release(&rdd);
	}
}

/* Parallelism of one window under degree 1 and 16; `clusters` clusters ask for `homes` homes, `each` times. */
static void assert_service(unsigned clusters, unsigned homes, unsigned each, double shared, double copied)
{
	static const unsigned columns[] = {0, 4};
	struct llc_geometry g = paper_geometry();
	struct rdd_config config = paper;
	struct rdd rdd;

	config.windows = true;
	config.least_busy = 8;
	rdd_init(&rdd, &g, &config);
	for (unsigned i = 0; i < clusters * homes * each; i++)
		rdd_access(&rdd, 0, i % clusters, i / clusters % homes, 0);
	rdd_end_window(&rdd);
	assert_close(rdd_parallelism(&rdd, &columns[0]), shared);
	assert_close(rdd_parallelism(&rdd, &columns[1]), copied);
	rdd_release(&rdd);
}

static void test_service_time_of_a_window(void **state)
{
	(void)state;
	/* 64 requests for one home: its slice serves all of them, or sixteen slices four each, in the time of eight. */
	assert_service(16, 1, 4, 1, 8);
	/* 256 of them: sixteen each. */
	assert_service(16, 1, 16, 1, 16);
	/* Few requests are in nobody's way. */
	assert_service(8, 1, 1, 1, 1);
	/* 64 requests of one cluster, spread over all homes: its link is what takes the time. */
	assert_service(1, 16, 4, 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parallelism_by_hand),
	    cmocka_unit_test(test_bandwidth_by_hand),
	    cmocka_unit_test(test_requests_are_counted_for_every_degree),
	    cmocka_unit_test(test_directory_is_lru_with_the_slices_ways),
	    cmocka_unit_test(test_replication_costs_capacity),
	    cmocka_unit_test(test_counters_stop_at_16_bits),
	    cmocka_unit_test(test_storage_is_692_bytes),
	    cmocka_unit_test(test_full_counters_may_halve),
	    cmocka_unit_test(test_short_tags_mistake_lines),
	    cmocka_unit_test(test_windows_see_short_hot_spots),
	    cmocka_unit_test(test_clusters_that_drift_apart_compete_in_vectors_only),
	    cmocka_unit_test(test_service_time_of_a_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
