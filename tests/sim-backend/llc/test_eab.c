/* The EAB model against numbers computed by hand from Table 1 of the SAC paper. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim-backend/llc/eab.h"

/* GB/s of the paper's machine. */
static const struct eab_machine paper = {
    .intra = 16000, .inter = 768, .llc = 16000, .memory = 1750, .in_flight = INFINITY};

static void assert_eab(struct eab eab, double local, double remote)
{
	if (fabs(eab.local - local) > 1e-6 || fabs(eab.remote - remote) > 1e-6)
		fail_msg("local %g, remote %g; not %g, %g", eab.local, eab.remote, local, remote);
}

/* Half of the requests are remote, so 16000 * 0.5 * LSU is what the slices have for either half. */
static void test_memory_side(void **state)
{
	const struct eab_inputs in = {.local = 0.5, .hit = 0.8, .uniformity = 0.5};
	struct eab_machine wide = paper;

	(void)state;
	/* Hits 3200, misses min(800, 875); remote ones have the links. */
	assert_eab(eab_memory_side(&paper, &in), 4000, 768);
	wide.inter = 10000;
	assert_eab(eab_memory_side(&wide, &in), 4000, 4000);
	/* Misses are more than memory gives: 2400 + min(1600, 700 / 2). */
	wide.memory = 700;
	assert_eab(eab_memory_side(&wide, &(struct eab_inputs){0.5, 0.6, 0.5}), 2750, 2750);
	/* The networks bind local requests. */
	wide.intra = 2000;
	assert_eab(eab_memory_side(&wide, &in), 2000, 3550);
}

static void test_sm_side(void **state)
{
	const struct eab_inputs in = {.local = 0.5, .hit = 0.6, .uniformity = 0.75};
	struct eab_machine narrow = paper;

	(void)state;
	/* Hits 3600; misses min(2400, 875) at home, min(2400, 768, 875) over the links. */
	assert_eab(eab_sm_side(&paper, &in), 4475, 4368);
	/* Both share the networks: 0.9 * 8000 and 0.1 * 8000. */
	narrow.intra = 8000;
	assert_eab(eab_sm_side(&narrow, &(struct eab_inputs){0.9, 1, 1}), 7200, 800);
	/* Remote misses min(7200, 768, 1575). */
	assert_eab(eab_sm_side(&paper, &(struct eab_inputs){0.1, 0.5, 1}), 800 + 175, 7200 + 768);
}

/* Without remote requests nothing is gained but by what the LLC does. */
static void test_without_sharing_both_are_the_same(void **state)
{
	const struct eab_inputs in = {.local = 1, .hit = 0.7, .uniformity = 0.9};

	(void)state;
	assert_eab(eab_memory_side(&paper, &in), 10080 + 1750, 0);
	assert_eab(eab_sm_side(&paper, &in), 10080 + 1750, 0);
}

static void test_uniformity(void **state)
{
	(void)state;
	assert_true(eab_uniformity(64 * 5, 5, 64) == 1);
	assert_true(eab_uniformity(5, 5, 64) == 1.0 / 64);
	assert_true(eab_uniformity(10 + 20 + 30 + 40, 40, 4) == 0.625);
	assert_true(eab_uniformity(0, 0, 4) == 1);
}

static void assert_close(double is, double expected)
{
	if (fabs(is - expected) > 1e-9 * expected)
		fail_msg("%g, not %g", is, expected);
}

/* The paper's machine serves a byte with whichever part is the first to be busy. */
static void test_bottleneck(void **state)
{
	struct eab_machine few = paper;

	(void)state;
	/* Slices of which the busiest gets twice its share; a miss in four; half of a byte on links. */
	assert_close(eab_bottleneck(&paper, &(struct eab_load){.slices = 2, .memory = 0.25, .links = 0.5}), 768 / 0.5);
	assert_close(eab_bottleneck(&paper, &(struct eab_load){.slices = 2, .memory = 0.25, .links = 0.1}),
		     1750 / 0.25);
	assert_close(eab_bottleneck(&paper, &(struct eab_load){.slices = 2, .memory = 0.1, .links = 0.01}), 16000 / 2);
	/* What asks no memory and no links has the networks. */
	assert_close(eab_bottleneck(&paper, &(struct eab_load){.slices = 0.5}), 16000);
	/* Little's law: 1,000 lines on their way for 250 cycles each. */
	few.in_flight = 1000 * 128;
	assert_close(eab_bottleneck(&few, &(struct eab_load){.slices = 1, .links = 0.5, .cycles = 250}), 512);
	assert_close(eab_bottleneck(&few, &(struct eab_load){.slices = 1, .links = 0.5, .cycles = 100}), 1280);
	assert_close(eab_bottleneck(&few, &(struct eab_load){.slices = 1, .links = 0.5, .cycles = 50}), 768 / 0.5);
}

/* In a ring of four two chips are 1, 2, 1 links apart. */
static void test_links_by_direction(void **state)
{
	const double hops = 4.0 / 3;
	struct eab_flows flows = {{{0}}};

	(void)state;
	assert_true(eab_link_load(&flows, 4, hops) == 0);
	/* All chips send all others 12 bytes: 144, over 4/3 links each. */
	for (unsigned from = 0; from < 4; from++)
		for (unsigned to = 0; to < 4; to++)
			flows.bytes[from][to] = from == to ? 0 : 12;
	assert_close(eab_link_load(&flows, 4, hops), 192);
	/* One chip sends data and the others requests: what leaves that chip has a quarter of all links. */
	for (unsigned to = 1; to < 4; to++)
		for (unsigned from = 0; from < 4; from++)
			flows.bytes[from][to] = from ? 0 : 144;
	for (unsigned from = 1; from < 4; from++)
		flows.bytes[from][0] = 16;
	assert_close(eab_link_load(&flows, 4, hops), 3 * 144 * 4);
	/* Two chips that send data one way have half of the links. */
	assert_close(eab_link_load(&(struct eab_flows){{{0, 100}, {20, 0}}}, 2, 1), 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_memory_side),
	    cmocka_unit_test(test_sm_side),
	    cmocka_unit_test(test_without_sharing_both_are_the_same),
	    cmocka_unit_test(test_uniformity),
	    cmocka_unit_test(test_bottleneck),
	    cmocka_unit_test(test_links_by_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
