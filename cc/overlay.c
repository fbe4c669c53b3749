/*
 * Sources that Clang is to read in another form: the changed text stands in a temporary file, and an overlay of Clang's
 * virtual file system puts it in the place of the original, so that names in messages and dependencies stay.
 */
#include "cc/steps.h"
#include "cc/assembly.h"
#include "cc/chevrons.h"
#include "cc/nested.h"
#include "common/file.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CLANG_WITH_NESTED = 22 };

enum { LARGEST_SOURCE = 1 << 28 };

struct overlay {
	struct cc_job *job;
	VEC(const char *) files; /* that were looked at or wait for it: the source, and what it includes */
	struct strbuf roots;
};

static bool is_listed(const struct overlay *o, const char *path)
{
	for (size_t i = 0; i < o->files.len; i++)
		if (strcmp(o->files.data[i], path) == 0)
			return true;
	return false;
}

static bool list_if_there(struct overlay *o, const char *path)
{
	if (is_listed(o, path))
		return true;
	if (access(path, R_OK) != 0)
		return false;
	vec_push(&o->files, path);
	return true;
}

static bool list_beside(struct overlay *o, const char *from, const char *name)
{
	const char *slash = *name == '/' ? NULL : strrchr(from, '/');
	int length = slash ? (int)(slash - from) + 1 : 0;

	return list_if_there(o, arena_printf(&o->job->arena, "%.*s%s", length, from, name));
}

/* In the folders of -I. System headers need no change. */
static void list_in_folders(struct overlay *o, const char *name)
{
	const cc_words *words = &o->job->options.both;

	for (size_t i = 0; i < words->len; i++) {
		const char *word = words->data[i], *folder = word + 2;

		if (strncmp(word, "-I", 2) != 0)
			continue;
		if (!*folder && i + 1 < words->len)
			folder = words->data[++i];
		if (list_if_there(o, arena_printf(&o->job->arena, "%s/%s", folder, name)))
			return;
	}
}

static void list_headers(struct overlay *o, const char *from, const char *text)
{
	while ((text = strstr(text, "include"))) {
		const char *start, *end, *name;

		text += strlen("include");
		start = text + strspn(text, " \t");
		end = *start == '"' ? strchr(start + 1, '"') : *start == '<' ? strchr(start, '>') : NULL;
		if (!end || end - start > PATH_MAX)
			continue;
		name = arena_printf(&o->job->arena, "%.*s", (int)(end - start) - 1, start + 1);
		if (*start != '"' || !list_beside(o, from, name))
			list_in_folders(o, name);
	}
}

static const char *absolute(struct cc_job *job, const char *path)
{
	char folder[PATH_MAX];

	if (*path == '/' || !getcwd(folder, sizeof folder))
		return path;
	return arena_printf(&job->arena, "%s/%s", folder, path);
}

static void add_string(struct strbuf *out, const char *text)
{
	strbuf_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
	strbuf_addc(out, '"');
}

static int replace_file(struct overlay *o, const char *path, const struct strbuf *text)
{
	const char *file = cc_temporary_file(o->job, ".cu");

	strbuf_adds(&o->roots, o->roots.len ? ",\n" : "");
	strbuf_adds(&o->roots, "{\"type\": \"file\", \"name\": ");
	add_string(&o->roots, absolute(o->job, path));
	strbuf_adds(&o->roots, ", \"external-contents\": ");
	add_string(&o->roots, absolute(o->job, file));
	strbuf_addc(&o->roots, '}');
	return file_write(file, text->data, text->len, &o->job->diag);
}

/* False, and nothing in `out`, where Clang can read the text as it is. */
static bool rewrite(const struct cc_job *job, const char *text, struct strbuf *out)
{
	bool nested = job->options.relocatable && job->tools.clang_version < FIRST_CLANG_WITH_NESTED;
	/* Nested launches are found by their chevrons. */
	bool (*const rewriters[])(const char *, struct strbuf *) = {
	    cc_chevrons_rewrite, nested ? cc_nested_rewrite : NULL, cc_assembly_rewrite};
	bool changed = false;

	for (size_t i = 0; i < sizeof rewriters / sizeof *rewriters; i++) {
		struct strbuf next = STRBUF_INIT;

		if (!rewriters[i] || !rewriters[i](changed ? out->data : text, &next))
			continue;
		strbuf_release(out);
		*out = next;
		changed = true;
	}
	return changed;
}

/* Files that cannot be read are Clang's to report, and so are those that are no files: a header's name is anybody's. */
static int rewrite_file(struct overlay *o, const char *path)
{
	struct diag ignored = DIAG_INIT;
	struct strbuf text = STRBUF_INIT;
	struct file_data file;
	int result = 0;

	if (file_read_regular(path, LARGEST_SOURCE, &file, &ignored) < 0)
		return 0;
	list_headers(o, path, file.data);
	if (rewrite(o->job, file.data, &text))
		result = replace_file(o, path, &text);
	file_data_release(&file);
	strbuf_release(&text);
	return result;
}

static int write_overlay(struct overlay *o)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	o->job->overlay = cc_temporary_file(o->job, ".yaml");
	strbuf_addf(&text, "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n%s\n]}\n", o->roots.data);
	result = file_write(o->job->overlay, text.data, text.len, &o->job->diag);
	strbuf_release(&text);
	return result;
}

int cc_make_overlay(struct cc_job *job, const char *source)
{
	struct overlay o = {.job = job, .files = VEC_INIT, .roots = STRBUF_INIT};
	int result = 0;

	job->overlay = NULL;
	if (job->options.show)
		return 0;
	vec_push(&o.files, source);
	for (size_t i = 0; i < o.files.len && result == 0; i++)
		result = rewrite_file(&o, o.files.data[i]);
	if (result == 0 && o.roots.len)
		result = write_overlay(&o);
	vec_release(&o.files);
	strbuf_release(&o.roots);
	return result;
}
