/* Whole runs: the same result in every order of ticks, clear errors for bad traces, and what the JSON promises. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include "common/file.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { GOLDEN_CYCLES = 13352, GOLDEN_HITS = 39176 };

static struct program p;

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 150, .interval = 2};
	return 0;
}

/* A bit of everything: loads with reuse, arithmetic, a barrier, shared memory, stores, atomics, a fence. */
static void mixed_program(uint32_t ctas, uint32_t warps)
{
	unsigned load, use, sfu, barrier, shared, store, atomic, fence, branch;

	program_begin(&p, ctas, warps);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	use = program_inst(&p, TRACE_FP32, 2, 1);
	sfu = program_inst(&p, TRACE_SFU, 3, 2);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	shared = program_memory(&p, TRACE_LOAD, TRACE_SHARED, 4, 4);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	atomic = program_memory(&p, TRACE_ATOMIC, TRACE_GLOBAL, 4, 5);
	fence = program_inst(&p, TRACE_FENCE, -1, -1);
	branch = program_inst(&p, TRACE_BRANCH, -1, 2);
	for (unsigned i = 0; i < 20; i++) {
		struct program_step *step = program_emit(&p, load, 0x1000 + i * 256, 4 + i % 3 * 60);

		step->per_warp = i % 2 ? 128 : 0;
		step->per_cta = i % 4 ? 0 : 4096;
		program_emit(&p, use, 0, 0);
		program_emit(&p, sfu, 0, 0);
		program_emit(&p, branch, 0, 0);
		program_emit(&p, shared, 0, 4 * (i % 5));
		if (i % 7 == 3)
			program_emit(&p, barrier, 0, 0);
		if (i % 5 == 2)
			program_emit(&p, store, 0x80000 + i * 128, 4)->per_cta = 65536;
		if (i % 6 == 1)
			program_emit(&p, atomic, 0xf0000, 0);
		if (i % 9 == 8)
			program_emit(&p, fence, 0, 0);
	}
}

static struct sim_config *four_sms(void)
{
	struct sim_config *c = sim_config_create();

	c->gpu.sms = 4;
	c->memory.noc.sm_routers = 2;
	return c;
}

