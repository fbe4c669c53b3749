/* The main flow: study, traces, plan, database; then claim, execute and store until nothing is left. */
#include "study/sweep.h"

#include "common/process.h"
#include "common/progress.h"
#include "study/database/ledger.h"
#include "study/prepare.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RENEW_SECONDS = LEASE_SECONDS / 4, MAX_ENDED = 64, WAIT_SECONDS = 1 };

/* A run that this sweep executes. */
struct active {
	size_t run; /* of the plan */
	char *folder;
};

struct sweeping {
	const struct sweep_options *options;
	struct study *study;
	struct plan *plan;
	struct database *db;
	const struct executor_ops *ops;
	struct executor *executor;
	struct hash identity; /* of romark */
	char owner[512];
	char results[PATH_MAX], work[PATH_MAX + 8], cache[PATH_MAX + 32];
	size_t *order, waiting; /* runs of the plan that may be left; the first `waiting` of them are */
	VEC(struct active) active;
	double renewed, started;
	struct progress progress;
	struct sweep_summary *summary;
};

/* --- Beginning --- */

/* "results.sqlite" -> "results.work" */
static void name_folders(struct sweeping *s)
{
	const char *slash, *dot;

	if (s->options->results[0] == '/' || !getcwd(s->results, sizeof s->results - 1))
		s->results[0] = '\0';
	if (s->results[0])
		strcat(s->results, "/");
	strncat(s->results, s->options->results, sizeof s->results - strlen(s->results) - 1);
	slash = strrchr(s->results, '/');
	dot = strrchr(slash, '.');
	snprintf(s->work, sizeof s->work, "%.*s.work",
		 (int)((dot ? dot : s->results + strlen(s->results)) - s->results), s->results);
	if (s->options->cache)
		snprintf(s->cache, sizeof s->cache, "%s", s->options->cache);
	else
		snprintf(s->cache, sizeof s->cache, "%.*s/romark-cache", (int)(slash - s->results), s->results);
}

static void say(void *arg, const char *what)
{
	(void)arg;
	fprintf(stderr, "%s\n", what);
}

static int prepare_traces(struct sweeping *s, struct diag *d)
{
	const struct prepare_options options = {.cache = s->cache,
						.romark = s->options->romark,
						.identity = s->identity,
						.jobs = s->options->jobs,
						.db = s->db,
						.said = say};

	if (prepare_find(s->plan, &options, d) < 0)
		return DIAG_ERROR;
	/* A wrong key is said before anything is compiled. */
	if (plan_configure(s->plan, d) < 0)
		return DIAG_ERROR;
	if (s->options->dry_run)
		return 0;
	return prepare_make(s->plan, &options, d) < 0 ? DIAG_ERROR : plan_configure(s->plan, d);
}

static int open_executor(struct sweeping *s, struct diag *d)
{
	const struct executor_options options = {.romark = s->options->romark,
						 .jobs = s->options->jobs,
						 .memory = s->options->memory,
						 .slurm = &s->options->slurm,
						 .folder = s->work};

	if (mkdir(s->work, 0777) < 0 && access(s->work, W_OK) < 0)
		return diag_file(d, s->work, "cannot make this folder, in which runs work");
	s->executor = s->ops->open(&options, d);
	return s->executor ? 0 : DIAG_ERROR;
}

/* --- Claims --- */

static int write_job(struct sweeping *s, const struct plan_run *run, const char *folder, struct diag *d)
{
	const struct job_spec spec = {.folder = folder,
				      .romark = s->options->romark,
				      .config = run->config,
				      .trace = s->plan->traces.data[run->trace].path,
				      .options = s->plan->options,
				      .series = s->study->simulation.keep_epochs};

	return job_write(&spec, d);
}

/* A claim of a process that is known to be gone has run out. */
static void forget_the_dead(struct sweeping *s, int64_t run)
{
	char owner[512];

	if (ledger_claimant(s->db, run, owner, sizeof owner) && !ledger_owner_lives(owner))
		ledger_expire(s->db, owner);
}

static char *folder_of(struct sweeping *s, const struct plan_run *run)
{
	char *folder = xmalloc(sizeof s->work + 64);

	snprintf(folder, sizeof s->work + 64, "%s/%s-%ld", s->work, run->key.text, (long)getpid());
	return folder;
}

