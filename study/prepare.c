/* Looks up, compiles and traces: each step for all programs before the next step, on all cores. */
#include "study/prepare.h"

#include "common/strbuf.h"
#include "study/executor.h"
#include "study/job.h"
#include "study/sources.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct preparation {
	struct plan *plan;
	const struct prepare_options *options;
	const char *folder; /* of the study, absolute */
};

static const struct study_program *program_of(const struct preparation *p, const struct plan_trace *t)
{
	return &p->plan->study->programs.data[t->program];
}

/* --- Hashes of files, known or computed anew --- */

static int64_t changed(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static bool remembered(struct database *db, const char *path, const struct stat *st, struct hash *hash)
{
	struct rows rows;
	bool found;

	if (!db)
		return false;
	rows = database_ask(db, "SELECT hash FROM files WHERE path = ? AND bytes = ? AND changed = ?", "sii", path,
			    (int64_t)st->st_size, changed(st));
	found = database_next(&rows);
	if (found)
		snprintf(hash->text, sizeof hash->text, "%s", database_text(&rows, 0));
	database_end(&rows);
	return found;
}

static int hash_file(struct database *db, const char *path, struct hash *hash, uint64_t *bytes, struct diag *d)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return diag_file(d, path, "cannot open: %s", strerror(errno));
	*bytes = (uint64_t)st.st_size;
	if (remembered(db, path, &st, hash))
		return 0;
	if (hash_of_file(path, hash, d) < 0)
		return DIAG_ERROR;
	if (db)
		database_do(db, "INSERT OR REPLACE INTO files(path, bytes, changed, hash) VALUES(?, ?, ?, ?)", "siis",
			    path, (int64_t)st.st_size, changed(&st), hash->text);
	return 0;
}

/* --- Names in the cache --- */

static const char *absolute(struct preparation *p, const char *path)
{
	return path[0] == '/' ? path : arena_printf(&p->plan->arena, "%s/%s", p->folder, path);
}

static int missing(struct preparation *p, const struct study_text *path, struct diag *d)
{
	return study_wrong(p->plan->study, path->place, d, "cannot read %s: %s", path->text, strerror(errno));
}

/* Folders of -I, for the headers. */
static void include_folders(struct preparation *p, const struct study_program *program, const char **folders)
{
	size_t n = 0;

	for (size_t i = 0; i < program->flags.len; i++)
		if (strncmp(program->flags.data[i].text, "-I", 2) == 0)
			folders[n++] = absolute(p, program->flags.data[i].text + 2);
	folders[n] = NULL;
}

/* All that goes into the executable. */
static int describe_sources(struct preparation *p, const struct study_program *program, struct strbuf *text,
			    struct diag *d)
{
	const char **folders = xcalloc(program->flags.len + 1, sizeof *folders);
	int status = 0;

	include_folders(p, program, folders);
	strbuf_addf(text, "%s\n", p->options->identity.text);
	for (size_t i = 0; i < program->flags.len; i++)
		strbuf_addf(text, "%s\n", program->flags.data[i].text);
	for (size_t i = 0; i < program->sources.len && status == 0; i++) {
		const char *source = absolute(p, program->sources.data[i].text);

		status = access(source, R_OK) < 0 ? missing(p, &program->sources.data[i], d)
						  : sources_describe(source, folders, text, d);
	}
	xfree(folders);
	return status;
}

/*
 * The executable's path, and the hash of its sources and words. The hash names the folder and not the file: a trace
 * holds the file's name, and the same program has to give the same trace with any build of romark and in any folder.
 */
static int find_program(struct preparation *p, struct plan_trace *t, const char **path, struct diag *d)
{
	const struct study_program *program = program_of(p, t);
	struct strbuf text = STRBUF_INIT;
	uint64_t bytes;
	int status;

	if (program->program.text) {
		*path = absolute(p, program->program.text);
		return access(*path, X_OK) < 0 ? missing(p, &program->program, d)
					       : hash_file(p->options->db, *path, &t->program_hash, &bytes, d);
	}
	status = describe_sources(p, program, &text, d);
	if (status == 0) {
		t->program_hash = hash_of(text.data, text.len);
		*path = arena_printf(&p->plan->arena, "%s/%s/program", p->options->cache, t->program_hash.text);
	}
	strbuf_release(&text);
	return status;
}

