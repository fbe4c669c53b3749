/* The build leaves the commit in a file: beside the program, and installed in PREFIX/share/romark. */
#include "cli/version.h"

#include "common/file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 100 };

/* The first line of the file, or false. */
static bool read_commit(const char *folder, const char *name, char *commit, size_t size)
{
	char path[PATH_MAX + 64];
	struct diag absent = DIAG_INIT;
	struct file_data data;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (file_read_regular(path, LONGEST, &data, &absent) < 0)
		return false;
	snprintf(commit, size, "%.*s", (int)strcspn(data.data, "\n"), data.data);
	file_data_release(&data);
	return *commit;
}

const char *version_text(void)
{
	static char text[LONGEST + sizeof ROMARK_VERSION + 8];
	char folder[PATH_MAX], commit[LONGEST + 1];

	if (file_program_folder(folder, sizeof folder) &&
	    (read_commit(folder, "romark.commit", commit, sizeof commit) ||
	     read_commit(folder, "../share/romark/romark.commit", commit, sizeof commit)))
		snprintf(text, sizeof text, ROMARK_VERSION " (%s)", commit);
	else
		snprintf(text, sizeof text, "%s", ROMARK_VERSION);
	return text;
}