static bool claim(struct sweeping *s, size_t index)
{
	struct plan_run *run = &s->plan->runs.data[index];
	char *folder = folder_of(s, run);

	if (run->state == RUN_RUNNING)
		forget_the_dead(s, run->id);
	if (!ledger_claim(s->db, run->id, s->owner, folder, s->ops->name,
			  s->options->retry_failed && run->state == RUN_FAILED)) {
		xfree(folder);
		return false;
	}
	vec_push(&s->active, (struct active){index, folder});
	return true;
}

static struct job job_of(const struct sweeping *s, const struct active *a)
{
	const struct plan_run *run = &s->plan->runs.data[a->run];

	return (struct job){.id = run->id, .folder = a->folder, .seconds = run->seconds, .bytes = run->bytes};
}

/* Takes from the runs that wait as many as the executor has room for. Those that others run stay at the end. */
static size_t claim_some(struct sweeping *s)
{
	size_t first = s->active.len, kept = 0, i;
	unsigned claimed = 0;

	for (i = 0; i < s->waiting; i++) {
		const struct plan_run *run = &s->plan->runs.data[s->order[i]];
		const struct job next = {.id = run->id, .seconds = run->seconds, .bytes = run->bytes};

		if (s->ops->room(s->executor, &next) <= claimed)
			break;
		if (claim(s, s->order[i]))
			claimed++;
		else
			s->order[kept++] = s->order[i];
	}
	memmove(&s->order[kept], &s->order[i], (s->waiting - i) * sizeof *s->order);
	s->waiting = kept + s->waiting - i;
	return first;
}

static int submit(struct sweeping *s, size_t first, struct diag *d)
{
	for (size_t i = first; i < s->active.len; i++) {
		struct job job = job_of(s, &s->active.data[i]);

		if (write_job(s, &s->plan->runs.data[s->active.data[i].run], job.folder, d) < 0 ||
		    s->ops->submit(s->executor, &job, 1, d) < 0)
			return DIAG_ERROR;
		if (s->ops->adopt)
			ledger_handle(s->db, job.id, job.handle);
	}
	return 0;
}

/* --- Ends --- */

static void end_one(struct sweeping *s, size_t index)
{
	struct active *a = &s->active.data[index];
	struct plan_run *run = &s->plan->runs.data[a->run];
	struct job_end end;

	if (!job_read_end(a->folder, &end)) {
		ledger_release(s->db, run->id, s->owner);
		s->order[s->waiting++] = a->run;
	} else if (ledger_end(s->db, run->id, s->owner, &end, a->folder, &s->study->simulation, s->identity.text,
			      s->options->version)) {
		s->summary->executed++;
		run->state = end.code || end.signal ? RUN_FAILED : RUN_DONE;
		s->summary->failed += run->state == RUN_FAILED;
		s->summary->done += run->state == RUN_DONE;
	}
}

static void forget(struct sweeping *s, size_t index)
{
	job_remove(s->active.data[index].folder);
	xfree(s->active.data[index].folder);
	s->active.data[index] = vec_pop(&s->active);
}

static size_t find_active(const struct sweeping *s, int64_t id)
{
	size_t i = 0;

	while (i < s->active.len && s->plan->runs.data[s->active.data[i].run].id != id)
		i++;
	return i;
}

/* One transaction for all that has ended and all that begins. */
static int store_and_claim(struct sweeping *s, const int64_t *ended, size_t count, struct diag *d)
{
	size_t first;

	database_begin(s->db);
	for (size_t i = 0; i < count; i++)
		if (find_active(s, ended[i]) < s->active.len)
			end_one(s, find_active(s, ended[i]));
	if (monotonic_seconds() - s->renewed > RENEW_SECONDS) {
		ledger_renew(s->db, s->owner);
		s->renewed = monotonic_seconds();
	}
	if (database_commit(s->db, d) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; i < count; i++)
		if (find_active(s, ended[i]) < s->active.len)
			forget(s, find_active(s, ended[i]));
	if (process_pending_signal() || !s->waiting)
		return 0;
	database_begin(s->db);
	first = claim_some(s);
	if (database_commit(s->db, d) < 0)
		return DIAG_ERROR;
	return submit(s, first, d);
}

/* --- The main flow --- */

