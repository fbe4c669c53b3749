/* A walk over #include "..." lines. It does not know which of them a condition leaves out: that costs a compilation. */
#include "study/sources.h"

#include "common/file.h"
#include "common/vec.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Names of headers come from sources, and may lead to any file: no program text is larger than this. */
enum { LARGEST_SOURCE = 1 << 28 };

struct walk {
	const char *const *include;
	VEC(char *) seen; /* in order */
};

static void add(struct walk *w, const char *path)
{
	for (size_t i = 0; i < w->seen.len; i++)
		if (strcmp(w->seen.data[i], path) == 0)
			return;
	vec_push(&w->seen, xstrdup(path));
}

static bool is_there(const char *folder, int folder_length, const char *name, int length, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%.*s/%.*s", folder_length, folder, length, name);
	return access(path, R_OK) == 0;
}

static void found(struct walk *w, const char *from, const char *name, int length)
{
	const char *slash = strrchr(from, '/');
	char path[PATH_MAX];

	if (is_there(slash ? from : ".", slash ? (int)(slash - from) : 1, name, length, path)) {
		add(w, path);
		return;
	}
	for (size_t i = 0; w->include[i]; i++)
		if (is_there(w->include[i], (int)strlen(w->include[i]), name, length, path)) {
			add(w, path);
			return;
		}
}

/* The name between the quotes of an #include on this line, or NULL. */
static const char *quoted(const char *line, int *length)
{
	const char *end;

	line += strspn(line, " \t");
	if (*line++ != '#')
		return NULL;
	line += strspn(line, " \t");
	if (strncmp(line, "include", 7) != 0)
		return NULL;
	line += 7 + strspn(line + 7, " \t");
	if (*line++ != '"')
		return NULL;
	end = strpbrk(line, "\"\n");
	*length = end ? (int)(end - line) : 0;
	return end && *end == '"' ? line : NULL;
}

static void scan(struct walk *w, const char *path, const char *text)
{
	const char *name;
	int length;

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		name = quoted(text, &length);
		if (name)
			found(w, path, name, length);
	}
}

int sources_describe(const char *path, const char *const *include, struct strbuf *text, struct diag *d)
{
	struct walk w = {.include = include};
	int status = 0;

	add(&w, path);
	for (size_t i = 0; i < w.seen.len && status == 0; i++) {
		char *file = w.seen.data[i]; /* the list grows */
		struct file_data data;

		status = file_read_regular(file, LARGEST_SOURCE, &data, d);
		if (status < 0)
			break;
		scan(&w, file, data.data);
		strbuf_addf(text, "%s %s\n", file, hash_of(data.data, data.size).text);
		file_data_release(&data);
	}
	for (size_t i = 0; i < w.seen.len; i++)
		xfree(w.seen.data[i]);
	vec_release(&w.seen);
	return status;
}