/* The trace's path: the hash of the program, of its arguments and of the kernels. */
static void name_trace(struct preparation *p, struct plan_trace *t)
{
	const struct study_program *program = program_of(p, t);
	const study_texts *arguments = &program->sizes.data[t->size].arguments;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < arguments->len; i++)
		strbuf_addf(&text, "%s%s", i ? " " : "", arguments->data[i].text);
	t->command = arena_strdup(&p->plan->arena, text.data ? text.data : "");
	strbuf_addf(&text, "\n%s\n%s\n%s", t->program_hash.text, p->options->identity.text,
		    program->kernels ? program->kernels : "");
	t->path = arena_printf(&p->plan->arena, "%s/%s.romtrace", p->options->cache, hash_of(text.data, text.len).text);
	strbuf_release(&text);
}

static int know(struct preparation *p, struct plan_trace *t, struct diag *d)
{
	if (hash_file(p->options->db, t->path, &t->hash, &t->bytes, d) < 0)
		return DIAG_ERROR;
	t->known = true;
	return 0;
}

/* --- Traces that cannot be made --- */

/* The trace's name in the cache is a hash of everything that decides the trace. */
static void fail_trace(struct preparation *p, struct plan_trace *t, const char *message, const char *last_lines)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "not made: %s", strrchr(t->path, '/') + 1);
	t->hash = hash_of_text(text.data);
	t->failure = arena_strdup(&p->plan->arena, message);
	t->last_lines = arena_strdup(&p->plan->arena, last_lines);
	strbuf_release(&text);
}

/* Whether it was tried before, and is not to be tried again. */
static void recall_failure(struct preparation *p, struct plan_trace *t)
{
	struct plan_trace tried = *t;
	struct rows rows;

	if (!p->options->failures)
		return;
	fail_trace(p, &tried, "", "");
	rows = database_ask(p->options->failures,
			    "SELECT message, last_lines FROM runs WHERE trace = ? AND state = 'failed' LIMIT 1", "s",
			    tried.hash.text);
	if (database_next(&rows))
		fail_trace(p, t, database_text(&rows, 0), database_text(&rows, 1));
	database_end(&rows);
}

/* A suite that is not on this machine fails its own runs; a file of the study that is not there ends the sweep. */
static int find_given_trace(struct preparation *p, struct plan_trace *t, const struct study_text *trace, struct diag *d)
{
	bool outside = study_is_outside(trace->text);
	const char *path = outside ? study_outside_path(p->plan->study, trace->text) : absolute(p, trace->text);
	struct diag why = DIAG_INIT;
	char full[PATH_MAX];

	if (path && realpath(path, full)) {
		t->path = outside ? arena_strdup(&p->plan->arena, full) : path;
		return know(p, t, d);
	}
	if (!outside)
		return missing(p, trace, d);
	if (path)
		study_wrong(p->plan->study, trace->place, &why, "cannot read %s, which is %s: %s", trace->text, path,
			    strerror(errno));
	else
		study_wrong(p->plan->study, trace->place, &why,
			    "%s is outside the study; set %.*s to the folder of these traces", trace->text,
			    (int)strcspn(trace->text + 1, "/"), trace->text + 1);
	t->path = trace->text;
	fail_trace(p, t, arena_printf(&p->plan->arena, "%s:%u:%u: %s", why.file, why.line, why.column, why.message),
		   "");
	return 0;
}

static int find_trace(struct preparation *p, struct plan_trace *t, struct diag *d)
{
	const struct study_program *program = program_of(p, t);
	const char *path;

	if (program->sizes.data[t->size].trace.text)
		return find_given_trace(p, t, &program->sizes.data[t->size].trace, d);
	if (find_program(p, t, &path, d) < 0)
		return DIAG_ERROR;
	name_trace(p, t);
	if (access(t->path, R_OK) == 0)
		return know(p, t, d);
	recall_failure(p, t);
	return 0;
}

static int begin(struct preparation *p, struct plan *plan, const struct prepare_options *options, struct diag *d)
{
	char folder[PATH_MAX];

	*p = (struct preparation){.plan = plan, .options = options};
	if (!realpath(plan->study->folder, folder))
		return diag_file(d, plan->study->path, "its folder cannot be found: %s", strerror(errno));
	p->folder = arena_strdup(&plan->arena, folder);
	return 0;
}

int prepare_find(struct plan *plan, const struct prepare_options *options, struct diag *d)
{
	struct preparation p;

	if (begin(&p, plan, options, d) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; i < plan->traces.len; i++)
		if (plan->traces.data[i].wanted && find_trace(&p, &plan->traces.data[i], d) < 0)
			return DIAG_ERROR;
	return 0;
}

