/* Files are read in pieces: a trace may be larger than memory. */
#include "study/hash.h"

#include "common/xalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

static struct hash printed(XXH128_hash_t value)
{
	struct hash hash;

	snprintf(hash.text, sizeof hash.text, "%016llx%016llx", (unsigned long long)value.high64,
		 (unsigned long long)value.low64);
	return hash;
}

struct hash hash_of(const void *data, size_t size)
{
	return printed(XXH3_128bits(data, size));
}

struct hash hash_of_text(const char *text)
{
	return hash_of(text, strlen(text));
}

int hash_of_file(const char *path, struct hash *hash, struct diag *d)
{
	enum { PIECE = 1 << 20 };
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* waits for nobody who writes a pipe */
	FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
	struct stat found;
	XXH3_state_t *state;
	char *piece;
	size_t n;
	int status = 0;

	if (!file)
		return diag_file(d, path, "cannot open: %s", strerror(errno));
	if (fstat(fileno(file), &found) == 0 && !S_ISREG(found.st_mode)) {
		fclose(file);
		return diag_file(d, path, "no regular file");
	}
	state = XXH3_createState();
	piece = xmalloc(PIECE);
	XXH3_128bits_reset(state);
	while ((n = fread(piece, 1, PIECE, file)) > 0)
		XXH3_128bits_update(state, piece, n);
	if (ferror(file))
		status = diag_file(d, path, "cannot read: %s", strerror(errno));
	*hash = printed(XXH3_128bits_digest(state));
	XXH3_freeState(state);
	xfree(piece);
	fclose(file);
	return status;
}
