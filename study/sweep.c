/* The main flow: study, traces, plan, database; then claim, execute and store until nothing is left. */
#include "study/sweep.h"

#include "common/c_locale.h"
#include "common/file.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/strbuf.h"
#include "study/database/ledger.h"
#include "study/plan_print.h"
#include "study/prepare.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RENEW_SECONDS = LEASE_SECONDS / 4, MAX_ENDED = 64, MOST_FAILURES = 5, WAIT_SECONDS = 1 };

/* A run that this sweep executes. */
struct active {
	size_t run; /* of the plan */
	char *folder;
	bool inherited; /* it was begun by a sweep that is gone */
	bool begun;     /* the executor has it */
	bool ended;     /* and has it no more */
};

struct sweeping {
	const struct sweep_options *options;
	struct study *study;
	struct plan *plan;
	struct database *db;
	const struct executor_ops *ops;
	struct executor *executor;
	struct study_slurm slurm;
	struct hash identity; /* of romark */
	char owner[512];
	char results[PATH_MAX], work[PATH_MAX + 8], cache[PATH_MAX + 32];
	size_t *order, waiting; /* runs of the plan; the first `waiting` of them are left to do */
	VEC(struct active) active;
	double renewed, started;
	double spent; /* seconds of runs that have ended here */
	struct progress progress;
	struct sweep_summary *summary;
};

/* --- Beginning --- */

/*
 * Programs are compiled and runs executed in other folders, so the paths are absolute. "results.sqlite" has
 * "results.sqlite.work": two databases that differ in their ending do not share it.
 */
static int name_folders(struct sweeping *s, struct diag *d)
{
	if (database_check_name(s->options->results, d) < 0 ||
	    file_absolute(s->options->results, s->results, sizeof s->results, d) < 0)
		return DIAG_ERROR;
	snprintf(s->work, sizeof s->work, "%s.work", s->results);
	if (s->options->cache)
		return file_absolute(s->options->cache, s->cache, sizeof s->cache, d);
	snprintf(s->cache, sizeof s->cache, "%.*s/romark-cache", (int)(strrchr(s->results, '/') - s->results),
		 s->results);
	return 0;
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
						.db = s->options->dry_run ? NULL : s->db,
						.failures = s->options->retry_failed ? NULL : s->db,
						.said = say};

	if (prepare_find(s->plan, &options, d) < 0)
		return DIAG_ERROR;
	/* A wrong key is reported before anything is compiled. */
	if (plan_configure(s->plan, d) < 0)
		return DIAG_ERROR;
	if (s->options->dry_run || prepare_is_done(s->plan))
		return 0;
	return prepare_make(s->plan, &options, d) < 0 ? DIAG_ERROR : plan_configure(s->plan, d);
}

static void choose(const char **value, const char *option)
{
	if (option)
		*value = option;
}

/* The command line has priority over the study. */
static void merge_limits(struct sweeping *s)
{
	const struct study_slurm *options = &s->options->slurm;

	s->slurm = s->study->slurm;
	choose(&s->slurm.partition, options->partition);
	choose(&s->slurm.account, options->account);
	choose(&s->slurm.time, options->time);
	choose(&s->slurm.memory, options->memory);
	choose(&s->slurm.constraint, options->constraint);
	if (options->array)
		s->slurm.array = options->array;
}

static int make_work_folder(const char *path, struct diag *d)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST)
		return diag_file(d, path, "cannot make this folder, in which runs work: %s", strerror(errno));
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && access(path, W_OK) == 0)
		return 0;
	return diag_file(d, path, "runs work in a folder of this name, which is something else or cannot be written");
}

static int open_executor(struct sweeping *s, struct diag *d)
{
	const struct executor_options options = {.romark = s->options->romark,
						 .jobs = s->options->jobs,
						 .memory = s->options->memory,
						 .slurm = &s->slurm,
						 .folder = s->work,
						 .said = say};

	if (make_work_folder(s->work, d) < 0)
		return DIAG_ERROR;
	merge_limits(s);
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
				      .options = s->plan->traces.data[run->trace].options,
				      .series = s->study->simulation.keep_epochs,
				      .files = run->files};

	return job_write(&spec, d);
}

static char *folder_of(struct sweeping *s, const struct plan_run *run)
{
	char *folder = xmalloc(sizeof s->work + 64);

	snprintf(folder, sizeof s->work + 64, "%s/%s-%ld", s->work, run->key.text, (long)getpid());
	return folder;
}

enum claim { CLAIMED, CLAIM_LATER, CLAIM_ENDED };

