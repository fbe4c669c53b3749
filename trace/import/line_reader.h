/*
 * A text file by lines, packed or not, read in large blocks. A .tracez gives the lines of the .traceg that it stands
 * for.
 *
 *   struct input in; if (input_open(&in, path, &d) < 0) ...
 *   while ((line = input_line(&in, &d)) != NULL) use(line, in.line_len);
 *   if (in.failed) ...
 *   input_close(&in);
 */
#ifndef ROMARK_TRACE_IMPORT_LINE_READER_H
#define ROMARK_TRACE_IMPORT_LINE_READER_H

#include "common/diag.h"
#include "trace/import/tracez.h"
#include "trace/import/unpack.h"

struct input {
	char *path;
	int fd;
	bool failed;
	unsigned line_number; /* of the last line */
	size_t line_len;
	/* Text that was read: [at, end) comes next; a byte is kept free behind it. */
	char *text;
	size_t at, end, cap;
	bool ended; /* nothing follows the text */
	/* A packed file. */
	const struct unpack_ops *ops; /* NULL = it is not packed */
	void *unpacker;
	unsigned char *packed;
	size_t packed_at, packed_end;
	bool packed_ended;
	struct tracez *tracez; /* NULL = the file is no .tracez */
};

int input_open(struct input *in, const char *path, struct diag *d);
/*
 * The next line, without its newline and the blanks before it. Valid until the next call, and may be written to. NULL
 * at the end, and when `failed` was set.
 */
char *input_line(struct input *in, struct diag *d);
/* Back to the first line. */
int input_rewind(struct input *in, struct diag *d);
void input_close(struct input *in);

#endif
