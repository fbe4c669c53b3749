/* gcache-ro's treatment of lines of marked structures: streamed structures, and structures that are used again. */
#include "tests/sim-backend/l1/one_l1.h"
#include "tests/sim-backend/program.h"

#include "sim-backend/memory/memsys.h"

enum { SETS = 4, WAYS = 4, PERIOD = 64, STREAM = 1, TABLE = 2 };

static void begin(struct one_l1 *o)
{
	one_l1_init(o, "gcache-ro", SETS, WAYS);
	one_l1_knob(o, "judge_every", PERIOD);
	one_l1_begin(o);
}

/* Lines that come once each, with `flags`; returns how many of them are kept. */
static unsigned stream(struct one_l1 *o, unsigned count, uint8_t flags)
{
	static uint64_t next = 1000;
	unsigned kept = 0;

	for (unsigned i = 0; i < count; i++)
		kept += access_of(o, next++, 15, flags, STREAM).kept;
	return kept;
}

static void test_a_streamed_structure_goes_past(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o);
	/* The last line of the period is judged with it. */
	assert_int_equal(stream(&o, PERIOD, MEM_READ_ONLY), PERIOD - 1);
	assert_int_equal(stream(&o, 10 * PERIOD, MEM_READ_ONLY), 0);
	assert_int_equal(counter(&o, "streamed"), 10 * PERIOD + 1);
	/* Free ways are there for anyone. */
	l1_flush(o.l1);
	assert_int_equal(stream(&o, PERIOD, MEM_READ_ONLY), SETS * WAYS);
	one_l1_end(&o);
}

/* The LLC remembers lines that were not kept. Once these come back, they were worth it. */
static void test_a_structure_that_comes_back_is_kept_again(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o);
	stream(&o, 2 * PERIOD, MEM_READ_ONLY);
	assert_int_equal(stream(&o, PERIOD - 1, MEM_READ_ONLY | MEM_VICTIM), 0);
	assert_true(stream(&o, PERIOD, MEM_READ_ONLY | MEM_VICTIM) > 0);
	one_l1_end(&o);
}

/* Without a mark the same lines are kept, whatever they are used for. */
static void test_other_structures_are_left_alone(void **state)
{
	struct one_l1 o, plain;
	uint64_t random = 7;

	(void)state;
	begin(&o);
	assert_int_equal(stream(&o, 3 * PERIOD, 0), 3 * PERIOD);
	one_l1_end(&o);
	begin(&o);
	one_l1_init(&plain, "gcache", SETS, WAYS);
	one_l1_begin(&plain);
	for (unsigned i = 0; i < 60000; i++) {
		uint64_t line = mixed_line(&random, 2 * SETS * WAYS);
		uint8_t flags = random_below(&random, 3) ? 0 : MEM_VICTIM;

		assert_int_equal(access_of(&o, line, 15, flags, TABLE).hit, one_access(&plain, line, 15, flags).hit);
	}
	assert_true(counter(&plain, "bypasses") > 20);
	assert_int_equal(counter(&o, "bypasses"), counter(&plain, "bypasses"));
	one_l1_end(&o);
	one_l1_end(&plain);
}

/* Four lines of set 0 that are used again and again; they were lost before, so the set's switch is on. */
static void heat(struct one_l1 *o)
{
	for (unsigned i = 0; i < 4 * WAYS; i++)
		access_of(o, i % WAYS * SETS, 15, MEM_VICTIM, 0);
}

/*
 * Lines of the structure are hit twice each. After that, one of its lines gets into a set of hot lines, which no other
 * line does.
 */
static void test_a_structure_that_is_used_again_stays(void **state)
{
	for (unsigned marked = 0; marked <= 1; marked++) {
		uint8_t flags = marked ? MEM_READ_ONLY : 0;
		struct one_l1 o;

		(void)state;
		begin(&o);
		for (unsigned i = 0; i < 3 * PERIOD; i++)
			access_of(&o, 5000 + i / 3, 15, flags, TABLE);
		l1_flush(o.l1);
		heat(&o);
		assert_false(access_of(&o, 400 * SETS, 15, 0, 0).kept);
		assert_int_equal(access_of(&o, 401 * SETS, 15, flags, TABLE).kept, flags != 0);
		assert_int_equal(counter(&o, "kept"), flags ? 2 : 0);
		one_l1_end(&o);
	}
}

static void test_storage_adds_the_table_and_owners(void **state)
{
	struct one_l1 o, plain;

	(void)state;
	one_l1_init(&o, "gcache-ro", 64, 4);
	one_l1_init(&plain, "gcache", 64, 4);
	/* 16 entries of lines and lost up to 256 (9 bits each), hits (18) and the judgement; 5 bits per line and MSHR.
	 */
	assert_int_equal(o.policy->storage_bits(&o.config, o.knobs) -
			     plain.policy->storage_bits(&o.config, plain.knobs),
			 16 * (9 + 9 + 18 + 2) + (64 * 4 + o.config.mshrs) * 5);
}

/* --- The mark's way to the policy --- */

static struct program p;

static uint64_t stat_called(const struct l1_policy_ops *policy, const void *values, const char *name)
{
	for (const struct stat_row *row = policy->stats; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return *(const uint64_t *)((const char *)values + row->offset);
	fail_msg("no counter %s", name);
	return 0;
}

static uint64_t streamed_in_a_run(bool marked)
{
	struct sim_config *c = one_sm();
	struct diag d = DIAG_INIT;
	unsigned load, use;
	struct sim_result *r;
	uint64_t streamed;

	assert_int_equal(sim_config_policies(c, NULL, "gcache-ro", &d), 0);
	assert_int_equal(sim_config_set(c, "gcache-ro.judge_every=16", &d), 0);
	assert_int_equal(sim_config_check(c, &d), 0);
	c->l1.size_bytes = 512;
	c->l1.ways = 4;
	program_begin(&p, 1, 1);
	p.marked = marked;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	if (marked)
		p.insts[load].flags |= TRACE_READ_ONLY;
	use = program_inst(&p, TRACE_INT, 2, 1);
	for (unsigned i = 0; i < 64; i++) {
		program_emit(&p, load, 0x1000 + i * 128, 4);
		program_emit(&p, use, 0, 0);
	}
	r = program_run(&p, c);
	streamed = stat_called(c->l1_policy, r->end.l1_policy, "streamed");
	sim_result_free(r);
	sim_config_free(c);
	return streamed;
}

static void test_a_run_hands_the_mark_on(void **state)
{
	(void)state;
	assert_int_equal(streamed_in_a_run(true), 64 - 15);
	assert_int_equal(streamed_in_a_run(false), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_streamed_structure_goes_past),
	    cmocka_unit_test(test_a_structure_that_comes_back_is_kept_again),
	    cmocka_unit_test(test_other_structures_are_left_alone),
	    cmocka_unit_test(test_a_structure_that_is_used_again_stays),
	    cmocka_unit_test(test_storage_adds_the_table_and_owners),
	    cmocka_unit_test(test_a_run_hands_the_mark_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
