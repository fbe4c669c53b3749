/*
 * Claims. Times are by the clock of the machine that claims. So the clocks of machines that share a database may differ
 * by far less than the lease only.
 */
#include "study/database/ledger.h"

#include "study/database/numbers.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- Owners --- */

/*
 * When a process started, in clock ticks since the machine's start (field 22 of /proc/PID/stat); 0 when there is no
 * such process.
 */
static unsigned long long start_of(long pid)
{
	char path[64], text[1024], *at;
	unsigned long long start = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	at = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL; /* the name before it may hold anything */
	fclose(file);
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (at)
		start = strtoull(at, NULL, 10);
	return start;
}

void ledger_owner(char *text, size_t size)
{
	char host[256] = "";

	gethostname(host, sizeof host - 1);
	snprintf(text, size, "%s:%ld:%llu", host, (long)getpid(), start_of(getpid()));
}

bool ledger_owner_lives(const char *owner)
{
	char host[256] = "";
	const char *colon = strchr(owner, ':');
	long pid;
	unsigned long long start;

	gethostname(host, sizeof host - 1);
	if (!colon || strlen(host) != (size_t)(colon - owner) || strncmp(host, owner, strlen(host)) != 0)
		return true; /* a process of another machine, which this machine cannot see */
	if (sscanf(colon, ":%ld:%llu", &pid, &start) != 2)
		return true;
	return start_of(pid) == start && (start || kill((pid_t)pid, 0) == 0 || errno == EPERM);
}

/* --- Entering a plan --- */

static int64_t enter_study(struct database *db, const struct study *s)
{
	database_do(db,
		    "INSERT INTO studies(name, path, text) VALUES(?, ?, ?)"
		    " ON CONFLICT(name) DO UPDATE SET path = excluded.path, text = excluded.text",
		    "sss", s->name, s->path, s->text);
	return database_count(db, "SELECT id FROM studies WHERE name = ?", "s", s->name);
}

static void enter_trace(struct database *db, const struct plan_trace *t)
{
	database_do(db, "INSERT OR REPLACE INTO traces(hash, path, bytes, program_hash, command) VALUES(?, ?, ?, ?, ?)",
		    "ssiss", t->hash.text, t->path, (int64_t)t->bytes,
		    t->program_hash.text[0] ? t->program_hash.text : NULL, t->command);
}

/* A run whose trace cannot be made fails before it begins. Its message may come from an earlier sweep. */
static void fail_run(struct database *db, const struct plan_trace *t, int64_t run)
{
	database_do(db,
		    "UPDATE runs SET state = 'failed', code = 1, attempts = attempts + 1, message = ?, last_lines = ?"
		    " WHERE id = ? AND (state = 'planned' OR ?)",
		    "ssii", t->failure, t->last_lines, run, (int64_t)t->tried);
}

static void enter_run(struct database *db, const struct plan *p, struct plan_run *run)
{
	database_do(db, "INSERT OR IGNORE INTO configs(hash, json) VALUES(?, ?)", "ss", run->config_hash.text,
		    run->config);
	database_do(db,
		    "INSERT OR IGNORE INTO runs(key, trace, config, gpu, llc_policy, l1_policy, options, state)"
		    " VALUES(?, ?, ?, ?, ?, ?, ?, 'planned')",
		    "sssssss", run->key.text, p->traces.data[run->trace].hash.text, run->config_hash.text, run->gpu,
		    run->llc, run->l1, p->traces.data[run->trace].option_text);
	run->id = database_count(db, "SELECT id FROM runs WHERE key = ?", "s", run->key.text);
	if (p->traces.data[run->trace].failure)
		fail_run(db, &p->traces.data[run->trace], run->id);
}

/* Removes failed runs without a trace that no study has any more: the trace has been made since, or the study was
 * changed. A trace with 0 bytes was never made.
 */
static void forget_unmade(struct database *db)
{
	database_do(db,
		    "DELETE FROM runs WHERE state = 'failed' AND trace IN (SELECT hash FROM traces WHERE bytes = 0)"
		    " AND id NOT IN (SELECT run FROM points)",
		    "");
}

