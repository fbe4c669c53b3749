/*
 * Reads the headers of a file's chunks without moving the reader. The size and these headers, which hold the checksums
 * of all the rest, identify a trace.
 */
#include "trace/chunk.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static bool next_header(const struct chunk_source *s, uint64_t *offset, uint8_t header[TRACE_CHUNK_HEADER_BYTES])
{
	if (pread(fileno(s->in), header, TRACE_CHUNK_HEADER_BYTES, (off_t)*offset) != TRACE_CHUNK_HEADER_BYTES)
		return false;
	*offset += TRACE_CHUNK_HEADER_BYTES + load_fixed(header + 8, 4);
	return true;
}

int chunk_identity(const struct chunk_source *s, uint64_t *identity, struct diag *d)
{
	uint8_t header[TRACE_CHUNK_HEADER_BYTES];
	uint64_t offset = TRACE_FILE_HEADER_BYTES;
	struct stat status;

	if (fstat(fileno(s->in), &status) < 0)
		return diag_file(d, s->name, "cannot read: %s", strerror(errno));
	if (s->in == stdin || !S_ISREG(status.st_mode))
		return diag_file(d, s->name, "a checkpoint needs the trace in a file of its own; give its name");
	*identity = XXH64(&status.st_size, sizeof status.st_size, 0);
	while (next_header(s, &offset, header))
		*identity = XXH64(header, sizeof header, *identity);
	return 0;
}

uint64_t chunk_sum(const struct chunk_source *s, enum chunk_type type)
{
	uint8_t header[TRACE_CHUNK_HEADER_BYTES] = {0};
	uint64_t offset = TRACE_FILE_HEADER_BYTES, sum = 0;
	struct stat status;

	if (fstat(fileno(s->in), &status) < 0 || !S_ISREG(status.st_mode))
		return 0;
	while (next_header(s, &offset, header))
		sum += header[0] == type ? load_fixed(header + 4, 4) : 0;
	return header[0] == CHUNK_TRACE_END ? sum : 0;
}