bool prepare_is_done(const struct plan *plan)
{
	for (size_t i = 0; i < plan->traces.len; i++)
		if (plan->traces.data[i].wanted && !plan_is_settled(&plan->traces.data[i]))
			return false;
	return true;
}

/* --- Making missing files --- */

/* One compilation or one trace. */
struct step {
	const struct plan_trace *trace;
	const char *what; /* "compiling matmul" */
	const char *made; /* the folder that a compilation fills; NULL: the step makes a trace */
	struct job job;
	struct study_place place;
};
typedef VEC(struct step) steps;

static const char *host_name(void)
{
	static char host[256];

	gethostname(host, sizeof host - 1);
	return host;
}

static int add_step(struct preparation *p, steps *list, struct plan_trace *t, const char *what, const char *made,
		    struct command *words, struct diag *d)
{
	const struct study_program *program = program_of(p, t);
	struct step step = {.trace = t, .made = made, .place = program->place};
	const char *size = program->sizes.data[t->size].name;
	int status;

	step.what = arena_printf(&p->plan->arena, "%s %s%s%s", what, program->name, *size ? " " : "", size);
	step.job.id = (int64_t)list->len;
	step.job.folder = arena_printf(&p->plan->arena, "%s/making-%.200s-%ld-%zu", p->options->cache, host_name(),
				       (long)getpid(), list->len);
	status = job_write_words(step.job.folder, words, d);
	command_release(words);
	vec_push(list, step);
	return status;
}

/* The message: the place in the study, the step, and the step's own message. */
static void describe_failure(struct preparation *p, const struct step *step, struct diag *d)
{
	char message[512], others[256];

	job_message(step->job.folder, message, sizeof message);
	job_others_message(step->job.folder, others, sizeof others);
	if (!*others || strncmp(message, "romark: ", 8) != 0)
		study_wrong(p->plan->study, step->place, d, "%s: %s", step->what, message);
	else
		study_wrong(p->plan->study, step->place, d, "%s: %s; it said: %s", step->what, message, others);
}

/* A program that does not compile has no trace of any size. */
static bool needs(const struct plan_trace *t, const struct step *step)
{
	return step->made ? t->program == step->trace->program : strcmp(t->path, step->trace->path) == 0;
}

static void take_failure(struct preparation *p, const struct step *step)
{
	struct diag why = DIAG_INIT;
	char *lines = job_last_lines(step->job.folder), *text;

	describe_failure(p, step, &why);
	text = arena_printf(&p->plan->arena, "%s:%u:%u: %s", why.file, why.line, why.column, why.message);
	for (size_t i = 0; i < p->plan->traces.len; i++) {
		struct plan_trace *t = &p->plan->traces.data[i];

		if (!t->wanted || plan_is_settled(t) || !needs(t, step))
			continue;
		fail_trace(p, t, text, lines);
		t->tried = true;
	}
	if (p->options->said)
		p->options->said(p->options->arg,
				 arena_printf(&p->plan->arena, "romark: %s; its runs fail, the others go on", text));
	xfree(lines);
}

static void take_step(struct preparation *p, const struct step *step)
{
	struct job_end end;

	if (!job_read_end(step->job.folder, &end) || end.code || end.signal)
		take_failure(p, step);
	if (step->made)
		rmdir(step->made); /* it is empty where nothing was made */
	job_remove(step->job.folder);
}

static int run_steps(struct preparation *p, steps *list, struct diag *d)
{
	const struct executor_options options = {.romark = p->options->romark, .jobs = p->options->jobs};
	struct executor *e = executor_local.open(&options, d);
	size_t begun = 0, ended = 0;
	int status = 0;

	while (status == 0 && ended < list->len) {
		int64_t ids[16];
		size_t n;

		if (begun < list->len && executor_local.room(e, &list->data[begun].job)) {
			if (p->options->said)
				p->options->said(p->options->arg, list->data[begun].what);
			status = executor_local.submit(e, &list->data[begun++].job, 1, d);
			continue;
		}
		n = executor_local.poll(e, 1.0, ids, 16, d);
		if (process_pending_signal())
			status = diag_file(d, NULL, "interrupted");
		for (size_t i = 0; i < n && status == 0; i++, ended++)
			take_step(p, &list->data[ids[i]]);
	}
	executor_local.close(e);
	return status;
}

/* Relative paths in flags and arguments begin in the study's folder. */
static void add_words(const struct preparation *p, struct command *words, const char *command)
{
	command_add(words, "env");
	command_addf(words, "--chdir=%s", p->folder);
	command_add(words, p->options->romark);
	command_add(words, command);
}