static void enter_point(struct database *db, const struct plan *p, int64_t study, const struct plan_point *point)
{
	if (point->run == SIZE_MAX)
		return;
	database_do(db,
		    "INSERT OR REPLACE INTO points(study, program, size, gpu, variant, policy, seed, run)"
		    " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
		    "isssssii", study, plan_value(p, point, DIM_PROGRAM), plan_value(p, point, DIM_SIZE),
		    plan_value(p, point, DIM_GPU), plan_value(p, point, DIM_VARIANT), plan_value(p, point, DIM_POLICY),
		    (int64_t)strtoll(plan_value(p, point, DIM_SEED), NULL, 10), p->runs.data[point->run].id);
}

int ledger_enter(struct database *db, struct plan *p, struct diag *d)
{
	int64_t study;

	database_begin(db);
	study = enter_study(db, p->study);
	for (size_t i = 0; i < p->traces.len; i++)
		if (plan_is_settled(&p->traces.data[i]))
			enter_trace(db, &p->traces.data[i]);
	for (size_t i = 0; i < p->runs.len; i++)
		enter_run(db, p, &p->runs.data[i]);
	for (size_t i = 0; i < p->points.len; i++)
		enter_point(db, p, study, &p->points.data[i]);
	forget_unmade(db);
	if (database_commit(db, d) < 0 || ledger_states(db, p, d) < 0)
		return DIAG_ERROR;
	database_begin(db);
	for (size_t i = 0; i < p->runs.len; i++)
		if (p->runs.data[i].state == RUN_DONE)
			numbers_complete(db, p->runs.data[i].id, &p->study->simulation);
	return database_commit(db, d);
}

static enum run_state state_named(const char *name)
{
	for (int i = 0; i < RUN_STATES; i++)
		if (strcmp(run_state_names[i], name) == 0)
			return (enum run_state)i;
	return RUN_PLANNED;
}

int ledger_states(struct database *db, struct plan *p, struct diag *d)
{
	for (size_t i = 0; i < p->runs.len; i++) {
		struct plan_run *run = &p->runs.data[i];
		struct rows rows = database_ask(db, "SELECT state, id FROM runs WHERE key = ?", "s", run->key.text);

		if (database_next(&rows)) {
			run->state = state_named(database_text(&rows, 0));
			run->id = database_int(&rows, 1);
		}
		database_end(&rows);
	}
	return database_check(db, d);
}

/* --- Estimates --- */

/* Seconds and bytes of runs before, by the first of the questions that has an answer. */
static void estimate(struct database *db, const struct plan *p, struct plan_run *run)
{
	const struct plan_trace *trace = &p->traces.data[run->trace];
	struct rows rows = database_ask(db,
					"SELECT avg(wall_seconds), max(peak_rss_bytes) FROM runs"
					" WHERE trace = ? AND llc_policy = ? AND state = 'done'",
					"ss", trace->hash.text, run->llc);

	if (!database_next(&rows) || database_is_null(&rows, 0)) {
		database_end(&rows);
		rows = database_ask(db,
				    "SELECT avg(wall_seconds), max(peak_rss_bytes) FROM runs"
				    " WHERE trace = ? AND state = 'done'",
				    "s", trace->hash.text);
		if (!database_next(&rows))
			return;
	}
	if (database_is_null(&rows, 0)) {
		database_end(&rows);
		rows = database_ask(db,
				    "SELECT sum(wall_seconds) / sum(t.bytes) * ?, max(peak_rss_bytes)"
				    " FROM runs r JOIN traces t ON t.hash = r.trace WHERE r.state = 'done'",
				    "d", (double)trace->bytes);
		if (!database_next(&rows))
			return;
	}
	run->seconds = database_real(&rows, 0);
	run->bytes = (uint64_t)database_int(&rows, 1);
	database_end(&rows);
}

int ledger_estimate(struct database *db, struct plan *p, struct diag *d)
{
	const struct plan_run *before = NULL; /* runs that differ only in their seeds follow each other */

	for (size_t i = 0; i < p->runs.len; i++) {
		struct plan_run *run = &p->runs.data[i];

		if (run->state == RUN_DONE)
			continue;
		if (before && before->trace == run->trace && strcmp(before->llc, run->llc) == 0) {
			run->seconds = before->seconds;
			run->bytes = before->bytes;
		} else {
			estimate(db, p, run);
		}
		before = run;
	}
	return database_check(db, d);
}

/* --- Claims --- */

