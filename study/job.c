/* The folder of a run: the sweep writes it, and the process that executes the run fills it. */
#include "study/job.h"

#include "common/file.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/strbuf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *in(const char *folder, const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

/* --- Written by the sweep --- */

/* Each word is ended by a NUL. */
int job_write_words(const char *folder, const struct command *command, struct diag *d)
{
	char path[PATH_MAX];
	struct strbuf words = STRBUF_INIT;
	int status;

	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return diag_file(d, folder, "cannot make this folder: %s", strerror(errno));
	for (size_t i = 0; i < command->words.len; i++)
		strbuf_add(&words, command->words.data[i], strlen(command->words.data[i]) + 1);
	status = file_write(in(folder, "command", path), words.data, words.len, d);
	strbuf_release(&words);
	return status;
}

/* A file that has changed since the run was planned would belong to another run. */
static int copy_file(const char *folder, const struct plan_file *file, struct diag *d)
{
	enum { LARGEST_OBJECT = 1 << 28 };
	char name[64], path[PATH_MAX];
	struct file_data data;
	int status;

	if (file_read_regular(file->path, LARGEST_OBJECT, &data, d) < 0)
		return DIAG_ERROR;
	snprintf(name, sizeof name, "%s.so", file->hash.text);
	if (strcmp(hash_of(data.data, data.size).text, file->hash.text) != 0)
		status = diag_file(d, file->path, "has changed since the sweep began; start the sweep again");
	else
		status = file_write(in(folder, name, path), data.data, data.size, d);
	file_data_release(&data);
	return status;
}

/* Paths in the folder are relative to it, because another machine may see the folder under another name. */
int job_write(const struct job_spec *spec, struct diag *d)
{
	struct command words = COMMAND_INIT;
	char path[PATH_MAX];
	int status;

	command_add(&words, spec->romark);
	command_add(&words, "sim");
	command_add(&words, spec->trace);
	command_add(&words, "--gpu=./gpu.yaml");
	command_add(&words, "--json=result.json");
	if (spec->series)
		command_add(&words, "--series=series.csv");
	for (const char *const *option = spec->options; *option; option++)
		command_add(&words, *option);
	status = job_write_words(spec->folder, &words, d);
	if (status == 0)
		status = file_write(in(spec->folder, "gpu.yaml", path), spec->config, strlen(spec->config), d);
	for (size_t i = 0; spec->files && i < PLAN_FILES && spec->files[i].path && status == 0; i++)
		status = copy_file(spec->folder, &spec->files[i], d);
	command_release(&words);
	return status;
}

/* --- Executed --- */

static void become(const char *folder, struct file_data *command, pid_t parent)
{
	struct command words = COMMAND_INIT;
	int log;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || chdir(folder) < 0)
		_exit(127);
	log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		_exit(127);
	for (size_t at = 0; at < command->size; at += strlen(command->data + at) + 1)
		command_add(&words, command->data + at);
	vec_push(&words.words, NULL);
	execvp(words.words.data[0], words.words.data);
	fprintf(stderr, "romark: cannot run %s: %s\n", words.words.data[0], strerror(errno));
	fflush(stderr);
	_exit(127);
}

/* The child must not inherit this process's handlers and blocked signals. */
static void usual_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

pid_t job_start(const char *folder, struct diag *d)
{
	char path[PATH_MAX];
	pid_t parent = getpid(), child;
	struct file_data command;

	if (file_read(in(folder, "command", path), &command, d) < 0)
		return DIAG_ERROR;
	child = fork();
	if (child == 0) {
		usual_signals();
		become(folder, &command, parent);
	}
	file_data_release(&command);
	return child > 0 ? child : diag_file(d, folder, "cannot start a process for this: %s", strerror(errno));
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int job_finish(const char *folder, double started, int status, const struct rusage *usage, struct diag *d)
{
	char path[PATH_MAX], host[256] = "";
	json_t *end;
	char *text;
	int written;

	gethostname(host, sizeof host - 1);
	end = json_pack("{s:i,s:i,s:f,s:f,s:f,s:I,s:s}", "code", WIFEXITED(status) ? WEXITSTATUS(status) : 0, "signal",
			WIFSIGNALED(status) ? WTERMSIG(status) : 0, "started", started, "wall_seconds", now() - started,
			"cpu_seconds", seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime), "peak_rss_bytes",
			(json_int_t)usage->ru_maxrss * 1024, "host", host);
	text = json_dumps(end, JSON_COMPACT);
	written = file_write(in(folder, "end.json", path), text, strlen(text), d);
	free(text);
	json_decref(end);
	return written;
}

