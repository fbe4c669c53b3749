/* Sampled runs beside full runs, on programs whose full time is known. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include "common/file.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct program p;

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 150, .interval = 2};
	return 0;
}

/* Each CTA has lines of its own and all do the same. An SM has 64 / warps of them at once. */
static void alike_ctas(uint32_t ctas, uint32_t warps)
{
	unsigned load, use;

	program_begin(&p, ctas, warps);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_FP32, 2, 1);
	for (unsigned i = 0; i < 10; i++) {
		struct program_step *step = program_emit(&p, load, 0x10000 + i * 128, 4);

		step->per_warp = 4096;
		step->per_cta = 64 * 4096;
		program_emit(&p, use, 0, 0);
	}
}

static json_t *document_of(struct sim_config *c, struct sampling_plan plan, bool reverse)
{
	struct sim_options options = {.report = stderr, .detail = true, .sample = plan, .reverse = reverse};
	struct sim_result *r;
	struct diag d = DIAG_INIT;
	char *text;
	size_t size;
	json_t *root;

	options.json = open_memstream(&text, &size);
	if (program_try(&p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	fclose(options.json);
	sim_result_free(r);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	free(text);
	json_object_del(root, "host");
	return root;
}

static json_int_t integer(const json_t *root, const char *section, const char *key)
{
	const json_t *value = json_object_get(section ? json_object_get(root, section) : root, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static struct sim_config *two_sms(void)
{
	struct sim_config *c = sim_config_create();

	c->gpu.sms = 2;
	c->memory.noc.sm_routers = 2;
	return c;
}

static void remove_marks(json_t *root)
{
	json_t *kernel;
	size_t i;

	assert_int_equal(json_object_del(root, "sampled"), 0);
	assert_int_equal(json_object_del(root, "sampling"), 0);
	json_object_del(root, "groups");
	json_array_foreach(json_object_get(root, "kernels"), i, kernel)
	    assert_int_equal(json_object_del(kernel, "sampling"), 0);
}

/* Nothing is left out: all numbers equal the full run's, and the interval has no width. */
static void test_a_sample_of_everything_is_the_full_run(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *sampled;

	(void)state;
	alike_ctas(100, 8);
	p.launches = 2;
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.ctas = 100, .kernels = true}, false);
	assert_null(json_object_get(full, "sampled"));
	assert_string_equal(json_string_value(json_object_get(sampled, "sampled")), "ctas:100,kernels");
	assert_int_equal(integer(sampled, "sampling", "ctas_simulated"), 200);
	assert_int_equal(integer(sampled, "sampling", "cycles_low"), integer(full, NULL, "cycles"));
	assert_int_equal(integer(sampled, "sampling", "cycles_high"), integer(full, NULL, "cycles"));
	remove_marks(sampled);
	assert_true(json_equal(full, sampled));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

static void compare_estimate(json_int_t estimate, json_int_t full, json_int_t per_mille)
{
	assert_in_range(estimate, full - full * per_mille / 1000, full + full * per_mille / 1000);
}

/* 25 waves and a rest, of which 6 waves and the rest are simulated. */
static void estimate(uint32_t wave, uint32_t rest, uint32_t warps, json_int_t per_mille)
{
	static const char *const counters[][2] = {
	    {"l1", "accesses"}, {"l1", "misses"},      {"l1", "fills"},  {"sm", "ctas"},
	    {"sm", "warps"},    {"sm", "load_cycles"}, {NULL, "cycles"}, {NULL, "warp_instructions"}};
	struct sim_config *c = two_sms();
	json_t *full, *sampled, *kernel;

	alike_ctas(25 * wave + rest, warps);
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.ctas = 6 * wave + rest}, false);
	kernel = json_array_get(json_object_get(sampled, "kernels"), 0);
	assert_int_equal(integer(sampled, "sampling", "ctas"), 25 * wave + rest);
	assert_int_equal(integer(sampled, "sampling", "ctas_simulated"), 6 * wave + rest);
	assert_true(integer(sampled, "sampling", "cycles_simulated") < integer(full, NULL, "cycles") / 3);
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
		compare_estimate(integer(sampled, counters[i][0], counters[i][1]),
				 integer(full, counters[i][0], counters[i][1]), per_mille);
		assert_int_equal(integer(sampled, counters[i][0], counters[i][1]),
				 integer(kernel, counters[i][0], counters[i][1]));
	}
	assert_int_equal(integer(sampled, "sm", "ctas"), integer(full, "sm", "ctas"));
	assert_int_equal(integer(sampled, "sm", "warps"), integer(full, "sm", "warps"));
	assert_in_range(integer(full, NULL, "cycles"), integer(sampled, "sampling", "cycles_low"),
			integer(sampled, "sampling", "cycles_high"));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

/* An SM has one CTA at a time, so all waves take the same time. */
static void test_alike_waves_are_estimated_exactly(void **state)
{
	(void)state;
	estimate(2, 0, 64, 0);
	estimate(2, 1, 64, 0);
}

/* Eight CTAs share an SM and drift apart, so a wave begins before the previous wave is over. */
static void test_waves_that_overlap_are_estimated_closely(void **state)
{
	(void)state;
	estimate(16, 9, 8, 10);
}

/* 160 waves of CTAs that all do the same: behind a window whole CTAs are left out. */
static void test_windows_of_many_ctas_stand_for_the_launch(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *sampled;

	(void)state;
	alike_ctas(2560, 8);
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.cycles = (uint64_t)integer(full, NULL, "cycles") / 5}, false);
	assert_int_equal(integer(sampled, "sampling", "ctas"), 2560);
	assert_true(integer(sampled, "sampling", "ctas_simulated") < 1000);
	assert_true(integer(sampled, "sampling", "cycles_simulated") < integer(full, NULL, "cycles") * 2 / 5);
	compare_estimate(integer(sampled, NULL, "cycles"), integer(full, NULL, "cycles"), 10);
	compare_estimate(integer(sampled, "l1", "misses"), integer(full, "l1", "misses"), 10);
	assert_int_equal(integer(sampled, NULL, "warp_instructions"), integer(full, NULL, "warp_instructions"));
	assert_int_equal(integer(sampled, "sm", "ctas"), integer(full, "sm", "ctas"));
	assert_int_equal(integer(sampled, "sm", "warps"), integer(full, "sm", "warps"));
	assert_in_range(integer(sampled, NULL, "cycles"), integer(sampled, "sampling", "cycles_low"),
			integer(sampled, "sampling", "cycles_high"));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

