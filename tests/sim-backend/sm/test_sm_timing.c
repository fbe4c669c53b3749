/* Closed forms of the SM's timing, with a memory of fixed latency behind it. */
#include "sim-backend/sm/coalesce.h"
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Placed in cycle 0, first issue in 1; a CTA that ends in cycle t is gone after cycle t + 1. */
enum { FIRST_ISSUE = 1, AFTER_LAST = 2 };

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 100, .interval = 1};
	return 0;
}

static struct program p;

static uint64_t cycles_of(struct sim_config *config)
{
	struct sim_result *r = program_run(&p, config);
	uint64_t cycles = r->cycles;

	sim_result_free(r);
	sim_config_free(config);
	return cycles;
}

static uint64_t chain(enum trace_class cls, unsigned length, bool dependent)
{
	unsigned inst;

	program_begin(&p, 1, 1);
	inst = program_inst(&p, cls, dependent ? 1 : -1, dependent ? 1 : -1);
	for (unsigned i = 0; i < length; i++)
		program_emit(&p, inst, 0, 0);
	return cycles_of(one_sm());
}

static void test_dependent_instructions_issue_a_latency_apart(void **state)
{
	struct sim_config *c = one_sm();

	(void)state;
	assert_int_equal(chain(TRACE_INT, 1, true), FIRST_ISSUE + AFTER_LAST);
	assert_int_equal(chain(TRACE_INT, 10, true), FIRST_ISSUE + 9 * c->exec.latency[TRACE_INT] + AFTER_LAST);
	assert_int_equal(chain(TRACE_FP32, 10, true), FIRST_ISSUE + 9 * c->exec.latency[TRACE_FP32] + AFTER_LAST);
	assert_int_equal(chain(TRACE_SFU, 10, true), FIRST_ISSUE + 9 * c->exec.latency[TRACE_SFU] + AFTER_LAST);
	sim_config_free(c);
}

static void test_independent_instructions_issue_an_interval_apart(void **state)
{
	static const enum trace_class classes[] = {TRACE_INT,  TRACE_FP32, TRACE_FP64,    TRACE_FP16,  TRACE_SFU,
						   TRACE_MOVE, TRACE_WARP, TRACE_CONVERT, TRACE_OTHER, TRACE_TENSOR};
	struct sim_config *c = one_sm();

	(void)state;
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
		assert_int_equal(chain(classes[i], 50, false),
				 FIRST_ISSUE + 49 * c->exec.interval[classes[i]] + AFTER_LAST);
	sim_config_free(c);
}

/* A latency far beyond the wheel's 64 slots. */
static void test_long_latencies_are_exact(void **state)
{
	struct sim_config *c = one_sm();
	unsigned inst;

	(void)state;
	c->exec.latency[TRACE_SFU] = 1000;
	program_begin(&p, 1, 1);
	inst = program_inst(&p, TRACE_SFU, 1, 1);
	for (unsigned i = 0; i < 5; i++)
		program_emit(&p, inst, 0, 0);
	assert_int_equal(cycles_of(c), FIRST_ISSUE + 4 * 1000 + AFTER_LAST);
}

static void test_two_schedulers_issue_two_instructions_per_cycle(void **state)
{
	unsigned inst;

	(void)state;
	program_begin(&p, 1, 4);
	inst = program_inst(&p, TRACE_INT, -1, -1);
	for (unsigned i = 0; i < 30; i++)
		program_emit(&p, inst, 0, 0);
	assert_int_equal(cycles_of(one_sm()), FIRST_ISSUE + 4 * 30 / 2 - 1 + AFTER_LAST);
}

static void test_branches_hold_the_warp(void **state)
{
	struct sim_config *c = one_sm();

	(void)state;
	assert_int_equal(chain(TRACE_BRANCH, 5, false), FIRST_ISSUE + 4 * c->exec.latency[TRACE_BRANCH] + AFTER_LAST);
	sim_config_free(c);
}

/* load -> dependent instruction; returns the cycle of the dependent issue. */
static uint64_t load_use(enum trace_space space, uint64_t stride, unsigned loads, struct sim_config *config)
{
	unsigned load, use;

	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, space, 4, 1);
	use = program_inst(&p, TRACE_INT, 2, 1);
	for (unsigned i = 0; i < loads; i++) {
		program_emit(&p, load, 0x1000, stride);
		program_emit(&p, use, 0, 0);
	}
	return cycles_of(config) - FIRST_ISSUE - AFTER_LAST;
}

