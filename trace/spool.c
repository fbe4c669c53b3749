/* We live in somebody else's program, so before each use of the file we check that it is still ours. */
#include "trace/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_IN_MEMORY = 64 << 20, PIECE = 1 << 20 };

/* Some file systems know no files without names. */
static int open_file(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd;

	folder = folder && *folder ? folder : "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return held_hide(fd);
	if ((size_t)snprintf(path, sizeof path, "%s/romark-trace-XXXXXX", folder) >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return held_hide(fd);
}

static bool has_file(struct spool *s)
{
	if (!s->has_file) {
		s->fd = open_file();
		if (s->fd < 0) {
			s->error = errno;
			return false;
		}
		s->held = held_note(s->fd);
		s->has_file = true;
	}
	if (!held_still(&s->held, s->fd))
		s->error = EBADF;
	return !s->error;
}

static void spill(struct spool *s)
{
	size_t done = 0;

	while (done < s->memory.len && has_file(s)) {
		ssize_t n = pwrite(s->fd, s->memory.data + done, s->memory.len - done, (off_t)(s->in_file + done));

		if (n <= 0 && errno != EINTR)
			s->error = errno ? errno : EIO;
		done += n > 0 ? (size_t)n : 0;
	}
	s->in_file += done;
	s->memory.len = 0;
}

void spool_add(struct spool *s, const void *data, size_t size)
{
	if (s->error)
		return;
	put_bytes(&s->memory, data, size);
	if (s->memory.len > MOST_IN_MEMORY)
		spill(s);
}

static void drain_file(struct spool *s, void (*take)(void *context, const void *data, size_t size), void *context)
{
	char *piece = xmalloc(PIECE);

	for (uint64_t at = 0; at < s->in_file && has_file(s);) {
		ssize_t n = pread(s->fd, piece, PIECE, (off_t)at);

		if (n > 0)
			take(context, piece, (size_t)n);
		else if (n == 0 || errno != EINTR)
			s->error = n == 0 ? EIO : errno;
		at += n > 0 ? (uint64_t)n : 0;
	}
	if (s->has_file && has_file(s) && ftruncate(s->fd, 0) < 0)
		s->error = errno;
	xfree(piece);
}

void spool_drain(struct spool *s, void (*take)(void *context, const void *data, size_t size), void *context)
{
	if (s->in_file)
		drain_file(s, take, context);
	if (!s->error)
		take(context, s->memory.data, s->memory.len);
	s->in_file = 0;
	s->memory.len = 0;
}

void spool_release(struct spool *s)
{
	if (s->has_file && held_still(&s->held, s->fd))
		close(s->fd);
	vec_release(&s->memory);
	*s = (struct spool){0};
}