/* However short the windows are, the SMs have replaced their 16 CTAs twice before one is left out. */
static void test_first_waves_are_whole(void **state)
{
	struct sim_config *c = two_sms();
	json_t *sampled;

	(void)state;
	alike_ctas(2560, 8);
	sampled = document_of(c, (struct sampling_plan){.cycles = 100}, false);
	assert_in_range(integer(sampled, "sampling", "ctas_simulated"), 3 * 16, 2560 / 10);
	json_decref(sampled);
	sim_config_free(c);
}

/* Each warp has lines of its own. */
static void long_streams(void)
{
	unsigned load, use;

	program_begin(&p, 2, 8);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_FP32, 2, 1);
	for (unsigned i = 0; i < PROGRAM_STEPS / 2; i++) {
		program_emit(&p, load, 0x10000 + i * 128, 4)->per_warp = 1 << 20;
		program_emit(&p, use, 0, 0);
	}
}

/* Two CTAs that are there from beginning to end: their warps pass over parts of their streams. */
static void test_long_streams_are_passed_over_in_part(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *sampled;

	(void)state;
	long_streams();
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.cycles = (uint64_t)integer(full, NULL, "cycles") / 5}, false);
	assert_int_equal(integer(sampled, "sampling", "ctas_simulated"), 2);
	assert_true(integer(sampled, "sampling", "cycles_simulated") < integer(full, NULL, "cycles") * 2 / 5);
	compare_estimate(integer(sampled, NULL, "cycles"), integer(full, NULL, "cycles"), 20);
	assert_int_equal(integer(sampled, NULL, "warp_instructions"), integer(full, NULL, "warp_instructions"));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

