/*
 * `romark complete -- WORDS`: how a command line may go on. The scripts of cli/completion ask it in bash, zsh and fish.
 * What it knows of the options comes from the commands' --help.
 */
#include "cli/command.h"

#include "cli/complete_line.h"
#include "common/options.h"

#include <stdio.h>

int cmd_complete(int argc, char **argv)
{
	const struct option_row rows[] = {{0}};
	const struct usage usage = {
	    "complete", "-- WORDS", "Prints how a command line may go on, for the completion of shells.", rows,
	    "WORDS are those of the line up to the cursor, romark the first; the last is what was typed of the\n"
	    "word to complete. Each line of output has a word, a tab and what it means. A line ':files .ENDING'\n"
	    "stands for files with that ending, ':files' for any. Example: romark complete -- romark sim --gpu="};
	int n = options_parse(&usage, argc, argv);

	if (n < 0)
		return usage_exit(n);
	if (n > 1)
		complete_line((size_t)n, argv);
	return EXIT_OK;
}
