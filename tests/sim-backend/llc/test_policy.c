/* Which slice each policy picks, and the rules that all policies keep. */
#include "tests/sim-backend/support.h"

#include "sim-backend/knobs/stat.h"

#include <stdlib.h>
#include <string.h>

static struct llc_geometry geometry;

static const struct llc_policy_ops *ops;
static void *state_of, *knobs;

static void start(const char *name)
{
	ops = llc_policy_find(name);
	assert_non_null(ops);
	knobs = calloc(1, ops->knobs_size + 1);
	if (ops->knobs)
		knob_defaults(ops->knobs, knobs);
	state_of = ops->create(&geometry, knobs);
}

static void tear_down(void)
{
	ops->destroy(state_of);
	free(knobs);
}

static int reset(void **state)
{
	(void)state;
	geometry = paper_geometry();
	return 0;
}

static unsigned slice_of(unsigned cluster, unsigned home, struct mem_request request)
{
	struct llc_route route =
	    ops->route(state_of, (struct llc_origin){2, (uint8_t)cluster, 3, (uint8_t)home}, &request);

	/* Whatever is not looked up where its memory is must ask that memory past the slices there. */
	if (request.kind == MEM_ATOMIC || route.chip != 2)
		assert_int_equal(route.chip, 3);
	assert_true(route.chip == 3 || route.bypass);
	return route.slice;
}

static void test_shared_follows_the_address(void **state)
{
	(void)state;
	start("shared");
	for (unsigned cluster = 0; cluster < 16; cluster++)
		for (unsigned home = 0; home < 16; home++)
			assert_int_equal(slice_of(cluster, home, read_of(0, true)), home);
	assert_null(ops->write_through);
	tear_down();
}

static unsigned chip_of(unsigned chip, struct mem_request request)
{
	return ops->route(state_of, (struct llc_origin){(uint8_t)chip, 5, 3, 7}, &request).chip;
}

/* Under one organisation the line's chip has it, under the other the requester's; atomics meet at the line's chip. */
static void test_two_organisations_of_chips(void **state)
{
	(void)state;
	for (unsigned chip = 0; chip < 4; chip++) {
		start("memory-side");
		assert_int_equal(chip_of(chip, read_of(0, true)), 3);
		assert_int_equal(chip_of(chip, write_of(0, 128, 15)), 3);
		tear_down();
		start("sm-side");
		assert_int_equal(chip_of(chip, read_of(0, true)), chip);
		assert_int_equal(chip_of(chip, write_of(0, 128, 15)), chip);
		assert_int_equal(chip_of(chip, atomic_of(0)), 3);
		assert_int_equal(slice_of(1, 7, read_of(0, false)), 7);
		tear_down();
	}
}

static void test_private_follows_the_cluster(void **state)
{
	(void)state;
	start("private");
	for (unsigned cluster = 0; cluster < 16; cluster++)
		for (unsigned home = 0; home < 16; home++) {
			assert_int_equal(slice_of(cluster, home, read_of(0, false)), cluster);
			assert_int_equal(slice_of(cluster, home, write_of(0, 128, 15)), cluster);
			assert_int_equal(slice_of(cluster, home, atomic_of(0)), home);
		}
	assert_true(ops->write_through(state_of));
	tear_down();
}

/* Under degree d a line has exactly d places, one for each group of clusters, and a slice serves d homes. */
static void test_degree_gives_each_group_a_copy(void **state)
{
	(void)state;
	for (unsigned degree = 2; degree <= 16; degree *= 2) {
		char name[16];

		snprintf(name, sizeof name, "degree%u", degree);
		start(name);
		assert_int_equal(ops->degree, degree);
		for (unsigned home = 0; home < 16; home++) {
			unsigned places = 0;

			for (unsigned cluster = 0; cluster < 16; cluster++) {
				unsigned slice = slice_of(cluster, home, read_of(0, true));

				places |= 1u << slice;
				assert_int_equal(slice, cluster / (16 / degree) * (16 / degree) + home % (16 / degree));
				assert_int_equal(slice_of(cluster, home, read_of(0, false)), home);
				assert_int_equal(slice_of(cluster, home, write_of(0, 128, 15)), home);
				assert_int_equal(slice_of(cluster, home, atomic_of(0)), home);
			}
			assert_int_equal(__builtin_popcount(places), degree);
		}
		tear_down();
	}
}

/* The example of the paper's figures 6 and 9: four clusters, four slices, degree 2. */
static void test_four_clusters_at_degree_two(void **state)
{
	(void)state;
	geometry.clusters = geometry.slices = 4;
	start("degree2");
	assert_int_equal(slice_of(0, 0, read_of(0, true)), 0);
	assert_int_equal(slice_of(1, 0, read_of(0, true)), 0);
	assert_int_equal(slice_of(2, 0, read_of(0, true)), 2);
	assert_int_equal(slice_of(3, 0, read_of(0, true)), 2);
	assert_int_equal(slice_of(3, 1, read_of(0, true)), 3);
	tear_down();
}

