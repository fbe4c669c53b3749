/*
 * Loops that wait for other CTAs or warps end, at a cost that grows with their work and not with the number of waiting
 * warps. Loops that can never end are reported. Costs are counted in warp instructions.
 */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/engine/cpu_device.h"

enum { CTAS = 128, THREADS = 64, WORDS = CTAS * THREADS };

static struct device_module *module;
static unsigned *words, *out;

static int open_kernels(void **state)
{
	(void)state;
	harness_open();
	module = harness_load_file("spin.ptx");
	words = harness_alloc(WORDS * sizeof *words, "words");
	out = harness_alloc(WORDS * sizeof *out, "out");
	return 0;
}

static enum device_status try_kernel(const char *kernel, unsigned ctas, unsigned threads, unsigned number)
{
	const struct harness_launch launch = {.grid = {ctas}, .block = {threads}};
	const uint64_t params[] = {DEVICE_POINTER(words), DEVICE_POINTER(out), number};

	memset(words, 0, WORDS * sizeof *words);
	memset(out, 0, WORDS * sizeof *out);
	return harness_run(module, kernel, &launch, params, 3);
}

/* Returns the warp instructions that it took. */
static uint64_t run(const char *kernel, unsigned ctas, unsigned threads, unsigned number)
{
	struct cpu_device *device = (struct cpu_device *)harness_device();
	uint64_t before = device->instructions;

	if (try_kernel(kernel, ctas, threads, number) != DEVICE_OK)
		fail_msg("%s: %s", kernel, harness_diag.message);
	return device->instructions - before;
}

/* --- Blocks that wait for blocks --- */

static void test_barriers_of_the_grid_cost_little(void **state)
{
	static const char *const kernels[] = {"barrier", "barrier_of_flags", "barrier_asleep"};

	(void)state;
	for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
		for (unsigned rounds = 1; rounds <= 16; rounds *= 4) {
			uint64_t alone = run("barrier_alone", CTAS, THREADS, rounds);
			uint64_t cost = run(kernels[k], CTAS, THREADS, rounds);

			for (unsigned i = 0; i < WORDS; i++)
				assert_int_equal(out[i], rounds * (rounds + 1) / 2);
			if (cost > 20 * alone)
				fail_msg("%s, %u rounds: %llu instructions, %llu without waiting", kernels[k], rounds,
					 (unsigned long long)cost, (unsigned long long)alone);
		}
}

/* Each CTA waits for the next one, so all but the last must wait before one goes on. */
static void test_cost_grows_with_the_number_of_blocks(void **state)
{
	uint64_t few, many;

	(void)state;
	few = run("chain", 16, 32, 0);
	many = run("chain", 1024, 32, 0);
	for (unsigned i = 0; i < 1024; i++)
		assert_int_equal(words[i], 1024 - i);
	if (many > 2 * 64 * few)
		fail_msg("%llu instructions for 1024 CTAs, %llu for 16", (unsigned long long)many,
			 (unsigned long long)few);
}

static void test_scans_look_back(void **state)
{
	(void)state;
	run("look_back", CTAS, 32, 0);
	for (unsigned i = 1; i < CTAS; i++)
		assert_int_equal(out[i], i + 1);
}

static void test_loops_inside_and_functions_may_wait(void **state)
{
	(void)state;
	assert_in_range(run("all_there", 4, 32, 0), 1, 4000);
	assert_int_equal(out[0], 1);
	assert_in_range(run("look_by_function", 2, 32, 0), 1, 4000);
	assert_int_equal(out[0] + out[1], 2);
	assert_in_range(run("look_together", 2, 64, 0), 1, 40000);
	assert_int_equal(out[0] + out[1], 2);
}

/* --- Locks --- */

static void test_locks_pass_from_hand_to_hand(void **state)
{
	static const struct {
		const char *kernel;
		unsigned ctas, threads, rounds, most, takers;
	} rows[] = {{"lock", 32, 64, 4, 40000, 32 * 4},
		    {"lock_of_threads", 4, 64, 2, 400000, 4 * 64 * 2},
		    {"ticket_lock", 64, 32, 4, 40000, 64 * 4}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint64_t cost = run(rows[i].kernel, rows[i].ctas, rows[i].threads, rows[i].rounds);

		assert_int_equal(out[0], rows[i].takers);
		if (cost > rows[i].most)
			fail_msg("%s: %llu instructions", rows[i].kernel, (unsigned long long)cost);
	}
}

static void test_warps_of_a_cta_wait_for_each_other(void **state)
{
	(void)state;
	assert_in_range(run("round_of_warps", 2, 256, 8), 1, 2 * 8 * 8 * 200);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(out[i], 8 * 8);
}

/* --- Loops that only look like waiting --- */

static void test_loops_that_count_come_to_their_end(void **state)
{
	(void)state;
	run("gives_up", 3, 64, 5000);
	for (unsigned i = 0; i < 3 * 64; i++)
		assert_int_equal(out[i], 5000);
	run("adds_up", 3, 64, 1000);
	for (unsigned i = 0; i < 3 * 64; i++)
		assert_int_equal(out[i], 999 * 1000 / 2);
}

static void test_runs_are_the_same(void **state)
{
	uint64_t first;

	(void)state;
	first = run("barrier_of_flags", CTAS, THREADS, 4);
	assert_int_equal(run("barrier_of_flags", CTAS, THREADS, 4), first);
	harness_unload(module);
	open_kernels(state);
	assert_int_equal(run("barrier_of_flags", CTAS, THREADS, 4), first);
}

/* --- Loops without end --- */

static void test_what_nobody_ends_is_reported(void **state)
{
	static const char *const parts[] = {"kernel 'never': deadlock",
					    "all of the 2 CTAs that have started (of 2)",
					    "--interleave=32",
					    "12 bytes into words",
					    "'ld.volatile.global",
					    "CTA (0,0,0)",
					    "thread (0,0,0)"};

	(void)state;
	assert_int_equal(try_kernel("never", 2, 64, 0), DEVICE_HANG);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (!strstr(harness_diag.message, parts[i]))
			fail_msg("no '%s' in: %s", parts[i], harness_diag.message);
	assert_int_not_equal(harness_diag.line, 0);
	/* One CTA has no others to take turns with. */
	assert_int_equal(try_kernel("never", 1, 64, 0), DEVICE_HANG);
	if (strstr(harness_diag.message, "interleave"))
		fail_msg("turns of a CTA alone: %s", harness_diag.message);
	/* The device goes on. */
	run("barrier", 4, THREADS, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_barriers_of_the_grid_cost_little),
					   cmocka_unit_test(test_cost_grows_with_the_number_of_blocks),
					   cmocka_unit_test(test_scans_look_back),
					   cmocka_unit_test(test_loops_inside_and_functions_may_wait),
					   cmocka_unit_test(test_locks_pass_from_hand_to_hand),
					   cmocka_unit_test(test_warps_of_a_cta_wait_for_each_other),
					   cmocka_unit_test(test_loops_that_count_come_to_their_end),
					   cmocka_unit_test(test_runs_are_the_same),
					   cmocka_unit_test(test_what_nobody_ends_is_reported)};

	return cmocka_run_group_tests(tests, open_kernels, harness_teardown);
}