bool ledger_claim(struct database *db, int64_t run, const char *owner, const char *folder, const char *executor,
		  bool retry)
{
	return database_do(db,
			   "UPDATE runs SET state = 'running', owner = ?, lease = ?, folder = ?, executor = ?,"
			   " handle = NULL, attempts = attempts + 1 WHERE id = ? AND (state = 'planned'"
			   " OR (state = 'running' AND lease < ?) OR (state = 'failed' AND ?))",
			   "sdssidi", owner, now() + LEASE_SECONDS, folder, executor, run, now(), (int64_t)retry) == 1;
}

struct ledger_row ledger_look(struct database *db, int64_t run)
{
	struct rows rows =
	    database_ask(db, "SELECT state, owner, folder, executor, handle, lease FROM runs WHERE id = ?", "i", run);
	struct ledger_row row = {.state = RUN_PLANNED};

	if (database_next(&rows)) {
		row.state = state_named(database_text(&rows, 0));
		snprintf(row.owner, sizeof row.owner, "%s", database_text(&rows, 1));
		snprintf(row.folder, sizeof row.folder, "%s", database_text(&rows, 2));
		snprintf(row.executor, sizeof row.executor, "%s", database_text(&rows, 3));
		snprintf(row.handle, sizeof row.handle, "%s", database_text(&rows, 4));
		row.held = row.state == RUN_RUNNING && database_real(&rows, 5) >= now();
	}
	database_end(&rows);
	return row;
}

void ledger_expire(struct database *db, const char *owner)
{
	database_do(db, "UPDATE runs SET lease = 0 WHERE owner = ? AND state = 'running'", "s", owner);
}

void ledger_handle(struct database *db, int64_t run, const char *handle)
{
	database_do(db, "UPDATE runs SET handle = ? WHERE id = ?", "si", handle, run);
}

void ledger_renew(struct database *db, const char *owner)
{
	database_do(db, "UPDATE runs SET lease = ? WHERE owner = ? AND state = 'running'", "ds", now() + LEASE_SECONDS,
		    owner);
}

void ledger_release(struct database *db, int64_t run, const char *owner)
{
	database_do(db,
		    "UPDATE runs SET state = 'planned', owner = NULL, lease = NULL, folder = NULL, handle = NULL,"
		    " attempts = attempts - 1 WHERE id = ? AND owner = ? AND state = 'running'",
		    "is", run, owner);
}

/* --- Ends --- */

static bool enter_end(struct database *db, int64_t run, const char *owner, const struct job_end *end,
		      const char *identity, const char *version)
{
	return database_do(db,
			   "UPDATE runs SET state = 'done', owner = NULL, lease = NULL, folder = NULL, handle = NULL,"
			   " romark = ?, version = ?, host = ?, started = ?, wall_seconds = ?, cpu_seconds = ?,"
			   " peak_rss_bytes = ?, code = ?, signal = ?, message = NULL, last_lines = NULL"
			   " WHERE id = ? AND owner = ? AND state = 'running'",
			   "sssdddiiiis", identity, version, end->host, end->started, end->wall_seconds,
			   end->cpu_seconds, (int64_t)end->peak_rss_bytes, (int64_t)end->code, (int64_t)end->signal,
			   run, owner) == 1;
}

static void enter_failure(struct database *db, int64_t run, const struct job_end *end, const char *folder,
			  const struct diag *unreadable)
{
	char message[1024];
	char *lines = job_last_lines(folder);

	if (diag_is_set(unreadable))
		snprintf(message, sizeof message, "the result cannot be read: %.900s", unreadable->message);
	else if (end->signal)
		snprintf(message, sizeof message, "killed by signal %d (%s)%s", end->signal, strsignal(end->signal),
			 end->signal == SIGKILL ? "; the machine may be out of memory" : "");
	else
		job_message(folder, message, sizeof message);
	database_do(db, "UPDATE runs SET state = 'failed', message = ?, last_lines = ? WHERE id = ?", "ssi", message,
		    lines, run);
	xfree(lines);
}

bool ledger_end(struct database *db, int64_t run, const char *owner, const struct job_end *end, const char *folder,
		const struct study_simulation *keep, const char *identity, const char *version)
{
	struct diag unreadable = DIAG_INIT;

	if (!enter_end(db, run, owner, end, identity, version))
		return false;
	if (!end->code && !end->signal)
		numbers_store(db, run, folder, keep, &unreadable);
	if (end->code || end->signal || diag_is_set(&unreadable)) {
		numbers_remove(db, run);
		enter_failure(db, run, end, folder, &unreadable);
	}
	return true;
}
