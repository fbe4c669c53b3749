/* Lines are found in a buffer that the file, or what unpacks it, fills; a line is never copied but to its begin. */
#include "trace/import/line_reader.h"

#include "common/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 256 << 10, PACKED_BYTES = 64 << 10, LONGEST_LINE = 1 << 20 };

static int fail(struct input *in)
{
	in->failed = true;
	return DIAG_ERROR;
}

/* Reads up to `len` bytes; 0 at the end. */
static ssize_t read_some(struct input *in, void *to, size_t len, struct diag *d)
{
	ssize_t got;

	do
		got = read(in->fd, to, len);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		diag_file(d, in->path, "cannot read: %s", strerror(errno));
	return got;
}

static int fill_packed(struct input *in, struct diag *d)
{
	ssize_t got;

	if (in->packed_at < in->packed_end || in->packed_ended)
		return 0;
	got = read_some(in, in->packed, PACKED_BYTES, d);
	if (got < 0)
		return DIAG_ERROR;
	in->packed_at = 0;
	in->packed_end = (size_t)got;
	in->packed_ended = got == 0;
	return 0;
}

/* Unpacks until there is text, or the end. */
static int unpack(struct input *in, struct diag *d)
{
	size_t before = in->end;

	while (in->end == before && !in->ended) {
		struct unpack_step step;
		size_t room = in->cap - 1 - in->end;
		enum unpack_state state;
		bool stuck;

		if (fill_packed(in, d) < 0)
			return DIAG_ERROR;
		step = (struct unpack_step){in->packed + in->packed_at, (unsigned char *)in->text + in->end,
					    in->packed_end - in->packed_at, room, in->packed_ended};
		state = in->ops->step(in->unpacker, &step);
		stuck = step.in_len > 0 && step.in == in->packed + in->packed_at && step.out_len == room;
		in->packed_at = in->packed_end - step.in_len;
		in->end = in->cap - 1 - step.out_len;
		if (state == UNPACK_DAMAGED || stuck)
			return diag_file(d, in->path, "damaged: not a whole %s file; get it again", in->ops->name);
		if (!in->packed_ended || in->end != before)
			continue;
		if (state != UNPACK_WHOLE)
			return diag_file(d, in->path, "cut off: the %s file ends too early; get it again",
					 in->ops->name);
		in->ended = true;
	}
	return 0;
}

/* Text behind in->end, for which there is room; none at the end. */
static int fill_text(struct input *in, struct diag *d)
{
	ssize_t got;

	if (in->ops)
		return unpack(in, d);
	got = in->tracez ? tracez_read(in->tracez, in->text + in->end, in->cap - 1 - in->end, d)
			 : read_some(in, in->text + in->end, in->cap - 1 - in->end, d);
	if (got < 0)
		return DIAG_ERROR;
	in->end += (size_t)got;
	in->ended = got == 0;
	return 0;
}

/* An archive's first block names its first file, and has the archive's mark at a fixed place. */
static bool is_archive(const struct input *in)
{
	enum { USTAR_AT = 257 };

	return in->line_number == 0 && in->end >= USTAR_AT + 5 && memcmp(in->text + USTAR_AT, "ustar", 5) == 0;
}

/* Moves the begun line to the buffer's begin, and reads behind it. */
static int refill(struct input *in, struct diag *d)
{
	if (in->at) {
		memmove(in->text, in->text + in->at, in->end - in->at);
		in->end -= in->at;
		in->at = 0;
	}
	if (in->end >= LONGEST_LINE)
		return diag_set(d, in->path, in->line_number + 1, 0,
				"this line is longer than 1 MiB; lines of a trace are shorter");
	if (in->end + 1 >= in->cap)
		in->text = xrealloc(in->text, in->cap *= 2);
	if (fill_text(in, d) < 0)
		return DIAG_ERROR;
	return is_archive(in) ? diag_file(d, in->path, "a tar archive; unpack it with 'tar -xf', and name a file in it")
			      : 0;
}

char *input_line(struct input *in, struct diag *d)
{
	char *newline, *line;
	size_t known = 0, len;

	while (!(newline = memchr(in->text + in->at + known, '\n', in->end - in->at - known)) && !in->ended) {
		known = in->end - in->at;
		if (refill(in, d) < 0) {
			fail(in);
			return NULL;
		}
	}
	if (!newline && in->at == in->end)
		return NULL;
	line = in->text + in->at;
	len = newline ? (size_t)(newline - line) : in->end - in->at;
	in->at += len + (newline != NULL);
	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\r'))
		len--;
	line[len] = '\0';
	in->line_len = len;
	in->line_number++;
	return line;
}

/* The first block says whether the file is packed. */
static int start(struct input *in, struct diag *d)
{
	ssize_t got = 0, more = 1;

	if (tracez_is(in->path)) {
		in->tracez = tracez_open(in->fd, in->path, d);
		return in->tracez ? 0 : fail(in);
	}
	while (got < UNPACK_MAGIC_BYTES && more > 0) {
		more = read_some(in, in->packed + got, (size_t)(PACKED_BYTES - got), d);
		if (more < 0)
			return fail(in);
		got += more;
	}
	in->ops = unpack_find(in->packed, (size_t)got);
	if (!in->ops) {
		memcpy(in->text, in->packed, (size_t)got);
		in->end = (size_t)got;
		return 0;
	}
	in->packed_end = (size_t)got;
	in->unpacker = in->ops->create();
	if (in->unpacker)
		return 0;
	diag_file(d, in->path, "cannot start to unpack it: not enough memory");
	return fail(in);
}

int input_open(struct input *in, const char *path, struct diag *d)
{
	*in = (struct input){.path = xstrdup(path), .fd = open(path, O_RDONLY | O_CLOEXEC), .cap = TEXT_BYTES};
	if (in->fd < 0) {
		diag_file(d, path, "cannot open: %s", strerror(errno));
		return fail(in);
	}
	in->text = xmalloc(in->cap);
	in->packed = xmalloc(PACKED_BYTES);
	return start(in, d);
}

static void free_unpacker(struct input *in)
{
	if (in->unpacker)
		in->ops->free(in->unpacker);
	in->unpacker = NULL;
	tracez_free(in->tracez);
	in->tracez = NULL;
}

int input_rewind(struct input *in, struct diag *d)
{
	if (lseek(in->fd, 0, SEEK_SET) < 0) {
		diag_file(d, in->path, "cannot be read twice: %s; a file is wanted", strerror(errno));
		return fail(in);
	}
	free_unpacker(in);
	in->at = in->end = in->packed_at = in->packed_end = 0;
	in->ended = in->packed_ended = false;
	in->line_number = 0;
	return start(in, d);
}

void input_close(struct input *in)
{
	free_unpacker(in);
	if (in->fd >= 0)
		close(in->fd);
	xfree(in->path);
	xfree(in->text);
	xfree(in->packed);
	*in = (struct input){.fd = -1};
}