/* Runs `p` and returns the document. */
static json_t *document_of(struct sim_config *c, const struct sim_options *wanted)
{
	struct sim_options options = *wanted;
	struct sim_result *r;
	struct diag d = DIAG_INIT;
	char *text;
	size_t size;
	json_t *root;

	options.report = stderr;
	options.json = open_memstream(&text, &size);
	if (program_try(&p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	fclose(options.json);
	sim_result_free(r);
	root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	free(text);
	return root;
}

/* Without the "host" section. */
static char *run_json(bool reverse, uint32_t launches)
{
	struct sim_options options = {.reverse = reverse, .detail = true};
	struct sim_config *c = four_sms();
	json_t *root;
	char *stable;

	mixed_program(24, 6);
	p.launches = launches;
	root = document_of(c, &options);
	assert_int_equal(json_object_del(root, "host"), 0);
	stable = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	sim_config_free(c);
	return stable;
}

static void test_the_order_of_ticks_does_not_matter(void **state)
{
	char *forward = run_json(false, 2), *again = run_json(false, 2), *reverse = run_json(true, 2);

	(void)state;
	assert_string_equal(forward, again);
	assert_string_equal(forward, reverse);
	free(forward);
	free(again);
	free(reverse);
}

static json_int_t integer(const json_t *root, const char *section, const char *key)
{
	const json_t *value = json_object_get(section ? json_object_get(root, section) : root, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void test_the_json_says_what_was_promised(void **state)
{
	static const char *const top[] = {
	    "schema",       "gpu",   "llc_policy", "l1_policy", "cycles", "warp_instructions", "thread_instructions",
	    "ipc",          "l1",    "llc",        "dram",      "energy", "kernels",           "structures",
	    "policy_stats", "config"};
	char *text = run_json(false, 2);
	json_t *root = json_loads(text, 0, NULL), *row, *energy;

	(void)state;
	for (size_t i = 0; i < sizeof top / sizeof top[0]; i++)
		assert_non_null(json_object_get(root, top[i]));
	assert_int_equal(integer(root, NULL, "schema"), 1);
	/* Every step of every warp of every CTA, twice. */
	assert_int_equal(integer(root, NULL, "warp_instructions"), 2 * 24 * 6 * p.nsteps);
	assert_int_equal(integer(root, NULL, "thread_instructions"), 2 * 24 * 6 * p.nsteps * 32);
	assert_int_equal(integer(root, "l1", "accesses"),
			 integer(root, "l1", "hits") + integer(root, "l1", "misses") + integer(root, "l1", "bypasses"));
	assert_int_equal(json_array_size(json_object_get(root, "kernels")), 2);
	energy = json_object_get(root, "energy");
	assert_true(json_real_value(json_object_get(energy, "total_j")) > 0);
	row = json_array_get(json_object_get(root, "structures"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "id")), "s0");
	assert_string_equal(json_string_value(json_object_get(row, "verdict")), "read-only");
	assert_true(integer(row, NULL, "l1_accesses") > 0);
	json_decref(root);
	free(text);
}

/* Numbers of this program on this model. A change here is a change of the model and must be intended. */
static void test_golden_numbers(void **state)
{
	struct sim_config *c = four_sms();
	struct sim_result *r;

	(void)state;
	mixed_program(24, 6);
	r = program_run(&p, c);
	assert_int_equal(r->total.sm.warp_instructions, 24 * 6 * p.nsteps);
	assert_int_equal(r->cycles, GOLDEN_CYCLES);
	assert_int_equal(r->total.l1.hits, GOLDEN_HITS);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_kernels_start_with_a_cold_l1(void **state)
{
	struct sim_options options = {.max_cycles = 0};
	struct sim_config *c = one_sm();
	json_t *root, *kernels;
	unsigned load;

	(void)state;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	program_emit(&p, load, 0x1000, 4);
	p.launches = 3;
	root = document_of(c, &options);
	kernels = json_object_get(root, "kernels");
	assert_int_equal(json_array_size(kernels), 3);
	assert_int_equal(integer(root, "l1", "misses"), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(3 * integer(json_array_get(kernels, i), NULL, "cycles"),
				 integer(root, NULL, "cycles"));
	json_decref(root);
	sim_config_free(c);
}

static void test_a_cut_trace_is_one_error(void **state)
{
	struct sim_config *c = four_sms();
	struct sim_options options = {.max_cycles = 0};
	struct file_data bytes;
	char *path;

	(void)state;
	mixed_program(24, 6);
	path = program_write(&p);
	assert_int_equal(file_read(path, &bytes, NULL), 0);
	assert_int_equal(sim_config_check(c, NULL), 0);
	for (size_t cut = 0; cut < bytes.size; cut += 1 + bytes.size / 97) {
		struct diag d = DIAG_INIT;
		struct sim_result *r = NULL;
		struct trace_reader *reader;

		assert_int_equal(truncate(path, 0), 0);
		assert_int_equal(file_write(path, bytes.data, cut, NULL), 0);
		reader = trace_open(path, &d);
		if (reader) {
			assert_int_equal(sim_run(c, reader, &options, &r, &d), DIAG_ERROR);
			trace_close(reader);
		}
		assert_null(r);
		assert_true(diag_is_set(&d));
		assert_null(strchr(d.message, '\n'));
	}
	unlink(path);
	free(path);
	file_data_release(&bytes);
	sim_config_free(c);
}

static void test_a_stuck_model_says_who_waits(void **state)
{
	struct sim_config *c = one_sm();
	char *report = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&report, &size);
	struct sim_options options = {.report = out, .deadlock_cycles = 20000};
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	mixed_program(2, 2);
	mock.forgetful = true;
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	fclose(out);
	assert_non_null(strstr(d.message, "stuck"));
	assert_non_null(strstr(report, "wait for a load"));
	assert_non_null(strstr(report, "replies owed"));
	free(report);

	/* The same when the SM goes on trying: the port is never free. */
	reset(NULL);
	mock.closed = true;
	options.report = NULL;
	d = (struct diag)DIAG_INIT;
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "stuck"));
	sim_config_free(c);
}

/* The idle time in front of launches, and a result that is due later than the limit, are no deadlock. */
static void test_waits_that_are_known_are_no_deadlock(void **state)
{
	struct sim_options options = {.deadlock_cycles = 5000, .report = stderr};
	struct sim_config *c = one_sm();
	struct sim_result *r;
	struct diag d = DIAG_INIT;

	(void)state;
	mixed_program(2, 2);
	p.launches = 3;
	c->gpu.launch_cycles = 20000;
	if (program_try(&p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	assert_true(r->cycles > 3 * 20000);
	sim_result_free(r);
	c->exec.latency[TRACE_SFU] = 30000;
	if (program_try(&p, c, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_a_kernel_that_does_not_fit_is_an_error(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_options options = {.max_cycles = 0};
	struct diag d = DIAG_INIT;
	struct sim_result *r;

	(void)state;
	mixed_program(2, 2);
	p.shared_bytes = 1 << 17;
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "shared memory"));

	options.kernels = "nothing";
	p.shared_bytes = 0;
	d = (struct diag)DIAG_INIT;
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "nothing"));
	options.kernels = "[";
	d = (struct diag)DIAG_INIT;
	assert_int_equal(program_try(&p, c, &options, &r, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "regular expression"));
	sim_config_free(c);
}

/* A long chain of waits is jumped over: far fewer ticks than cycles, seen as calls of the progress function. */
static void test_time_jumps_over_idle_cycles(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load;

	(void)state;
	mock.latency = 5000000;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].src[p.insts[load].nsrc++] = 1;
	for (unsigned i = 0; i < 200; i++)
		program_emit(&p, load, 0x1000 + i * 128, 4);
	r = program_run(&p, c);
	assert_true(r->cycles > 200 * mock.latency);
	assert_true(r->wall_seconds < 5);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_lrr_and_gto_run_the_same_work(void **state)
{
	struct sim_config *c = four_sms();
	struct sim_result *gto, *lrr;

	(void)state;
	mixed_program(24, 6);
	gto = program_run(&p, c);
	c->sm.scheduler = 1;
	lrr = program_run(&p, c);
	assert_int_equal(gto->total.sm.warp_instructions, lrr->total.sm.warp_instructions);
	assert_int_not_equal(gto->cycles, lrr->cycles);
	sim_result_free(gto);
	sim_result_free(lrr);
	sim_config_free(c);
}

/* Launches of other sizes have separate rows, and the rows of structures have all accesses. */
static void test_rows_for_people_add_up(void **state)
{
	struct sim_config *c = four_sms();
	uint64_t cycles = 0, launches = 0, l1 = 0;
	struct sim_structure structure;
	struct sim_kernel kernel;
	struct sim_result *r;
	size_t rows = 0;

	(void)state;
	mixed_program(12, 4);
	p.launches = 4;
	p.more_warps = 1;
	r = program_run(&p, c);
	for (; sim_result_kernel(r, rows, &kernel); rows++) {
		assert_true(kernel.counted);
		assert_int_equal(kernel.block[0], (4 + rows) * 32);
		launches += kernel.launches;
		cycles += kernel.cycles;
	}
	assert_int_equal(rows, 4);
	assert_int_equal(launches, 4);
	assert_int_equal(cycles, r->cycles);
	for (rows = 0; sim_result_structure(r, rows, &structure); rows++)
		l1 += structure.l1_accesses;
	assert_true(rows > 0);
	assert_int_equal(l1, r->total.l1.accesses);
	sim_result_free(r);

	/* The same launch again is in the same row. */
	mixed_program(12, 4);
	p.launches = 3;
	r = program_run(&p, c);
	assert_true(sim_result_kernel(r, 0, &kernel));
	assert_int_equal(kernel.launches, 3);
	assert_int_equal(kernel.cycles, r->cycles);
	assert_true(kernel.ipc > 0);
	assert_false(sim_result_kernel(r, 1, &kernel));
	sim_result_free(r);
	sim_config_free(c);
}

static void test_the_summary_says_what_was_marked_and_lost(void **state)
{
	struct sim_config *c = four_sms();
	struct sim_summary s;
	struct sim_result *r;
	double slots = 0;

	(void)state;
	mixed_program(12, 4);
	r = program_run(&p, c);
	s = sim_result_summary(r);
	assert_true(s.loads_marked > 0 && s.loads_marked <= s.loads);
	assert_false(s.lives_on_marks);
	for (unsigned i = 0; i < SLOT_COUNT; i++)
		slots += s.slots[i];
	assert_true(slots > 0.999999 && slots < 1.000001);
	assert_true(s.slots[SLOT_ISSUED] > 0);
	sim_result_free(r);
	sim_config_free(c);
}

struct heard {
	uint64_t times, last, total;
};

static void hear(void *arg, const struct sim_progress *p)
{
	struct heard *heard = arg;

	assert_true(p->trace_bytes >= heard->last);
	if (heard->times == 0)
		assert_true(p->trace_bytes < heard->total / 2);
	heard->last = p->trace_bytes;
	heard->times++;
}

/* A CTA that was placed is not done: what its warps have in front of them does not count. */
static void test_progress_goes_forward_to_the_end(void **state)
{
	struct sim_config *c = four_sms();
	struct heard heard = {0};
	struct sim_options options = {.progress = hear, .progress_arg = &heard};
	struct sim_result *r;
	struct diag d = DIAG_INIT;
	char *path;
	struct trace_reader *trace;

	(void)state;
	mixed_program(6, 4); /* all resident at once */
	mock.latency = 20000;
	assert_int_equal(sim_config_check(c, &d), 0);
	path = program_write(&p);
	trace = trace_open(path, &d);
	heard.total = trace_stream_bytes_total(trace);
	assert_int_equal(sim_run(c, trace, &options, &r, &d), 0);
	assert_true(heard.times > 3);
	assert_true(heard.last > heard.total / 2 && heard.last <= heard.total);
	assert_int_equal(trace_stream_bytes(trace), heard.total);
	trace_close(trace);
	unlink(path);
	free(path);
	sim_result_free(r);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_the_order_of_ticks_does_not_matter, reset),
	    cmocka_unit_test_setup(test_the_json_says_what_was_promised, reset),
	    cmocka_unit_test_setup(test_golden_numbers, reset),
	    cmocka_unit_test_setup(test_kernels_start_with_a_cold_l1, reset),
	    cmocka_unit_test_setup(test_a_cut_trace_is_one_error, reset),
	    cmocka_unit_test_setup(test_a_stuck_model_says_who_waits, reset),
	    cmocka_unit_test_setup(test_waits_that_are_known_are_no_deadlock, reset),
	    cmocka_unit_test_setup(test_a_kernel_that_does_not_fit_is_an_error, reset),
	    cmocka_unit_test_setup(test_time_jumps_over_idle_cycles, reset),
	    cmocka_unit_test_setup(test_lrr_and_gto_run_the_same_work, reset),
	    cmocka_unit_test_setup(test_rows_for_people_add_up, reset),
	    cmocka_unit_test_setup(test_the_summary_says_what_was_marked_and_lost, reset),
	    cmocka_unit_test_setup(test_progress_goes_forward_to_the_end, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
