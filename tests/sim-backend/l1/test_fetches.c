/* A fine-grained fetch on its whole way: its reply's flits, the LLC's port, the bursts of DRAM; and a line that is
 * lost. */
#include "tests/sim-backend/program.h"

#include "sim-backend/base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LANES = 32 };

static struct program p;

static struct sim_config *machine(const char *policy)
{
	struct sim_config *c = one_sm();
	struct diag d = DIAG_INIT;

	if (sim_config_policies(c, NULL, policy, &d) < 0)
		fail_msg("%s", d.message);
	return c;
}

/* Each lane of a warp loads a word of a line of its own. */
static void scattered(unsigned rounds)
{
	unsigned load, use;

	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_INT, 3, 1);
	for (unsigned i = 0; i < rounds; i++) {
		program_emit(&p, load, 0x10000, 128);
		program_emit(&p, use, 0, 0);
	}
}

static void test_a_chunk_is_small_on_its_whole_way(void **state)
{
	static const struct {
		const char *policy;
		unsigned bytes;
	} cases[] = {{"lru", 128}, {"elastic32", 32}, {"elastic64", 64}, {"dycache", 128}};

	(void)state;
	scattered(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sim_config *c = machine(cases[i].policy);
		unsigned bytes = cases[i].bytes;
		struct sim_result *r;

		c->memory.llc.sectored = true;
		r = program_run(&p, c);
		assert_int_equal(r->total.l1.fills, LANES);
		assert_int_equal(r->total.noc.reply_flits, LANES * units_of(bytes, c->memory.noc.channel_bytes));
		assert_int_equal(r->total.llc.data_beats, LANES * units_of(bytes, c->memory.llc.port_bytes));
		assert_int_equal(r->total.dram.read_bursts, LANES * units_of(bytes, c->memory.dram.burst_bytes));
		sim_result_free(r);
		sim_config_free(c);
	}
}

/* 32 lines do not fit the L1's one set of two ways, so later rounds have lost what was there: the LLC says so. */
static void test_the_llc_tells_gcache_what_was_lost(void **state)
{
	struct sim_config *c = machine("gcache");
	struct sim_result *r;
	const uint64_t *victims;

	(void)state;
	c->l1.size_bytes = 256;
	c->l1.ways = 2;
	scattered(3);
	r = program_run(&p, c);
	victims = r->end.l1_policy; /* the first row */
	assert_string_equal(c->l1_policy->stats[0].name, "victims");
	assert_true(r->total.l1.fills > 2 * LANES);
	assert_int_equal(victims[0], r->total.l1.fills - LANES);
	sim_result_free(r);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_chunk_is_small_on_its_whole_way),
	    cmocka_unit_test(test_the_llc_tells_gcache_what_was_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
