/* Reading whole files, and writing so that no half-written file is ever seen under its final name. */
#include "common/file.h"

#include "common/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_stream(FILE *in, size_t guess, struct file_data *out)
{
	size_t cap = guess + 1;

	out->data = xmalloc(cap);
	out->size = 0;
	do {
		if (cap - out->size - 1 == 0)
			out->data = xrealloc(out->data, cap *= 2);
		out->size += fread(out->data + out->size, 1, cap - out->size - 1, in);
	} while (!feof(in) && !ferror(in));
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

int file_read_regular(const char *path, size_t most, struct file_data *out, struct diag *d)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "rb");
	struct stat status;
	int result = 0;

	*out = (struct file_data){NULL, 0};
	if (!in || fstat(fd, &status) < 0)
		result = diag_file(d, path, "cannot open: %s", strerror(errno));
	else if (!S_ISREG(status.st_mode))
		result = diag_file(d, path, "no regular file");
	else if ((uintmax_t)status.st_size > most)
		result = diag_file(d, path, "larger than %zu bytes", most);
	else if (read_stream(in, (size_t)status.st_size + 1, out) < 0)
		result = diag_file(d, path, "cannot read: %s", strerror(errno));
	if (in)
		fclose(in);
	else if (fd >= 0)
		close(fd);
	if (result < 0)
		file_data_release(out);
	return result;
}

void file_data_release(struct file_data *data)
{
	xfree(data->data);
	*data = (struct file_data){NULL, 0};
}

/* Asks the kernel where the program's file is. Without /proc it takes the path with which the program was started. */
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
static void drop_names(struct outfile *out)
{
	if (out->temporary)
		replace_pending(out->temporary, NULL);
	xfree(out->temporary);
	xfree(out->target);
	xfree(out->path);
	*out = (struct outfile){.stream = NULL};
}

/* A temporary file is made with mode 0600. Gives it the mode that a plain open() would have given. */
static void widen_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

static int cannot_write(struct outfile *out, int error, struct diag *d)
{
	if (*out->path)
		diag_file(d, out->path, "cannot write here: %s", strerror(error));
	else
		diag_file(d, NULL, "cannot write: the name of the file is empty");
	drop_names(out);
	return DIAG_ERROR;
}

/*
 * If a standard stream is closed, a file must not get its number: printed text would go into the file. A traced program
 * must not get the file in this way either.
 */
static int out_of_the_way(int fd)
{
	int other;

	fd = held_hide(fd);
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return other;
}

static int open_stream(struct outfile *out, int fd, struct diag *d)
{
	fd = out_of_the_way(fd);
	if (fd < 0)
		return cannot_write(out, errno, d);
	out->held = held_note(fd);
	out->stream = fdopen(fd, out->target ? "w+b" : "wb");
	return out->stream ? 0 : cannot_write(out, errno, d);
}

/* The folder of a file, with a slash at its end; "" is the current one. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return xstrndup(path, slash ? (size_t)(slash + 1 - path) : 0);
}

/* A file without a name, or -1. It gets one through /proc. */
static int open_unnamed(const char *target)
{
	char *folder = folder_of(target);
	int fd = -1;

#ifdef O_TMPFILE
	if (access("/proc/self/fd", F_OK) == 0)
		fd = open(*folder ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
#endif
	xfree(folder);
	return fd;
}

static int open_named(struct outfile *out)
{
	size_t len = strlen(out->target);
	int fd;

	out->temporary = xmalloc(len + sizeof ".XXXXXX");
	memcpy(out->temporary, out->target, len);
	memcpy(out->temporary + len, ".XXXXXX", sizeof ".XXXXXX");
	fd = mkostemp(out->temporary, O_CLOEXEC);
	if (fd < 0) {
		xfree(out->temporary);
		out->temporary = NULL;
		return fd;
	}
	replace_pending(NULL, out->temporary);
	widen_mode(fd);
	return fd;
}

/* Why no file could get this name, found before any work is done for it; 0 = it could. */
static int name_error(const char *path)
{
	struct stat status;

	if (!*path)
		return ENOENT;
	if (path[strlen(path) - 1] == '/')
		return EISDIR;
	if (stat(path, &status) == 0)
		return S_ISDIR(status.st_mode) ? EISDIR : 0;
	return errno == ENOENT ? 0 : errno;
}

/*
 * Decides how to write to `path`. A file, or nothing, is replaced, through links. A device or a pipe is opened and
 * written, since a rename would replace it for everybody; so is a link that leads to a file without a name
 * (/dev/stdout).
 */
static bool is_replaced(const char *path)
{
	char full[PATH_MAX];
	struct stat status;

	if (stat(path, &status) < 0)
		return true;
	return S_ISREG(status.st_mode) && realpath(path, full);
}

int outfile_open(struct outfile *out, const char *path, struct diag *d)
{
	char full[PATH_MAX];
	int error, fd;

	*out = (struct outfile){.path = xstrdup(path)};
	if (strcmp(path, "-") == 0) {
		out->stream = stdout;
		return 0;
	}
	error = name_error(path);
	if (error)
		return cannot_write(out, error, d);
	if (!is_replaced(path))
		return open_stream(out, open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), d);
	out->target = xstrdup(realpath(path, full) ? full : path);
	fd = open_unnamed(out->target);
	return open_stream(out, fd >= 0 ? fd : open_named(out), d);
}

