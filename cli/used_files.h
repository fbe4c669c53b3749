/*
 * The files that a command reads and writes; checks that no output overwrites another file of the command.
 *
 *   const struct used_file files[] = {{argv[0], "the trace", NULL}, {json, NULL, "json"}, {series, NULL, "series"}};
 *   if (!used_files_check("sim", files, sizeof files / sizeof *files))
 *           return EXIT_WRONG_USAGE;
 */
#ifndef ROMARK_CLI_USED_FILES_H
#define ROMARK_CLI_USED_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct used_file {
	const char *path;   /* NULL: none; "-": a standard stream */
	const char *read;   /* a word for the input, "the trace"; NULL: an output */
	const char *option; /* of a file that is written, without the dashes */
};

/*
 * True if no output is also an input, or the output of another option; else says so on stderr. A file counts as the
 * same under all of its names.
 */
bool used_files_check(const char *command, const struct used_file *files, size_t count);

#endif
