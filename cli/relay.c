/* Copies block by block and follows the chunks' headers, whatever pieces they come in. */
#include "cli/relay.h"

#include "trace/trace.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 18 };

/* 0, or the errno of a write that failed. */
static int write_all(int out, const uint8_t *data, size_t size)
{
	while (size) {
		ssize_t done = write(out, data, size);

		if (done < 0 && errno != EINTR)
			return errno;
		if (done > 0) {
			data += done;
			size -= (size_t)done;
		}
	}
	return 0;
}

static ssize_t read_some(int in, uint8_t *data, size_t size)
{
	ssize_t got;

	do
		got = read(in, data, size);
	while (got < 0 && errno == EINTR);
	return got;
}

/* A reader that has gone away is an error of the write, which is reported. */
int relay_trace(int in, int out, const char *name, struct relay *r, struct diag *d)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	struct trace_watch watch = TRACE_WATCH_INIT;
	static uint8_t block[BLOCK];
	int error = 0;
	ssize_t got;

	while ((got = read_some(in, block, sizeof block)) > 0) {
		if (error)
			continue;
		error = write_all(out, block, (size_t)got);
		if (!error)
			trace_watch(&watch, block, (size_t)got);
	}
	signal(SIGPIPE, before);
	*r = (struct relay){watch.launches, watch.complete, watch.failed};
	return error ? diag_file(d, name, "cannot write the trace: %s", strerror(error)) : 0;
}
