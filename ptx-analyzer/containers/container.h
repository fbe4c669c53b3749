/* Private to input: the containers that PTX comes in. */
#ifndef ROMARK_PTX_CONTAINER_H
#define ROMARK_PTX_CONTAINER_H

#include "common/vec.h"
#include "ptx-analyzer/containers/input.h"

#include <stdbool.h>

/* A run of bytes in the input; `name` is the file's. */
struct file_span {
	const char *name;
	const uint8_t *data;
	size_t size;
};

struct entries {
	VEC(struct ptx_entry) list;
	struct arena *names; /* of members of archives */
};

enum { FATBIN_MAGIC_BYTES = 4, FATBIN_HEADER = 16 };

/* fatbin.c */
bool is_fatbin(const uint8_t *data, size_t size);
/* Bytes of the fat binary at `data` by its own header. */
uint64_t fatbin_size(const uint8_t *data);
/* Fat binaries and PTX texts, one behind another, with zero bytes between them. */
int read_images(struct file_span s, struct entries *out, struct diag *d);
/* Unpacked contents of an entry into out[0..entry->size). */
int unpack_entry(const struct ptx_entry *entry, char *out, struct diag *d);
/* PTX text, with blanks and comments in front of its .version or without. */
bool looks_like_ptx(const uint8_t *data, size_t size);

/* elf.c */
bool is_elf(const uint8_t *data, size_t size);
/* Adds nothing if the file has no device code. */
int read_elf(struct file_span s, struct entries *out, struct diag *d);

/* mapped.c */
/* Bytes of this process that can be read from `address` on. */
size_t readable_bytes(const void *address);

/* Little-endian numbers at any alignment. */
static inline uint64_t read_le(const uint8_t *p, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | p[bytes];
	return value;
}

#endif
