/* The build leaves the commit in a file: beside the program, and installed in PREFIX/share/romark. */
#include "cli/version.h"

#include "common/file.h"

#include <jansson.h>
#include <limits.h>
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

/* "0123456789ab, 2026-11-28", or false. */
static bool find_commit(char *commit, size_t size)
{
	char folder[PATH_MAX];

	return file_program_folder(folder, sizeof folder) &&
	       (read_commit(folder, "romark.commit", commit, size) ||
		read_commit(folder, "../share/romark/romark.commit", commit, size));
}

const char *version_text(void)
{
	static char text[LONGEST + sizeof ROMARK_VERSION + 8];
	char commit[LONGEST + 1];

	if (find_commit(commit, sizeof commit))
		snprintf(text, sizeof text, ROMARK_VERSION " (%s)", commit);
	else
		snprintf(text, sizeof text, "%s", ROMARK_VERSION);
	return text;
}

/* What a build may lack. */
static json_t *features(void)
{
	static const struct {
		const char *name;
		int has;
	} rows[] = {
	    {"cc", ROMARK_HAS_CC},                          /* Clang and its device library were there */
	    {"gpu_device", ROMARK_HAS_GPU},                 /* --device=cuda */
	    {"static_nvidia_programs", ROMARK_HAS_PRELOAD}, /* NVIDIA's runtime inside programs is redirected */
	    {"sanitizers", ROMARK_HAS_SANITIZERS},
	};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		json_object_set_new(object, rows[i].name, json_boolean(rows[i].has));
	return object;
}

void version_print_json(FILE *out)
{
	json_t *all = json_pack("{s:s}", "version", ROMARK_VERSION);
	char commit[LONGEST + 1];

	if (find_commit(commit, sizeof commit)) {
		char *day = strstr(commit, ", ");

		json_object_set_new(all, "commit", json_stringn(commit, day ? (size_t)(day - commit) : strlen(commit)));
		json_object_set_new(all, "day", json_string(day ? day + 2 : ""));
	} else {
		json_object_set_new(all, "commit", json_null());
		json_object_set_new(all, "day", json_null());
	}
	json_object_set_new(all, "processor", json_string(ROMARK_PROCESSOR));
	json_object_set_new(all, "llvm", json_integer(ROMARK_LLVM));
	json_object_set_new(all, "features", features());
	json_dumpf(all, out, JSON_INDENT(1));
	fputc('\n', out);
	json_decref(all);
}