static void test_unloaded_miss_latency_is_the_sum_of_its_parts(void **state)
{
	struct sim_config *c = one_sm();
	uint64_t miss = 1 + mock.latency + c->l1.fill_latency, hit = 1 + c->l1.hit_latency;

	(void)state;
	/* Queue, network and memory, fill. The second load (one issue later) hits. */
	assert_int_equal(load_use(TRACE_GLOBAL, 4, 1, one_sm()), miss);
	assert_int_equal(load_use(TRACE_GLOBAL, 4, 2, one_sm()), miss + 1 + hit);
	/* 32 lines: one request per cycle. */
	assert_int_equal(load_use(TRACE_GLOBAL, 128, 1, one_sm()), miss + 31);
	mock.interval = 5;
	assert_int_equal(load_use(TRACE_GLOBAL, 128, 1, one_sm()), miss + 31 * 5);
	sim_config_free(c);
}

static void test_shared_and_const_latencies(void **state)
{
	struct sim_config *c = one_sm();

	(void)state;
	assert_int_equal(load_use(TRACE_SHARED, 4, 1, one_sm()), 1 + c->sm.shared_latency);
	/* Stride of two words: two-way conflict; of 32 words: all lanes in one bank. */
	assert_int_equal(load_use(TRACE_SHARED, 8, 1, one_sm()), 1 + 1 + c->sm.shared_latency);
	assert_int_equal(load_use(TRACE_SHARED, 128, 1, one_sm()), 1 + 31 + c->sm.shared_latency);
	assert_int_equal(load_use(TRACE_CONST, 0, 1, one_sm()), c->sm.const_latency);
	assert_int_equal(load_use(TRACE_PARAM, 4, 1, one_sm()), c->sm.const_latency + 31);
	sim_config_free(c);
}

/*
 * Conflicts are remembered for each instruction; another pattern or mask, or a shift by half an access, is computed
 * anew.
 */
