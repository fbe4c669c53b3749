/*
 * Jobs as tasks of Slurm's arrays. The end.json that a task leaves in its folder decides. Slurm's answer matters only
 * for a task that left no such file. The file `slurm` in a folder names the job's task. It is written before the task
 * is in the queue, so a later sweep that finds the folder can follow the job.
 */
#include "study/executor.h"

#include "common/file.h"
#include "common/progress.h"
#include "common/strbuf.h"
#include "study/executor/slurm_commands.h"
#include "study/job.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	DEFAULT_ARRAY = 1000, /* Slurm's own limit of an array, unless it is set up otherwise, is 1001 */
	MAX_SUBMISSIONS = 5,  /* of a job that Slurm loses */
	GONE_SECONDS = 10, /* a file that another machine has written into a shared folder is visible after this time */
	FIRST_LOOK = 1,    /* seconds from one question to Slurm to the next; they double while nothing changes */
	LAST_LOOK = 30
};

struct task {
	int64_t id;
	char *folder;
	char name[SLURM_NAME], array[SLURM_ID]; /* `array` is "" until Slurm has said it */
	unsigned index, submissions;
	bool adopted, looked_at; /* looked_at: Slurm was queried at least once */
	bool begun;              /* not waiting at the last query of Slurm */
	bool ended, again;       /* again: it is to be submitted once more */
	double gone_since;       /* 0: Slurm listed it at the last query */
};

struct executor {
	struct slurm_limits limits;
	unsigned jobs; /* at most so many in the queue; 0: as many as an array holds */
	size_t array;
	size_t load; /* tasks after the last submission or poll */
	VEC(struct task) tasks;
	unsigned arrays; /* that this process has made, for their names */
	double next_look, look_seconds;
	bool no_history, was_mute; /* no_history: Slurm keeps no accounts; was_mute: it did not answer */
	void (*said)(void *arg, const char *what);
	void *said_arg;
};

/* --- States --- */

enum fate { FATE_LIVES, FATE_GONE, FATE_STOPPED };

/* A task in any other state waits or runs. */
static const struct state {
	const char *name;
	enum fate fate;
	const char *message; /* of what will not be better when it is submitted again */
} states[] = {
    {"COMPLETED", FATE_GONE, NULL},
    {"NODE_FAIL", FATE_GONE, NULL},
    {"BOOT_FAIL", FATE_GONE, NULL},
    {"PREEMPTED", FATE_GONE, NULL},
    {"REVOKED", FATE_GONE, NULL},
    {"CANCELLED", FATE_STOPPED, "it was cancelled in Slurm; --retry-failed begins it again"},
    {"TIMEOUT", FATE_STOPPED, "it took longer than Slurm allows; raise --time, then --retry-failed begins it again"},
    {"DEADLINE", FATE_STOPPED, "Slurm's deadline for it has passed; --retry-failed begins it again"},
    {"OUT_OF_MEMORY", FATE_STOPPED,
     "it needed more memory than Slurm allows; raise --memory, then --retry-failed begins it again"},
    {"FAILED", FATE_STOPPED,
     "it ended in Slurm without a trace; do Slurm's nodes see this folder, and the program romark, under these names?"},
};

static const struct state *state_named(const char *name)
{
	static const struct state lives = {"", FATE_LIVES, NULL};

	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (strcmp(states[i].name, name) == 0)
			return &states[i];
	return &lives;
}

/* --- Contents of a folder --- */

static const char *in(const char *folder, const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

static int note_submission(struct task *t, struct diag *d)
{
	char path[PATH_MAX];
	FILE *file = fopen(in(t->folder, "slurm", path), "a");

	if (!file)
		return diag_file(d, path, "cannot write this: %s", strerror(errno));
	fprintf(file, "%s:%u\n", t->name, t->index);
	if (fclose(file) != 0)
		return diag_file(d, path, "cannot write this: %s", strerror(errno));
	t->submissions++;
	return 0;
}

static void forget_submissions(const struct task *t)
{
	char path[PATH_MAX];

	unlink(in(t->folder, "slurm", path));
}

/* The last submission, and how many there were. */
static bool read_submission(struct task *t)
{
	char path[PATH_MAX], line[128], name[SLURM_NAME];
	FILE *file = fopen(in(t->folder, "slurm", path), "r");

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "%47[^:]:%u", name, &t->index) == 2) {
			memcpy(t->name, name, sizeof name);
			t->submissions++;
		}
	if (file)
		fclose(file);
	return t->submissions > 0;
}

