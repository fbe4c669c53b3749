/*
 * Compares each file that the command writes with each file that it reads, and with each written file before it in the
 * table.
 */
#include "cli/used_files.h"

#include "common/file.h"

#include <stdio.h>
#include <string.h>

static bool is_same(const struct used_file *a, const struct used_file *b)
{
	bool is_stream = a->read && a->path && strcmp(a->path, "-") == 0;

	return a->path && b->path && !is_stream && file_is_same(a->path, b->path);
}

static bool check_pair(const char *command, const struct used_file *one, const struct used_file *written)
{
	if (!is_same(one, written))
		return true;
	if (one->read)
		fprintf(stderr, "romark: %s: --%s would write over %s '%s'\n", command, written->option, one->read,
			one->path);
	else
		fprintf(stderr,
			"romark: %s: --%s and --%s: two results cannot go into one file, '%s'; give another name\n",
			command, one->option, written->option, one->path);
	return false;
}

bool used_files_check(const char *command, const struct used_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count && !files[i].read; k++)
			if ((k < i || files[k].read) && !check_pair(command, &files[k], &files[i]))
				return false;
	return true;
}
