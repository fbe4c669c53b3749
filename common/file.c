/* Reading whole files, and writing so that no half-written file is ever seen under its final name. */
#include "common/file.h"

#include "common/xalloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_stream(FILE *in, size_t guess, struct file_data *out)
{
	size_t cap = guess + 1, got;

	out->data = xmalloc(cap);
	out->size = 0;
	while ((got = fread(out->data + out->size, 1, cap - out->size - 1, in)) > 0) {
		out->size += got;
		if (cap - out->size - 1 == 0)
			out->data = xrealloc(out->data, cap *= 2);
	}
	out->data[out->size] = '\0';
	return ferror(in) ? -1 : 0;
}

int file_read(const char *path, struct file_data *out, struct diag *d)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *in = is_stdin ? stdin : fopen(path, "rb");
	struct stat st;
	int failed;

	*out = (struct file_data){NULL, 0};
	if (!in)
		return diag_file(d, path, "cannot open: %s", strerror(errno));
	if (fstat(fileno(in), &st) == 0 && S_ISDIR(st.st_mode))
		failed = (errno = EISDIR, -1);
	else
		failed = read_stream(in, S_ISREG(st.st_mode) ? (size_t)st.st_size + 1 : 65536, out);
	if (failed)
		diag_file(d, path, "cannot read: %s", strerror(errno));
	if (!is_stdin)
		fclose(in);
	if (failed)
		file_data_release(out);
	return failed ? DIAG_ERROR : 0;
}

void file_data_release(struct file_data *data)
{
	free(data->data);
	*data = (struct file_data){NULL, 0};
}

/* Asks the kernel where the program's file is. Without /proc the path that the program was started by has to do. */
bool file_program_folder(char *path, size_t size)
{
	const char *started_by = (const char *)getauxval(AT_EXECFN);
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
	char *slash;

	if (len >= 0)
		program[len] = '\0';
	else if (!started_by || !realpath(started_by, program))
		return false;
	slash = strrchr(program, '/');
	if (!slash || (size_t)(slash - program) >= size)
		return false;
	memcpy(path, program, (size_t)(slash - program));
	path[slash - program] = '\0';
	return true;
}

/*
 * Names of temporary files, for outfile_remove_all. If all places are taken, a file stays behind when a signal ends the
 * process.
 */
enum { MOST_PENDING = 16 };
static char *volatile pending[MOST_PENDING];

static void replace_pending(char *old, char *new)
{
	for (int i = 0; i < MOST_PENDING; i++)
		if (pending[i] == old) {
			pending[i] = new;
			return;
		}
}

void outfile_remove_all(void)
{
	for (int i = 0; i < MOST_PENDING; i++)
		if (pending[i])
			unlink(pending[i]);
}

/* Forgets the temporary file, which was renamed or removed. */
static void drop_temporary(struct outfile *out)
{
	if (out->temporary)
		replace_pending(out->temporary, NULL);
	free(out->temporary);
	free(out->path);
}

/* A temporary file is made with mode 0600. Gives it the mode that a plain open() would have given. */
static void widen_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

/*
 * Whether `path` is a device or a pipe: these are written to directly, since a rename would replace them for everybody.
 */
static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int open_special(struct outfile *out, struct diag *d)
{
	out->stream = fopen(out->path, "wb");
	if (out->stream)
		return 0;
	diag_file(d, out->path, "cannot write here: %s", strerror(errno));
	free(out->path);
	return DIAG_ERROR;
}

int outfile_open(struct outfile *out, const char *path, struct diag *d)
{
	size_t len = strlen(path);
	int fd;

	*out = (struct outfile){NULL, xstrdup(path), NULL};
	if (strcmp(path, "-") == 0) {
		out->stream = stdout;
		return 0;
	}
	if (is_special(path))
		return open_special(out, d);
	if (is_folder(path)) {
		free(out->path);
		return diag_file(d, path, "cannot write here: %s", strerror(EISDIR));
	}
	out->temporary = xmalloc(len + sizeof ".XXXXXX");
	memcpy(out->temporary, path, len);
	memcpy(out->temporary + len, ".XXXXXX", sizeof ".XXXXXX");
	fd = mkstemp(out->temporary);
	if (fd < 0) {
		diag_file(d, path, "cannot write here: %s", strerror(errno));
		free(out->temporary);
		free(out->path);
		return DIAG_ERROR;
	}
	replace_pending(NULL, out->temporary);
	widen_mode(fd);
	out->stream = fdopen(fd, "wb");
	return 0;
}

int outfile_commit(struct outfile *out, struct diag *d)
{
	bool failed = fflush(out->stream) != 0 || ferror(out->stream);

	if (out->stream == stdout) {
		free(out->path);
		return failed ? diag_file(d, NULL, "cannot write to standard output: %s", strerror(errno)) : 0;
	}
	failed = (fclose(out->stream) != 0) || failed;
	failed = failed || (out->temporary && rename(out->temporary, out->path) != 0);
	if (failed)
		diag_file(d, out->path, "cannot write: %s", strerror(errno));
	if (failed && out->temporary)
		unlink(out->temporary);
	drop_temporary(out);
	return failed ? DIAG_ERROR : 0;
}

void outfile_abort(struct outfile *out)
{
	if (out->stream && out->stream != stdout)
		fclose(out->stream);
	if (out->temporary)
		unlink(out->temporary);
	drop_temporary(out);
	*out = (struct outfile){NULL, NULL, NULL};
}

int file_write(const char *path, const void *data, size_t size, struct diag *d)
{
	struct outfile out;

	if (outfile_open(&out, path, d) < 0)
		return DIAG_ERROR;
	fwrite(data, 1, size, out.stream);
	return outfile_commit(&out, d);
}

bool file_is_same(const char *a, const char *b)
{
	struct stat x, y;

	if (strcmp(a, b) == 0)
		return true;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       S_ISREG(x.st_mode);
}