int job_fail(const char *folder, const char *message, struct diag *d)
{
	const struct rusage none = {.ru_maxrss = 0};
	char path[PATH_MAX], *lines = job_last_lines(folder);
	struct strbuf log = STRBUF_INIT;
	size_t named = strncmp(message, "romark: ", 8) == 0 ? 8 : 0;
	int status;

	strbuf_addf(&log, "romark: %.*s\n%s", (int)strcspn(message + named, "\n"), message + named, lines);
	status = file_write(in(folder, "log", path), log.data, log.len, d);
	if (status == 0)
		status = job_finish(folder, now(), W_EXITCODE(1, 0), &none, d);
	strbuf_release(&log);
	xfree(lines);
	return status;
}

int job_run(const char *folder, struct diag *d)
{
	double started = now();
	struct rusage usage;
	pid_t child = job_start(folder, d);
	int status;

	if (child < 0)
		return DIAG_ERROR;
	process_pass_signals(child);
	while (wait4(child, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return diag_file(d, folder, "the run was lost: %s", strerror(errno));
	if (process_pending_signal())
		return diag_file(d, folder, "the run was interrupted");
	return job_finish(folder, started, status, &usage, d);
}

/* --- Collected --- */

bool job_read_end(const char *folder, struct job_end *end)
{
	char path[PATH_MAX];
	const char *host = "";
	json_int_t bytes = 0;
	json_t *root = json_load_file(in(folder, "end.json", path), 0, NULL);
	bool is_whole;

	*end = (struct job_end){.code = 0};
	is_whole = root && json_unpack(root, "{s:i,s:i,s:F,s:F,s:F,s:I,s:s}", "code", &end->code, "signal",
				       &end->signal, "started", &end->started, "wall_seconds", &end->wall_seconds,
				       "cpu_seconds", &end->cpu_seconds, "peak_rss_bytes", &bytes, "host", &host) == 0;
	end->peak_rss_bytes = (uint64_t)bytes;
	snprintf(end->host, sizeof end->host, "%s", host);
	json_decref(root);
	return is_whole;
}

/* --- Messages of a job --- */

enum { LAST_LINES = 20, LAST_BYTES = 4096 };

char *job_last_lines(const char *folder)
{
	char path[PATH_MAX], *text = xcalloc(1, LAST_BYTES + 1), *at;
	FILE *log = fopen(in(folder, "log", path), "r");
	size_t n = 0;
	unsigned lines = 0;

	if (log) {
		if (fseek(log, -(long)LAST_BYTES, SEEK_END) == 0 || fseek(log, 0, SEEK_SET) == 0)
			n = fread(text, 1, LAST_BYTES, log);
		fclose(log);
	}
	for (size_t i = 0; i < n; i++)
		if (!text[i])
			text[i] = '?';
	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	for (at = text + n; at > text && (at[-1] != '\n' || ++lines < LAST_LINES); at--)
		;
	memmove(text, at, strlen(at) + 1);
	return text;
}

static bool is_error(const char *line)
{
	const char *error = strstr(line, ": error: ");

	if (strncmp(line, "romark: ", 8) == 0)
		return strncmp(line, "romark: warning: ", 17) != 0;
	return error && error < line + strcspn(line, "\n");
}

void job_message(const char *folder, char *text, size_t size)
{
	char *lines = job_last_lines(folder), *said = lines;

	while (!is_error(said)) {
		char *end = strchr(said, '\n');

		if (!end)
			break;
		said = end + 1;
	}
	snprintf(text, size, "%.*s", (int)strcspn(said, "\n"), said);
	xfree(lines);
}

void job_others_message(const char *folder, char *text, size_t size)
{
	char *lines = job_last_lines(folder);

	*text = '\0';
	for (char *at = lines, *end; *at; at = end + (*end == '\n')) {
		end = at + strcspn(at, "\n");
		if (end > at && strncmp(at, "romark: ", 8) != 0)
			snprintf(text, size, "%.*s", (int)(end - at), at);
	}
	xfree(lines);
}

void job_remove(const char *folder)
{
	char path[PATH_MAX];
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlink(in(folder, entry->d_name, path));
	if (dir)
		closedir(dir);
	rmdir(folder);
}
