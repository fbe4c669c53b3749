/* L1 and shared memory that divide their storage: the L1 of each kernel has what shared memory leaves. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { KB = 1024, LINE = 128, VOLTA = 1, AMPERE = 3, HOPPER = 5 };

static struct program p;

static struct sim_config *with(uint32_t carveout, uint32_t shared_kb)
{
	struct sim_config *c = one_sm();

	c->l1.carveout = carveout;
	c->l1.ways = 8;
	c->sm.shared_bytes = shared_kb * KB;
	return c;
}

static void test_the_l1_has_what_the_smallest_step_leaves(void **state)
{
	static const struct {
		uint32_t carveout, shared, step, left; /* KB */
	} cases[] = {{VOLTA, 0, 0, 128},     {VOLTA, 1, 8, 120},     {VOLTA, 8, 8, 120},     {VOLTA, 33, 64, 64},
		     {VOLTA, 96, 96, 32},    {AMPERE, 101, 132, 60}, {AMPERE, 164, 164, 28}, {HOPPER, 0, 0, 256},
		     {HOPPER, 165, 196, 60}, {HOPPER, 228, 228, 28}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sim_config *c = with(cases[i].carveout, 0);
		uint32_t step;

		assert_int_equal(l1_bytes_beside(&c->l1, (uint64_t)cases[i].shared * KB, &step), cases[i].left * KB);
		assert_int_equal(step, cases[i].step * KB);
		sim_config_free(c);
	}
}

/* A warp reads so many KB twice. A kernel with `shared` KB misses a second time if its L1 is smaller. */
static uint64_t misses(uint32_t read_kb, uint32_t shared_kb, uint32_t carveout)
{
	struct sim_config *c = with(carveout, 96);
	struct sim_result *r;
	unsigned load;
	uint64_t count;

	program_begin(&p, 1, 1);
	p.shared_bytes = shared_kb * KB;
	p.launches = 2;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < read_kb * KB / LINE; i++)
			program_emit(&p, load, 0x100000 + (uint64_t)i * LINE, 4);
	c->sm.ctas = 1;
	r = program_run(&p, c);
	count = r->total.l1.misses;
	sim_result_free(r);
	sim_config_free(c);
	return count / p.launches;
}

static void test_kernels_without_shared_memory_have_a_larger_l1(void **state)
{
	(void)state;
	assert_int_equal(misses(120, 0, VOLTA), 120 * KB / LINE);
	assert_int_equal(misses(120, 8, VOLTA), 120 * KB / LINE);
	assert_int_equal(misses(120, 64, VOLTA), 2 * 120 * KB / LINE);
	assert_int_equal(misses(60, 64, VOLTA), 60 * KB / LINE);
	assert_int_equal(misses(60, 65, VOLTA), 2 * 60 * KB / LINE);
	assert_int_equal(misses(30, 96, VOLTA), 30 * KB / LINE);
	/* Without a carve-out the size is 48 KB. */
	assert_int_equal(misses(48, 96, 0), 48 * KB / LINE);
	assert_int_equal(misses(60, 0, 0), 2 * 60 * KB / LINE);
}

static void test_misfits_are_named(void **state)
{
	struct diag d = DIAG_INIT;
	struct sim_config *c = with(VOLTA, 64);

	(void)state;
	c->sm.shared_bytes = 65 * KB;
	assert_int_equal(sim_config_check(c, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "sm.shared_bytes is 66560"));
	c->sm.shared_bytes = 96 * KB;
	assert_int_equal(sim_config_check(c, &d), 0);
	d = (struct diag)DIAG_INIT;
	c->gpu.concurrent_kernels = 2;
	assert_int_equal(sim_config_check(c, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "l1.carveout"));
	d = (struct diag)DIAG_INIT;
	c->gpu.concurrent_kernels = 1;
	c->l1.ways = 512;
	c->l1.size_bytes = 64 * KB;
	assert_int_equal(sim_config_check(c, &d), DIAG_ERROR);
	assert_non_null(strstr(d.message, "l1.ways is 512"));
	sim_config_free(c);
}

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 20, .interval = 1};
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_l1_has_what_the_smallest_step_leaves),
	    cmocka_unit_test_setup(test_kernels_without_shared_memory_have_a_larger_l1, reset),
	    cmocka_unit_test(test_misfits_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
