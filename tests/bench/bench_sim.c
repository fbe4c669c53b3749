/* bench_sim [WORKLOAD [N [POLICY...]]]: speed of the simulator and the LLC policies compared, on synthetic traces. */
#include "sim-backend/run/sim.h"
#include "tests/bench/sim_workloads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct sim_summary simulate(const char *path, const char *policy)
{
	struct sim_config *config = sim_config_create();
	struct sim_options options = {.report = stderr};
	struct diag d = DIAG_INIT;
	struct trace_reader *trace = trace_open(path, &d);
	struct sim_result *result;
	struct sim_summary summary;

	if (!trace || sim_config_load(config, "selrep64", &d) < 0 ||
	    sim_config_policies(config, policy, NULL, &d) < 0 || sim_config_check(config, &d) < 0 ||
	    sim_run(config, trace, &options, &result, &d) < 0) {
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
		       first / (double)s.cycles, s.l1_miss_rate, s.llc_miss_rate, s.replies_per_cycle,
		       s.cycles_per_second, s.warp_instructions_per_second);
	}
}

static void naive16(struct trace_writer *w, uint32_t n)
{
	write_matmul_naive(w, (struct matmul_shape){n, n, n}, 16, 16);
}

static void naive32(struct trace_writer *w, uint32_t n)
{
	write_matmul_naive(w, (struct matmul_shape){n, n, n}, 32, 8);
}

static void tiled16(struct trace_writer *w, uint32_t n)
{
	write_matmul_tiled(w, (struct matmul_shape){n, n, n}, 16);
}

static void tiled32(struct trace_writer *w, uint32_t n)
{
	write_matmul_tiled(w, (struct matmul_shape){n, n, n}, 32);
}

static void layer(struct trace_writer *w, uint32_t n)
{
	write_neural_layer(w, 256, n, n);
}

static const struct workload {
	const char *name, *what;
	void (*write)(struct trace_writer *w, uint32_t n);
	uint32_t n; /* when none is given */
} workloads[] = {
    {"naive16", "matrix product, 16 x 16 threads", naive16, 256},
    {"naive32", "matrix product, 32 x 8 threads", naive32, 256},
    {"tiled16", "matrix product, tiles of 16 x 16", tiled16, 256},
    {"tiled32", "matrix product, tiles of 32 x 32", tiled32, 256},
    {"layer", "fully connected layer, 256 inputs", layer, 256},
    {"vector", "vector addition, CTAs of 256 threads", write_vector_add, 4096},
};

static void run(const struct workload *workload, uint32_t n, char *const *policies, int npolicies)
{
	char path[] = "/tmp/romark-bench-XXXXXX", title[128];
	struct diag d = DIAG_INIT;
	struct trace_writer *w;

	close(mkstemp(path));
	w = trace_create(path, &d);
	if (w)
		workload->write(w, n);
	if (!w || trace_finish(w, &d) < 0) {
		diag_print(&d, stderr);
		exit(1);
	}
	snprintf(title, sizeof title, "%s: %s, N = %" PRIu32, workload->name, workload->what, n);
	compare(title, path, policies, npolicies);
	unlink(path);
}

int main(int argc, char **argv)
{
	static char *const all[] = {"shared", "selrep", "private", "degree2", "degree4", "degree8", "degree16"};
	char *const *policies = argc > 3 ? argv + 3 : all;
	int npolicies = argc > 3 ? argc - 3 : (int)(sizeof all / sizeof all[0]);

	for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
		if (argc < 2 || strcmp(argv[1], workloads[i].name) == 0)
			run(&workloads[i], argc > 2 ? (uint32_t)atoi(argv[2]) : workloads[i].n, policies, npolicies);
	return 0;
}
