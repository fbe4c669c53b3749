/* Goes from header to header, and skips the data between them. */
#include "trace/trace.h"

#include "trace/bytes.h"
#include "trace/format.h"

#include <string.h>

_Static_assert(sizeof(struct trace_watch){0}.header == TRACE_CHUNK_HEADER_BYTES, "a header fits");

static size_t smaller(uint64_t a, size_t b)
{
	return a < b ? (size_t)a : b;
}

static void end_header(struct trace_watch *w)
{
	w->got = 0;
	w->to_skip = load_fixed(w->header + 8, 4);
	w->launches += w->header[0] == CHUNK_LAUNCH_END;
	w->complete = w->header[0] == CHUNK_TRACE_END && w->to_skip == 0;
	w->failed |= w->header[0] == CHUNK_FAILURE;
}

void trace_watch(struct trace_watch *w, const uint8_t *bytes, size_t size)
{
	while (size) {
		bool skip = w->to_skip > 0;
		size_t part = skip ? smaller(w->to_skip, size) : smaller(sizeof w->header - w->got, size);

		if (skip) {
			w->to_skip -= part;
			w->complete = w->to_skip == 0 && w->header[0] == CHUNK_TRACE_END;
		} else {
			memcpy(w->header + w->got, bytes, part);
			w->got += (uint32_t)part;
			w->complete = false;
			if (w->got == sizeof w->header)
				end_header(w);
		}
		bytes += part;
		size -= part;
	}
}
