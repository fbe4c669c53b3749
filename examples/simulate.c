/*
 * What would other LLC policies do for a trace? Prints each policy's cycles beside those of the first.
 *
 *   cc simulate.c $(pkg-config --cflags --libs romark) -o simulate
 *   ./simulate mm.romtrace shared selrep ./llc_popular.so
 */
#include <romark/romark.h>
#include <stdio.h>

static struct romark_result *simulate(const char *trace, const char *policy)
{
	static const char *const set[] = {"llc.kilobytes=2048", NULL};
	struct romark_sim_options options = ROMARK_INIT(struct romark_sim_options);
	struct romark_error error;
	struct romark_result *r;

	options.llc = policy;
	options.set = set;
	options.threads = 2;
	r = romark_sim(trace, &options, &error);
	if (!r)
		fprintf(stderr, "%s%s%s\n", error.file, error.file[0] ? ": " : "", error.message);
	return r;
}

/* The counters of the policy, if it has some. */
static void show_policy(const struct romark_result *r)
{
	char path[256];
	const char *policy, *counter;

	for (size_t i = 0; (policy = romark_result_key(r, "policy_stats", i)); i++) {
		snprintf(path, sizeof path, "policy_stats.%s", policy);
		for (size_t k = 0; (counter = romark_result_key(r, path, k)); k++) {
			snprintf(path, sizeof path, "policy_stats.%s.%s", policy, counter);
			printf("    %s %g\n", path, romark_result_number(r, path, 0));
			snprintf(path, sizeof path, "policy_stats.%s", policy);
		}
	}
}

int main(int argc, char **argv)
{
	double first = 0;

	if (argc < 3)
		return fprintf(stderr, "usage: %s FILE.romtrace POLICY...\n", argv[0]), 2;
	for (int i = 2; i < argc; i++) {
		struct romark_result *r = simulate(argv[1], argv[i]);
		double cycles;

		if (!r)
			return 1;
		cycles = romark_result_number(r, "cycles", 0);
		first = i == 2 ? cycles : first;
		printf("%-12s %10.0f cycles %+6.1f %%, LLC miss rate %.3f, %zu kernels\n",
		       romark_result_text(r, "llc_policy"), cycles, 100 * (first / cycles - 1),
		       romark_result_number(r, "llc.miss_rate", 0), romark_result_count(r, "kernels"));
		show_policy(r);
		romark_result_free(r);
	}
	return 0;
}
