/* bench_sim [N] [POLICY...]: speed of the simulator on an N x N matrix product and a vector addition, per LLC policy. */
#include "sim-backend/sim.h"
#include "tests/trace/matmul.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VECTOR_CTAS = 4096, VECTOR_WARPS = 8 };

/* c[i] = a[i] + b[i]: 4096 CTAs of 256 threads. */
static void vector_add_write(struct trace_writer *w, uint32_t ctas)
{
	static const struct trace_inst insts[] = {
		{.cls = TRACE_INT, .ndst = 1, .dst = {0}, .structure = TRACE_NO_STRUCTURE},
		{.cls = TRACE_LOAD, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS | TRACE_READ_ONLY, .access_bytes = 4,
		 .ndst = 1, .nsrc = 1, .dst = {1}, .src = {0}, .structure = 0},
		{.cls = TRACE_LOAD, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS | TRACE_READ_ONLY, .access_bytes = 4,
		 .ndst = 1, .nsrc = 1, .dst = {2}, .src = {0}, .structure = 1},
		{.cls = TRACE_FP32, .ndst = 1, .nsrc = 2, .dst = {3}, .src = {1, 2}, .structure = TRACE_NO_STRUCTURE},
		{.cls = TRACE_STORE, .space = TRACE_GLOBAL, .flags = TRACE_HAS_ACCESS, .access_bytes = 4, .nsrc = 2,
		 .src = {0, 3}, .structure = 2}};
	static const struct trace_block block = {0, 5};
	static const char *const names[] = {"p0", "p1", "p2"};
	static const uint64_t base[] = {0x700000000, 0x740000000, 0x780000000};
	static const struct trace_allocation allocations[] = {
		{0x700000000, 1 << 26, "a"}, {0x740000000, 1 << 26, "b"}, {0x780000000, 1 << 26, "c"}};
	static const struct trace_structure structures[] = {{0x700000000, 0, TRACE_IS_READ_ONLY, true},
							     {0x740000000, 1, TRACE_IS_READ_ONLY, true},
							     {0x780000000, 2, TRACE_IS_WRITE_ONLY, false}};
	const struct trace_kernel kernel = {.name = "vector_add", .module = "vector_add.cu", .insts = insts, .ninsts = 5,
					    .blocks = &block, .nblocks = 1, .structures = names, .nstructures = 3,
					    .registers_per_thread = 16, .nregisters = 4};
	struct trace_launch launch = {.grid = {ctas, 1, 1}, .block = {VECTOR_WARPS * 32, 1, 1},
				      .allocations = allocations, .nallocations = 3, .structures = structures,
				      .marks_in_force = true};
	uint64_t addresses[TRACE_WARP_LANES];

	launch.kernel = trace_add_kernel(w, &kernel);
	trace_begin_launch(w, &launch);
	for (uint32_t cta = 0; cta < ctas; cta++) {
		trace_begin_cta(w, cta, 0, 0, VECTOR_WARPS);
		for (uint32_t warp = 0; warp < VECTOR_WARPS; warp++) {
			trace_block(w, warp, 0, UINT32_MAX);
			for (unsigned i = 0; i < 3; i++) {
				for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
					addresses[lane] = base[i] + 4 * ((uint64_t)(cta * VECTOR_WARPS + warp) * 32 + lane);
				trace_access(w, warp, TRACE_GLOBAL, UINT32_MAX, addresses);
			}
		}
		trace_end_cta(w);
	}
	trace_end_launch(w);
}

static struct sim_summary simulate(const char *path, const char *policy)
{
	struct sim_config *config = sim_config_create();
	struct sim_options options = {.report = stderr};
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(path, &d);
	struct sim_result *result;
	struct sim_summary summary;

	if (!trace || sim_config_load(config, "selrep64", &d) < 0 || sim_config_policies(config, policy, NULL, &d) < 0 ||
	    sim_config_check(config, &d) < 0 || sim_run(config, trace, &options, &result, &d) < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	summary = sim_result_summary(result);
	sim_result_free(result);
	trace_close(trace);
	sim_config_free(config);
	return summary;
}

static void compare(const char *what, const char *path, char *const *policies, int npolicies)
{
	double first = 0;

	printf("%s\n%-10s %10s %8s %8s %8s %9s %12s %12s\n", what, "policy", "cycles", "speedup", "L1 miss", "LLC miss",
	       "replies/c", "cycles/s", "warp inst/s");
	for (int i = 0; i < npolicies; i++) {
		struct sim_summary s = simulate(path, policies[i]);

		first = i ? first : (double)s.cycles;
		printf("%-10s %10" PRIu64 " %8.3f %8.3f %8.3f %9.2f %12.0f %12.0f\n", policies[i], s.cycles,
		       first / (double)s.cycles, s.l1_miss_rate, s.llc_miss_rate, s.replies_per_cycle, s.cycles_per_second,
		       s.warp_instructions_per_second);
	}
}

int main(int argc, char **argv)
{
	static char *const all[] = {"shared", "selrep", "private", "degree2", "degree4", "degree8"};
	uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) / 16 * 16 : 256;
	char *const *policies = argc > 2 ? argv + 2 : all;
	int npolicies = argc > 2 ? argc - 2 : (int)(sizeof all / sizeof all[0]);
	char path[] = "/tmp/romark-bench-XXXXXX", title[64];
	struct diag d = DIAG_INIT;

	close(mkstemp(path));
	for (int i = 0; i < 2; i++) {
		struct trace_writer *w = trace_create(path, &d);

		if (i == 0)
			matmul_write(w, n);
		else
			vector_add_write(w, VECTOR_CTAS);
		if (trace_finish(w, &d) < 0) {
			diag_print(&d, stderr);
			return 1;
		}
		snprintf(title, sizeof title, i ? "vector addition" : "matrix product, N = %u", n);
		compare(title, path, policies, npolicies);
	}
	unlink(path);
	return 0;
}