static void test_bank_conflicts_follow_the_pattern(void **state)
{
	static const struct {
		uint64_t base, stride;
		uint32_t mask;
	} accesses[] = {{0, 8, UINT32_MAX},     {0x40, 8, UINT32_MAX}, {0, 16, UINT32_MAX}, {0, 128, UINT32_MAX},
			{0x80, 128, 0xf},       {0, 12, UINT32_MAX},   {4, 12, UINT32_MAX}, {4, 12, UINT32_MAX},
			{0x10, 12, UINT32_MAX}, {0, 8, UINT32_MAX}};
	struct sim_config *c = one_sm();
	uint64_t address[TRACE_WARP_LANES], expected = 0;
	struct sim_result *r;
	unsigned load;

	(void)state;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_SHARED, 8, 1);
	for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++) {
		program_emit(&p, load, accesses[i].base, accesses[i].stride)->mask = accesses[i].mask;
		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
			address[lane] = accesses[i].base + lane * accesses[i].stride;
		expected += shared_conflict_cycles(accesses[i].mask, address, 8, c->sm.shared_banks, SHARED_LOAD);
	}
	r = program_run(&p, c);
	assert_int_equal(r->total.sm.shared_cycles, expected);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_loads_of_one_line_share_an_mshr(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load;

	(void)state;
	program_begin(&p, 1, 8);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	program_emit(&p, load, 0x1000, 4);
	r = program_run(&p, c);
	assert_int_equal(r->total.l1.accesses, 8);
	assert_int_equal(r->total.l1.misses, 8);
	assert_int_equal(r->total.l1.merges, 7);
	assert_int_equal(r->total.l1.requests, 1);
	assert_int_equal(r->total.sm.merge_stalls, 0);
	sim_result_free(r);

	/* With three merges, the fourth waits for the line and then hits. */
	c->l1.merges = 3;
	r = program_run(&p, c);
	assert_int_equal(r->total.l1.misses, 3);
	assert_int_equal(r->total.l1.hits, 5);
	assert_true(r->total.sm.merge_stalls > 90);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_exhausted_mshrs_wait_for_a_reply(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load;

	(void)state;
	c->l1.mshrs = 4;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	program_emit(&p, load, 0x1000, 128);
	r = program_run(&p, c);
	/* Eight rounds of four. A round begins with the reply of the previous round, latency cycles later. */
	assert_int_equal(r->total.sm.load_cycles, 1 + 8 * mock.latency + 3 + c->l1.fill_latency);
	assert_int_equal(r->total.sm.mshr_stalls, 7 * (mock.latency - 4));
	sim_result_free(r);
	sim_config_free(c);
}

static void test_the_lsu_queue_holds_back_memory_instructions_only(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned load, add;

	(void)state;
	c->sm.lsu_queue = 1;
	program_begin(&p, 1, 4);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	add = program_inst(&p, TRACE_INT, 2, -1);
	program_emit(&p, load, 0x1000, 128)->per_warp = 1 << 16;
	program_emit(&p, add, 0, 0);
	r = program_run(&p, c);
	assert_true(r->total.sm.lsu_stalls > 0);
	assert_int_equal(r->total.sm.warp_instructions, 8);
	sim_result_free(r);
	sim_config_free(c);
}

enum { STRIPE_SHIFT = 20, STRIPE_LOADS = 2 };

/*
 * Six warps load two stripes of 32 lines each, the second into the register of the first, so after its answer. The
 * answer is there 20 + 4 cycles after the last request, while the LSU makes the next warp's 32 requests. `order` gets
 * the warps in the order of their requests, a digit for each stripe.
 */
static void order_of_stripes(unsigned lsu_queue, char order[6 * STRIPE_LOADS + 1])
{
	struct sim_config *c = one_sm();
	unsigned load;

	c->sm.lsu_queue = lsu_queue;
	c->sm.schedulers = 1;
	mock.latency = 20;
	program_begin(&p, 1, 6);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	for (unsigned i = 0; i < STRIPE_LOADS; i++)
		program_emit(&p, load, 0x1000 + (i << 16), LINE_BYTES)->per_warp = 1 << STRIPE_SHIFT;
	sim_result_free(program_run(&p, c));
	sim_config_free(c);
	assert_int_equal(mock_log_len, 6 * STRIPE_LOADS * TRACE_WARP_LANES);
	for (unsigned i = 0; i < mock_log_len; i++) {
		assert_int_equal(mock_log[i].line >> STRIPE_SHIFT,
				 mock_log[i / TRACE_WARP_LANES * TRACE_WARP_LANES].line >> STRIPE_SHIFT);
		if (i % TRACE_WARP_LANES == 0)
			order[i / TRACE_WARP_LANES] = (char)('0' + (mock_log[i].line >> STRIPE_SHIFT));
	}
	order[6 * STRIPE_LOADS] = '\0';
}

/*
 * The scheduler's order decides at the entrance of the LSU's queue. Inside the queue the order stays, so a warp's next
 * load waits behind as many younger warps as the queue holds.
 */
static void test_the_lsu_queue_is_first_in_first_out(void **state)
{
	char order[6 * STRIPE_LOADS + 1];

	(void)state;
	order_of_stripes(1, order);
	assert_string_equal(order, "010123234545");
	order_of_stripes(4, order);
	assert_string_equal(order, "012340123455");
}

static void test_a_full_port_stalls_misses_but_not_hits(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_options options = {.max_cycles = 5000, .deadlock_cycles = 100000};
	struct sim_result *r;
	struct diag d = DIAG_INIT;
	unsigned load;

	(void)state;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	program_emit(&p, load, 0x1000, 4);
	mock.closed = true;
	assert_int_equal(program_try(&p, c, &options, &r, &d), 0);
	assert_false(r->complete);
	assert_int_equal(r->total.l1.accesses, 0);
	assert_true(r->total.sm.port_stalls > 4000);
	assert_int_equal(r->cycles, 5000);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_barriers_wait_for_all_warps_of_the_cta(void **state)
{
	struct sim_config *c = one_sm();
	uint64_t slow = 20 * c->exec.latency[TRACE_INT], barrier_latency = c->sm.barrier_latency;
	unsigned add, barrier, after;

	(void)state;
	program_begin(&p, 1, 4);
	add = program_inst(&p, TRACE_INT, 1, 1);
	barrier = program_inst(&p, TRACE_BARRIER, -1, 1);
	after = program_inst(&p, TRACE_INT, 3, -1);
	for (unsigned i = 0; i < 20; i++)
		program_emit(&p, add, 0, 0)->only_warp = 3;
	program_emit(&p, barrier, 0, 0);
	program_emit(&p, after, 0, 0);
	/* Warp 3 lets the older warp 1 of its scheduler go first and arrives last; then each scheduler has two warps.
	 */
	assert_int_equal(cycles_of(c), FIRST_ISSUE + 1 + slow + barrier_latency + 1 + AFTER_LAST);
}

static void test_a_barrier_forgets_warps_that_have_ended(void **state)
{
	struct sim_config *c = one_sm();
	struct sim_result *r;
	unsigned barrier;

	(void)state;
	program_begin(&p, 2, 4);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	program_emit(&p, barrier, 0, 0)->only_warp = 1;
	program_emit(&p, barrier, 0, 0)->only_warp = 1;
	r = program_run(&p, c);
	assert_int_equal(r->total.sm.barriers, 4);
	sim_result_free(r);
	sim_config_free(c);
}

/* The LLC changes the value, so the L1 must ask anew; a store changes it here as well. */
static void test_an_atomic_drops_the_line_a_store_does_not(void **state)
{
	static const enum trace_class writers[] = {TRACE_ATOMIC, TRACE_STORE};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct sim_config *c = one_sm();
		struct sim_result *r;
		unsigned load, use;

		program_begin(&p, 1, 1);
		load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
		use = program_inst(&p, TRACE_INT, 2, 1);
		program_emit(&p, load, 0x1000, 4);
		program_emit(&p, use, 0, 0);
		program_emit(&p, program_memory(&p, writers[i], TRACE_GLOBAL, 4, i ? -1 : 3), 0x1000, 4);
		program_emit(&p, load, 0x1000, 4);
		program_emit(&p, use, 0, 0);
		r = program_run(&p, c);
		assert_int_equal(r->total.l1.misses, 2 - i);
		assert_int_equal(r->total.l1.hits, i);
		sim_result_free(r);
		sim_config_free(c);
	}
}

/*
 * A fetch of three texels. The reader of its register issues a latency after the last line has come, whichever part
 * that is. Parts issue one after another and are not instructions.
 */
static void test_a_fetch_waits_for_all_its_texels(void **state)
{
	static const uint64_t lines[][3] = {
	    {0x1000, 0x1000, 0x1000}, {0x1000, 0x2000, 0x3000}, {0x1000, 0x1000, 0x2000}, {0x1000, 0x2000, 0x1000}};
	static const unsigned last_new[] = {0, 2, 2, 1};

	(void)state;
	for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct sim_config *c = one_sm();
		uint64_t miss = 1 + mock.latency + c->l1.fill_latency;
		struct sim_result *r;
		unsigned use, part;

		program_begin(&p, 1, 1);
		program_emit(&p, program_memory(&p, TRACE_TEXTURE, TRACE_GLOBAL, 4, 1), lines[i][0], 0);
		part = program_memory(&p, TRACE_TEXTURE, TRACE_GLOBAL, 4, -1);
		p.insts[part].flags |= TRACE_PART;
		program_emit(&p, part, lines[i][1], 0);
		part = program_memory(&p, TRACE_TEXTURE, TRACE_GLOBAL, 4, -1);
		p.insts[part].flags |= TRACE_PART;
		program_emit(&p, part, lines[i][2], 0);
		use = program_inst(&p, TRACE_INT, 2, 1);
		program_emit(&p, use, 0, 0);
		r = program_run(&p, c);
		assert_int_equal(r->cycles, FIRST_ISSUE + last_new[i] + miss + AFTER_LAST);
		assert_int_equal(r->total.sm.warp_instructions, 2);
		assert_int_equal(r->total.l1.accesses, 3);
		sim_result_free(r);
		sim_config_free(c);
	}
}

