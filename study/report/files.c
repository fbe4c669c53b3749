/* All files are written before the first gets its name, so that a full disk is noticed while nothing has changed. */
#include "study/report/files.h"

#include "common/file.h"
#include "common/strbuf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

void report_files_add(struct report_files *f, const char *name, char *data, size_t size)
{
	vec_push(&f->list, (struct report_file){xstrdup(name), data, size});
}

void report_files_release(struct report_files *f)
{
	for (size_t i = 0; i < f->list.len; i++) {
		xfree(f->list.data[i].name);
		free(f->list.data[i].data);
	}
	vec_release(&f->list);
}

/* --- Folders --- */

typedef VEC(char *) folders;

static int make_folder(const char *path, folders *made, struct diag *d)
{
	if (!*path)
		return diag_file(d, NULL, "the folder of the page has an empty name; give another name");
	if (mkdir(path, 0777) == 0)
		vec_push(made, xstrdup(path));
	else if (errno != EEXIST)
		return diag_file(d, path, "cannot make this folder: %s", strerror(errno));
	return 0;
}

/* Makes the folder, and the folders of its files one level below. */
static int make_folders(const struct report_files *f, const char *folder, folders *made, struct diag *d)
{
	int status = make_folder(folder, made, d);

	for (size_t i = 0; i < f->list.len && status == 0; i++) {
		const char *name = f->list.data[i].name, *slash = strchr(name, '/');
		struct strbuf path = STRBUF_INIT;

		if (!slash)
			continue;
		strbuf_addf(&path, "%s/%.*s", folder, (int)(slash - name), name);
		status = make_folder(path.data, made, d);
		strbuf_release(&path);
	}
	return status;
}

/* Forgets the folders that this report made. `remove`: also removes the empty ones. */
static void forget_folders(folders *made, bool remove)
{
	while (made->len) {
		char *path = vec_pop(made);

		if (remove)
			rmdir(path);
		xfree(path);
	}
	vec_release(made);
}

/* --- Files --- */

/* Each file is open until all are. */
static void allow_open_files(size_t count)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < count + 64) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int write_one(struct outfile *out, const char *folder, const struct report_file *file, struct diag *d)
{
	struct strbuf path = STRBUF_INIT;
	int status;

	strbuf_addf(&path, "%s/%s", folder, file->name);
	status = outfile_open(out, path.data, d);
	if (status == 0 && (fwrite(file->data, 1, file->size, out->stream) != file->size || fflush(out->stream) != 0)) {
		status = diag_file(d, path.data, "cannot write: %s", strerror(errno));
		outfile_abort(out);
	}
	strbuf_release(&path);
	return status;
}

int report_files_write(const struct report_files *f, const char *folder, struct diag *d)
{
	struct outfile *out = xcalloc(f->list.len + 1, sizeof *out);
	folders made = VEC_INIT;
	int status = make_folders(f, folder, &made, d);
	size_t open = 0;

	allow_open_files(f->list.len);
	while (status == 0 && open < f->list.len) {
		status = write_one(&out[open], folder, &f->list.data[open], d);
		open += status == 0;
	}
	for (size_t i = 0; i < open; i++)
		if (status < 0)
			outfile_abort(&out[i]);
		else
			status = outfile_commit(&out[i], d);
	forget_folders(&made, status < 0);
	xfree(out);
	return status;
}