static void test_uneven_machines_stay_inside(void **state)
{
	static const unsigned shapes[][2] = {{15, 8}, {32, 16}, {8, 32}, {1, 1}, {3, 16}};

	(void)state;
	for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		for (size_t p = 0; llc_policy_table[p]; p++) {
			geometry.clusters = shapes[i][0];
			geometry.slices = shapes[i][1];
			start(llc_policy_table[p]->name);
			for (unsigned cluster = 0; cluster < geometry.clusters; cluster++)
				for (unsigned home = 0; home < geometry.slices; home++)
					assert_true(slice_of(cluster, home, read_of(0, true)) < geometry.slices);
			tear_down();
		}
}

/* An aligned block of as many lines as a slice has sets, times the slices, fills each set of each slice once. */
static void test_sets_fill_evenly(void **state)
{
	static const unsigned sizes[] = {1, 16, 32, 48, 64};

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		unsigned lines[64] = {0};

		geometry.sets = sizes[i];
		for (uint64_t line = 0; line < geometry.sets * 64; line++)
			lines[llc_set_of(&geometry, (line + 7 * geometry.sets * 64) << 7)]++;
		for (unsigned set = 0; set < geometry.sets; set++)
			assert_int_equal(lines[set], 64);
	}
}

static void test_table_is_complete(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++) {
		const struct llc_policy_ops *o = llc_policy_table[p];

		assert_true(o->name && o->summary && o->source && o->create && o->destroy && o->route);
		assert_int_equal(o->knobs != NULL, o->knobs_size > 0);
		assert_int_equal(o->stats != NULL, o->statistics != NULL);
		assert_int_equal(o->tick != NULL, o->next_tick != NULL);
		assert_ptr_equal(llc_policy_find(o->name), o);
	}
	assert_null(llc_policy_find("none"));
}

/* The caller of `series` has room for what the rows name, and no more. */
static void test_series_fill_what_their_rows_name(void **state)
{
	(void)state;
	for (size_t p = 0; llc_policy_table[p]; p++) {
		unsigned char *values;
		size_t size;

		if (!llc_policy_table[p]->series_rows)
			continue;
		size = stats_extent(llc_policy_table[p]->series_rows);
		start(llc_policy_table[p]->name);
		values = malloc(size + 64);
		memset(values, 0xa5, size + 64);
		ops->series(state_of, 100000, values);
		for (unsigned i = 0; i < 64; i++)
			assert_int_equal(values[size + i], 0xa5);
		free(values);
		tear_down();
	}
}

/* Whoever looks lines up in tags of its own pays for that with energy. */
static void test_directories_are_charged(void **state)
{
	unsigned charged = 0;

	(void)state;
	for (unsigned p = 0; llc_policy_table[p]; p++) {
		const struct stat_row *row = llc_policy_table[p]->stats;
		struct llc_directory_use use;
		struct llc_orders orders = {0};

		while (row && row->name && strcmp(row->name, "storage_bytes") != 0)
			row++;
		if (!row || !row->name)
			continue;
		start(llc_policy_table[p]->name);
		assert_non_null(ops->directory);
		if (ops->kernel_begin)
			ops->kernel_begin(state_of, 0, (struct llc_kernel){0}, &orders);
		for (uint64_t line = 0; line < 8192; line++) {
			struct mem_request request = read_of(line * 128, line < 4096);

			if (ops->observe)
				ops->observe(state_of, 0, (unsigned)line % 16, (unsigned)line / 16 % 16, &request);
			for (unsigned slice = 0; slice < 16 && ops->looked_up; slice++)
				ops->looked_up(state_of, 0, slice, (unsigned)line % 16, &request, false);
		}
		use = ops->directory(state_of);
		if (!use.searches)
			fail_msg("%s: no search is counted", llc_policy_table[p]->name);
		charged++;
		tear_down();
	}
	assert_true(charged >= 4); /* selrep, selrep-structures, sac and sac-ro at the least */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
	const struct CMUnitTest tests[] = {
	    TEST(test_shared_follows_the_address),
	    TEST(test_two_organisations_of_chips),
	    TEST(test_private_follows_the_cluster),
	    TEST(test_degree_gives_each_group_a_copy),
	    TEST(test_four_clusters_at_degree_two),
	    TEST(test_uneven_machines_stay_inside),
	    TEST(test_sets_fill_evenly),
	    TEST(test_series_fill_what_their_rows_name),
	    TEST(test_directories_are_charged),
	    TEST(test_table_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
