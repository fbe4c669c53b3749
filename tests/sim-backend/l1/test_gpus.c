/* The GPUs of the papers on L1 policies: their tables' numbers, and a run of each policy on them. */
#include "tests/sim-backend/program.h"

#include "sim-backend/sm/warp_scheduler.h"
#include "tests/trace/matmul.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/romark-gpus-XXXXXX";

static int write_it(void **state)
{
	struct trace_writer *w;

	(void)state;
	close(mkstemp(path));
	w = trace_create(path, NULL);
	matmul_write(w, 64);
	return trace_finish(w, NULL);
}

static int remove_it(void **state)
{
	(void)state;
	return unlink(path);
}

static struct sim_config *gpu_called(const char *name)
{
	struct sim_config *c = sim_config_create();
	struct diag d = DIAG_INIT;

	if (sim_config_load(c, name, &d) < 0 || sim_config_check(c, &d) < 0)
		fail_msg("%s: %s", name, d.message);
	return c;
}

static bool is_about(double value, double wanted)
{
	return value > wanted * 0.99 && value < wanted * 1.01;
}

/* Table 2 of the DyCache paper, and the simulator's file. */
static void test_gtx480_has_the_papers_numbers(void **state)
{
	struct sim_config *c = gpu_called("gtx480");
	const struct memsys_config *m = &c->memory;
	unsigned slices = m->noc.mc_routers * m->llc.slices_per_mc;

	(void)state;
	assert_int_equal(c->gpu.sms, 15);
	assert_int_equal(c->sm.threads, 1536);
	assert_string_equal(warp_scheduler_table[c->sm.scheduler]->name, "gto");
	assert_int_equal(c->l1.size_bytes, 16 << 10);
	assert_int_equal(c->l1.ways, 4);
	assert_int_equal(l1_sets(&c->l1), 32);
	assert_int_equal(c->l1.alloc, L1_ALLOC_MISS);
	/* Bytes a cycle of all slices; GB/s of DRAM; nanoseconds of tRC. */
	assert_int_equal(slices * m->llc.port_bytes, 12 * 32);
	assert_false(m->llc.sectored);
	assert_true(m->noc.reply_header);
	assert_int_equal(m->llc.kilobytes, 768);
	assert_true(is_about(dram_peak_gbs(&m->dram, m->noc.mc_routers * m->dram.channels_per_mc), 6 * 29.568));
	assert_true(is_about(m->dram.tRC / (177.4 / 8 / 64 * 2), 40 / 0.924));
	sim_config_free(c);
}

/* Table 2 of the G-Cache paper. */
static void test_fermi16_has_the_papers_numbers(void **state)
{
	struct sim_config *c = gpu_called("fermi16");
	const struct memsys_config *m = &c->memory;

	(void)state;
	assert_int_equal(c->gpu.sms, 16);
	assert_int_equal(c->gpu.clock_mhz, 1400);
	assert_int_equal(c->sm.warps, 48);
	assert_string_equal(warp_scheduler_table[c->sm.scheduler]->name, "lrr");
	assert_int_equal(l1_sets(&c->l1) * c->l1.ways * 128, 32 << 10);
	assert_int_equal(c->l1.mshrs, 32);
	assert_int_equal(m->llc.clock_mhz, 700);
	assert_int_equal(m->llc.kilobytes, m->noc.mc_routers * m->llc.slices_per_mc * 128);
	assert_int_equal(m->noc.mesh_columns * m->noc.mesh_rows, 24);
	assert_true(m->noc.reply_header);
	assert_int_equal(m->dram.banks, 4);
	assert_int_equal(m->dram.tRC, 40);
	assert_int_equal(m->dram.tRRDs, 6);
	sim_config_free(c);
}

static void run_with(const char *gpu, const char *l1)
{
	struct sim_config *c = gpu_called(gpu);
	struct sim_options options = {.report = stderr};
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(path, &d);
	struct sim_result *r = NULL;

	/* These decide when a line has come. */
	if (strncmp(l1, "gcache", 6) == 0)
		assert_int_equal(sim_config_set(c, "l1.alloc=fill", &d), 0);
	if (!trace || sim_config_policies(c, NULL, l1, &d) < 0 || sim_config_check(c, &d) < 0 ||
	    sim_run(c, trace, &options, &r, &d) < 0)
		fail_msg("%s, %s: %s", gpu, l1, d.message);
	assert_true(r->total.l1.hits > 0 && r->total.l1.misses > 0);
	assert_int_equal(r->total.l1.hits + r->total.l1.misses, r->total.l1.accesses);
	trace_close(trace);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_each_policy_runs(void **state)
{
	(void)state;
	for (size_t i = 0; l1_policy_table[i]; i++) {
		run_with("gtx480", l1_policy_table[i]->name);
		run_with("fermi16", l1_policy_table[i]->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_gtx480_has_the_papers_numbers),
	    cmocka_unit_test(test_fermi16_has_the_papers_numbers),
	    cmocka_unit_test(test_each_policy_runs),
	};

	return cmocka_run_group_tests(tests, write_it, remove_it);
}
