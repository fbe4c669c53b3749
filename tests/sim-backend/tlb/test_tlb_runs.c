/* Whole runs with translated addresses: what they cost more, and that threads change nothing. */
#include "tests/sim-backend/program.h"
#include "tests/sim-backend/support.h"

enum { SHARED = 90, WALK = 700, PAGE = 64 << 10 };

static struct program p;

static struct sim_result *run(uint32_t entries, uint32_t threads)
{
	struct sim_config *c = sim_config_create();
	struct sim_options options = {.report = stderr, .threads = threads};
	struct sim_result *result = NULL;
	struct diag d = DIAG_INIT;

	assert_int_equal(sim_config_load(c, "selrep64", &d), 0);
	c->memory.dram.clock_mhz = c->gpu.clock_mhz; /* nothing waits for a clock of its own */
	c->memory.tlb.entries = entries;
	c->memory.tlb.page_kilobytes = PAGE >> 10;
	c->memory.tlb.shared_latency = SHARED;
	c->memory.tlb.walk_cycles = WALK;
	if (program_try(&p, c, &options, &result, &d) < 0)
		fail_msg("%s", d.message);
	sim_config_free(c);
	return result;
}

/* Loads of one warp, each after the one before: a cycle more in the TLB, and for each new page its walk. */
static void test_a_chain_pays_for_each_page(void **state)
{
	enum { LOADS = 20, PAGES = 5 };
	struct sim_result *without, *with;
	unsigned load;

	(void)state;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].src[0] = 1;
	p.insts[load].nsrc = 1;
	for (unsigned i = 0; i < LOADS; i++)
		program_emit(&p, load, (UINT64_C(1) << 24) + i % PAGES * PAGE + i / PAGES * 4096, 0);
	without = run(0, 1);
	with = run(PAGES, 1);
	assert_int_equal(with->cycles - without->cycles, LOADS + PAGES * (SHARED + WALK));
	assert_int_equal(with->total.tlb.requests, LOADS);
	assert_int_equal(with->total.tlb.walks, PAGES);
	assert_int_equal(without->total.tlb.requests, 0);
	sim_result_free(without);
	sim_result_free(with);
}

static void test_threads_change_nothing(void **state)
{
	struct sim_result *one, *two;
	unsigned load, store;

	(void)state;
	program_begin(&p, 128, 4);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	for (unsigned i = 0; i < 16; i++) {
		struct program_step *s = program_emit(&p, i & 1 ? store : load, (UINT64_C(1) << 24) + i * 300000, 4);

		s->per_warp = 5000;
		s->per_cta = 20000;
	}
	one = run(8, 1);
	two = run(8, 2);
	assert_int_equal(one->cycles, two->cycles);
	assert_int_equal(one->total.tlb.wait_cycles, two->total.tlb.wait_cycles);
	assert_true(one->total.tlb.walks > 100);
	sim_result_free(one);
	sim_result_free(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_chain_pays_for_each_page),
	    cmocka_unit_test(test_threads_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
