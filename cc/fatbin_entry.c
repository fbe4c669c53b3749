/* Lays out one fat binary entry. */
#include "cc/fatbin_entry.h"

#include "common/file.h"
#include "common/integer.h"
#include "common/xalloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Little-endian, as everything in a fat binary. */
struct container {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t payload_size;
};

struct entry {
	uint16_t kind, version;
	uint32_t header_size;
	uint64_t padded_size;
	uint32_t compressed_size, options_offset;
	uint16_t minor, major;
	uint32_t arch;
	uint64_t name_offset;
	uint64_t flags, reserved, uncompressed_size;
};

_Static_assert(sizeof(struct container) == 16, "as the format says");
_Static_assert(sizeof(struct entry) == 64, "as the format says");

enum { KIND_PTX = 1, PTX_ENTRY_VERSION = 0x101, FLAG_64BIT = 1, FLAG_LINUX = 0x10 };

int cc_fatbin_write(const char *path, const char *ptx, size_t size, unsigned arch, struct diag *d)
{
	size_t padded = round_up(size + 1, 8); /* the text ends with at least one NUL */
	size_t total = sizeof(struct container) + sizeof(struct entry) + padded;
	struct container container = {0xBA55ED50, 1, sizeof container, sizeof(struct entry) + padded};
	struct entry entry = {.kind = KIND_PTX,
			      .version = PTX_ENTRY_VERSION,
			      .header_size = sizeof entry,
			      .padded_size = padded,
			      .minor = 0,
			      .major = 8,
			      .arch = arch,
			      .flags = FLAG_64BIT | FLAG_LINUX};
	char *image = xcalloc(1, total);
	int result;

	memcpy(image, &container, sizeof container);
	memcpy(image + sizeof container, &entry, sizeof entry);
	memcpy(image + sizeof container + sizeof entry, ptx, size);
	result = file_write(path, image, total, d);
	free(image);
	return result;
}