/*
 * Takes over the run of a sweep that has ended. If the run has ended, it is entered; if it still runs elsewhere, it is
 * followed; else its folder is removed.
 */
static enum claim inherit(struct sweeping *s, size_t index, const struct ledger_row *row)
{
	const struct plan_run *run = &s->plan->runs.data[index];
	struct job job = {.id = run->id, .folder = row->folder, .seconds = run->seconds, .bytes = run->bytes};
	struct job_end end;

	if (!row->folder[0])
		return CLAIM_LATER;
	snprintf(job.handle, sizeof job.handle, "%s", row->handle);
	if (!job_read_end(row->folder, &end) &&
	    (strcmp(row->executor, s->ops->name) != 0 || !s->ops->adopt || !s->ops->adopt(s->executor, &job))) {
		job_remove(row->folder);
		return CLAIM_LATER;
	}
	if (!ledger_claim(s->db, run->id, s->owner, row->folder, s->ops->name, false))
		return CLAIM_LATER;
	ledger_handle(s->db, run->id, row->handle);
	vec_push(&s->active,
		 (struct active){.run = index, .folder = xstrdup(row->folder), .inherited = true, .begun = true});
	return CLAIMED;
}

/* The end of a run that another sweep has executed. */
static enum claim note_end(struct sweeping *s, struct plan_run *run, enum run_state state)
{
	run->state = state;
	s->summary->done += state == RUN_DONE;
	s->summary->failed += state == RUN_FAILED;
	return CLAIM_ENDED;
}

static enum claim claim(struct sweeping *s, size_t index)
{
	struct plan_run *run = &s->plan->runs.data[index];
	struct ledger_row row = ledger_look(s->db, run->id);
	bool retry = s->options->retry_failed && run->state == RUN_FAILED;
	char *folder;

	if (row.state == RUN_DONE || (row.state == RUN_FAILED && !retry))
		return note_end(s, run, row.state);
	if (row.held && ledger_owner_lives(row.owner))
		return CLAIM_LATER;
	if (row.held)
		ledger_expire(s->db, row.owner);
	if (row.state == RUN_RUNNING && inherit(s, index, &row) == CLAIMED)
		return CLAIMED;
	folder = folder_of(s, run);
	if (ledger_claim(s->db, run->id, s->owner, folder, s->ops->name, retry)) {
		run->state = RUN_RUNNING;
		vec_push(&s->active, (struct active){.run = index, .folder = folder});
		return CLAIMED;
	}
	xfree(folder);
	return CLAIM_LATER;
}

/* A run of unknown size counts as 256 MiB, or as the whole allowed memory if that is less. */
static uint64_t bytes_of(const struct sweeping *s, const struct plan_run *run)
{
	const uint64_t unknown = (uint64_t)256 << 20;

	if (run->bytes)
		return run->bytes;
	return s->options->memory && s->options->memory < unknown ? s->options->memory : unknown;
}

static struct job job_of(const struct sweeping *s, const struct active *a)
{
	const struct plan_run *run = &s->plan->runs.data[a->run];

	return (struct job){.id = run->id, .folder = a->folder, .seconds = run->seconds, .bytes = bytes_of(s, run)};
}

static bool is_too_large(struct sweeping *s, const struct plan_run *run)
{
	return s->ops->fits && !s->ops->fits(s->executor, run->bytes);
}

/* Takes from the runs that wait as many as the executor has room for, and drops those that have ended elsewhere. */
static void claim_some(struct sweeping *s)
{
	size_t kept = 0, i;
	unsigned claimed = 0;

	for (i = 0; i < s->waiting; i++) {
		size_t index = s->order[i];
		const struct plan_run *run = &s->plan->runs.data[index];
		const struct job next = {.id = run->id, .seconds = run->seconds, .bytes = bytes_of(s, run)};
		enum claim got;

		if (is_too_large(s, run)) {
			s->summary->too_large++;
			continue;
		}
		if (s->ops->room(s->executor, &next) <= claimed)
			break;
		got = claim(s, index);
		claimed += got == CLAIMED;
		if (got == CLAIM_LATER)
			s->order[kept++] = index;
	}
	memmove(&s->order[kept], &s->order[i], (s->waiting - i) * sizeof *s->order);
	s->waiting = kept + s->waiting - i;
}

/* Runs that an executor did not take are planned again. */
static void take_back(struct sweeping *s, const struct job *jobs, size_t count)
{
	database_begin(s->db);
	for (size_t i = 0; i < count; i++)
		if (!jobs[i].handle[0]) {
			ledger_release(s->db, jobs[i].id, s->owner);
			job_remove(jobs[i].folder);
		}
	database_commit(s->db, NULL);
}

