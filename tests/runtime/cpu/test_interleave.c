/* Turns of N instructions: races come out as where all run at once, and what is right in order stays right. */
#include "tests/runtime/cpu/harness.h"

#include "runtime/cpu/engine/cpu_device.h"

#include <stdio.h>

enum { CTAS = 4, THREADS = 96, WORDS = CTAS * THREADS, ROOM = 128 * 64 };

static const char *const lengths[] = {"1", "3", "16", "100", "5000"};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static struct device_module *own, *spin;
static unsigned *words, *out;

static void open_with(const char *length)
{
	harness_open_with("ROMARK_INTERLEAVE", length);
	own = harness_load_file("interleave.ptx");
	spin = harness_load_file("spin.ptx");
	words = harness_alloc(ROOM * sizeof *words, "words");
	out = harness_alloc(ROOM * sizeof *out, "out");
}

/* Returns the warp instructions that it took. */
static uint64_t run(struct device_module *module, const char *kernel, unsigned ctas, unsigned threads, unsigned number)
{
	const struct harness_launch launch = {.grid = {ctas}, .block = {threads}};
	const uint64_t params[] = {DEVICE_POINTER(words), DEVICE_POINTER(out), number};
	struct cpu_device *device = (struct cpu_device *)harness_device();
	uint64_t before = device->instructions;

	memset(words, 0, ROOM * sizeof *words);
	memset(out, 0, ROOM * sizeof *out);
	harness_run_ok(module, kernel, &launch, params, 3);
	return device->instructions - before;
}

/* --- Races --- */

static unsigned shifted(unsigned thread, bool in_order)
{
	return in_order ? thread / 32 + 1 : 1;
}

static void expect_shift(const char *length, bool in_order)
{
	open_with(length);
	run(own, "shift", CTAS, THREADS, 0);
	for (unsigned i = 0; i < WORDS; i++)
		assert_int_equal(words[i], shifted(i, in_order));
}

/*
 * Without turns each warp finds what the previous warp wrote; with short turns it finds the contents from before the
 * launch.
 */
static void test_short_turns_hide_races_of_warps_and_ctas(void **state)
{
	(void)state;
	expect_shift("", true);
	expect_shift("0", true);
	expect_shift("1", false);
	expect_shift("3", false);
	expect_shift("16", false);
	expect_shift("100", true);
}

/* In order, who opens the barrier is counted again before the others look. */
static void test_short_turns_let_others_see_an_open_barrier(void **state)
{
	const struct harness_launch launch = {.grid = {CTAS}, .block = {1}};
	const uint64_t params[] = {DEVICE_POINTER(words)};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		open_with(lengths[i]);
		run(own, "modulo", CTAS, 1, 0);
		assert_int_equal(words[0], 4 * CTAS);
	}
	open_with("0");
	*words = 0;
	assert_int_equal(harness_run(own, "modulo", &launch, params, 1), DEVICE_HANG);
	if (!strstr(harness_diag.message, "--interleave=32"))
		fail_msg("no way out in: %s", harness_diag.message);
}

static void test_runs_are_the_same(void **state)
{
	static unsigned kept[ROOM];
	uint64_t cost;

	(void)state;
	for (unsigned i = 0; i < LENGTHS; i++) {
		open_with(lengths[i]);
		cost = run(spin, "barrier_of_flags", 128, 64, 4) + run(own, "shift", CTAS, THREADS, 0);
		memcpy(kept, words, sizeof kept);
		open_with(lengths[i]);
		assert_int_equal(run(spin, "barrier_of_flags", 128, 64, 4) + run(own, "shift", CTAS, THREADS, 0), cost);
		assert_memory_equal(words, kept, sizeof kept);
	}
}

/* --- Programs without races --- */

/* Splits of a warp keep their long slices, so lanes wait at a join as long as without turns. */
static void test_lanes_meet_as_without_turns(void **state)
{
	(void)state;
	for (unsigned i = 0; i < LENGTHS; i++) {
		open_with(lengths[i]);
		run(own, "together", 1, 64, 0);
		for (unsigned k = 0; k < 64; k++)
			assert_int_equal(words[k], UINT32_MAX);
	}
}

static void expect_barriers(void)
{
	static const char *const kernels[] = {"barrier", "barrier_of_flags", "barrier_asleep"};

	for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
		run(spin, kernels[k], 128, 64, 4);
		for (unsigned i = 0; i < 128 * 64; i++)
			assert_int_equal(out[i], 4 * 5 / 2);
	}
	run(spin, "round_of_warps", 2, 256, 8);
	assert_int_equal(out[0], 8 * 8);
	assert_int_equal(out[1], 8 * 8);
}

static void expect_locks(void)
{
	run(spin, "lock", 32, 64, 4);
	assert_int_equal(out[0], 32 * 4);
	run(spin, "lock_of_threads", 4, 64, 2);
	assert_int_equal(out[0], 4 * 64 * 2);
	run(spin, "ticket_lock", 64, 32, 4);
	assert_int_equal(out[0], 64 * 4);
}

/* More CTAs than take turns at once: all wait for the last CTA. */
static void expect_chains(void)
{
	run(spin, "chain", 1024, 32, 0);
	for (unsigned i = 0; i < 1024; i++)
		assert_int_equal(words[i], 1024 - i);
	run(spin, "chain", 300, 1024, 0);
	for (unsigned i = 0; i < 300; i++)
		assert_int_equal(words[i], 300 - i);
	run(spin, "look_back", 128, 32, 0);
	for (unsigned i = 1; i < 128; i++)
		assert_int_equal(out[i], i + 1);
}

static void test_waiting_loops_end(void **state)
{
	(void)state;
	for (unsigned i = 0; i < LENGTHS; i++) {
		open_with(lengths[i]);
		expect_barriers();
		expect_locks();
		expect_chains();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_short_turns_hide_races_of_warps_and_ctas),
	    cmocka_unit_test(test_short_turns_let_others_see_an_open_barrier), cmocka_unit_test(test_runs_are_the_same),
	    cmocka_unit_test(test_lanes_meet_as_without_turns), cmocka_unit_test(test_waiting_loops_end)};

	return cmocka_run_group_tests(tests, NULL, harness_teardown);
}
