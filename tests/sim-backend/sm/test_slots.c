/* The account of issue slots: closed forms of each reason, and that nothing is lost or counted twice. */
#include "tests/sim-backend/mock_memsys.h"
#include "tests/sim-backend/program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int reset(void **state)
{
	(void)state;
	mock = (struct mock_settings){.latency = 100, .interval = 1};
	return 0;
}

static struct program p;

/* A single scheduler, so that the account covers all warps. */
static struct sim_config *one_scheduler(void)
{
	struct sim_config *c = one_sm();

	c->sm.schedulers = 1;
	return c;
}

/* The expected slots beside NO_WARP, which takes the rest. */
static void expect(struct sim_config *c, uint64_t issued, enum issue_slot slot, uint64_t lost)
{
	struct sim_result *r = program_run(&p, c);
	uint64_t expected[SLOT_COUNT] = {[SLOT_ISSUED] = issued, [SLOT_NO_WARP] = r->cycles - issued - lost};

	expected[slot] += lost;
	for (int i = 0; i < SLOT_COUNT; i++)
		if (r->total.sm.slots[i] != expected[i])
			fail_msg("slot %d: %d, not %d", i, (int)r->total.sm.slots[i], (int)expected[i]);
	sim_result_free(r);
	sim_config_free(c);
}

static void emit(unsigned inst, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		program_emit(&p, inst, 0, 0);
}

static void test_a_chain_waits_for_its_registers(void **state)
{
	struct sim_config *c = one_scheduler();

	(void)state;
	program_begin(&p, 1, 1);
	emit(program_inst(&p, TRACE_INT, 1, 1), 10);
	expect(c, 10, SLOT_DEPENDENCY, 9 * (c->exec.latency[TRACE_INT] - 1));
}

static void test_branches_are_dependencies(void **state)
{
	struct sim_config *c = one_scheduler();

	(void)state;
	program_begin(&p, 1, 1);
	emit(program_inst(&p, TRACE_BRANCH, -1, -1), 10);
	expect(c, 10, SLOT_DEPENDENCY, 9 * (c->exec.latency[TRACE_BRANCH] - 1));
}

static void test_independent_instructions_wait_for_the_unit(void **state)
{
	struct sim_config *c = one_scheduler();

	(void)state;
	program_begin(&p, 1, 1);
	emit(program_inst(&p, TRACE_SFU, -1, -1), 10);
	expect(c, 10, SLOT_UNIT, 9 * (c->exec.interval[TRACE_SFU] - 1));
}

static void load_and_use(enum trace_space space)
{
	program_begin(&p, 1, 1);
	program_emit(&p, program_memory(&p, TRACE_LOAD, space, 4, 1), 0x1000, 4);
	emit(program_inst(&p, TRACE_INT, 2, 1), 1);
}

static void test_a_load_and_its_use_wait_for_memory(void **state)
{
	struct sim_config *c = one_scheduler();

	(void)state;
	load_and_use(TRACE_GLOBAL);
	expect(c, 2, SLOT_MEMORY, mock.latency + c->l1.fill_latency);
	c = one_scheduler();
	load_and_use(TRACE_SHARED);
	expect(c, 2, SLOT_SHARED, c->sm.shared_latency);
	c = one_scheduler();
	load_and_use(TRACE_CONST);
	p.steps[0].stride = 0;
	expect(c, 2, SLOT_DEPENDENCY, c->sm.const_latency - 1);
}

/* The register of an old load counts as memory when something else is issued before its use. */
static void test_the_register_that_comes_last_counts(void **state)
{
	struct sim_config *c = one_scheduler();
	unsigned add, both;

	(void)state;
	program_begin(&p, 1, 1);
	program_emit(&p, program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1), 0x1000, 4);
	add = program_inst(&p, TRACE_INT, 2, -1);
	both = program_inst(&p, TRACE_INT, 3, 2);
	p.insts[both].src[p.insts[both].nsrc++] = 1;
	emit(add, 1);
	emit(both, 1);
	expect(c, 3, SLOT_MEMORY, mock.latency + c->l1.fill_latency - 1);
}

/* The first load makes an access a cycle; the second enters the queue in the cycle of the last access. */
static void test_a_full_queue_is_the_lsu(void **state)
{
	struct sim_config *c = one_scheduler();
	unsigned load;

	(void)state;
	c->sm.lsu_queue = 1;
	program_begin(&p, 1, 1);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, -1);
	program_emit(&p, load, 0x1000, 128);
	program_emit(&p, load, 0x1000, 128);
	expect(c, 2, SLOT_LSU, TRACE_WARP_LANES - 1);
}