/* On a folder that machines share, a look into the folder itself brings news of it. */
static bool has_ended(const struct task *t)
{
	DIR *dir = opendir(t->folder);
	struct job_end end;

	if (dir)
		closedir(dir);
	return job_read_end(t->folder, &end);
}

/* A run whose folder is gone was entered, or given up, and is followed no more. */
static bool is_given_up(const struct task *t)
{
	return access(t->folder, F_OK) < 0 && errno == ENOENT;
}

/* --- Beginning --- */

static struct executor *slurm_open(const struct executor_options *options, struct diag *d)
{
	struct executor *e;

	if (slurm_is_here(d) < 0)
		return NULL;
	e = xcalloc(1, sizeof *e);
	e->limits = (struct slurm_limits){options->romark, options->slurm, options->memory};
	e->jobs = options->jobs;
	e->array = options->slurm->array ? options->slurm->array : DEFAULT_ARRAY;
	e->said = options->said;
	e->said_arg = options->said_arg;
	e->look_seconds = FIRST_LOOK;
	return e;
}

/* The queue is filled up when half of it has ended, so that arrays are large. */
static unsigned slurm_room(struct executor *e, const struct job *next)
{
	(void)next;
	if (e->jobs)
		return e->load < e->jobs ? e->jobs - (unsigned)e->load : 0;
	return e->load <= e->array / 2 ? (unsigned)(e->array - e->load) : 0;
}

static void look_soon(struct executor *e)
{
	e->look_seconds = FIRST_LOOK;
	e->next_look = monotonic_seconds() + FIRST_LOOK;
}

/* --- Submission --- */

/* No other array of this user has it, wherever it was made. */
static void make_name(struct executor *e, char name[SLURM_NAME])
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	snprintf(name, SLURM_NAME, "romark-%llx%08lx-%lx-%06x", (unsigned long long)t.tv_sec, (unsigned long)t.tv_nsec,
		 (long)getpid(), e->arrays++);
}

static int submit_array(struct executor *e, struct task *const *tasks, size_t count, struct diag *d)
{
	VEC(const char *) folders = VEC_INIT;
	char name[SLURM_NAME], id[SLURM_ID];
	int status = 0;

	make_name(e, name);
	for (size_t i = 0; i < count && status == 0; i++) {
		memcpy(tasks[i]->name, name, sizeof name);
		tasks[i]->index = (unsigned)i;
		tasks[i]->array[0] = '\0';
		tasks[i]->gone_since = 0;
		tasks[i]->begun = tasks[i]->looked_at = false;
		status = note_submission(tasks[i], d);
		vec_push(&folders, tasks[i]->folder);
	}
	if (status == 0)
		status = slurm_submit(&e->limits, name, folders.data, count, id, d);
	for (size_t i = 0; i < count && status == 0; i++)
		memcpy(tasks[i]->array, id, sizeof id);
	vec_release(&folders);
	look_soon(e);
	return status;
}

static void release_task(struct task *t)
{
	xfree(t->folder);
}

/* Jobs of an array that was refused have no handle then, and are followed no more. */
static int submit_jobs(struct executor *e, struct job *jobs, size_t count, struct diag *d)
{
	VEC(struct task *) tasks = VEC_INIT;
	size_t first = e->tasks.len;
	int status;

	for (size_t i = 0; i < count; i++)
		vec_push(&e->tasks, (struct task){.id = jobs[i].id, .folder = xstrdup(jobs[i].folder)});
	for (size_t i = 0; i < count; i++)
		vec_push(&tasks, &e->tasks.data[first + i]);
	status = submit_array(e, tasks.data, count, d);
	for (size_t i = 0; i < count; i++)
		if (status == 0)
			snprintf(jobs[i].handle, sizeof jobs[i].handle, "%s:%u", tasks.data[i]->name,
				 tasks.data[i]->index);
		else
			forget_submissions(tasks.data[i]);
	vec_release(&tasks);
	while (status < 0 && e->tasks.len > first)
		release_task(&vec_pop(&e->tasks));
	return status;
}

static int slurm_submit_all(struct executor *e, struct job *jobs, size_t count, struct diag *d)
{
	int status = 0;

	for (size_t i = 0; i < count && status == 0; i += e->array)
		status = submit_jobs(e, &jobs[i], count - i < e->array ? count - i : e->array, d);
	e->load = e->tasks.len;
	return status;
}

static bool slurm_adopt(struct executor *e, const struct job *job)
{
	struct task t = {.id = job->id, .folder = xstrdup(job->folder), .adopted = true};

	if (!read_submission(&t)) {
		release_task(&t);
		return false;
	}
	vec_push(&e->tasks, t);
	return true;
}

/* --- Slurm's answers --- */