/* Gives the file a temporary name, from which it can be renamed over an old file. 0, or -1 with errno. */
static int give_name(struct outfile *out)
{
	char *folder = folder_of(out->target), from[64];
	size_t size = strlen(folder) + 64;
	char *name = xmalloc(size);
	int status;

	snprintf(from, sizeof from, "/proc/self/fd/%d", fileno(out->stream));
	for (unsigned n = 0;; n++) {
		snprintf(name, size, "%s.romark-%ld-%u", folder, (long)getpid(), n);
		status = linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
		if (status == 0 || errno != EEXIST)
			break;
	}
	xfree(folder);
	if (status == 0) {
		out->temporary = name;
		replace_pending(NULL, name);
		return 0;
	}
	xfree(name);
	return status;
}

/* 0, or why not all of a stream was written. errno is of the write that failed, unless one fails here. */
static int write_error(FILE *stream)
{
	int earlier = errno;

	if (fflush(stream) != 0)
		return errno;
	return !ferror(stream) ? 0 : earlier ? earlier : EIO;
}

/* Clears the error that is reported here, so that a later flush of the stream does not report it again. */
static int commit_stdout(struct outfile *out, struct diag *d)
{
	int error = write_error(stdout);

	drop_names(out);
	if (!error)
		return 0;
	__fpurge(stdout);
	clearerr(stdout);
	return diag_file(d, NULL, "cannot write to standard output: %s", strerror(error));
}

/* The stream must stay open: closing it would close a file that the program has opened under its number. */
static int leave_lost(struct outfile *out, struct diag *d)
{
	__fpurge(out->stream);
	if (out->temporary)
		unlink(out->temporary);
	diag_file(d, out->path, "cannot write: the program has closed its descriptor");
	drop_names(out);
	return DIAG_ERROR;
}

int outfile_commit(struct outfile *out, struct diag *d)
{
	int error;

	if (out->stream == stdout)
		return commit_stdout(out, d);
	if (!held_still(&out->held, fileno(out->stream)))
		return leave_lost(out, d);
	error = write_error(out->stream);
	if (!error && out->target && !out->temporary && give_name(out) < 0)
		error = errno;
	if (fclose(out->stream) != 0 && !error)
		error = errno;
	if (!error && out->target && rename(out->temporary, out->target) != 0)
		error = errno;
	if (error)
		diag_file(d, out->path, "cannot write: %s", strerror(error));
	if (error && out->temporary)
		unlink(out->temporary);
	drop_names(out);
	return error ? DIAG_ERROR : 0;
}

void outfile_abort(struct outfile *out)
{
	struct diag ignored = DIAG_INIT;

	if (out->stream && out->stream != stdout && !held_still(&out->held, fileno(out->stream))) {
		leave_lost(out, &ignored);
		return;
	}
	if (out->stream && out->stream != stdout)
		fclose(out->stream);
	if (out->temporary)
		unlink(out->temporary);
	drop_names(out);
}

int file_write(const char *path, const void *data, size_t size, struct diag *d)
{
	struct outfile out;

	if (outfile_open(&out, path, d) < 0)
		return DIAG_ERROR;
	fwrite(data, 1, size, out.stream);
	return outfile_commit(&out, d);
}

int file_absolute(const char *path, char *full, size_t size, struct diag *d)
{
	char folder[PATH_MAX] = "";
	int length;

	if (path[0] != '/' && !getcwd(folder, sizeof folder))
		return diag_file(d, path, "the current folder is not known: %s; go to a folder that there is",
				 strerror(errno));
	length = snprintf(full, size, "%s%s%s", folder, path[0] != '/' ? "/" : "", path);
	return (size_t)length < size ? 0 : diag_file(d, path, "this path is too long");
}

/* Files that are not there yet are the same by their folder and their name in it. */
static bool is_same_new(const char *a, const char *b)
{
	const char *paths[] = {a, b}, *names[2];
	struct stat folders[2];

	for (int i = 0; i < 2; i++) {
		const char *slash = strrchr(paths[i], '/');
		char folder[PATH_MAX] = ".";

		names[i] = slash ? slash + 1 : paths[i];
		if (slash)
			snprintf(folder, sizeof folder, "%.*s", (int)(slash - paths[i] + 1), paths[i]);
		if (stat(folder, &folders[i]) < 0)
			return false;
	}
	return strcmp(names[0], names[1]) == 0 && folders[0].st_dev == folders[1].st_dev &&
	       folders[0].st_ino == folders[1].st_ino;
}

bool file_is_same(const char *a, const char *b)
{
	struct stat x, y;

	if (strcmp(a, b) == 0)
		return true;
	if (stat(a, &x) < 0 && stat(b, &y) < 0)
		return is_same_new(a, b);
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       S_ISREG(x.st_mode);
}
