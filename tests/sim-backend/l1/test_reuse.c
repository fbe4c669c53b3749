/*
 * How many loads find a line until it leaves: replaced by another line, dropped by a store or an atomic, or at its
 * kernel's end.
 */
#include "tests/sim-backend/l1/one_l1.h"
#include "tests/sim-backend/program.h"

enum { ALL = 15 };

static void begin(struct one_l1 *o, uint32_t write_hit)
{
	one_l1_init(o, "lru", 1, 2);
	o->config.reuse = true;
	o->config.write_hit = write_hit;
	one_l1_begin(o);
}

/* The line comes, and is found so often after that. */
static void load_and_find(struct one_l1 *o, uint64_t line, unsigned times)
{
	for (unsigned i = 0; i <= times; i++)
		assert_int_equal(one_access(o, line, ALL, 0).hit, i > 0);
}

static void assert_reuse(struct one_l1 *o, uint64_t never, uint64_t once, uint64_t few, uint64_t often)
{
	uint64_t counts[L1_REUSES] = {0};

	l1_count_reuse(o->l1, counts);
	assert_int_equal(counts[0], never);
	assert_int_equal(counts[1], once);
	assert_int_equal(counts[2], few);
	assert_int_equal(counts[3], often);
}

static void test_every_line_is_counted_once(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, L1_UPDATE);
	for (unsigned times = 0; times < 6; times++)
		load_and_find(&o, 10 + times, times);
	assert_reuse(&o, 1, 1, 2, 2);
	l1_flush(o.l1);
	assert_reuse(&o, 0, 0, 0, 0);
	load_and_find(&o, 20, 1);
	l1_flush(o.l1);
	assert_reuse(&o, 0, 1, 0, 0);
	one_l1_end(&o);
}

static void test_what_is_dropped_has_left(void **state)
{
	struct one_l1 o;

	(void)state;
	begin(&o, L1_INVALIDATE);
	load_and_find(&o, 1, 1);
	l1_store(o.l1, 128, 1);
	load_and_find(&o, 1, 0);
	l1_invalidate(o.l1, 128, 1);
	load_and_find(&o, 1, 4);
	assert_reuse(&o, 1, 1, 0, 1);
	one_l1_end(&o);
}

static void test_without_the_knob_nothing_is_counted(void **state)
{
	struct one_l1 o;

	(void)state;
	one_l1_init(&o, "lru", 1, 2);
	one_l1_begin(&o);
	load_and_find(&o, 1, 3);
	assert_reuse(&o, 0, 0, 0, 0);
	one_l1_end(&o);
}

/* --- A run of two kernels --- */

static struct program p;

static void test_each_kernel_counts_its_lines(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load, use;

	(void)state;
	c->l1.reuse = true;
	program_begin(&p, 1, 1);
	p.launches = 2;
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_INT, 2, 1);
	for (unsigned i = 0; i < 5; i++) {
		program_emit(&p, load, i < 4 ? 0x1000 : 0x2000, 4);
		program_emit(&p, use, 0, 0);
	}
	r = program_run(&p, c);
	assert_int_equal(r->total.l1.hits, 2 * 3);
	assert_int_equal(r->total.l1.lines_found[0], 2);
	assert_int_equal(r->total.l1.lines_found[1], 0);
	assert_int_equal(r->total.l1.lines_found[2], 2);
	sim_result_free(r);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_line_is_counted_once),
	    cmocka_unit_test(test_what_is_dropped_has_left),
	    cmocka_unit_test(test_without_the_knob_nothing_is_counted),
	    cmocka_unit_test(test_each_kernel_counts_its_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
