/* The core side on the real memory system: order of ticks, repeatability, conservation, and every policy on one trace.
 */
#include "tests/sim-backend/program.h"

#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/results/result.h"
#include "tests/trace/matmul.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* 96 x 96 is 36 CTAs; 128 x 128 is 64, one for each SM, that run side by side. */
static char some_ctas[] = "/tmp/romark-whole-XXXXXX", all_sms[] = "/tmp/romark-whole-XXXXXX";

static int write_trace(char *path, uint32_t n)
{
	struct trace_writer *w;

	close(mkstemp(path));
	w = trace_create(path, NULL);
	matmul_write(w, n);
	return trace_finish(w, NULL);
}

static int write_traces(void **state)
{
	(void)state;
	return write_trace(some_ctas, 96) || write_trace(all_sms, 128);
}

static int remove_traces(void **state)
{
	(void)state;
	return unlink(some_ctas) || unlink(all_sms);
}

static struct sim_result *run_into(FILE *json, const char *path, const char *llc, const char *l1, bool reverse,
				   const char *setting)
{
	struct sim_config *c = sim_config_create();
	struct sim_options options = {.reverse = reverse, .json = json, .detail = true, .report = stderr};
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(path, &d);
	struct sim_result *r = NULL;

	if (!trace || sim_config_load(c, "selrep64", &d) < 0 || sim_config_policies(c, llc, l1, &d) < 0 ||
	    (setting && sim_config_set(c, setting, &d) < 0) || sim_config_check(c, &d) < 0 ||
	    sim_run(c, trace, &options, &r, &d) < 0)
		fail_msg("%s: %s", d.file, d.message);
	trace_close(trace);
	sim_config_free(c);
	return r;
}

static struct sim_result *run_trace(const char *path, const char *llc, const char *l1, bool reverse,
				    const char *setting)
{
	return run_into(NULL, path, llc, l1, reverse, setting);
}

static struct sim_result *run(const char *llc, const char *l1, bool reverse, const char *setting)
{
	return run_trace(some_ctas, llc, l1, reverse, setting);
}

/* The document without its "host" section. */
static char *stable_json(const char *llc, const char *l1, bool reverse)
{
	char *text, *stable;
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	json_t *root;

	sim_result_free(run_into(stream, some_ctas, llc, l1, reverse, NULL));
	fclose(stream);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_object_del(root, "host"), 0);
	stable = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	free(text);
	return stable;
}

static void test_the_order_of_ticks_does_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; llc_policy_table[i]; i++) {
		char *forward = stable_json(llc_policy_table[i]->name, "lru", false);
		char *reverse = stable_json(llc_policy_table[i]->name, "lru", true);

		assert_string_equal(forward, reverse);
		free(forward);
		free(reverse);
	}
}

static void test_two_runs_are_the_same(void **state)
{
	char *first = stable_json("selrep", "srrip", false);
	char *second = stable_json("selrep", "srrip", false);

	(void)state;
	assert_string_equal(first, second);
	free(first);
	free(second);
}

static void test_counts_agree_across_the_port(void **state)
{
	struct sim_result *r = run("selrep", "lru", false, NULL);
	const struct counters *c = &r->total;
	uint64_t by_structure = r->end.structures[0].memory.accesses, by_slice = 0;

	(void)state;
	assert_true(r->complete);
	assert_int_equal(c->l1.requests, c->llc.accesses);
	assert_int_equal(c->l1.replies, c->llc.replies);
	assert_int_equal(c->l1.requests, c->noc.request_packets);
	assert_int_equal(c->llc.accesses, c->llc.array_hits + c->llc.merges + c->llc.misses);
	assert_int_equal(c->llc.reads, c->l1.fills);
	assert_int_equal(c->llc.read_only, c->l1.fills); /* a and b are all that is loaded */
	assert_int_equal(c->llc.writes, c->l1.writes);
	for (size_t i = 1; i < r->structures.len; i++)
		by_structure += r->end.structures[i].memory.accesses;
	assert_int_equal(by_structure, c->llc.accesses);
	for (unsigned i = 0; i < r->nslices; i++)
		by_slice += r->end.slices[i].accesses;
	assert_int_equal(by_slice, c->llc.accesses);
	assert_true(r->energy.total_j > r->energy.static_j);
	sim_result_free(r);
}

/* A program's work does not depend on the machine; its time does. */
static void test_settings_change_time_and_not_work(void **state)
{
	static const char *const settings[] = {
	    "llc.latency=600", "sm.schedulers=1",        "noc.channel_bytes=8",         "cta.policy=bcs",
	    "l1.mshrs=2",      "sm.coalescing=segments", "dram.gigabytes_per_second=20"};
	struct sim_result *base = run("shared", "lru", false, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		struct sim_result *r = run("shared", "lru", false, settings[i]);

		assert_int_equal(r->total.sm.thread_instructions, base->total.sm.thread_instructions);
		assert_int_not_equal(r->cycles, base->cycles);
		sim_result_free(r);
	}
	sim_result_free(base);
}

/*
 * The paper's mechanism: when all SMs ask for the same lines at about the same time, the few slices that hold them are
 * the bottleneck, and copies in other slices relieve it. Here all read one line. A slice hands out a line in four
 * cycles, so a program of n reads takes 4 n cycles on one slice and 4 n / d on d of them.
 */
static void test_copies_relieve_camped_slices(void **state)
{
	enum { CTAS = 64, WARPS = 8, READS = 50 };
	static const struct {
		const char *policy;
		unsigned slices;
	} rows[] = {{"shared", 1}, {"degree2", 2}, {"degree4", 4}, {"degree8", 8}};
	static struct program p;
	unsigned load;
	char *path;

	(void)state;
	program_begin(&p, CTAS, WARPS);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	for (unsigned i = 0; i < READS; i++)
		program_emit(&p, load, 0x1000, 4);
	path = program_write(&p);
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct sim_result *r = run_trace(path, rows[i].policy, "lru", false, "l1.caches=none");
		double bound = 4.0 * CTAS * WARPS * READS / rows[i].slices;

		assert_true((double)r->cycles >= bound);
		assert_true((double)r->cycles <= 1.05 * bound + 500);
		sim_result_free(r);
	}
	unlink(path);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_order_of_ticks_does_not_matter),
	    cmocka_unit_test(test_two_runs_are_the_same),
	    cmocka_unit_test(test_counts_agree_across_the_port),
	    cmocka_unit_test(test_settings_change_time_and_not_work),
	    cmocka_unit_test(test_copies_relieve_camped_slices),
	};

	return cmocka_run_group_tests(tests, write_traces, remove_traces);
}
