/*
 * The files that a command reads and writes, so that none takes another's place.
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
	const char *read;   /* what is read there, "the trace"; NULL: it is written */
	const char *option; /* of a file that is written, without the dashes */
};

/*
 * True if no file that is written is one that is read, or written by another option; else says so on stderr. Files are
 * the same under all of their names.
 */
bool used_files_check(const char *command, const struct used_file *files, size_t count);

#endif
