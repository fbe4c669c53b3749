/* The core side on the real memory system: order of ticks, repeatability, conservation, and every policy on one trace.
 */
#include "sim-backend/llc/policy.h"
#include "sim-backend/result.h"
#include "tests/trace/matmul.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { N = 96 };

static char path[] = "/tmp/romark-whole-XXXXXX";

static int write_trace(void **state)
{
	struct trace_writer *w;

	(void)state;
	close(mkstemp(path));
	w = trace_create(path, NULL);
	matmul_write(w, N);
	return trace_finish(w, NULL);
}

static int remove_trace(void **state)
{
	(void)state;
	return unlink(path);
}

static struct sim_result *run(const char *llc, const char *l1, bool reverse, const char *setting)
{
	struct sim_config *c = sim_config_create();
	struct sim_options options = {.reverse = reverse, .report = stderr};
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

static char *stable_json(struct sim_result *r)
{
	char *text = sim_result_json(r), *stable;
	json_t *root = json_loads(text, 0, NULL);

	assert_int_equal(json_object_del(root, "host"), 0);
	stable = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
	free(text);
	sim_result_free(r);
	return stable;
}

static void the_order_of_ticks_does_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; llc_policies[i]; i++) {
		char *forward = stable_json(run(llc_policies[i]->name, "lru", false, NULL));
		char *reverse = stable_json(run(llc_policies[i]->name, "lru", true, NULL));

		assert_string_equal(forward, reverse);
		free(forward);
		free(reverse);
	}
}

static void two_runs_are_the_same(void **state)
{
	char *first = stable_json(run("selrep", "srrip", false, NULL));
	char *second = stable_json(run("selrep", "srrip", false, NULL));

	(void)state;
	assert_string_equal(first, second);
	free(first);
	free(second);
}

static void counts_agree_across_the_port(void **state)
{
	struct sim_result *r = run("selrep", "lru", false, NULL);
	const struct counters *c = &r->total;
	uint64_t by_structure = r->llc_structures[0][0], by_slice = 0;

	(void)state;
	assert_true(r->complete);
	assert_int_equal(c->l1.requests, c->llc.accesses);
	assert_int_equal(c->l1.replies, c->llc.replies);
	assert_int_equal(c->l1.requests, c->noc.request_packets);
	assert_int_equal(c->llc.accesses, c->llc.hits + c->llc.merges + c->llc.misses);
	assert_int_equal(c->llc.reads, c->l1.fills);
	assert_int_equal(c->llc.read_only, c->l1.fills); /* a and b are all that is loaded */
	assert_int_equal(c->llc.writes, c->l1.writes);
	for (size_t i = 1; i < r->structures.len; i++)
		by_structure += r->llc_structures[0][i];
	assert_int_equal(by_structure, c->llc.accesses);
	for (unsigned i = 0; i < r->nslices; i++)
		by_slice += r->slice_accesses[i];
	assert_int_equal(by_slice, c->llc.accesses);
	assert_true(r->energy.total_j > r->energy.static_j);
	sim_result_free(r);
}

/* A program's work does not depend on the machine; its time does. */
static void settings_change_time_and_not_work(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_order_of_ticks_does_not_matter),
	    cmocka_unit_test(two_runs_are_the_same),
	    cmocka_unit_test(counts_agree_across_the_port),
	    cmocka_unit_test(settings_change_time_and_not_work),
	};

	return cmocka_run_group_tests(tests, write_trace, remove_trace);
}
