/* A file is judged by where it really is, links followed, and by what is open, not by what its name promised. */
#include "verdict/report/source.h"

#include "common/xalloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_SOURCE = 4 << 20 };

/* Endings of source files: the languages that kernels are written in, and their headers. */
static const char *const endings[] = {".cu",  ".cuh", ".c",   ".h",   ".cc",  ".cpp", ".cxx",  ".hh", ".hpp", ".hxx",
				      ".inl", ".inc", ".ipp", ".tpp", ".cl",  ".py",  ".pyx",  ".jl", ".rs",  ".mojo",
				      ".f90", ".F90", ".cuf", ".CUF", ".fut", ".ll",  ".mlir", ".ptx"};

static bool has_source_ending(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	for (size_t i = 0; dot && (!slash || dot > slash) && i < sizeof endings / sizeof *endings; i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

/* Compares paths without links. The root as a folder allows nothing, since everything is under it. */
static bool is_under(const char *path, const char *folder)
{
	char full[PATH_MAX];
	size_t length;

	if (!realpath(folder, full))
		return false;
	length = strlen(full);
	return length > 1 && strncmp(path, full, length) == 0 && path[length] == '/';
}

/* "" is the working folder. */
static char *folder_of_report(const struct report *r)
{
	const char *slash = strrchr(r->file, '/');

	return xstrndup(r->file, slash ? (size_t)(slash + 1 - r->file) : 0);
}

static bool is_allowed(const struct report *r, const char *path)
{
	char *folder = folder_of_report(r);
	bool allowed = is_under(path, ".") || is_under(path, *folder ? folder : ".");

	for (size_t i = 0; !allowed && i < r->nsource_folders; i++)
		allowed = is_under(path, r->source_folders[i]);
	xfree(folder);
	return allowed;
}

static int read_text(const char *path, struct file_data *out, struct diag *d)
{
	if (file_read_regular(path, LARGEST_SOURCE, out, d) < 0)
		return DIAG_ERROR;
	if (!memchr(out->data, '\0', out->size))
		return 0;
	file_data_release(out);
	return diag_file(d, path, "no text");
}

/* Reads the file that `path` leads to, if it may be shown. */
static int read_allowed(const struct report *r, const char *path, struct file_data *out, struct diag *d)
{
	char full[PATH_MAX];

	if (!realpath(path, full))
		return diag_file(d, path, "cannot open: %s", strerror(errno));
	if (!has_source_ending(full))
		return diag_file(d, path, "no source file by its ending");
	if (!is_allowed(r, full))
		return diag_file(
		    d, path,
		    "neither under the working folder nor under the PTX's folder; --source=FOLDER allows another "
		    "folder");
	return read_text(full, out, d);
}

int report_source(const struct report *r, const char *name, struct file_data *out, struct diag *d)
{
	const char *base = strrchr(name, '/');
	struct diag beside = DIAG_INIT;
	struct strbuf path = STRBUF_INIT;
	char *folder;
	int status;

	*out = (struct file_data){NULL, 0};
	if (read_allowed(r, name, out, d) == 0)
		return 0;
	folder = folder_of_report(r);
	strbuf_addf(&path, "%s%s", folder, base ? base + 1 : name);
	status = read_allowed(r, path.data, out, &beside);
	if (status == 0)
		*d = (struct diag)DIAG_INIT;
	else if (access(name, F_OK) < 0 && access(path.data, F_OK) == 0)
		*d = beside;
	strbuf_release(&path);
	xfree(folder);
	return status;
}
