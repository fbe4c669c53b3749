/* `romark sweep`: runs a study into a database, and goes on where it was stopped. */
#include "cli/command.h"
#include "cli/version.h"

#include "common/c_locale.h"
#include "common/options.h"
#include "common/process.h"
#include "common/size.h"
#include "study/job.h"
#include "study/sweep.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool own_path(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n <= 0)
		return false;
	path[n] = '\0';
	return true;
}

static void print_summary(const struct sweep_summary *s, const char *results)
{
	if (s->interrupted)
		fputs("romark: interrupted; the same command goes on from here\n", stderr);
	if (s->others)
		fprintf(stderr,
			"romark: note: another build of romark did %zu of the runs; with another database this build "
			"does all\n",
			s->others);
	printf("%zu of %zu runs are done", s->done, s->runs);
	if (s->failed)
		printf(", %zu failed", s->failed);
	if (s->too_large)
		printf(", %zu need more memory than there is", s->too_large);
	printf("; %zu were executed now. The results are in %s\n", s->executed, results);
}

/* One job, as an executor on another machine starts it. */
static int run_task(const char *folder)
{
	struct diag d = DIAG_INIT;

	if (job_run(folder, &d) == 0)
		return EXIT_OK;
	diag_print(&d, stderr);
	process_end_by_signal();
	return EXIT_BAD_INPUT;
}

static bool read_memory(const char *text, uint64_t *bytes)
{
	char *end;
	double number, factor;

	if (!text)
		return true;
	number = c_strtod(text, &end);
	factor = size_factor(end);
	*bytes = (uint64_t)(number * factor);
	return end != text && factor > 0 && number * factor >= 1 && number * factor < 1e18;
}

static int run_sweep(struct sweep_options *options)
{
	struct sweep_summary summary;
	struct diag d = DIAG_INIT;
	char path[PATH_MAX];
	int status, code;

	if (!own_path(path)) {
		fputs("romark: sweep: the running program cannot be found; is /proc mounted?\n", stderr);
		return EXIT_BAD_INPUT;
	}
	options->romark = path;
	options->version = version_text();
	options->plan = stdout;
	status = sweep(options, &summary, &d);
	options->romark = NULL; /* `path` ends with this function */
	code = status < 0 ? error_exit(&d) : summary.failed || summary.too_large ? EXIT_BAD_INPUT : EXIT_OK;
	if (status == 0 && !options->dry_run)
		print_summary(&summary, options->results);
	process_end_by_signal();
	return code;
}

/* An option for another executor is an error, not ignored. */
static bool has_unused_limits(const struct sweep_options *options)
{
	const struct study_slurm *slurm = &options->slurm;

	return strcmp(options->executor, "slurm") != 0 && (slurm->partition || slurm->account || slurm->time);
}

int cmd_sweep(int argc, char **argv)
{
	struct sweep_options options = {.executor = "local"};
	const char *task = NULL, *memory = NULL;
	const struct option_row rows[] = {
	    {'o', "output", OPT_STRING, &options.results, "RESULTS.sqlite",
	     "the database; it is made, or gone on with"},
	    {'j', "jobs", OPT_COUNT, &options.jobs, "N", "runs at a time; default: one for each core"},
	    {'n', "dry-run", OPT_FLAG, &options.dry_run, NULL, "only say what would be run"},
	    {0, "retry-failed", OPT_FLAG, &options.retry_failed, NULL, "run those again that have failed"},
	    {0, "filter", OPT_STRING, &options.filter, "EXPR", "only these runs: \"policy = selrep and seed < 3\""},
	    {0, "memory", OPT_STRING, &memory, "SIZE",
	     "runs that do not fit into this together wait: 16G;"
	     " of each run with slurm"},
	    {0, "cache", OPT_STRING, &options.cache, "FOLDER", "of programs and traces; default: beside the results"},
	    {0, "executor", OPT_STRING, &options.executor, executor_names, "where runs are executed"},
	    {0, "partition", OPT_STRING, &options.slurm.partition, "NAME",
	     "of Slurm; default: the study's, or Slurm's own"},
	    {0, "account", OPT_STRING, &options.slurm.account, "NAME", "that pays for it in Slurm"},
	    {0, "time", OPT_STRING, &options.slurm.time, "LIMIT", "of each run in Slurm: 30 (minutes), 2:00:00, 1-12"},
	    {0, "task", OPT_STRING, &task, "FOLDER", "for executors: execute the run that this folder describes"},
	    {0},
	};
	const struct usage usage = {"sweep", "STUDY.yaml", "Runs a study, and goes on where it was stopped.", rows,
				    "Example: romark sweep studies/example.yaml -o example.sqlite"};
	int n = options_parse(&usage, argc, argv);

	if (n < 0)
		return usage_exit(n);
	if (task && n == 0)
		return run_task(task);
	if (n != 1 || !options.results) {
		fprintf(stderr, "romark: sweep: %s; see 'romark sweep --help'\n",
			n != 1 ? "exactly one study is needed" : "-o RESULTS.sqlite missing");
		return EXIT_WRONG_USAGE;
	}
	if (!executor_find(options.executor) || !read_memory(memory, &options.memory)) {
		fprintf(stderr, "romark: sweep: --%s%s; see 'romark sweep --help'\n",
			executor_find(options.executor) ? "memory is a size such as 16G" : "executor is ",
			executor_find(options.executor) ? "" : executor_names);
		return EXIT_WRONG_USAGE;
	}
	if (has_unused_limits(&options)) {
		fputs("romark: sweep: --partition, --account and --time are for --executor=slurm\n", stderr);
		return EXIT_WRONG_USAGE;
	}
	options.study = argv[0];
	return run_sweep(&options);
}
