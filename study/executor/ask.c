/* A command between three files without names: it never waits for this process, nor this for a pipe. */
#include "study/executor/ask.h"

#include "common/xalloc.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn(struct command *c, FILE *const files[3], pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int error;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&actions, fileno(files[i]), i);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	vec_push(&c->words, NULL);
	error = posix_spawnp(child, c->words.data[0], &actions, &attributes, c->words.data, environ);
	c->words.len--;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static int code_of(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What the command has written; NULL with errno. */
static char *all_of(FILE *file)
{
	long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	char *text;

	if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
		return NULL;
	text = xcalloc(1, (size_t)size + 1);
	if (fread(text, 1, (size_t)size, file) == (size_t)size)
		return text;
	xfree(text);
	return NULL;
}

static int run(struct command *c, FILE *const files[3], struct command_answer *a, struct diag *d)
{
	pid_t child;
	int error = spawn(c, files, &child);

	if (error)
		return diag_file(d, NULL, "cannot run %s: %s%s", c->words.data[0], strerror(error),
				 error == ENOENT ? "; is it in PATH?" : "");
	a->code = code_of(child);
	a->output = all_of(files[1]);
	a->messages = all_of(files[2]);
	if (a->output && a->messages)
		return 0;
	diag_file(d, NULL, "cannot read the answer of %s: %s", c->words.data[0], strerror(errno));
	answer_release(a);
	return DIAG_ERROR;
}

/* The files of a command's input, output and messages, with the input in the first of them. 0, or -1 with errno. */
static int open_files(FILE *files[3], const char *input)
{
	for (int i = 0; i < 3; i++) {
		files[i] = tmpfile();
		if (!files[i])
			return -1;
	}
	return fputs(input, files[0]) >= 0 && fseek(files[0], 0, SEEK_SET) == 0 ? 0 : -1;
}

int ask(struct command *c, const char *input, struct command_answer *a, struct diag *d)
{
	FILE *files[3] = {NULL};
	int status;

	*a = (struct command_answer){.code = 0};
	if (open_files(files, input) == 0)
		status = run(c, files, a, d);
	else
		status = diag_file(d, NULL, "cannot make a temporary file for %s: %s; is " P_tmpdir " full?",
				   c->words.data[0], strerror(errno));
	for (int i = 0; i < 3; i++)
		if (files[i])
			fclose(files[i]);
	return status;
}

void answer_release(struct command_answer *a)
{
	xfree(a->output);
	xfree(a->messages);
	*a = (struct command_answer){.code = 0};
}
