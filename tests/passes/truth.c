/*
 * Compares an analyser's reports on kernels with the truth:
 *
 *   truth FLOOR SOURCE.cu strict=REPORT.json guarded=REPORT.json distinct=REPORT.json
 *
 * SOURCE states for each kernel, in a line above it, which memory it writes:
 *
 *   // TRUTH spmv p0=r p1=r p2=w
 *
 *   r   only read by this name; the launch vouches for other names, so that it may be marked at guarded and distinct
 *   R   only read, and nothing written can be the same memory: it may be marked at strict, too
 *   w   written, by a pointer that comes from this parameter or variable
 *   l   written by a pointer that was made of numbers, which distinct takes as other memory
 *   n   never marked: volatile
 *   ?   not judged
 *
 * Names are the reports' ids; `p0+*` stands for each pointer of a parameter. A mark on what may not be marked at that
 * level is an error. Of the rows `r` and `R`, at least FLOOR percent must be read-only at guarded with all loads
 * marked.
 */
#include "common/file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct count {
	unsigned rows, found, errors;
};

static const json_t *named(const json_t *list, const char *key, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i,
			   item) if (strcmp(json_string_value(json_object_get(item, key)), name) == 0) return item;
	return NULL;
}

static const json_t *structure(const json_t *kernel, const char *id)
{
	const json_t *list = json_object_get(kernel, "structures"), *found = named(list, "id", id), *item;
	size_t i, len = strlen(id);

	if (found || len < 2 || strcmp(id + len - 2, "+*") != 0)
		return found;
	json_array_foreach(list, i, item) if (strncmp(json_string_value(json_object_get(item, "id")), id, len - 1) ==
					      0) return item;
	return NULL;
}

static bool may_be_marked(char truth, const char *level)
{
	switch (truth) {
	case 'w':
	case 'n': return false;
	case 'l': return strcmp(level, "distinct") == 0;
	case 'r': return strcmp(level, "strict") != 0;
	default: return true;
	}
}

static void judge(struct count *c, const char *level, const json_t *kernel, const char *id, char truth)
{
	const json_t *s = structure(kernel, id);
	int loads = (int)json_integer_value(json_object_get(s, "loads"));
	int marked = (int)json_integer_value(json_object_get(s, "loads_marked"));
	const char *name = json_string_value(json_object_get(kernel, "name"));

	if (marked > 0 && !may_be_marked(truth, level)) {
		fprintf(stderr, "%s: %s %s: %d of %d loads are marked, but it is '%c'\n", level, name, id, marked,
			loads, truth);
		c->errors++;
	}
	if ((truth != 'r' && truth != 'R') || strcmp(level, "guarded") != 0)
		return;
	c->rows++;
	if (loads > 0 && marked == loads)
		c->found++;
	else
		fprintf(stderr, "%s: %s %s: only read, and %d of %d loads are marked\n", level, name, id, marked,
			loads);
}

/* One line of the source, `rest` from the kernel's name on. */
static void judge_kernel(struct count *c, const char *level, const json_t *report, char *rest)
{
	char *name = strsep(&rest, " "), *row;
	const json_t *kernel = named(json_object_get(report, "kernels"), "name", name);

	if (!kernel) {
		fprintf(stderr, "%s: there is no kernel %s\n", level, name);
		c->errors++;
		return;
	}
	while ((row = strsep(&rest, " "))) {
		char *equals = strrchr(row, '=');

		if (equals) {
			*equals = '\0';
			judge(c, level, kernel, row, equals[1]);
		}
	}
}

static void read_all(const char *path, struct file_data *file)
{
	struct diag d = DIAG_INIT;

	if (file_read(path, file, &d) == 0)
		return;
	diag_print(&d, stderr);
	exit(1);
}

/* `argument` is LEVEL=REPORT. */
static void judge_level(struct count *c, const char *source, char *argument)
{
	static const char mark[] = "// TRUTH ";
	struct file_data text, file;
	char *path = argument, *level = strsep(&path, "="), *next, *line;
	json_t *report;

	read_all(source, &text);
	read_all(path, &file);
	report = json_loads(file.data, 0, NULL);
	next = text.data;
	while ((line = strsep(&next, "\n")))
		if (strncmp(line, mark, strlen(mark)) == 0)
			judge_kernel(c, level, report, line + strlen(mark));
	json_decref(report);
	file_data_release(&file);
	file_data_release(&text);
}

int main(int argc, char **argv)
{
	struct count c = {0, 0, 0};

	if (argc != 6) {
		fprintf(stderr, "usage: truth FLOOR SOURCE.cu strict=REPORT guarded=REPORT distinct=REPORT\n");
		return 2;
	}
	for (int i = 3; i < argc; i++)
		judge_level(&c, argv[2], argv[i]);
	printf("%u of %u read-only rows found, %u errors\n", c.found, c.rows, c.errors);
	return c.errors > 0 || c.rows == 0 || c.found * 100 < c.rows * (unsigned)atoi(argv[1]);
}
