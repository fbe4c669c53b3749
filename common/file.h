/*
 * Whole files in, whole files out: input is read (or mapped) at once, output appears under its name only when complete.
 */
#ifndef ROMARK_COMMON_FILE_H
#define ROMARK_COMMON_FILE_H

#include "common/diag.h"
#include "common/held.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct file_data {
	char *data; /* NUL-terminated; the NUL is not counted */
	size_t size;
};

/* Reads all of `path` ("-" = stdin). 0, or DIAG_ERROR with the reason in `d`. Release with file_data_release. */
int file_read(const char *path, struct file_data *out, struct diag *d);
/*
 * For a name that comes from input: the file must be a regular file of at most `most` bytes. A pipe is refused without
 * waiting for its writer, a device without reading it.
 */
int file_read_regular(const char *path, size_t most, struct file_data *out, struct diag *d);
void file_data_release(struct file_data *data);

/* Folder of the running program, without a slash at its end; also where /proc is not mounted. false = not known. */
bool file_program_folder(char *path, size_t size);

/*
 * Output that appears under `path` when outfile_commit gives it this name, complete; outfile_abort (or process death
 * before the commit) leaves no file under `path` and an old one untouched. Until then the file has no name at all, so a
 * process that is killed leaves nothing behind. If the file system does not allow this, or /proc is missing, the file
 * has a temporary name beside `path`. "-" writes to stdout. Devices and pipes are opened and written directly.
 */
struct outfile {
	FILE *stream;     /* of a file: also for reading */
	char *path;       /* as it was given, for messages */
	char *target;     /* the file that is replaced: `path`, or the file to which it links; NULL if it is no file */
	char *temporary;  /* the name until the commit, or NULL */
	struct held held; /* the file behind the stream; where somebody else has closed that, nothing is written */
};

int outfile_open(struct outfile *out, const char *path, struct diag *d);
int outfile_commit(struct outfile *out, struct diag *d);
void outfile_abort(struct outfile *out);
/* Removes the temporary files of all outputs that are open; for signal handlers that end the process. */
void outfile_remove_all(void);
/* All three steps for a text that is complete already. */
int file_write(const char *path, const void *data, size_t size, struct diag *d);
/* `path` from the root on. DIAG_ERROR: the current folder is gone, or the path is longer than `size`. */
int file_absolute(const char *path, char *full, size_t size, struct diag *d);
/* Do both paths name one regular file, be it under two names? Also of files that are not there yet. */
bool file_is_same(const char *a, const char *b);

#endif
