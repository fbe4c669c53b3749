/*
 * Start here: first one request on its way from an SM through the networks, an LLC slice and DRAM and back; then a
 * whole simulation, a trace in and numbers out. The machine is selrep64, which docs/simulator.md describes.
 */
#include "tests/sim-backend/support.h"

#include "sim-backend/results/result.h"
#include "tests/trace/matmul.h"

#include <stdlib.h>
#include <unistd.h>

/* SM 0 reads a line of 128 bytes: the first time it comes from DRAM, the second time the LLC has it. */
static void test_the_llc_keeps_what_was_read(void **state)
{
	struct memsys_config machine = paper_machine();
	struct memsys *ms = memsys_with(&machine, "shared"); /* the policy: one LLC for all SMs */
	const struct memsys_stats *stats;
	uint64_t sent, miss, hit;

	(void)state;
	memsys_kernel_begin(ms, 0, false);
	sent = 10;
	miss = round_trip(ms, 0, sent, read_of(0x1000, false)) - sent; /* cycles from sending to the reply */
	sent = 5000;
	hit = round_trip(ms, 0, sent, read_of(0x1000, false)) - sent;

	/* A miss also opens a row of DRAM (tRCD) and reads a column of it (tCL), in clocks longer than the SM's. */
	assert_true(miss > hit + machine.dram.tRCD + machine.dram.tCL);
	stats = memsys_statistics(ms);
	assert_int_equal(stats->llc.reads, 2);
	assert_int_equal(stats->llc.array_hits, 1);

	/* When a kernel has ended nothing is on its way any more, and all that went in has come out. */
	memsys_kernel_end(ms, 10000);
	drain(ms, machine.sms, 10000);
	assert_true(memsys_is_empty(ms));
	assert_null(memsys_check(ms));
	memsys_free(ms);
}

/* `romark sim TRACE --gpu=selrep64 --llc=POLICY` */
static struct sim_summary simulate(const char *path, const char *policy)
{
	struct sim_config *config = sim_config_create();
	struct sim_options options = {.report = stderr};
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(path, &d);
	struct sim_summary summary;
	struct sim_result *result = NULL;

	if (!trace || sim_config_load(config, "selrep64", &d) < 0 ||
	    sim_config_policies(config, policy, NULL, &d) < 0 || sim_config_check(config, &d) < 0 ||
	    sim_run(config, trace, &options, &result, &d) < 0)
		fail_msg("%s: %s", d.file, d.message);
	summary = sim_result_summary(result);
	sim_result_free(result);
	trace_close(trace);
	sim_config_free(config);
	return summary;
}

/* A policy changes where data lies and how long a program takes, never what the program does. */
static void test_policies_run_the_same_program(void **state)
{
	char path[] = "/tmp/romark-tutorial-XXXXXX";
	struct sim_summary shared, private;
	struct trace_writer *w;
	struct diag d = DIAG_INIT;

	(void)state;
	close(mkstemp(path));
	w = trace_create(path, &d);
	matmul_write(w, 64); /* the trace of a program that multiplies two matrices of 64 x 64 */
	assert_int_equal(trace_finish(w, &d), 0);
	shared = simulate(path, "shared");
	private = simulate(path, "private");
	assert_true(shared.complete && private.complete);
	assert_int_equal(shared.launches, 1);
	assert_int_equal(shared.warp_instructions, private.warp_instructions);
	assert_true(shared.cycles != private.cycles);
	assert_true(shared.ipc * (double)shared.cycles > (double)shared.warp_instructions - 1);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_llc_keeps_what_was_read),
	    cmocka_unit_test(test_policies_run_the_same_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