/* A policy that takes time to choose an organisation: what a warp does until then, and a window more, is simulated. */
static void test_nothing_is_passed_over_before_the_llc_has_settled(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *settled, *late, *never;
	struct sampling_plan plan = {.cycles = 0};
	json_int_t cycles, loads;

	(void)state;
	long_streams();
	full = document_of(c, plan, false);
	cycles = integer(full, NULL, "cycles");
	loads = integer(full, "l1", "misses");
	plan.cycles = (uint64_t)cycles / 20;
	settled = document_of(c, plan, false);
	mock.unsettled = (uint64_t)loads / 2;
	late = document_of(c, plan, false);
	mock.unsettled = (uint64_t)loads + 1;
	never = document_of(c, plan, false);
	assert_true(integer(settled, "sampling", "cycles_simulated") < cycles / 5);
	assert_in_range(integer(late, "sampling", "cycles_simulated"), cycles / 2 + cycles / 100, cycles * 3 / 4);
	compare_estimate(integer(late, NULL, "cycles"), cycles, 20);
	remove_marks(never);
	assert_true(json_equal(full, never));
	json_decref(full);
	json_decref(settled);
	json_decref(late);
	json_decref(never);
	sim_config_free(c);
}

static void test_a_launch_shorter_than_its_sample_is_the_full_run(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *sampled;

	(void)state;
	alike_ctas(100, 8);
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.cycles = (uint64_t)integer(full, NULL, "cycles") + 1}, false);
	remove_marks(sampled);
	assert_true(json_equal(full, sampled));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

/* Of 20 launches the 1st, 2nd, 4th, 8th and 16th are simulated. */
static void test_alike_launches_are_simulated_now_and_then(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *sampled, *row, *group;
	size_t i, simulated = 0;

	(void)state;
	alike_ctas(40, 8);
	p.launches = 20;
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.kernels = true}, false);
	assert_int_equal(integer(sampled, NULL, "cycles"), integer(full, NULL, "cycles"));
	assert_int_equal(integer(sampled, NULL, "warp_instructions"), integer(full, NULL, "warp_instructions"));
	assert_int_equal(integer(sampled, "l1", "misses"), integer(full, "l1", "misses"));
	assert_int_equal(integer(sampled, "sampling", "launches"), 20);
	assert_int_equal(integer(sampled, "sampling", "launches_simulated"), 5);
	assert_int_equal(json_array_size(json_object_get(sampled, "kernels")), 20);
	json_array_foreach(json_object_get(sampled, "kernels"), i, row)
	{
		bool first = (i & (i + 1)) == 0;

		assert_int_equal(json_object_get(row, "alike") == NULL, first);
		assert_int_equal(integer(row, NULL, "cycles") * 20, integer(full, NULL, "cycles"));
		simulated += first;
	}
	assert_int_equal(simulated, 5);
	assert_int_equal(json_array_size(json_object_get(sampled, "groups")), 1);
	group = json_array_get(json_object_get(sampled, "groups"), 0);
	assert_int_equal(integer(group, NULL, "launches"), 20);
	assert_int_equal(integer(group, NULL, "simulated"), 5);
	row = json_array_get(json_object_get(sampled, "structures"), 0);
	assert_int_equal(integer(row, NULL, "launches"), 20);
	assert_int_equal(integer(row, NULL, "l1_accesses"), integer(full, "l1", "accesses"));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

/* The same kernel, grid and block, but each launch executes more. */
static void test_launches_that_differ_are_all_simulated(void **state)
{
	struct sim_config *c = two_sms();
	json_t *full, *sampled;

	(void)state;
	alike_ctas(40, 8);
	p.launches = 10;
	p.more_steps = 2;
	full = document_of(c, (struct sampling_plan){.ctas = 0}, false);
	sampled = document_of(c, (struct sampling_plan){.kernels = true}, false);
	assert_int_equal(integer(sampled, "sampling", "launches_simulated"), 10);
	assert_int_equal(json_array_size(json_object_get(sampled, "groups")), 10);
	remove_marks(sampled);
	assert_true(json_equal(full, sampled));
	json_decref(full);
	json_decref(sampled);
	sim_config_free(c);
}

