/*
 * Local memory in a whole run is as good as an array in global memory: each thread fills its own part and reads it
 * again. Data that fits into the LLC is found there, by one SM and by many, under every policy, and in the same time.
 */
#include "tests/sim-backend/program.h"
#include "tests/sim-backend/support.h"

#include <stdlib.h>

enum { WORDS = 64, WARPS = 4, LINE = 128 };

static struct program p;

/* Each warp writes its words, waits, and reads them. Global: the same lines one behind the other. */
static void fill_and_read(bool local, uint32_t ctas, uint32_t known_bytes)
{
	enum trace_space space = local ? TRACE_LOCAL : TRACE_GLOBAL;
	unsigned store, load, fence;

	program_begin(&p, ctas, WARPS);
	p.local_bytes = known_bytes;
	store = program_memory(&p, TRACE_STORE, space, 4, -1);
	fence = program_inst(&p, TRACE_FENCE, -1, -1);
	load = program_memory(&p, TRACE_LOAD, space, 4, 1);
	for (unsigned part = 0; part < 2; part++) {
		for (unsigned w = 0; w < WORDS; w++) {
			struct program_step *s =
			    program_emit(&p, part ? load : store, local ? w * 4 : (1 << 24) + w * LINE, local ? 0 : 4);

			s->per_warp = local ? 0 : WORDS * LINE;
			s->per_cta = local ? 0 : WARPS * WORDS * LINE;
		}
		if (!part)
			program_emit(&p, fence, 0, 0);
	}
}

static struct sim_result *run(const char *gpu, const char *policy, const char *setting)
{
	struct sim_config *config = sim_config_create();
	struct sim_options options = {.report = stderr};
	struct sim_result *result = NULL;
	struct diag d = DIAG_INIT;

	if (sim_config_load(config, gpu, &d) < 0 || (setting && sim_config_set(config, setting, &d) < 0) ||
	    sim_config_policies(config, policy, NULL, &d) < 0 || program_try(&p, config, &options, &result, &d) < 0)
		fail_msg("%s", d.message);
	sim_config_free(config);
	return result;
}

static void check(const char *gpu, const char *policy, const char *setting, uint32_t ctas, uint32_t known_bytes)
{
	struct sim_result *local, *global;
	uint64_t lines = (uint64_t)ctas * WARPS * WORDS, cycles[2];

	fill_and_read(true, ctas, known_bytes);
	local = run(gpu, policy, setting);
	fill_and_read(false, ctas, 0);
	global = run(gpu, policy, setting);
	cycles[0] = local->total.run.cycles;
	cycles[1] = global->total.run.cycles;
	if (local->total.llc.array_hits != lines || local->total.dram.reads)
		fail_msg("%s, %s, %u CTAs, %u bytes: %lu of %lu lines found, %lu of memory", gpu, policy, ctas,
			 known_bytes, (unsigned long)local->total.llc.array_hits, (unsigned long)lines,
			 (unsigned long)local->total.dram.reads);
	if (cycles[0] > cycles[1] + cycles[1] / 10 || cycles[1] > cycles[0] + cycles[0] / 10)
		fail_msg("%s, %s, %u CTAs, %u bytes: %lu cycles, in global memory %lu", gpu, policy, ctas, known_bytes,
			 (unsigned long)cycles[0], (unsigned long)cycles[1]);
	sim_result_free(local);
	sim_result_free(global);
}

/* 32 KB an SM, 2 MB in all, in an LLC of 4 MB. Where the trace does not say how much a thread has, too. */
static void test_local_memory_is_found_in_the_llc(void **state)
{
	static const char *const policies[] = {"shared", "degree4", "selrep", "degree16"};

	(void)state;
	for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++)
		for (uint32_t ctas = 1; ctas <= 64; ctas *= 8) {
			check("selrep64", policies[i], NULL, ctas, WORDS * 4);
			check("selrep64", policies[i], NULL, ctas, 0);
		}
}

static void test_on_other_machines(void **state)
{
	(void)state;
	check("fermi16", "shared", NULL, 16, WORDS * 4);
	check("gtx480", "shared", "llc.kilobytes=1536", 15, WORDS * 4);
	check("selrep64", "shared", "map.scheme=ipoly", 64, WORDS * 4);
	check("selrep64", "shared", "map.scheme=linear", 64, WORDS * 4);
	check("selrep64", "shared", "map.scheme=linear", 64, 0);
	check("selrep64", "shared", "noc.topology=mesh", 64, WORDS * 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_local_memory_is_found_in_the_llc),
	    cmocka_unit_test(test_on_other_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