static void test_fences_wait_for_stores(void **state)
{
	struct sim_config *c = one_sm();
	unsigned store, fence, after;

	(void)state;
	program_begin(&p, 1, 1);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	fence = program_inst(&p, TRACE_FENCE, -1, -1);
	after = program_inst(&p, TRACE_INT, 3, -1);
	program_emit(&p, store, 0x1000, 4);
	program_emit(&p, fence, 0, 0);
	program_emit(&p, after, 0, 0);
	/* Store issues in 1, goes out in 2, is answered in 102; the fence issues in 103, the next in 104. */
	assert_int_equal(cycles_of(c), 1 + 1 + mock.latency + 1 + 1 + AFTER_LAST);

	c = one_sm();
	c->sm.write_acks = false;
	assert_int_equal(cycles_of(c), 1 + 1 + 1 + 1 + AFTER_LAST);
	assert_int_equal(mock_log_len, 1);
	assert_int_equal(mock_log[0].flags & MEM_NO_REPLY, MEM_NO_REPLY);
}

static void test_requests_carry_what_the_instruction_says(void **state)
{
	struct sim_config *c = one_sm();
	unsigned load, cached, uncached, store, atomic, reduce, marked_uncached;

	(void)state;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	cached = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	uncached = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	atomic = program_memory(&p, TRACE_ATOMIC, TRACE_GLOBAL, 4, 1);
	reduce = program_memory(&p, TRACE_ATOMIC, TRACE_GLOBAL, 4, -1);
	marked_uncached = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	p.insts[load].flags |= TRACE_READ_ONLY;
	p.insts[uncached].flags |= TRACE_NO_L1;
	p.insts[marked_uncached].flags |= TRACE_READ_ONLY | TRACE_NO_L1;
	p.insts[reduce].flags |= TRACE_NO_RETURN;
	program_emit(&p, load, 0x1000, 4);
	program_emit(&p, cached, 0x2000, 4);
	program_emit(&p, uncached, 0x3000, 1);
	program_emit(&p, store, 0x4000, 2);
	program_emit(&p, atomic, 0x5000, 0);
	program_emit(&p, reduce, 0x5000, 0);
	program_emit(&p, marked_uncached, 0x6000, 4);
	sim_result_free(program_run(&p, c));
	assert_int_equal(mock_log_len, 7);
	assert_int_equal(mock_log[0].flags, MEM_READ_ONLY);
	assert_int_equal(mock_log[0].line, 0x1000);
	assert_int_equal(mock_log[0].bytes, 128);
	assert_int_equal(mock_log[0].structure, 1);
	assert_int_equal(mock_log[1].flags, 0);
	assert_int_equal(mock_log[2].bytes, 64); /* lanes cover 35 bytes */
	assert_int_equal(mock_log[2].sectors, 3);
	assert_int_equal(mock_log[3].kind, MEM_WRITE);
	assert_int_equal(mock_log[3].bytes, 96); /* 66 bytes */
	assert_int_equal(mock_log[4].kind, MEM_ATOMIC);
	assert_int_equal(mock_log[4].bytes, 32);
	assert_int_equal(mock_log[5].kind, MEM_ATOMIC);
	assert_int_equal(mock_log[6].flags, MEM_READ_ONLY | MEM_BYPASS);

	/* A launch whose guard fired: the same instruction, no mark. */
	p.marked = false;
	sim_result_free(program_run(&p, c));
	assert_int_equal(mock_log[0].flags, 0);
	sim_config_free(c);
}