/* All runs that are new, together: an executor may make one array of them. */
static int submit(struct sweeping *s, struct diag *d)
{
	VEC(struct job) jobs = VEC_INIT;
	int status = 0;

	for (size_t i = 0; i < s->active.len && status == 0; i++) {
		struct active *a = &s->active.data[i];

		if (a->begun)
			continue;
		status = write_job(s, &s->plan->runs.data[a->run], a->folder, d);
		vec_push(&jobs, job_of(s, a));
		a->begun = true;
	}
	if (status == 0 && jobs.len)
		status = s->ops->submit(s->executor, jobs.data, jobs.len, d);
	if (status < 0 && s->ops->adopt)
		take_back(s, jobs.data, jobs.len);
	if (status == 0 && s->ops->adopt && jobs.len) {
		database_begin(s->db);
		for (size_t i = 0; i < jobs.len; i++)
			ledger_handle(s->db, jobs.data[i].id, jobs.data[i].handle);
		status = database_commit(s->db, d);
	}
	vec_release(&jobs);
	return status;
}

/* --- Ends --- */

/* Other runs of the same trace will take about as much. */
static void learn(struct sweeping *s, const struct plan_run *ended, const struct job_end *end)
{
	for (size_t i = 0; i < s->plan->runs.len; i++) {
		struct plan_run *run = &s->plan->runs.data[i];

		if (run->trace != ended->trace)
			continue;
		if (end->peak_rss_bytes > run->bytes)
			run->bytes = end->peak_rss_bytes;
		if (run->seconds <= 0)
			run->seconds = end->wall_seconds;
	}
}

/* A signal that ends the sweep may have ended the run before. */
static bool is_interrupted(const struct job_end *end)
{
	return process_pending_signal() && end->signal;
}

static void end_one(struct sweeping *s, size_t index)
{
	struct active *a = &s->active.data[index];
	struct plan_run *run = &s->plan->runs.data[a->run];
	struct job_end end;

	a->ended = true;
	if (!job_read_end(a->folder, &end) || is_interrupted(&end)) {
		ledger_release(s->db, run->id, s->owner);
		s->order[s->waiting++] = a->run;
	} else if (ledger_end(s->db, run->id, s->owner, &end, a->folder, &s->study->simulation, s->identity.text,
			      s->options->version)) {
		s->summary->executed++;
		s->spent += end.wall_seconds;
		if (!end.code && !end.signal)
			learn(s, run, &end);
		note_end(s, run, end.code || end.signal ? RUN_FAILED : RUN_DONE);
	} else { /* the claim ran out, and another sweep has it now */
		s->order[s->waiting++] = a->run;
	}
}

static void forget_ended(struct sweeping *s)
{
	for (size_t i = s->active.len; i-- > 0;)
		if (s->active.data[i].ended) {
			job_remove(s->active.data[i].folder);
			xfree(s->active.data[i].folder);
			s->active.data[i] = vec_pop(&s->active);
		}
}

static void end_run(struct sweeping *s, int64_t id)
{
	for (size_t i = 0; i < s->active.len; i++)
		if (s->plan->runs.data[s->active.data[i].run].id == id && !s->active.data[i].ended)
			end_one(s, i);
}

/* One transaction for all that has ended and all that begins. */
static int store_and_claim(struct sweeping *s, const int64_t *ended, size_t count, struct diag *d)
{
	database_begin(s->db);
	for (size_t i = 0; i < count; i++)
		end_run(s, ended[i]);
	if (monotonic_seconds() - s->renewed > RENEW_SECONDS) {
		ledger_renew(s->db, s->owner);
		s->renewed = monotonic_seconds();
	}
	if (!process_pending_signal())
		claim_some(s);
	if (database_commit(s->db, d) < 0)
		return DIAG_ERROR;
	forget_ended(s);
	return submit(s, d);
}

/* --- The main flow --- */

/*
 * Uses the estimates of the runs that are left. A run without an estimate counts as the mean of the runs that ended in
 * this sweep.
 */
static double seconds_left(const struct sweeping *s)
{
	double mean = s->summary->executed ? s->spent / (double)s->summary->executed : 0, left = 0;

	for (size_t i = 0; i < s->plan->runs.len; i++) {
		const struct plan_run *run = &s->plan->runs.data[i];

		if (run->state != RUN_DONE && run->state != RUN_FAILED)
			left += run->seconds > 0 ? run->seconds : mean;
	}
	return s->active.len ? left / (double)s->active.len : left;
}

