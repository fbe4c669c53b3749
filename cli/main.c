/* The command `romark`: finds the sub-command's row and hands over. */
#include "cli/command.h"
#include "cli/version.h"

#include "common/file.h"
#include "common/guess.h"
#include "common/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
#define COMMAND(name, summary) {#name, cmd_##name, summary},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL},
};

static void help(FILE *out)
{
	fputs("usage: romark COMMAND [options] ...\n\n"
	      "Finds the data that CUDA kernels only read, and shows what a cache organisation would do with it.\n\n",
	      out);
	for (size_t i = 0; commands[i].name; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n'romark help COMMAND' lists the options of a command.\n", out);
}

int usage_exit(int parse_result)
{
	return parse_result == OPTIONS_HELP ? EXIT_OK : EXIT_WRONG_USAGE;
}

int error_exit(const struct diag *d)
{
	diag_print(d, stderr);
	return strncmp(d->file, "--", 2) == 0 ? EXIT_WRONG_USAGE : EXIT_BAD_INPUT;
}

static int run_command(int argc, char **argv)
{
	struct guess g = guess_start(argv[0], strlen(argv[0]));

	for (size_t i = 0; commands[i].name; i++) {
		if (strcmp(commands[i].name, argv[0]) == 0)
			return commands[i].run(argc, argv);
		guess_try(&g, commands[i].name);
	}
	guess_try(&g, "--help");
	guess_try(&g, "--version");
	if (*g.best)
		fprintf(stderr, "romark: no such command: '%s': did you mean '%s'? See 'romark --help'\n", argv[0],
			g.best);
	else
		fprintf(stderr, "romark: no such command: '%s'; see 'romark --help'\n", argv[0]);
	return EXIT_WRONG_USAGE;
}

/* `romark help COMMAND` is `romark COMMAND --help`. */
static int help_on(char *command)
{
	static char option[] = "--help";
	char *words[] = {command, option, NULL};

	return run_command(2, words);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int run(int argc, char **argv)
{
	if (argc < 2) {
		help(stderr);
		return EXIT_WRONG_USAGE;
	}
	if (is_one_of(argv[1], "help", "--help", "-h")) {
		if (argc > 2 && !is_one_of(argv[2], "help", "version", "--help"))
			return help_on(argv[2]);
		help(stdout);
		return EXIT_OK;
	}
	if (is_one_of(argv[1], "version", "--version", "-V")) {
		printf("romark %s\n", version_text());
		return EXIT_OK;
	}
	return run_command(argc - 1, argv + 1);
}

static void end_by_signal(int number)
{
	outfile_remove_all();
	signal(number, SIG_DFL);
	raise(number);
}

/* A signal that ends the command leaves no temporary files. A signal that is ignored (nohup) stays ignored. */
static void clean_up_on_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (signal(numbers[i], end_by_signal) == SIG_IGN)
			signal(numbers[i], SIG_IGN);
}

/* A file that grows too large is an error of the write. A command started from here has the signal as usual. */
static void go_on(int number)
{
	(void)number;
}

/*
 * A standard stream that is closed stays useless, but its number gets reserved. Else the next opened file would get the
 * number, and all printed text with it.
 */
static void keep_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Printed text may have been lost on a full disk. */
int main(int argc, char **argv)
{
	int code;

	keep_standard_streams();
	clean_up_on_signals();
	if (signal(SIGXFSZ, go_on) == SIG_IGN)
		signal(SIGXFSZ, SIG_IGN);
	code = run(argc, argv);

	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	fprintf(stderr, "romark: cannot write to standard output: %s\n", strerror(errno));
	return code ? code : EXIT_BAD_INPUT;
}