static void test_local_memory_of_a_warp_is_interleaved(void **state)
{
	struct sim_config *c = one_sm();
	unsigned load;

	(void)state;
	program_begin(&p, 1, 2);
	p.local_bytes = 40;
	load = program_memory(&p, TRACE_LOAD, TRACE_LOCAL, 4, 1);
	program_emit(&p, load, 16, 0);
	sim_result_free(program_run(&p, c));
	assert_int_equal(mock_log_len, 2);
	assert_int_equal(mock_log[0].line % 128, 0);
	assert_int_equal(mock_log[1].line - mock_log[0].line, 40 / 4 * 128);
	sim_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_dependent_instructions_issue_a_latency_apart, reset),
	    cmocka_unit_test_setup(test_independent_instructions_issue_an_interval_apart, reset),
	    cmocka_unit_test_setup(test_long_latencies_are_exact, reset),
	    cmocka_unit_test_setup(test_two_schedulers_issue_two_instructions_per_cycle, reset),
	    cmocka_unit_test_setup(test_branches_hold_the_warp, reset),
	    cmocka_unit_test_setup(test_unloaded_miss_latency_is_the_sum_of_its_parts, reset),
	    cmocka_unit_test_setup(test_shared_and_const_latencies, reset),
	    cmocka_unit_test_setup(test_bank_conflicts_follow_the_pattern, reset),
	    cmocka_unit_test_setup(test_loads_of_one_line_share_an_mshr, reset),
	    cmocka_unit_test_setup(test_exhausted_mshrs_wait_for_a_reply, reset),
	    cmocka_unit_test_setup(test_the_lsu_queue_holds_back_memory_instructions_only, reset),
	    cmocka_unit_test_setup(test_the_lsu_queue_is_first_in_first_out, reset),
	    cmocka_unit_test_setup(test_a_full_port_stalls_misses_but_not_hits, reset),
	    cmocka_unit_test_setup(test_barriers_wait_for_all_warps_of_the_cta, reset),
	    cmocka_unit_test_setup(test_a_barrier_forgets_warps_that_have_ended, reset),
	    cmocka_unit_test_setup(test_an_atomic_drops_the_line_a_store_does_not, reset),
	    cmocka_unit_test_setup(test_a_fetch_waits_for_all_its_texels, reset),
	    cmocka_unit_test_setup(test_fences_wait_for_stores, reset),
	    cmocka_unit_test_setup(test_requests_carry_what_the_instruction_says, reset),
	    cmocka_unit_test_setup(test_local_memory_of_a_warp_is_interleaved, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
