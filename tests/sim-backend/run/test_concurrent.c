/* Kernels of different streams side by side: which may overlap, their resources, and the results for each. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct program p;

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 150, .interval = 2};
	return 0;
}

/* Loads with reuse, arithmetic, shared memory, a barrier and stores. */
static void mixed_program(uint32_t ctas, uint32_t warps)
{
	unsigned load, use, shared, barrier, store;

	program_begin(&p, ctas, warps);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_SFU, 2, 1);
	shared = program_memory(&p, TRACE_LOAD, TRACE_SHARED, 4, 4);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	for (unsigned i = 0; i < 20; i++) {
		program_emit(&p, load, 0x10000 + i * 128, 4)->per_warp = 4096;
		program_emit(&p, use, 0, 0);
		program_emit(&p, shared, 0, 4 * (i % 3));
		if (i % 7 == 3)
			program_emit(&p, barrier, 0, 0);
		if (i % 5 == 2)
			program_emit(&p, store, 0x80000 + i * 128, 4)->per_cta = 65536;
	}
}

static struct sim_config *machine(uint32_t sms, uint32_t kernels)
{
	struct sim_config *c = sim_config_create();

	c->gpu.sms = sms;
	c->gpu.concurrent_kernels = kernels;
	c->memory.noc.sm_routers = 2;
	return c;
}

static void set_streams(uint32_t launches, const uint32_t *streams)
{
	p.launches = launches;
	memcpy(p.streams, streams, sizeof *streams * launches);
}

/* Without the configuration, which differs, and the host. */
static json_t *document_of(uint32_t sms, uint32_t kernels, bool reverse)
{
	struct sim_options options = {.report = stderr, .detail = true, .reverse = reverse};
	struct sim_config *c = machine(sms, kernels);
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
	json_object_del(root, "config");
	sim_config_free(c);
	return root;
}

static json_int_t integer(const json_t *root, const char *key)
{
	const json_t *value = json_object_get(root, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static json_int_t cycles(uint32_t sms, uint32_t kernels)
{
	json_t *root = document_of(sms, kernels, false);
	json_int_t value = integer(root, "cycles");

	json_decref(root);
	return value;
}

/* A CTA of 64 warps fills one of two SMs. */
static void test_halves_of_two_streams_take_the_time_of_one(void **state)
{
	json_int_t one;

	(void)state;
	mixed_program(1, 64);
	one = cycles(2, 1);
	set_streams(2, (uint32_t[]){1, 2});
	assert_int_equal(cycles(2, 1), 2 * one);
	assert_in_range(cycles(2, 2), one, one + 2);
	set_streams(4, (uint32_t[]){1, 2, 3, 4});
	assert_int_equal(cycles(2, 1), 4 * one);
	/* The second pair finds the first pair's lines in the L1s. */
	assert_in_range(cycles(2, 8), one * 3 / 2, 2 * one);
}

/* The default stream waits for all and all wait for it; a stream is in order by itself. */
static void test_order_within_streams_holds(void **state)
{
	static const uint32_t orders[][2] = {{0, 1}, {1, 0}, {0, 0}, {3, 3}};
	json_int_t one;

	(void)state;
	mixed_program(1, 64);
	one = cycles(2, 1);
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		set_streams(2, orders[i]);
		assert_int_equal(cycles(2, 8), 2 * one);
	}
	set_streams(3, (uint32_t[]){1, 0, 2});
	assert_int_equal(cycles(2, 8), 3 * one);
	set_streams(4, (uint32_t[]){1, 2, 1, 2});
	assert_in_range(cycles(2, 8), 2 * one, 2 * one + 4);
}

static void test_no_more_kernels_than_allowed_run_at_once(void **state)
{
	json_int_t one;

	(void)state;
	mixed_program(1, 64);
	one = cycles(4, 1);
	set_streams(4, (uint32_t[]){1, 2, 3, 4});
	assert_in_range(cycles(4, 4), one, one + 4);
	assert_in_range(cycles(4, 2), 2 * one - 20, 2 * one + 20);
}

/* One after the other is one after the other, whatever would be allowed. */
static void test_kernels_of_one_stream_are_as_without_the_option(void **state)
{
	json_t *without, *with;

	(void)state;
	mixed_program(24, 6);
	set_streams(3, (uint32_t[]){5, 5, 5});
	without = document_of(4, 1, false);
	with = document_of(4, 8, false);
	assert_true(json_equal(without, with));
	json_decref(without);
	json_decref(with);
}

/* CTAs of 3, 8, 13 and 18 warps share SMs, with registers that come first to an end. */
static void test_ctas_of_different_sizes_share_an_sm(void **state)
{
	json_t *forward, *reverse, *apart, *kernels, *all;
	json_int_t instructions = 0;

	(void)state;
	mixed_program(40, 3);
	p.more_warps = 5;
	p.registers = 40;
	p.shared_bytes = 3000;
	set_streams(4, (uint32_t[]){1, 2, 3, 4});
	forward = document_of(2, 4, false);
	reverse = document_of(2, 4, true);
	apart = document_of(2, 1, false);
	assert_true(json_equal(forward, reverse));
	assert_int_equal(integer(forward, "warp_instructions"), integer(apart, "warp_instructions"));
	assert_true(integer(forward, "cycles") < integer(apart, "cycles"));
	kernels = json_object_get(forward, "kernels");
	assert_int_equal(json_array_size(kernels), 5);
	for (size_t i = 0; i < 4; i++) {
		const json_t *row = json_array_get(kernels, i);

		assert_int_equal(integer(row, "launch"), i);
		assert_int_equal(integer(row, "counted_in"), 0);
		assert_int_equal(integer(row, "stream"), i + 1);
		assert_int_equal(integer(row, "ctas"), 40);
		assert_int_equal(integer(row, "warp_instructions"),
				 integer(json_array_get(json_object_get(apart, "kernels"), i), "warp_instructions"));
		assert_int_equal(integer(row, "cycles"), integer(row, "end") - integer(row, "begin"));
		assert_null(json_object_get(row, "llc"));
		instructions += integer(row, "warp_instructions");
	}
	all = json_array_get(kernels, 4);
	assert_string_equal(json_string_value(json_object_get(all, "name")), "(at once)");
	assert_int_equal(json_array_size(json_object_get(all, "launches")), 4);
	assert_int_equal(integer(all, "warp_instructions"), instructions);
	assert_int_equal(integer(all, "cycles"), integer(forward, "cycles"));
	assert_non_null(json_object_get(all, "llc"));
	json_decref(forward);
	json_decref(reverse);
	json_decref(apart);
}

/* Each SM runs a kernel with an instruction table and a number of registers of its own. */
static void test_kernels_keep_their_own_tables(void **state)
{
	json_t *both;
	json_int_t one;

	(void)state;
	mixed_program(1, 8);
	p.long_block = p.ninsts;
	for (unsigned i = 0; i < 50; i++)
		program_inst(&p, TRACE_SFU, 3, 3);
	program_emit(&p, p.long_block, 0, 0);
	p.registers = 200;
	one = cycles(2, 1);
	p.second_kernel = true;
	set_streams(2, (uint32_t[]){1, 2});
	assert_int_equal(cycles(2, 1), 2 * one);
	both = document_of(2, 2, false);
	for (size_t i = 0; i < 2; i++)
		assert_in_range(integer(json_array_get(json_object_get(both, "kernels"), i), "cycles"), one - 2,
				one + 2);
	json_decref(both);
}

/* A CTA leaves too few registers, or too little shared memory, for a second CTA beside it. */
static void test_no_resource_is_given_twice(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		json_int_t one;

		program_begin(&p, 2, 4);
		for (unsigned k = 0; k < 200; k++)
			program_emit(&p, k ? 0 : program_inst(&p, TRACE_INT, 1, 1), 0, 0);
		p.registers = i ? 16 : 300;
		p.shared_bytes = i ? 33 << 10 : 0;
		one = cycles(2, 1);
		set_streams(2, (uint32_t[]){1, 2});
		assert_in_range(cycles(2, 2), 2 * one - 4, 2 * one + 4);
	}
}

