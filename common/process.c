/* Start, wait, pass on signals: the life of one child process. */
#include "common/process.h"

#include "common/strbuf.h"
#include "common/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t pending_signal;
static volatile sig_atomic_t current_child;

static const int passed_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { PASSED_SIGNALS = sizeof passed_signals / sizeof *passed_signals };

void command_add(struct command *c, const char *word)
{
	vec_push(&c->words, xstrdup(word));
}

void command_addf(struct command *c, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	vec_push(&c->words, strbuf_detach(&text));
}

void command_add_all(struct command *c, char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		command_add(c, words[i]);
}

void command_release(struct command *c)
{
	for (size_t i = 0; i < c->words.len; i++)
		xfree(c->words.data[i]);
	vec_release(&c->words);
}

static int needs_no_quotes(const char *word)
{
	return *word &&
	       word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@%")] == 0;
}

void command_print(const struct command *c, FILE *out)
{
	for (size_t i = 0; i < c->words.len; i++) {
		const char *word = c->words.data[i];

		if (i)
			fputc(' ', out);
		if (needs_no_quotes(word)) {
			fputs(word, out);
			continue;
		}
		fputc('\'', out);
		for (; *word; word++)
			fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
		fputc('\'', out);
	}
	fputc('\n', out);
}

/* A folder without a name in PATH is the current one. */
const char *command_find(const char *name, struct arena *arena)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? arena_strdup(arena, name) : NULL;
	while (path) {
		size_t len = strcspn(path, ":");
		char *full = arena_printf(arena, "%.*s/%s", len ? (int)len : 1, len ? path : ".", name);

		if (access(full, X_OK) == 0)
			return full;
		path = path[len] ? path + len + 1 : NULL;
	}
	return NULL;
}

static void mask_signals(int how, sigset_t *old)
{
	sigset_t passed;

	sigemptyset(&passed);
	for (int i = 0; i < PASSED_SIGNALS; i++)
		sigaddset(&passed, passed_signals[i]);
	sigprocmask(how, &passed, old);
}

void process_let_signals_in(void)
{
	mask_signals(SIG_UNBLOCK, NULL);
}

/* --- In the child --- */

static int put_output(const char *path, int flags, int as)
{
	int fd = open(path, flags, 0600);

	if (fd >= 0 && fd != as) {
		dup2(fd, as);
		close(fd);
	}
	return fd;
}

/* Its output is thrown away, its messages go to the file; NULL: both are the parent's. */
static int put_messages(const char *messages)
{
	if (!messages)
		return 0;
	if (put_output("/dev/null", O_WRONLY, STDOUT_FILENO) < 0)
		return -1;
	return put_output(messages, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
}

/*
 * If the start fails, the error goes through the pipe. If it succeeds, the start closes the pipe and removes the
 * signals' handlers.
 */
static void become(struct command *c, const char *messages, int failure)
{
	int error;

	if (put_messages(messages) >= 0)
		execvp(c->words.data[0], c->words.data);
	error = errno;
	while (write(failure, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* --- In the parent --- */

/* The errno with which the child failed to become the program, 0 if it did. */
static int failure_of(pid_t child, int failure)
{
	int error = 0;
	ssize_t got;

	do
		got = read(failure, &error, sizeof error);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return 0;
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return got == sizeof error ? error : EIO;
}

static pid_t spawn(struct command *c, const char *messages, const sigset_t *mask, int *error)
{
	pid_t parent = getpid(), child;
	int failure[2];

	if (pipe2(failure, O_CLOEXEC) < 0) {
		*error = errno;
		return -1;
	}
	child = fork();
	*error = errno;
	if (child == 0) {
		supervise(parent, mask, failure[1]);
		become(c, messages, failure[1]);
	}
	close(failure[1]);
	if (child > 0)
		*error = failure_of(child, failure[0]);
	close(failure[0]);
	return child;
}

static int cannot_run(const char *word, int error, struct diag *d)
{
	if (error == ENOENT && !strchr(word, '/') && access(word, X_OK) == 0)
		return diag_file(d, NULL, "cannot run %s: it is not in PATH; did you mean ./%s?", word, word);
	return diag_file(d, NULL, "cannot run %s: %s", word, strerror(error));
}

/* Signals are blocked from the start to the wait, so that none ends this process and leaves the child. */
static pid_t start(struct command *c, const char *messages, struct diag *d)
{
	sigset_t old;
	pid_t child;
	int error = 0;

	mask_signals(SIG_BLOCK, &old);
	vec_push(&c->words, NULL);
	child = spawn(c, messages, &old, &error);
	c->words.len--;
	if (child > 0 && !error)
		return child;
	process_let_signals_in();
	return cannot_run(c->words.data[0], error, d);
}

pid_t command_start(struct command *c, struct diag *d)
{
	return start(c, NULL, d);
}

static void forward_signal(int number)
{
	pending_signal = number;
	if (current_child > 0)
		kill(current_child, number);
}

static void install(struct sigaction *old)
{
	struct sigaction action = {.sa_handler = forward_signal};

	sigemptyset(&action.sa_mask);
	for (int i = 0; i < PASSED_SIGNALS; i++)
		sigaction(passed_signals[i], &action, &old[i]);
}

void process_pass_signals(pid_t child)
{
	struct sigaction old[PASSED_SIGNALS];

	current_child = child;
	install(old);
	process_let_signals_in();
}

int process_wait(pid_t child)
{
	struct sigaction old[PASSED_SIGNALS];
	int status;

	current_child = child;
	install(old);
	process_let_signals_in();
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR) {
			status = 127 << 8;
			break;
		}
	current_child = 0;
	for (int i = 0; i < PASSED_SIGNALS; i++)
		sigaction(passed_signals[i], &old[i], NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_run(struct command *c, struct diag *d)
{
	pid_t child = command_start(c, d);

	return child < 0 ? DIAG_ERROR : process_wait(child);
}

int command_messages(struct command *c, const char *path, struct diag *d)
{
	pid_t child = start(c, path, d);

	return child < 0 ? DIAG_ERROR : process_wait(child);
}

int command_try(struct command *c, struct diag *d)
{
	return command_messages(c, "/dev/null", d);
}

int process_pending_signal(void)
{
	return pending_signal;
}

void process_keep_signals(void)
{
	struct sigaction old[PASSED_SIGNALS];

	install(old);
}

void process_end_by_signal(void)
{
	if (!pending_signal)
		return;
	signal(pending_signal, SIG_DFL);
	raise(pending_signal);
}