static void show(struct sweeping *s)
{
	const struct sweep_summary *sum = s->summary;
	double spent = monotonic_seconds() - s->started, left = seconds_left(s);
	char note[200];

	/* The least important part comes last, because a narrow terminal cuts it. */
	c_snprintf(note, sizeof note, "%.0f:%02.0f left, %zu of %zu runs, %zu failed, %.3g runs/s", floor(left / 60),
		   floor(fmod(left, 60)), sum->done + sum->failed, sum->runs, sum->failed,
		   spent > 0 ? (double)sum->executed / spent : 0);
	progress_update(&s->progress, sum->done + sum->failed, note);
}

/* Runs that this sweep took over after their end. */
static size_t inherited_ends(struct sweeping *s, int64_t *ended)
{
	size_t count = 0;
	struct job_end end;

	for (size_t i = 0; i < s->active.len && count < MAX_ENDED; i++)
		if (s->active.data[i].inherited && job_read_end(s->active.data[i].folder, &end))
			ended[count++] = s->plan->runs.data[s->active.data[i].run].id;
	return count;
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
		count = inherited_ends(s, ended);
		if (!count)
			count = s->ops->poll(s->executor, WAIT_SECONDS, ended, MAX_ENDED, d);
		status = diag_is_set(d) ? DIAG_ERROR : 0;
	}
	s->summary->interrupted = process_pending_signal() != 0;
	s->summary->seconds = monotonic_seconds() - s->started;
	return status;
}

/* Gives back runs that are under way. If they go on without this process, the next sweep takes them over. */
static void give_up(struct sweeping *s)
{
	bool they_go_on = s->ops->adopt != NULL;

	if (!s->active.len)
		return;
	s->ops->cancel(s->executor, they_go_on);
	database_begin(s->db);
	for (size_t i = 0; i < s->active.len && !they_go_on; i++)
		ledger_release(s->db, s->plan->runs.data[s->active.data[i].run].id, s->owner);
	if (they_go_on)
		ledger_expire(s->db, s->owner);
	database_commit(s->db, NULL);
	for (size_t i = 0; i < s->active.len; i++) {
		if (!they_go_on)
			job_remove(s->active.data[i].folder);
		xfree(s->active.data[i].folder);
	}
	s->active.len = 0;
}

/*
 * Removes folders of runs that ended, or were given up, in a sweep that was killed then. Other sweeps make a folder
 * only after its claim is in the database. So a folder that is found here, and is in no claim afterwards, has no use.
 */
static void clean_up(struct sweeping *s)
{
	DIR *dir = opendir(s->work);
	struct dirent *entry;
	VEC(char *) folders = VEC_INIT;

	while (dir && (entry = readdir(dir)))
		if (strspn(entry->d_name, "0123456789abcdef") == 32 && entry->d_name[32] == '-') {
			char *path = xmalloc(strlen(s->work) + strlen(entry->d_name) + 2);

			sprintf(path, "%s/%s", s->work, entry->d_name);
			vec_push(&folders, path);
		}
	if (dir)
		closedir(dir);
	for (size_t i = 0; i < folders.len; i++) {
		if (!database_count(s->db, "SELECT count(*) FROM runs WHERE state = 'running' AND folder = ?", "s",
				    folders.data[i]))
			job_remove(folders.data[i]);
		xfree(folders.data[i]);
	}
	vec_release(&folders);
}

/* Runs that have failed are run again where that is wished, and there is something to run. */
static bool is_retried(const struct sweeping *s, const struct plan_run *run)
{
	return s->options->retry_failed && run->state == RUN_FAILED && !s->plan->traces.data[run->trace].failure;
}

static void make_order(struct sweeping *s)
{
	s->order = xcalloc(s->plan->runs.len + 1, sizeof *s->order);
	for (size_t i = 0; i < s->plan->runs.len; i++) {
		const struct plan_run *run = &s->plan->runs.data[i];

		if (run->state == RUN_PLANNED || run->state == RUN_RUNNING || is_retried(s, run))
			s->order[s->waiting++] = i;
		s->summary->done += run->state == RUN_DONE;
		s->summary->failed += run->state == RUN_FAILED && !is_retried(s, run);
	}
	for (size_t i = 0; i < s->plan->runs.len; i++)
		s->summary->others += (size_t)database_count(
		    s->db, "SELECT count(*) FROM runs WHERE id = ? AND state = 'done' AND romark != ?", "is",
		    s->plan->runs.data[i].id, s->identity.text);
	s->summary->runs = s->plan->runs.len;
	s->summary->points = s->plan->points.len;
}