/* Warp 0 waits at the barrier while warp 1 works; then both go on. */
static void test_barriers_and_the_work_in_front(void **state)
{
	struct sim_config *c = one_scheduler();
	struct sim_result *r;
	unsigned add, barrier;
	uint64_t work;

	(void)state;
	program_begin(&p, 1, 2);
	add = program_inst(&p, TRACE_INT, 1, 1);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	for (unsigned i = 0; i < 5; i++)
		program_emit(&p, add, 0, 0)->only_warp = 1;
	emit(barrier, 1);
	emit(program_inst(&p, TRACE_INT, 2, -1), 1);
	r = program_run(&p, c);
	/* The first issue of warp 1 is one cycle after warp 0's barrier; its own barrier follows its last add. */
	work = 4 * (c->exec.latency[TRACE_INT] - 1);
	assert_int_equal(r->total.sm.slots[SLOT_DEPENDENCY], work);
	assert_int_equal(r->total.sm.slots[SLOT_BARRIER], c->sm.barrier_latency - 1);
	assert_int_equal(r->total.sm.slots[SLOT_ISSUED], 9);
	sim_result_free(r);
	sim_config_free(c);
}

/* Warp 1, alone on its scheduler, ends behind the barrier. It waits until warp 0 comes, and then there is no warp. */
static void test_a_scheduler_whose_last_warp_ended_has_none(void **state)
{
	struct sim_config *c = one_sm();
	uint64_t arrival = 1 + 4 * c->exec.latency[TRACE_INT] + 1;
	struct sim_result *r;
	unsigned add, barrier;

	(void)state;
	program_begin(&p, 1, 2);
	add = program_inst(&p, TRACE_INT, 1, 1);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	for (unsigned i = 0; i < 5; i++)
		program_emit(&p, add, 0, 0)->only_warp = 0;
	emit(barrier, 1);
	add = program_inst(&p, TRACE_INT, 2, 2);
	for (unsigned i = 0; i < 20; i++)
		program_emit(&p, add, 0, 0)->only_warp = 0;
	r = program_run(&p, c);
	/* Warp 1 arrives in cycle 1; its slots from cycle 2 on wait. */
	assert_int_equal(r->total.sm.slots[SLOT_BARRIER], arrival - 2 + c->sm.barrier_latency - 1);
	sim_result_free(r);
	sim_config_free(c);
}

static void test_a_fence_waits_for_its_store(void **state)
{
	struct sim_config *c = one_scheduler();

	(void)state;
	program_begin(&p, 1, 1);
	program_emit(&p, program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1), 0x1000, 4);
	emit(program_inst(&p, TRACE_FENCE, -1, -1), 1);
	/* The reply comes a cycle after the store's issue and the latency; the fence is ready in the next. */
	expect(c, 2, SLOT_FENCE, 1 + mock.latency);
}

/* Two CTAs in one slot: between them, and in front of each launch, there is no warp. */
static void test_slots_without_a_warp(void **state)
{
	struct sim_config *c = one_scheduler();

	(void)state;
	c->sm.ctas = 1;
	c->gpu.launch_cycles = 1000;
	program_begin(&p, 2, 1);
	p.launches = 2;
	emit(program_inst(&p, TRACE_INT, 1, 1), 3);
	expect(c, 12, SLOT_DEPENDENCY, 8 * (c->exec.latency[TRACE_INT] - 1));
}

/* Waits of every kind in one program. */
static void mixed_program(void)
{
	unsigned load, use, sfu, barrier, shared, store, fence;

	program_begin(&p, 12, 6);
	load = program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, 1);
	use = program_inst(&p, TRACE_FP32, 2, 1);
	sfu = program_inst(&p, TRACE_SFU, 3, 2);
	barrier = program_inst(&p, TRACE_BARRIER, -1, -1);
	shared = program_memory(&p, TRACE_LOAD, TRACE_SHARED, 4, 4);
	store = program_memory(&p, TRACE_STORE, TRACE_GLOBAL, 4, -1);
	fence = program_inst(&p, TRACE_FENCE, -1, -1);
	for (unsigned i = 0; i < 20; i++) {
		program_emit(&p, load, 0x1000 + i * 256, 4 + i % 3 * 60)->per_cta = 4096;
		emit(use, 1);
		emit(sfu, 2);
		program_emit(&p, shared, 0, 4 * (i % 5));
		emit(use, 1);
		if (i % 7 == 3)
			program_emit(&p, barrier, 0, 0);
		if (i % 5 == 2)
			program_emit(&p, store, 0x80000 + i * 128, 4)->per_warp = 128;
		if (i % 9 == 8)
			program_emit(&p, fence, 0, 0);
	}
	for (unsigned i = 0; i < 30; i++)
		program_emit(&p, use, 0, 0)->only_warp = 3;
}

