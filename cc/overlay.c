/*
 * Sources that Clang reads in another form. The changed text is in a temporary file, and an overlay of Clang's virtual
 * file system puts it in the place of the original. So names in messages and dependencies stay.
 */
#include "cc/cc.h"
#include "cc/steps.h"
#include "cc/assembly.h"
#include "cc/braces.h"
#include "cc/chevrons.h"
#include "cc/nested_launch.h"
#include "cc/pragmas.h"
#include "common/file.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Symbolic links that lead around in circles give a file names without end. */
enum { FIRST_CLANG_WITH_NESTED = 22, MOST_NAMES = 32, LARGEST_SOURCE = 1 << 28 };

/* A file, whatever it is called. To #pragma once it stays one file: all its names have the same text in their place. */
struct identity {
	dev_t device;
	ino_t inode;
	unsigned names;
	bool is_read;
	const char *replacement; /* the temporary file; NULL: Clang reads the file itself */
};

struct name {
	const char *path;
	size_t file; /* of the identities */
};

struct overlay {
	struct cc_job *job;
	VEC(struct name)
	names; /* files that were read, or wait to be read: the source, and the files that it includes */
	VEC(struct identity) files;
	struct strbuf roots;
};

static bool is_listed(const struct overlay *o, const char *path)
{
	for (size_t i = 0; i < o->names.len; i++)
		if (strcmp(o->names.data[i].path, path) == 0)
			return true;
	return false;
}

/* "a/./b//../c" is "a/c". */
static const char *without_dots(struct arena *arena, const char *path)
{
	char *out = arena_strdup(arena, path);
	size_t root = *path == '/', len = root;
	size_t depth = 0; /* folders in `out` that ".." can take away */

	for (const char *at = path + root; *at; at += strspn(at, "/")) {
		size_t part = strcspn(at, "/");
		bool is_up = part == 2 && strncmp(at, "..", 2) == 0;

		if (is_up && depth) {
			depth--;
			while (len > root && out[len - 1] != '/')
				len--;
			len -= len > root;
		} else if (part && !(part == 1 && *at == '.')) {
			depth += !is_up;
			if (len > root)
				out[len++] = '/';
			memmove(out + len, at, part);
			len += part;
		}
		at += part;
	}
	out[len] = '\0';
	return out;
}

/* The name that Clang looks up, unless a link before the dots makes that another file's. */
static const char *name_of_file(struct overlay *o, const char *path, const struct stat *file)
{
	const char *name = without_dots(&o->job->arena, path);
	struct stat other;

	return stat(name, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino ? name : path;
}

static size_t identity_of(struct overlay *o, const struct stat *file)
{
	for (size_t i = 0; i < o->files.len; i++)
		if (o->files.data[i].device == file->st_dev && o->files.data[i].inode == file->st_ino)
			return i;
	vec_push(&o->files, (struct identity){.device = file->st_dev, .inode = file->st_ino});
	return o->files.len - 1;
}

static void add_name(struct overlay *o, const char *path, const struct stat *file)
{
	size_t identity = identity_of(o, file);

	if (o->files.data[identity].names++ < MOST_NAMES)
		vec_push(&o->names, (struct name){path, identity});
}

static bool list_if_there(struct overlay *o, const char *path)
{
	struct stat file;

	if (is_listed(o, path))
		return true;
	if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || access(path, R_OK) != 0)
		return false;
	path = name_of_file(o, path, &file);
	if (!is_listed(o, path))
		add_name(o, path, &file);
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

static void replace_name(struct overlay *o, const char *path, const char *file)
{
	strbuf_adds(&o->roots, o->roots.len ? ",\n" : "");
	strbuf_adds(&o->roots, "{\"type\": \"file\", \"name\": ");
	add_string(&o->roots, absolute(o->job, path));
	strbuf_adds(&o->roots, ", \"external-contents\": ");
	add_string(&o->roots, absolute(o->job, file));
	strbuf_addc(&o->roots, '}');
}

/* False, and nothing in `out`, where Clang can read the text as it is. */
static bool rewrite(const struct cc_job *job, const char *text, struct strbuf *out)
{
	bool nested = job->options.relocatable && job->tools.clang_version < FIRST_CLANG_WITH_NESTED;
	/* The sign of nested launches is their chevrons. */
	bool (*const rewriters[])(const char *,
				  struct strbuf *) = {cc_chevrons_rewrite, nested ? cc_nested_rewrite : NULL,
						      cc_braces_rewrite, cc_pragmas_rewrite, cc_assembly_rewrite};
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

/* Writes a replacement if the file's text has to change. */
static int replace_file(struct overlay *o, struct identity *file, const char *text)
{
	struct strbuf changed = STRBUF_INIT;
	int result = 0;

	if (rewrite(o->job, text, &changed)) {
		file->replacement = cc_temporary_file(o->job, ".cu");
		result = file_write(file->replacement, changed.data, changed.len, &o->job->diag);
	}
	file->is_read = true;
	strbuf_release(&changed);
	return result;
}

/*
 * A source may name anything as a header. Clang reports files that cannot be read, and names that are not regular
 * files.
 */
static int read_file(struct overlay *o, struct name name)
{
	struct diag ignored = DIAG_INIT;
	struct identity *file;
	struct file_data text;
	int result = 0;

	if (file_read_regular(name.path, LARGEST_SOURCE, &text, &ignored) < 0)
		return 0;
	list_headers(o, name.path, text.data);
	file = &o->files.data[name.file];
	if (!file->is_read)
		result = replace_file(o, file, text.data);
	if (file->replacement)
		replace_name(o, name.path, file->replacement);
	file_data_release(&text);
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
	struct overlay o = {.job = job, .names = VEC_INIT, .files = VEC_INIT, .roots = STRBUF_INIT};
	struct stat file;
	int result = 0;

	job->overlay = NULL;
	if (job->options.show || stat(source, &file) != 0)
		return 0;
	add_name(&o, source, &file);
	for (size_t i = 0; i < o.names.len && result == 0 && !process_pending_signal(); i++)
		result = read_file(&o, o.names.data[i]);
	if (result == 0 && o.roots.len)
		result = write_overlay(&o);
	vec_release(&o.names);
	vec_release(&o.files);
	strbuf_release(&o.roots);
	return process_pending_signal() ? CC_FAILED : result;
}