static void order_does_not_matter(struct sampling_plan plan)
{
	struct sim_config *c = two_sms();
	json_t *forward, *reverse;

	alike_ctas(300, 8);
	p.launches = 3;
	forward = document_of(c, plan, false);
	reverse = document_of(c, plan, true);
	assert_int_equal(integer(forward, "sampling", "launches_simulated"), 2);
	assert_true(json_equal(forward, reverse));
	json_decref(forward);
	json_decref(reverse);
	sim_config_free(c);
}

static void test_the_order_of_ticks_does_not_matter(void **state)
{
	(void)state;
	order_does_not_matter((struct sampling_plan){.ctas = 100, .kernels = true});
	order_does_not_matter((struct sampling_plan){.cycles = 1000, .kernels = true});
}

/*
 * Each reader of the trace may meet the cut: the choice of CTAs, the comparison of launches, the count of a launch's
 * rest, and the SMs.
 */
static void cut_traces_are_errors(struct sampling_plan plan)
{
	struct sim_options options = {.sample = plan};
	struct sim_config *c = two_sms();
	struct file_data bytes;
	char *path;

	alike_ctas(200, 8);
	p.launches = 4;
	path = program_write(&p);
	assert_int_equal(file_read(path, &bytes, NULL), 0);
	assert_int_equal(sim_config_check(c, NULL), 0);
	for (size_t cut = 20; cut < bytes.size; cut += 1 + bytes.size / 97) {
		struct diag d = DIAG_INIT;
		struct sim_result *r = NULL;
		struct trace_reader *reader;

		assert_int_equal(truncate(path, 0), 0);
		assert_int_equal(file_write(path, bytes.data, cut, NULL), 0);
		reader = trace_open(path, &d);
		assert_non_null(reader);
		assert_int_equal(sim_run(c, reader, &options, &r, &d), DIAG_ERROR);
		assert_true(diag_is_set(&d));
		trace_close(reader);
	}
	unlink(path);
	free(path);
	file_data_release(&bytes);
	sim_config_free(c);
}

static void test_a_cut_trace_is_an_error(void **state)
{
	(void)state;
	cut_traces_are_errors((struct sampling_plan){.ctas = 40, .kernels = true});
	cut_traces_are_errors((struct sampling_plan){.cycles = 500});
	cut_traces_are_errors((struct sampling_plan){.cycles = 500, .kernels = true});
}

static void refuse_on_several_chips(struct sampling_plan plan)
{
	struct sim_options options = {.sample = plan};
	struct sim_config *c = two_sms();
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	alike_ctas(4, 8);
	c->cta.policy = CTA_DISTRIBUTED;
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "distributed"));
	sim_config_free(c);
}

static void test_parts_of_chips_are_not_sampled(void **state)
{
	(void)state;
	refuse_on_several_chips((struct sampling_plan){.ctas = 40});
	refuse_on_several_chips((struct sampling_plan){.cycles = 40});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_sample_of_everything_is_the_full_run, reset),
	    cmocka_unit_test_setup(test_alike_waves_are_estimated_exactly, reset),
	    cmocka_unit_test_setup(test_waves_that_overlap_are_estimated_closely, reset),
	    cmocka_unit_test_setup(test_windows_of_many_ctas_stand_for_the_launch, reset),
	    cmocka_unit_test_setup(test_first_waves_are_whole, reset),
	    cmocka_unit_test_setup(test_long_streams_are_passed_over_in_part, reset),
	    cmocka_unit_test_setup(test_nothing_is_passed_over_before_the_llc_has_settled, reset),
	    cmocka_unit_test_setup(test_a_launch_shorter_than_its_sample_is_the_full_run, reset),
	    cmocka_unit_test_setup(test_alike_launches_are_simulated_now_and_then, reset),
	    cmocka_unit_test_setup(test_launches_that_differ_are_all_simulated, reset),
	    cmocka_unit_test_setup(test_the_order_of_ticks_does_not_matter, reset),
	    cmocka_unit_test_setup(test_a_cut_trace_is_an_error, reset),
	    cmocka_unit_test_setup(test_parts_of_chips_are_not_sampled, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