static int compare_rows(const void *a, const void *b)
{
	const struct slurm_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static const struct slurm_row *row_of(const slurm_rows *rows, const struct task *t)
{
	struct slurm_row key = {.index = t->index};

	memcpy(key.name, t->name, sizeof key.name);
	return rows->len ? bsearch(&key, rows->data, rows->len, sizeof *rows->data, compare_rows) : NULL;
}

static void sort(slurm_rows *rows)
{
	if (rows->len)
		qsort(rows->data, rows->len, sizeof *rows->data, compare_rows);
}

/* The names of the tasks' arrays, each once. Tasks of an array mostly follow each other. */
static char *names_of(const struct executor *e)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < e->tasks.len; i++) {
		const char *name = e->tasks.data[i].name;

		if (!names.len || !strstr(names.data, name))
			strbuf_addf(&names, "%s%s", names.len ? "," : "", name);
	}
	return strbuf_detach(&names);
}

static void say(struct executor *e, const char *text)
{
	if (e->said)
		e->said(e->said_arg, text);
}

/* If a controller does not answer, the query is repeated; the sweep goes on. */
static bool ask_queue(struct executor *e, const char *names, slurm_rows *rows)
{
	struct diag d = DIAG_INIT;
	bool answers = slurm_queue(names, rows, &d) == 0;

	if (!answers && !e->was_mute) {
		struct strbuf text = STRBUF_INIT;

		strbuf_addf(&text, "romark: warning: %s; the sweep tries again until it answers", d.message);
		say(e, text.data);
		strbuf_release(&text);
	}
	e->was_mute = !answers;
	return answers;
}

/* Slurm's queue forgets tasks that have ended. Accounts, if Slurm keeps them, do not. */
static void ask_history(struct executor *e, const char *names, slurm_rows *queue)
{
	struct diag ignored = DIAG_INIT;
	slurm_rows past = VEC_INIT;
	size_t missing = 0;

	for (size_t i = 0; i < e->tasks.len; i++)
		missing += !row_of(queue, &e->tasks.data[i]);
	if (missing && !e->no_history)
		e->no_history = slurm_history(names, &past, &ignored) < 0;
	sort(&past);
	for (size_t i = 0; i < e->tasks.len && past.len; i++) {
		const struct slurm_row *row = row_of(&past, &e->tasks.data[i]);

		if (row && !row_of(queue, &e->tasks.data[i]))
			vec_push(queue, *row);
	}
	sort(queue);
	vec_release(&past);
}

/* --- Decisions from both --- */

/* If a run fails without an end.json, this writes it. */
static void fail(struct task *t, const char *message, struct diag *d)
{
	job_fail(t->folder, message, d);
	t->ended = true;
}

/* A task that ended by itself may have said why. */
static void stop(struct task *t, const struct state *state, struct diag *d)
{
	char path[PATH_MAX];
	struct file_data said = {NULL, 0};
	struct diag ignored = DIAG_INIT;
	bool has_said = strcmp(state->name, "FAILED") == 0 &&
			file_read(in(t->folder, "task.log", path), &said, &ignored) == 0 && said.size;

	fail(t, has_said ? said.data : state->message, d);
	file_data_release(&said);
}

static void submit_again(struct task *t, struct diag *d)
{
	if (t->submissions >= MAX_SUBMISSIONS)
		fail(t, "Slurm has lost the run each time that it was submitted; --retry-failed begins it again", d);
	else
		t->again = true;
}

/* The task neither waits nor runs, and its folder shows no end.json yet. */
static void consider_gone(struct task *t, struct diag *d)
{
	double now = monotonic_seconds();

	if (!t->gone_since)
		t->gone_since = now;
	else if (now - t->gone_since >= GONE_SECONDS)
		submit_again(t, d);
}

static void follow(struct task *t, const struct slurm_row *row, struct diag *d)
{
	const struct state *state = row ? state_named(row->state) : NULL;
	bool first = !t->looked_at;

	t->looked_at = true;
	t->begun = !row || strcmp(row->state, "PENDING") != 0;
	if (row)
		memcpy(t->array, row->id, sizeof t->array);
	if (state && state->fate == FATE_LIVES) {
		t->gone_since = 0;
	} else if (has_ended(t) || is_given_up(t)) {
		t->ended = true;
	} else if (!state || state->fate == FATE_GONE) {
		consider_gone(t, d);
	} else if (t->adopted && first && strcmp(state->name, "CANCELLED") == 0) {
		t->ended = true; /* between two sweeps: its run begins anew */
	} else {
		stop(t, state, d);
	}
}