static uint64_t sum_of(const struct sm_stats *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < SLOT_COUNT; i++)
		sum += s->slots[i];
	return sum;
}

static uint64_t sum_in_document(const json_t *kernel)
{
	const json_t *value, *sm = json_object_get(kernel, "sm");
	uint64_t sum = 0;
	const char *key;

	json_object_foreach((json_t *)sm, key, value) sum +=
	    strncmp(key, "slots_", 6) == 0 ? (uint64_t)json_integer_value(value) : 0;
	return sum;
}

/* Each of the document's kernels has slots for its own cycles. */
static void assert_kernels(const char *document, unsigned schedulers)
{
	json_t *root = json_loads(document, 0, NULL), *kernel;
	size_t i;

	assert_non_null(root);
	assert_true(json_array_size(json_object_get(root, "kernels")) > 0);
	json_array_foreach(json_object_get(root, "kernels"), i, kernel) assert_int_equal(
	    sum_in_document(kernel), json_integer_value(json_object_get(kernel, "cycles")) * schedulers);
	json_decref(root);
}

/* Every scheduler, number of schedulers and order of ticks; also when the run ends early, and with windows. */
static void test_every_slot_is_accounted_for(void **state)
{
	(void)state;
	mixed_program();
	p.launches = 2;
	for (unsigned i = 0; i < 3 * 4 * 3; i++) {
		struct sim_options options = {.max_cycles = i / 12 * 700, .report = stderr};
		struct sim_result *forward, *reverse;
		struct sim_config *c = one_sm();
		struct diag d = DIAG_INIT;
		char *document, *windows;
		uint64_t slots;
		size_t size;

		c->gpu.sms = 3;
		c->memory.noc.sm_routers = 1;
		c->sm.scheduler = i % 3;
		c->sm.active_warps = 1 + i % 2;
		c->sm.schedulers = 1 + i / 3 % 4;
		c->sm.ctas = 3;
		c->sm.lsu_queue = 1 + i % 3;
		options.json = open_memstream(&document, &size);
		assert_int_equal(program_try(&p, c, &options, &forward, &d), 0);
		fclose(options.json);
		options = (struct sim_options){.max_cycles = options.max_cycles,
					       .report = stderr,
					       .reverse = true,
					       .series = open_memstream(&windows, &size),
					       .series_cycles = 50};
		assert_int_equal(program_try(&p, c, &options, &reverse, &d), 0);
		fclose(options.series);
		slots = forward->cycles * c->gpu.sms * c->sm.schedulers;
		assert_int_equal(sum_of(&forward->total.sm), slots);
		assert_memory_equal(&forward->total.sm, &reverse->total.sm, sizeof forward->total.sm);
		assert_kernels(document, c->gpu.sms * c->sm.schedulers);
		free(document);
		free(windows);
		sim_result_free(forward);
		sim_result_free(reverse);
		sim_config_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_a_chain_waits_for_its_registers, reset),
	    cmocka_unit_test_setup(test_branches_are_dependencies, reset),
	    cmocka_unit_test_setup(test_independent_instructions_wait_for_the_unit, reset),
	    cmocka_unit_test_setup(test_a_load_and_its_use_wait_for_memory, reset),
	    cmocka_unit_test_setup(test_the_register_that_comes_last_counts, reset),
	    cmocka_unit_test_setup(test_a_full_queue_is_the_lsu, reset),
	    cmocka_unit_test_setup(test_barriers_and_the_work_in_front, reset),
	    cmocka_unit_test_setup(test_a_scheduler_whose_last_warp_ended_has_none, reset),
	    cmocka_unit_test_setup(test_a_fence_waits_for_its_store, reset),
	    cmocka_unit_test_setup(test_slots_without_a_warp, reset),
	    cmocka_unit_test_setup(test_every_slot_is_accounted_for, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