static int add_compilation(struct preparation *p, steps *list, struct plan_trace *t, const char *path, struct diag *d)
{
	const struct study_program *program = program_of(p, t);
	const char *folder = arena_printf(&p->plan->arena, "%.*s", (int)(strrchr(path, '/') - path), path);
	struct command words = COMMAND_INIT;

	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return diag_file(d, folder, "cannot make this folder: %s", strerror(errno));
	add_words(p, &words, "cc");
	for (size_t i = 0; i < program->flags.len; i++)
		command_add(&words, program->flags.data[i].text);
	for (size_t i = 0; i < program->sources.len; i++)
		command_add(&words, absolute(p, program->sources.data[i].text));
	command_add(&words, "-o");
	command_add(&words, path);
	return add_step(p, list, t, "compiling", folder, &words, d);
}

static int add_tracing(struct preparation *p, steps *list, struct plan_trace *t, const char *path, struct diag *d)
{
	const struct study_program *program = program_of(p, t);
	const study_texts *arguments = &program->sizes.data[t->size].arguments;
	struct command words = COMMAND_INIT;

	add_words(p, &words, "trace");
	command_addf(&words, "--output=%s", t->path);
	if (program->kernels)
		command_addf(&words, "--kernel=%s", program->kernels);
	command_add(&words, "--");
	command_add(&words, path);
	for (size_t i = 0; i < arguments->len; i++)
		command_add(&words, arguments->data[i].text);
	return add_step(p, list, t, "tracing", NULL, &words, d);
}

/* Sizes share their program. Sizes with the same arguments share their trace. */
static bool is_made(const steps *list, const struct plan_trace *t, bool compile)
{
	for (size_t i = 0; i < list->len; i++) {
		const struct plan_trace *made = list->data[i].trace;

		if (compile ? made->program == t->program : strcmp(made->path, t->path) == 0)
			return true;
	}
	return false;
}

/* Makes the wanted programs, or traces, that are missing. */
static int make(struct preparation *p, bool compile, struct diag *d)
{
	steps list = VEC_INIT;
	int status = 0;

	for (size_t i = 0; i < p->plan->traces.len && status == 0; i++) {
		struct plan_trace *t = &p->plan->traces.data[i];
		const char *path;

		if (!t->wanted || plan_is_settled(t))
			continue;
		status = find_program(p, t, &path, d);
		if (status != 0)
			break;
		if (is_made(&list, t, compile))
			continue;
		if (!compile)
			status = add_tracing(p, &list, t, path, d);
		else if (access(path, X_OK) < 0)
			status = add_compilation(p, &list, t, path, d);
	}
	if (status == 0)
		status = run_steps(p, &list, d);
	for (size_t i = 0; i < list.len; i++)
		job_remove(list.data[i].job.folder);
	vec_release(&list);
	return status;
}

/* Removes folders of steps whose process was killed. Folders of other machines, whose processes this machine cannot
 * see, have other names.
 */
static void remove_leftovers(const char *cache)
{
	DIR *dir = opendir(cache);
	struct dirent *entry;
	char begin[300], path[PATH_MAX];
	long pid;
	int length = snprintf(begin, sizeof begin, "making-%.200s-", host_name());

	while (dir && (entry = readdir(dir)))
		if (strncmp(entry->d_name, begin, (size_t)length) == 0 &&
		    sscanf(entry->d_name + length, "%ld", &pid) == 1 && kill((pid_t)pid, 0) < 0 && errno == ESRCH) {
			snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
			job_remove(path);
		}
	if (dir)
		closedir(dir);
}

int prepare_make(struct plan *plan, const struct prepare_options *options, struct diag *d)
{
	struct preparation p;

	if (begin(&p, plan, options, d) < 0)
		return DIAG_ERROR;
	if (mkdir(options->cache, 0777) < 0 && errno != EEXIST)
		return diag_file(d, options->cache, "cannot make this folder: %s", strerror(errno));
	remove_leftovers(options->cache);
	if (make(&p, true, d) < 0 || make(&p, false, d) < 0)
		return DIAG_ERROR;
	for (size_t i = 0; i < plan->traces.len; i++)
		if (plan->traces.data[i].wanted && !plan_is_settled(&plan->traces.data[i]) &&
		    know(&p, &plan->traces.data[i], d) < 0)
			return DIAG_ERROR;
	return 0;
}
