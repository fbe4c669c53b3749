/* selrep-structures, driven by hand: a degree for each slot of data structures. */
#include "tests/sim-backend/support.h"

#include <stdlib.h>
#include <string.h>

enum { HOT = 1, WIDE = 2 }; /* structures: one line that all read; more lines than a private slice holds */

static const struct llc_policy_ops *ops;
static void *policy, *knobs;
static struct llc_geometry geometry;

static int prepare(void **state)
{
	(void)state;
	ops = llc_policy_find("selrep-structures");
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

static void set(const char *key, const char *value)
{
	char why[200];

	assert_int_equal(knob_set(knob_find(ops->knobs, key), knobs, value, why, sizeof why), 0);
}

static void start(void)
{
	policy = ops->create(&geometry, knobs);
}

static uint64_t stat(const char *name)
{
	const char *values = ops->statistics(policy);

	for (const struct stat_row *row = ops->stats; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return *(const uint64_t *)(values + row->offset);
	fail_msg("no statistic '%s'", name);
	return 0;
}

static struct mem_request read_by(unsigned structure, uint64_t line)
{
	struct mem_request request = read_of(line, true);

	request.structure = (uint16_t)structure;
	return request;
}

/* Every cluster reads `lines` lines of each of `homes` homes, `rounds` times. All lie in the first sampled set. */
static void read_all(unsigned structure, unsigned lines, unsigned homes, unsigned rounds)
{
	uint64_t step = (uint64_t)geometry.line_bytes * geometry.mcs * geometry.slices;

	for (unsigned round = 0; round < rounds; round++)
		for (uint64_t line = 0, n = 0; n < lines; line += step) {
			if (llc_set_of(&geometry, line) != 0)
				continue;
			n++;
			for (unsigned i = 0; i < homes * 16; i++) {
				struct mem_request request = read_by(structure, line + i / 16 * geometry.line_bytes);

				ops->observe(policy, 0, i % 16, i / 16, &request);
			}
		}
}

static void end_epoch(uint64_t cycle)
{
	struct llc_orders orders = {0};

	ops->tick(policy, cycle + 32, &orders);
}

static unsigned slice_of(unsigned structure, unsigned cluster, unsigned home)
{
	struct mem_request request = read_by(structure, 0);

	return ops->route(policy, (struct llc_origin){.cluster = (uint8_t)cluster, .home = (uint8_t)home}, &request)
	    .slice;
}

/* A single degree would have to choose between the hot line's slice and the wide structure's room. */
static void test_each_structure_gets_its_own_degree(void **state)
{
	(void)state;
	start();
	read_all(HOT, 1, 1, 100);
	read_all(WIDE, 12, 16, 3);
	end_epoch(20000);
	assert_int_equal(stat("degree_1"), 16);
	assert_int_equal(stat("degree_2"), 1);
	assert_int_equal(slice_of(HOT, 9, 3), 9);
	assert_int_equal(slice_of(WIDE, 9, 3), 3);
	/* Structures of the same slot have the same degree; slots without requests keep theirs. */
	assert_int_equal(slice_of(HOT + 4, 9, 3), 9);
	assert_int_equal(stat("degree_3"), 1);
	assert_int_equal(stat("changes"), 1);
}

static void test_a_degree_may_be_fixed(void **state)
{
	(void)state;
	set("fixed_2", "4");
	start();
	assert_int_equal(slice_of(WIDE, 9, 3), 11);
	read_all(HOT, 1, 1, 100);
	read_all(WIDE, 12, 16, 3);
	end_epoch(20000);
	assert_int_equal(stat("degree_1"), 16);
	assert_int_equal(stat("degree_2"), 4);
}

/* The tags are shared. Each slot has counters of its own, 172 bytes. */
static void test_storage(void **state)
{
	(void)state;
	set("slots", "2");
	start();
	assert_int_equal(stat("storage_bytes"), 520 + 2 * 172);
	ops->destroy(policy);
	/* Two slots in less than the paper's 692 bytes: 32 entries of 5 * 16 bits, twice 158 bytes of counters. */
	set("directory", "slice");
	set("model", "service");
	set("tag_bits", "16");
	start();
	assert_int_equal(stat("storage_bytes"), 320 + 2 * 158);
}

/*
 * With windows, a slot's degrees are weighed while the other slot keeps its own. Here the hot line camps on slice 0,
 * beside which the wide structure's even requests need no relief.
 */
static void test_service_times_of_two_structures(void **state)
{
	(void)state;
	set("model", "service");
	start();
	for (uint64_t now = 0; now < 20000; now += 512) {
		end_epoch(now - 32);
		read_all(HOT, 1, 1, 16);
		read_all(WIDE, 2, 16, 1);
	}
	end_epoch(20000);
	assert_true(stat("degree_1") >= 4);
	assert_int_equal(stat("degree_2"), 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, finish)
	const struct CMUnitTest tests[] = {
	    TEST(test_each_structure_gets_its_own_degree),
	    TEST(test_a_degree_may_be_fixed),
	    TEST(test_storage),
	    TEST(test_service_times_of_two_structures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
