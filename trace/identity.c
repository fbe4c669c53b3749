/* A trace is recognised by its size and its chunks' headers, which hold the checksums of all the rest. */
#include "trace/chunk.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

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
	while (pread(fileno(s->in), header, sizeof header, (off_t)offset) == (ssize_t)sizeof header) {
		*identity = XXH64(header, sizeof header, *identity);
		offset += sizeof header + load_fixed(header + 8, 4);
	}
	return 0;
}