/* 40 loads in flight with 8 registers each are more than the first kernel's 64 registers could ever need. */
static void test_more_registers_find_room_beside_those_in_use(void **state)
{
	json_int_t one;

	(void)state;
	program_begin(&p, 1, 8);
	for (unsigned i = 0; i < 40; i++)
		program_emit(&p, program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, (int)i), 0x10000 + i * 128, 4)
		    ->per_warp = 8192;
	for (unsigned i = 0; i < 20; i++)
		program_emit(&p, program_inst(&p, TRACE_FP32, 50, (int)i), 0, 0);
	one = cycles(2, 1);
	p.second_kernel = true;
	set_streams(2, (uint32_t[]){1, 2});
	assert_int_equal(cycles(2, 1), 2 * one);
	assert_in_range(cycles(2, 2), one, one + 2);
}

/* CTAs that were decoded and never executed are not a bug. */
static void test_a_run_may_end_early(void **state)
{
	struct sim_options options = {.report = stderr, .max_cycles = 1000};
	struct sim_config *c = machine(2, 4);
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	mixed_program(4, 8);
	set_streams(2, (uint32_t[]){1, 2});
	assert_int_equal(program_try(&p, c, &options, &r, &d), 0);
	assert_false(sim_result_summary(r).complete);
	assert_int_equal(r->cycles, 1000);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_what_cannot_be_combined_is_an_error(void **state)
{
	struct sim_options options = {.sample = {.kernels = true}};
	struct sim_config *c = machine(2, 2);
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	mixed_program(1, 1);
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "gpu.concurrent_kernels"));
	c->cta.policy = CTA_BCS;
	d = (struct diag)DIAG_INIT;
	assert_int_equal(sim_config_check(c, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "cta.policy"));
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_halves_of_two_streams_take_the_time_of_one, reset),
	    cmocka_unit_test_setup(test_order_within_streams_holds, reset),
	    cmocka_unit_test_setup(test_no_more_kernels_than_allowed_run_at_once, reset),
	    cmocka_unit_test_setup(test_kernels_of_one_stream_are_as_without_the_option, reset),
	    cmocka_unit_test_setup(test_ctas_of_different_sizes_share_an_sm, reset),
	    cmocka_unit_test_setup(test_kernels_keep_their_own_tables, reset),
	    cmocka_unit_test_setup(test_no_resource_is_given_twice, reset),
	    cmocka_unit_test_setup(test_more_registers_find_room_beside_those_in_use, reset),
	    cmocka_unit_test_setup(test_a_run_may_end_early, reset),
	    cmocka_unit_test_setup(test_what_cannot_be_combined_is_an_error, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
