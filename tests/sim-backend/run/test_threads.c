/* A simulation on several threads gives what one thread gives: all that it writes, byte for byte. */
#include "common/file.h"
#include "sim-backend/llc/llc_policy.h"
#include "tests/sim-backend/program.h"
#include "tests/trace/matmul.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_SETTINGS = 6 };

/* A machine, and who ticks it: `each` as in struct sim_options. */
struct run {
	const char *llc, *settings[MOST_SETTINGS];
	unsigned threads, each;
	bool reverse;
};

struct texts {
	char *json, *series, *timeline;
};

static char some_ctas[] = "/tmp/romark-threads-XXXXXX", *mixed, *chase;

/* Loads that SMs share, stores, atomics, barriers and shared memory, in launches of two kernels and streams. */
static char *write_mixed(void)
{
	static struct program p;
	unsigned load, store, atomic, shared, barrier, add;

	program_begin(&p, 72, 3);
	p.launches = 2;
	p.second_kernel = true;
	p.streams[0] = 1;
	p.streams[1] = 2;
	p.shared_bytes = 32768;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	atomic = program_memory(&p, TRACE_ATOMIC, TRACE_GLOBAL, 4, 2);
	shared = program_memory(&p, TRACE_LOAD, TRACE_SHARED, 4, 3);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	add = program_inst(&p, TRACE_FP32, 4, 1);
	for (unsigned i = 0; i < 3; i++) {
		program_emit(&p, load, 0x1000 + i * 2048, 4)->per_warp = 128;
		program_emit(&p, add, 0, 0);
		program_emit(&p, shared, 4 * i, 8);
		program_emit(&p, barrier, 0, 0);
		program_emit(&p, store, 0x100000 + i * 128, 4)->per_cta = 4096;
	}
	program_emit(&p, atomic, 0x800000, 0);
	program_emit(&p, load, 0x900000, 128)->per_cta = 4096;
	return program_write(&p);
}

/* One warp that waits for each of its loads: never more than one request is on its way, with map.scheme=linear to slice
 * 0. */
static char *write_chase(void)
{
	static struct program p;
	unsigned load, add;

	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	add = program_inst(&p, TRACE_INT, 2, 1);
	for (unsigned i = 0; i < 300; i++) {
		program_emit(&p, load, 0x2000 * (i + 1), 0);
		program_emit(&p, add, 0, 0);
	}
	return program_write(&p);
}

static int write_traces(void **state)
{
	struct trace_writer *w;

	(void)state;
	close(mkstemp(some_ctas));
	w = trace_create(some_ctas, NULL);
	matmul_write(w, 96);
	mixed = write_mixed();
	chase = write_chase();
	return trace_finish(w, NULL);
}

static int remove_traces(void **state)
{
	int status = unlink(some_ctas) || unlink(mixed) || unlink(chase);

	(void)state;
	free(mixed);
	free(chase);
	return status;
}

static struct sim_config *configure(const struct run *run, struct diag *d)
{
	struct sim_config *c = sim_config_create();
	int status = sim_config_load(c, "selrep64", d);

	if (status == 0)
		status = sim_config_policies(c, run->llc, "lru", d);
	for (unsigned i = 0; status == 0 && i < MOST_SETTINGS && run->settings[i]; i++)
		status = sim_config_set(c, run->settings[i], d);
	if (status < 0 || sim_config_check(c, d) < 0)
		fail_msg("%s", d->message);
	return c;
}

static void drop_host(char **text)
{
	json_t *root = json_loads(*text, 0, NULL);

	assert_non_null(root);
	assert_int_equal(json_object_del(root, "host"), 0);
	free(*text);
	*text = json_dumps(root, JSON_INDENT(1));
	json_decref(root);
}

static struct texts simulate(const char *path, const struct run *run)
{
	struct diag d = DIAG_INIT;
	struct sim_config *c = configure(run, &d);
	struct trace_reader *trace = trace_open(path, &d);
	struct texts t;
	size_t size[3];
	struct sim_options options = {.threads = run->threads,
				      .share_each = run->each,
				      .reverse = run->reverse,
				      .verify = true,
				      .detail = true,
				      .json = open_memstream(&t.json, &size[0]),
				      .series = open_memstream(&t.series, &size[1]),
				      .timeline = open_memstream(&t.timeline, &size[2]),
				      .series_cycles = 333,
				      .report = stderr};
	struct sim_result *r = NULL;

	if (!trace || sim_run(c, trace, &options, &r, &d) < 0)
		fail_msg("%s", d.message);
	fclose(options.json);
	fclose(options.series);
	fclose(options.timeline);
	sim_result_free(r);
	trace_close(trace);
	sim_config_free(c);
	drop_host(&t.json);
	return t;
}

static void release(struct texts *t)
{
	free(t->json);
	free(t->series);
	free(t->timeline);
}

static json_int_t policy_count(const char *json, const char *policy, const char *name)
{
	json_t *root = json_loads(json, 0, NULL);
	json_int_t count;

	assert_int_equal(json_unpack(root, "{s:{s:{s:I}}}", "policy_stats", policy, name, &count), 0);
	json_decref(root);
	return count;
}

/* A run's output with these threads equals its output with one thread. */
static void compare(const char *path, struct run run, const struct run *shared, size_t count)
{
	struct texts one = simulate(path, &run);

	for (size_t i = 0; i < count; i++) {
		struct texts many;

		run.threads = shared[i].threads;
		run.each = shared[i].each;
		run.reverse = shared[i].reverse;
		many = simulate(path, &run);
		assert_string_equal(many.json, one.json);
		assert_string_equal(many.series, one.series);
		assert_string_equal(many.timeline, one.timeline);
		release(&many);
	}
	release(&one);
}

