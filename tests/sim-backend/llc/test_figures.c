/* The worked examples of the SelRep paper: its figures 6, 9 and 10. */
#include "tests/sim-backend/support.h"

#include "sim-backend/llc/rdd.h"

#include <stdlib.h>
#include <string.h>

/* --- Figures 6 and 9: four clusters of one SM, four slices of one controller --- */

enum { CLUSTERS = 4, SLICES = 4, LINE = 128, SLICE_LINES = 512, LINES = 1000, SWEEPS = 4 };

static struct memsys_config four_by_four(void)
{
	struct memsys_config config = paper_machine();

	config.sms = config.noc.sm_routers = CLUSTERS;
	config.llc.slices_per_mc = SLICES;
	config.noc.mc_routers = 1;
	config.dram.channels_per_mc = 2;
	config.llc.kilobytes = SLICES * SLICE_LINES * LINE / 1024;
	config.map.scheme = MAP_LINEAR;
	return config;
}

/*
 * The nth line of the data: first the lines of home 0, then the lines of home 1, and so on. So at any time all requests
 * go to a single home, while over time every home has the same number of lines.
 */
static uint64_t nth_line(unsigned n)
{
	enum { OF_A_HOME = LINES / SLICES };

	return (uint64_t)(n % OF_A_HOME * SLICES + n / OF_A_HOME) * LINE;
}

/* Every SM reads all the data, all in the same order, several times: cycles, and misses of the LLC. */
static uint64_t sweep(const char *policy, uint64_t *misses)
{
	struct memsys_config config = four_by_four();
	struct memsys *ms = memsys_with(&config, policy);
	unsigned sent[CLUSTERS] = {0}, received = 0;
	struct mem_request reply;
	uint64_t now = 0;

	for (; received < CLUSTERS * SWEEPS * LINES; now++) {
		for (unsigned sm = 0; sm < CLUSTERS; sm++) {
			struct mem_request request = read_of(nth_line(sent[sm] % LINES), true);

			while (memsys_receive(ms, sm, now, &reply))
				received++;
			if (sent[sm] == SWEEPS * LINES || !memsys_can_send(ms, sm, now))
				continue;
			memsys_send(ms, sm, now, &request);
			sent[sm]++;
		}
		memsys_tick(ms, now, false);
	}
	*misses = memsys_statistics(ms)->llc.misses;
	memsys_free(ms);
	return now;
}

/*
 * Figure 6 (and 2): one copy makes all SMs wait for one slice. Four copies of 1000 lines do not fit into slices of 512.
 * Two do, and are read from two slices at a time.
 */
static void test_figure_6(void **state)
{
	uint64_t misses[3], shared = sweep("shared", &misses[0]), two = sweep("degree2", &misses[1]),
			    four = sweep("degree16", &misses[2]);

	(void)state;
	assert_int_equal(misses[0], LINES);
	assert_int_equal(misses[1], 2 * LINES);
	assert_true(misses[2] > 4 * misses[1]);
	/* A slice gives a line in four cycles. If all were busy all the time, that would be this long. */
	assert_true(shared > 2 * 4 * CLUSTERS * SWEEPS * LINES / SLICES);
	assert_true(two < shared * 3 / 4);
	assert_true(two < four / 2);
}

/* A policy whose degree is set by hand. */
static unsigned degree;

static struct llc_route route_by_hand(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct llc_geometry g = {.clusters = CLUSTERS, .slices = SLICES};

	(void)state, (void)request;
	return llc_memory_side(origin, llc_slice_at_degree(&g, degree, origin.cluster, origin.home));
}

struct figure_9 {
	struct memsys *ms;
	uint64_t now, hits, accesses[SLICES];
};

/* One read by a cluster: it must hit or miss, and in this slice. */
static void expect(struct figure_9 *f, unsigned cluster, uint64_t line, unsigned slice, bool hit)
{
	const struct memsys_stats *stats;

	f->now = round_trip(f->ms, cluster, f->now, read_of(line, true)) + 1;
	stats = memsys_statistics(f->ms);
	f->hits += hit;
	f->accesses[slice]++;
	assert_int_equal(stats->llc.array_hits, f->hits);
	assert_int_equal(stats->slices[slice].accesses, f->accesses[slice]);
}