/* Also cancels tasks that Slurm does not list at the moment: they must not come back. */
static void cancel_tasks(struct task *const *tasks, size_t count)
{
	char(*ids)[SLURM_ID + 16] = xcalloc(count, sizeof *ids);
	VEC(const char *) words = VEC_INIT;

	for (size_t i = 0; i < count; i++)
		if (tasks[i]->array[0]) {
			snprintf(ids[i], sizeof ids[i], "%s_%u", tasks[i]->array, tasks[i]->index);
			vec_push(&words, ids[i]);
		}
	if (words.len)
		slurm_cancel(words.data, words.len);
	vec_release(&words);
	xfree(ids);
}

static int submit_lost(struct executor *e, struct diag *d)
{
	VEC(struct task *) lost = VEC_INIT;
	int status = 0;

	for (size_t i = 0; i < e->tasks.len; i++)
		if (e->tasks.data[i].again) {
			e->tasks.data[i].again = false;
			vec_push(&lost, &e->tasks.data[i]);
		}
	if (lost.len)
		cancel_tasks(lost.data, lost.len);
	for (size_t i = 0; i < lost.len && status == 0; i += e->array)
		status = submit_array(e, &lost.data[i], lost.len - i < e->array ? lost.len - i : e->array, d);
	vec_release(&lost);
	return status;
}

static void look(struct executor *e, struct diag *d)
{
	char *names = names_of(e);
	slurm_rows rows = VEC_INIT;

	if (ask_queue(e, names, &rows)) {
		sort(&rows);
		ask_history(e, names, &rows);
		for (size_t i = 0; i < e->tasks.len; i++)
			follow(&e->tasks.data[i], row_of(&rows, &e->tasks.data[i]), d);
		if (!diag_is_set(d))
			submit_lost(e, d);
	}
	vec_release(&rows);
	xfree(names);
}

/* --- Ends --- */

static size_t take_ended(struct executor *e, int64_t *ended, size_t room)
{
	size_t count = 0;

	for (size_t i = e->tasks.len; i-- > 0 && count < room;) {
		struct task *t = &e->tasks.data[i];

		if (!t->ended && !(t->begun && has_ended(t)))
			continue;
		ended[count++] = t->id;
		release_task(t);
		*t = vec_last(&e->tasks);
		e->tasks.len--;
	}
	e->load = e->tasks.len;
	return count;
}

/* Until the time is over or a signal comes. */
static void wait_a_little(double seconds)
{
	struct timespec limit = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&limit, NULL);
}

static size_t slurm_poll(struct executor *e, double seconds, int64_t *ended, size_t room, struct diag *d)
{
	size_t count;

	if (e->tasks.len && monotonic_seconds() >= e->next_look) {
		look(e, d);
		e->next_look = monotonic_seconds() + e->look_seconds;
		e->look_seconds = e->look_seconds * 2 < LAST_LOOK ? e->look_seconds * 2 : LAST_LOOK;
	}
	count = take_ended(e, ended, room);
	if (count)
		e->look_seconds = FIRST_LOOK;
	else if (!diag_is_set(d))
		wait_a_little(seconds);
	return count;
}

/* The ids of the arrays of tasks that are left, each once. */
static size_t arrays_left(const struct executor *e, const char **ids)
{
	size_t count = 0;

	for (size_t i = 0; i < e->tasks.len; i++) {
		const char *id = e->tasks.data[i].array;
		size_t at = 0;

		while (at < count && strcmp(ids[at], id) != 0)
			at++;
		if (*id && at == count)
			ids[count++] = id;
	}
	return count;
}

static void slurm_cancel_all(struct executor *e, bool leave)
{
	const char **ids = xcalloc(e->tasks.len + 1, sizeof *ids);
	size_t count = arrays_left(e, ids);
	struct strbuf text = STRBUF_INIT;

	if (!leave && count)
		slurm_cancel(ids, count);
	strbuf_addf(&text,
		    "romark: %zu runs go on in Slurm, and the next sweep takes them over; to cancel them: scancel",
		    e->tasks.len);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, " %s", ids[i]);
	if (leave && count)
		say(e, text.data);
	strbuf_release(&text);
	xfree(ids);
}

static void slurm_close(struct executor *e)
{
	for (size_t i = 0; i < e->tasks.len; i++)
		release_task(&e->tasks.data[i]);
	vec_release(&e->tasks);
	xfree(e);
}

const struct executor_ops executor_slurm = {.name = "slurm",
					    .open = slurm_open,
					    .room = slurm_room,
					    .submit = slurm_submit_all,
					    .poll = slurm_poll,
					    .adopt = slurm_adopt,
					    .cancel = slurm_cancel_all,
					    .close = slurm_close};