/* "program=matmul size=512 policy=selrep": the first point of a run, without the dimensions that have one value. */
static void say_point(const struct plan *p, size_t run)
{
	const struct plan_point *point = NULL;

	for (size_t i = 0; !point && i < p->points.len; i++)
		if (p->points.data[i].run == run)
			point = &p->points.data[i];
	for (enum dimension i = 0; point && i < DIM_COUNT; i++) {
		const char *value = plan_value(p, point, i);

		if (value && *value)
			fprintf(stderr, " %s=%s", dimension_names[i], value);
	}
}

static void explain_one(struct sweeping *s, size_t index, const char *message)
{
	fprintf(stderr, "romark: run %" PRId64 " failed:", s->plan->runs.data[index].id);
	say_point(s->plan, index);
	fprintf(stderr, "%s%s\n", *message ? ": " : "", message);
}

/*
 * Lists the runs that have failed, with the message of each, and where the other messages are. A program's failure is
 * listed once.
 */
static void explain_failures(struct sweeping *s)
{
	struct strbuf last = STRBUF_INIT;
	size_t told = 0, failed = 0;

	for (size_t i = 0; i < s->plan->runs.len; i++) {
		const struct plan_run *run = &s->plan->runs.data[i];
		struct rows rows;
		const char *message;
		bool known;

		if (run->state != RUN_FAILED)
			continue;
		rows = database_ask(s->db, "SELECT message FROM runs WHERE id = ?", "i", run->id);
		message = database_next(&rows) ? database_text(&rows, 0) : "";
		known = s->plan->traces.data[run->trace].failure && failed && strcmp(last.data, message) == 0;
		if (told < MOST_FAILURES && !known) {
			explain_one(s, i, message);
			told++;
		}
		strbuf_release(&last);
		strbuf_addf(&last, "%s", message);
		database_end(&rows);
		failed++;
	}
	strbuf_release(&last);
	if (failed > told)
		fprintf(stderr, "romark: and %zu more; 'romark results %s list --state=failed' lists them\n",
			failed - told, s->options->results);
	if (failed)
		fprintf(stderr, "romark: 'romark results %s show ID' has the last lines of a run\n",
			s->options->results);
}

static int run_plan(struct sweeping *s, struct diag *d)
{
	int status;

	if (ledger_enter(s->db, s->plan, d) < 0 || ledger_estimate(s->db, s->plan, d) < 0 || open_executor(s, d) < 0)
		return DIAG_ERROR;
	clean_up(s);
	make_order(s);
	progress_start(&s->progress, "sweeping", s->plan->runs.len);
	s->progress.knows_time = 1;
	s->started = monotonic_seconds();
	status = execute(s, d);
	progress_end(&s->progress);
	give_up(s);
	rmdir(s->work); /* when it is empty */
	explain_failures(s);
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
	if (s->plan->points.len)
		return 0;
	return diag_file(d, s->study->path, "no run is left by %s", text.text ? "--filter" : "`where`");
}

/* A dry run makes no database. */
static int open_database(struct sweeping *s, struct diag *d)
{
	if (s->options->dry_run && access(s->options->results, F_OK) < 0)
		return 0;
	s->db = database_open(s->options->results, s->options->dry_run ? DATABASE_READ : DATABASE_WRITE, d);
	return s->db ? 0 : DIAG_ERROR;
}

static int sweep_study(struct sweeping *s, struct diag *d)
{
	s->study = study_load(s->options->study, d);
	if (!s->study || hash_of_file(s->options->romark, &s->identity, d) < 0)
		return DIAG_ERROR;
	if (make_plan(s, d) < 0)
		return DIAG_ERROR;
	if (open_database(s, d) < 0 || prepare_traces(s, d) < 0)
		return DIAG_ERROR;
	return s->options->dry_run ? plan_print(s->plan, s->db, s->options->plan, d) : run_plan(s, d);
}

int sweep(const struct sweep_options *options, struct sweep_summary *summary, struct diag *d)
{
	struct sweeping s = {.options = options, .summary = summary};
	int status;

	*summary = (struct sweep_summary){.points = 0};
	s.ops = executor_find(options->executor ? options->executor : "local");
	ledger_owner(s.owner, sizeof s.owner);
	process_keep_signals();
	status = name_folders(&s, d);
	if (status == 0)
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