/*
 * Figure 9: a line X under shared, then degree 2, then shared again. Nothing moves at a change: a copy that is found is
 * a hit, a copy that is missing is fetched, and one that can no longer be reached stays until it is evicted.
 */
static void test_figure_9(void **state)
{
	struct llc_policy_ops by_hand = *llc_policy_find("shared");
	struct memsys_config config = four_by_four();
	struct figure_9 f = {0};
	enum { X = 0 };

	(void)state;
	by_hand.route = route_by_hand;
	f.ms = memsys_create(&config, &by_hand, NULL, 1);
	/* 1: X is in slice 0. */
	degree = 1;
	expect(&f, 0, X, 0, false);
	/* 2: cluster 1 finds it there, cluster 3 has it brought into slice 2. */
	degree = 2;
	expect(&f, 1, X, 0, true);
	expect(&f, 3, X, 2, false);
	/* 3: two slices share the requests. */
	expect(&f, 0, X, 0, true);
	expect(&f, 2, X, 2, true);
	/* 4: all go to slice 0. The copy in slice 2 is still there .. */
	degree = 1;
	expect(&f, 3, X, 0, true);
	degree = 2;
	expect(&f, 3, X, 2, true);
	/* .. until slice 2 needs its place. */
	degree = 1;
	for (unsigned n = 0; n < SLICE_LINES; n++)
		expect(&f, 3, (uint64_t)(n * SLICES + 2) * LINE, 2, false);
	degree = 2;
	expect(&f, 3, X, 2, false);
	expect(&f, 1, X, 0, true);
	memsys_free(f.ms);
}

/* --- Figure 10 --- */

/* The paper's directory. */
static const struct rdd_config paper = {
    .sets = 2, .ways = 16, .slots = 1, .counter_bits = 16, .one_access_counter = true};

/*
 * Figure 10: eight clusters and slices; a line touched by clusters 0, 1 and 3. A request of cluster 3 hits when
 * private; one of cluster 2 misses when private, and hits with degree 4 and 2.
 */
static void test_figure_10(void **state)
{
	struct llc_geometry g = paper_geometry();
	static const unsigned touched[] = {0, 1, 3};
	uint32_t before[4];
	struct rdd rdd;

	(void)state;
	g.clusters = g.slices = 8;
	rdd_init(&rdd, &g, &paper);
	assert_int_equal(rdd.degrees, 4);
	for (unsigned i = 0; i < 3; i++)
		rdd_access(&rdd, 0, touched[i], 0, 0);
	/* Only a group's first touch misses: groups of one, two, four and eight clusters. */
	assert_int_equal(rdd.counts[0].hits[3], 0);
	assert_int_equal(rdd.counts[0].hits[2], 1);
	assert_int_equal(rdd.counts[0].hits[1], 2);
	assert_int_equal(rdd.counts[0].hits[0], 2);
	memcpy(before, rdd.counts[0].hits, sizeof before);
	rdd_access(&rdd, 0, 3, 0, 0);
	for (unsigned c = 0; c < 4; c++)
		assert_int_equal(rdd.counts[0].hits[c], before[c] + 1);
	rdd_access(&rdd, 0, 2, 0, 0);
	assert_int_equal(rdd.counts[0].hits[3], before[3] + 1);
	assert_int_equal(rdd.counts[0].hits[2], before[2] + 2);
	assert_int_equal(rdd.counts[0].hits[1], before[1] + 2);
	assert_int_equal(rdd.counts[0].hits[0], before[0] + 2);
	/* Five requests look into four columns each; what a first touch sets is written: 4, 1, 2, 0 and 1 times. */
	assert_int_equal(rdd.use.searches, 20);
	assert_int_equal(rdd.use.writes, 8);
	rdd_release(&rdd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_figure_6),
	    cmocka_unit_test(test_figure_9),
	    cmocka_unit_test(test_figure_10),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
