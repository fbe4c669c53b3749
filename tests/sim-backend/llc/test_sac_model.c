/* SAC's predictions from its counters by our model: the bound of each part, against numbers computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim-backend/llc/sac_model.h"

enum { LINE = 128 };

/*
 * Two chips, of whose 100 requests of a line each half are remote, over links of a byte a cycle, and whose slices find
 * 75 %. The directories have seen nothing.
 */
static struct llc_geometry g;
static struct sac_sums sums;

static int reset(void **state)
{
	(void)state;
	g = (struct llc_geometry){.chips = 2,
				  .mcs = 1,
				  .slices = 1,
				  .line_bytes = LINE,
				  .sectors = 1,
				  .mean_hops = 1,
				  .noc_bytes_per_cycle = 1000,
				  .slice_bytes_per_cycle = LINE,
				  .memory_bytes_per_cycle = 1000,
				  .link_bytes_per_cycle = 1};
	sums = (struct sac_sums){.requests = 100,
				 .local = 50,
				 .accesses = 100,
				 .hits = 75,
				 .fetches = 25,
				 .most_accesses = 50,
				 .bytes = 100 * LINE,
				 .uniformity = {1, 1},
				 .in_flight = 1e9};
	sums.flows.bytes[0][1] = sums.flows.bytes[1][0] = 25 * LINE;
	return 0;
}

static void assert_predicted(enum sac_organisation o, double eab)
{
	assert_float_equal(sac_predict(MODEL_BOTTLENECK, LINKS_BOTH_WAYS, &g, &sums, o).eab, eab, 1e-9 * eab);
}

/* Without headers the links carry 50 of 100 bytes asked for memory-side, and a quarter of that SM-side. */
static void test_links(void **state)
{
	(void)state;
	assert_predicted(MEMORY_SIDE, 2);
	assert_predicted(SM_SIDE, 8);
	assert_float_equal(sac_predict(MODEL_BOTTLENECK, LINKS_BOTH_WAYS, &g, &sums, SM_SIDE).hit, 0.75, 1e-9);
}

/* Opening a row takes the time of five bursts. */
static void test_memory(void **state)
{
	(void)state;
	g.link_bytes_per_cycle = 1e6;
	g.memory_bytes_per_cycle = 10;
	g.row_bursts = 5;
	assert_predicted(MEMORY_SIDE, 2 * 10 / 0.25);
	sums.rows_per_burst = 0.2;
	assert_predicted(MEMORY_SIDE, 2 * 10 / 0.25);
	sums.rows_per_burst = 0.5;
	assert_predicted(MEMORY_SIDE, 2 * 10 / 0.25 / 2.5);
	assert_predicted(SM_SIDE, 2 * 10 / 0.25 / 2.5);
}

/* Ten requests are in flight, and no part is at its limit. */
static void test_requests_in_flight(void **state)
{
	(void)state;
	g.link_bytes_per_cycle = 1e6;
	g.unloaded = (struct llc_unloaded){.hit = 100, .far = 60, .miss = 80, .far_miss = 40};
	sums.in_flight = 10;
	assert_predicted(MEMORY_SIDE, 10 * LINE / (100 + 0.25 * 80 + 0.5 * 60));
	assert_predicted(SM_SIDE, 10 * LINE / (100 + 0.25 * (80 + 0.5 * 40)));
	/* A fifth of the remote requests are atomics, which go on asking the other chip. */
	sums.atomics = 10;
	assert_predicted(SM_SIDE, 10 * LINE / (100 + 0.25 * 80 + 0.1 * 60 + 0.4 * 0.25 * 40));
	sums.atomics = 0;
	/* A fifth of the misses are writes, which wait for no memory. */
	sums.fetches = 20;
	assert_predicted(MEMORY_SIDE, 10 * LINE / (100 + 0.2 * 80 + 0.5 * 60));
	assert_predicted(SM_SIDE, 10 * LINE / (100 + 0.2 * (80 + 0.5 * 40)));
	sums.in_flight = 0;
	assert_predicted(MEMORY_SIDE, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {TEST(test_links), TEST(test_memory), TEST(test_requests_in_flight)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
