/* The command `romark`: finds the sub-command's row and hands over. */
#include "cli/command.h"
#include "cli/manual_pages.h"
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

static void help(FILE *out)
{
	fputs("usage: romark COMMAND [options] ...\n\n"
	      "Finds the data that CUDA kernels only read, and shows what a cache organisation would do with it.\n\n",
	      out);
	for (const struct subcommand *command = subcommands; command->name; command++)
		fprintf(out, "  %-10s %s\n", command->name, command->summary);
	fputs("\n'romark help COMMAND' lists the options of a command; with --man it prints the manual page.\n", out);
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
	const struct subcommand *known = subcommand_find(argv[0]);
	struct guess g = guess_start(argv[0], strlen(argv[0]));

	if (known)
		return known->run(argc, argv);
	for (const struct subcommand *command = subcommands; command->name; command++)
		guess_try(&g, command->name);
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
static int help_on(char *command, bool manual)
{
	static char option[] = "--help";
	char *words[] = {command, option, NULL};
	const struct subcommand *known = subcommand_find(command);

	if (!known || !manual)
		return run_command(2, words);
	manual_page_of(known);
	return EXIT_OK;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
	return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* `romark help [--man] [COMMAND]`, from its second word on. */
static int run_help(int argc, char **argv)
{
	bool manual = false;
	char *command = NULL;

	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], "--man") == 0)
			manual = true;
		else if (!command && !is_one_of(argv[i], "help", "version", "--help"))
			command = argv[i];
	if (command)
		return help_on(command, manual);
	if (manual)
		manual_page_of_all();
	else
		help(stdout);
	return EXIT_OK;
}

static int wrong_version(void)
{
	fputs("romark: version: takes --json and nothing else\n", stderr);
	return EXIT_WRONG_USAGE;
}

static int run_version(int argc, char **argv)
{
	if (argc == 0)
		printf("romark %s\n", version_text());
	else if (argc == 1 && strcmp(argv[0], "--json") == 0)
		version_print_json(stdout);
	else
		return wrong_version();
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	if (argc < 2) {
		help(stderr);
		return EXIT_WRONG_USAGE;
	}
	if (is_one_of(argv[1], "help", "--help", "-h"))
		return run_help(argc - 2, argv + 2);
	if (is_one_of(argv[1], "version", "--version", "-V"))
		return run_version(argc - 2, argv + 2);
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