static void show(struct sweeping *s)
{
	const struct sweep_summary *sum = s->summary;
	double spent = monotonic_seconds() - s->started;
	size_t ended = sum->done + sum->failed, left = sum->runs - ended;
	char note[200];

	snprintf(note, sizeof note, "%zu of %zu runs, %zu failed, %.2f/s, %.0f s left", ended, sum->runs, sum->failed,
		 spent > 0 ? (double)sum->executed / spent : 0,
		 sum->executed ? spent / (double)sum->executed * (double)left : 0);
	progress_update(&s->progress, ended, note);
}

static int execute(struct sweeping *s, struct diag *d)
{
	int64_t ended[MAX_ENDED];
	size_t count = 0;
	int status = 0;

	s->renewed = monotonic_seconds();
	while (status == 0 && !process_pending_signal()) {
		status = store_and_claim(s, ended, count, d);
		if (status < 0 || (!s->active.len && !s->waiting))
			break;
		show(s);
		count = s->ops->poll(s->executor, WAIT_SECONDS, ended, MAX_ENDED, d);
	}
	s->summary->interrupted = process_pending_signal() != 0;
	return status;
}

/* Runs that are under way are given back. */
static void give_up(struct sweeping *s)
{
	if (!s->active.len)
		return;
	s->ops->cancel(s->executor, true);
	database_begin(s->db);
	for (size_t i = 0; i < s->active.len; i++)
		ledger_release(s->db, s->plan->runs.data[s->active.data[i].run].id, s->owner);
	database_commit(s->db, NULL);
	while (s->active.len)
		forget(s, 0);
}

static void make_order(struct sweeping *s)
{
	s->order = xcalloc(s->plan->runs.len + 1, sizeof *s->order);
	for (size_t i = 0; i < s->plan->runs.len; i++) {
		enum run_state state = s->plan->runs.data[i].state;

		if (state == RUN_PLANNED || state == RUN_RUNNING || (state == RUN_FAILED && s->options->retry_failed))
			s->order[s->waiting++] = i;
		s->summary->done += state == RUN_DONE;
		s->summary->failed += state == RUN_FAILED && !s->options->retry_failed;
	}
	s->summary->runs = s->plan->runs.len;
	s->summary->points = s->plan->points.len;
}

static int run_plan(struct sweeping *s, struct diag *d)
{
	int status;

	if (ledger_enter(s->db, s->plan, d) < 0 || ledger_estimate(s->db, s->plan, d) < 0 || open_executor(s, d) < 0)
		return DIAG_ERROR;
	make_order(s);
	progress_start(&s->progress, "sweeping", s->plan->runs.len);
	s->started = monotonic_seconds();
	status = execute(s, d);
	progress_end(&s->progress);
	give_up(s);
	rmdir(s->work); /* when it is empty */
	return status;
}

static int make_plan(struct sweeping *s, struct diag *d)
{
	const struct study_text text = {s->options->filter, {0, 0}};
	const struct expression *filter = NULL;

	if (text.text)
		filter = expression_parse(s->study, &text, EXPRESSION_CONDITION, d);
	if (text.text && !filter)
		return DIAG_ERROR;
	s->plan = plan_create(s->study, filter);
	return 0;
}

static int sweep_study(struct sweeping *s, struct diag *d)
{
	s->study = study_load(s->options->study, d);
	if (!s->study || hash_of_file(s->options->romark, &s->identity, d) < 0)
		return DIAG_ERROR;
	if (make_plan(s, d) < 0)
		return DIAG_ERROR;
	s->db = database_open(s->options->results, DATABASE_WRITE, d);
	if (!s->db || prepare_traces(s, d) < 0)
		return DIAG_ERROR;
	return s->options->dry_run ? 0 : run_plan(s, d);
}

int sweep(const struct sweep_options *options, struct sweep_summary *summary, struct diag *d)
{
	struct sweeping s = {.options = options, .summary = summary};
	int status;

	*summary = (struct sweep_summary){.points = 0};
	s.ops = executor_find(options->executor ? options->executor : "local");
	name_folders(&s);
	ledger_owner(s.owner, sizeof s.owner);
	process_keep_signals();
	status = sweep_study(&s, d);
	if (s.executor)
		s.ops->close(s.executor);
	vec_release(&s.active);
	xfree(s.order);
	database_close(s.db);
	plan_free(s.plan);
	study_free(s.study);
	return status;
}