static void test_every_policy_gives_the_same(void **state)
{
	static const struct run shared[] = {{.threads = 2, .each = 11}, {.threads = 3, .each = 17}};

	(void)state;
	for (size_t i = 0; llc_policy_table[i]; i++)
		compare(mixed, (struct run){.llc = llc_policy_table[i]->name}, shared, 2);
}

static void test_every_machine_gives_the_same(void **state)
{
	static const struct run machines[] = {
	    {.llc = "selrep", .settings = {"noc.clock_mhz=700", "llc.clock_mhz=1000"}},
	    {.llc = "selrep", .settings = {"noc.injection_queue=1", "noc.ejection_queue=1"}},
	    {.llc = "selrep", .settings = {"noc.topology=mesh", "noc.switching=flit"}},
	    {.llc = "selrep", .settings = {"gpu.sms=256", "chips.count=4", "cta.policy=distributed"}},
	    {.llc = "selrep", .settings = {"noc.clock_mhz=300", "noc.injection_queue=1"}},
	    {.llc = "sac",
	     .settings = {"gpu.sms=256", "chips.count=4", "sac.model=bottleneck", "sac.watch=on",
			  "sac.profile_cycles=100", "sm.write_acks=false"}},
	    {.llc = "sac", .settings = {"sac.profile_cycles=100"}},
	    {.llc = "shared", .settings = {"sm.scheduler=two_level", "sm.write_acks=false"}},
	    {.llc = "shared", .settings = {"gpu.sms=16", "noc.sm_routers=16", "l1.mshrs=2"}},
	    {.llc = "shared", .settings = {"gpu.concurrent_kernels=2"}},
	};
	static const struct run shared[] = {{.threads = 3, .each = 13}};

	(void)state;
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		compare(mixed, machines[i], shared, 1);
}

/*
 * Requests are held back in the middle of a kernel until the last reply has gone, and the LLC is cleaned: by a policy
 * that a chip has for itself, and by one for which chips confer.
 */
static void test_reorganisations_give_the_same(void **state)
{
	static const struct run adaptive = {.llc = "adaptive",
					    .settings = {"adaptive.profile_cycles=1000", "adaptive.epoch_cycles=1000",
							 "adaptive.tolerance=1", "adaptive.atd_sets=64",
							 "map.scheme=linear"}};
	static const struct run sac = {.llc = "sac",
				       .settings = {"gpu.sms=256", "chips.count=4", "sac.profile_cycles=100",
						    "sac.model=bottleneck", "sac.watch=on", "chips.pages=interleave"}};
	static const struct run shared[] = {{.threads = 2, .each = 101}};
	const struct {
		const char *trace;
		const struct run *run;
		const char *changes;
	} of[] = {
	    {some_ctas, &adaptive, "to_shared"}, {chase, &adaptive, "to_shared"}, {some_ctas, &sac, "sm_side_kernels"}};

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
		struct texts one = simulate(of[i].trace, of[i].run);

		assert_true(policy_count(one.json, of[i].run->llc, of[i].changes) > 0);
		release(&one);
		compare(of[i].trace, *of[i].run, shared, 1);
	}
}

/* Every other cycle, with more threads than cores or SMs, and backwards. */
static void test_every_way_to_share_gives_the_same(void **state)
{
	static const struct run shared[] = {
	    {.threads = 2, .each = 2}, {.threads = 100, .each = 97}, {.threads = 2, .each = 13, .reverse = true}};

	(void)state;
	compare(mixed, (struct run){.llc = "selrep"}, shared, 3);
}

/* As users run it: the threads share what pays, when the system lets them. */
static void test_sharing_when_it_pays_gives_the_same(void **state)
{
	static const struct run shared[] = {{.threads = 2}, {.threads = 3}};

	(void)state;
	compare(some_ctas, (struct run){.llc = "selrep"}, shared, 2);
	compare(mixed, (struct run){.llc = "degree4"}, shared, 2);
}

/* The trace ends inside a launch, wherever the threads are; the sanitizers see what is used after it was freed. */
static void test_a_cut_trace_is_an_error(void **state)
{
	struct diag none = DIAG_INIT;
	struct sim_config *config = configure(&(struct run){.llc = "selrep"}, &none);
	struct file_data bytes;

	(void)state;
	assert_int_equal(file_read(mixed, &bytes, NULL), 0);
	for (unsigned i = 1; i < 8; i++) {
		struct sim_options options = {.threads = 2, .share_each = 1};
		char path[] = "/tmp/romark-cut-XXXXXX";
		struct diag d = DIAG_INIT;
		struct sim_result *result;
		struct trace_reader *r;

		close(mkstemp(path));
		assert_int_equal(file_write(path, bytes.data, bytes.size * i / 8, NULL), 0);
		r = trace_open(path, &d);
		assert_non_null(r);
		assert_int_equal(sim_run(config, r, &options, &result, &d), DIAG_ERROR);
		assert_true(diag_is_set(&d));
		trace_close(r);
		unlink(path);
	}
	file_data_release(&bytes);
	sim_config_free(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_policy_gives_the_same),
	    cmocka_unit_test(test_every_machine_gives_the_same),
	    cmocka_unit_test(test_reorganisations_give_the_same),
	    cmocka_unit_test(test_every_way_to_share_gives_the_same),
	    cmocka_unit_test(test_sharing_when_it_pays_gives_the_same),
	    cmocka_unit_test(test_a_cut_trace_is_an_error),
	};

	return cmocka_run_group_tests(tests, write_traces, remove_traces);
}
