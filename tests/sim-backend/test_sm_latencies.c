/*
 * Latencies of an SM take no throughput: with enough warps, kernels take as long as before when a latency gets ten
 * times longer or more, but for the time until the last result. Each kernel is limited by issue slots, banks or the
 * L1's port.
 */
#include "tests/sim-backend/program.h"
#include "tests/sim-backend/support.h"

#include <stdio.h>

enum { WARPS = 32, CTAS = 2, REGISTERS = 8, ROUNDS = 40 };

enum work { ARITHMETIC, SHARED_LOADS, CONST_LOADS, L1_HITS, L1_MISSES };

static const struct latency {
	const char *knob;
	unsigned shorter, longer;
	enum work work;
} latencies[] = {
    {"exec.int_latency", 6, 200, ARITHMETIC},  {"sm.shared_latency", 24, 240, SHARED_LOADS},
    {"sm.const_latency", 8, 200, CONST_LOADS}, {"l1.hit_latency", 28, 280, L1_HITS},
    {"l1.fill_latency", 4, 200, L1_MISSES},    {"llc.latency", 120, 400, L1_MISSES},
    {"noc.link_cycles", 1, 60, L1_MISSES},
};
enum { LATENCIES = sizeof latencies / sizeof *latencies };

static struct program p;

static unsigned instruction(enum work work, int dst)
{
	switch (work) {
	case ARITHMETIC: return program_inst(&p, TRACE_INT, dst, dst);
	case SHARED_LOADS: return program_memory(&p, TRACE_LOAD, TRACE_SHARED, 4, dst);
	case CONST_LOADS: return program_memory(&p, TRACE_LOAD, TRACE_CONST, 4, dst);
	default: return program_memory(&p, TRACE_LOAD, TRACE_GLOBAL, 4, dst);
	}
}

/* Each warp does the work into eight registers in turn: so many results may be on their way. */
static void make(enum work work)
{
	unsigned insts[REGISTERS];

	program_begin(&p, CTAS, WARPS);
	for (unsigned r = 0; r < REGISTERS; r++)
		insts[r] = instruction(work, (int)r + 1);
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned r = 0; r < REGISTERS; r++) {
			struct program_step *s;
			uint64_t line = work == L1_MISSES ? round * REGISTERS + r : r;

			s = program_emit(&p, insts[r], (1 << 20) + line * 128, work == CONST_LOADS ? 0 : 4);
			s->per_warp = work == L1_MISSES ? ROUNDS * REGISTERS * 128 : 0;
			s->per_cta = work == L1_MISSES ? (uint64_t)WARPS * ROUNDS * REGISTERS * 128 : 0;
		}
}

static uint64_t launches_with(const struct latency *l, unsigned cycles, uint32_t launches)
{
	struct sim_config *config = one_sm();
	struct sim_options options = {.report = stderr};
	struct sim_result *result;
	struct diag d = DIAG_INIT;
	char setting[64];
	uint64_t taken;

	snprintf(setting, sizeof setting, "%s=%u", l->knob, cycles);
	/* The LLC holds all, and a stream of fetches needs no MSHRs. */
	if (sim_config_set(config, setting, &d) < 0 || sim_config_set(config, "sm.scheduler=lrr", &d) < 0 ||
	    sim_config_set(config, "l1.alloc=stream", &d) < 0 || sim_config_set(config, "llc.kilobytes=65536", &d) < 0)
		fail_msg("%s", d.message);
	p.launches = launches;
	if (program_try(&p, config, &options, &result, &d) < 0)
		fail_msg("%s", d.message);
	taken = result->total.run.cycles;
	sim_result_free(result);
	sim_config_free(config);
	return taken;
}

/* Cycles of the second launch: the first launch brings the data of both into the LLC. */
static uint64_t cycles_with(const struct latency *l, unsigned cycles)
{
	return launches_with(l, cycles, 2) - launches_with(l, cycles, 1);
}

static void test_latencies_take_no_throughput(void **state)
{
	(void)state;
	for (unsigned i = 0; i < LATENCIES; i++) {
		const struct latency *l = &latencies[i];
		uint64_t shorter, longer, late = 2 * (uint64_t)(l->longer - l->shorter);

		make(l->work);
		shorter = cycles_with(l, l->shorter);
		longer = cycles_with(l, l->longer);
		if (longer > shorter + shorter / 50 + late)
			fail_msg("%s=%u: %lu cycles, %lu with %u", l->knob, l->longer, (unsigned long)longer,
				 (unsigned long)shorter, l->shorter);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_latencies_take_no_throughput),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
