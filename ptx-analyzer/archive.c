/* Static libraries: the ELF objects in a Unix archive. A member's header is 60 characters of text, its size in decimal.
 */
#include "ptx-analyzer/container.h"

#include <string.h>

static const char archive_magic[] = "!<arch>\n";
enum { MAGIC_SIZE = 8, MEMBER_HEADER = 60, SIZE_AT = 48, SIZE_DIGITS = 10, END_AT = 58 };

bool is_archive(const uint8_t *data, size_t size)
{
	return size >= MAGIC_SIZE && !memcmp(data, archive_magic, MAGIC_SIZE);
}

static uint64_t member_size(const uint8_t *header)
{
	uint64_t size = 0;

	for (int i = 0; i < SIZE_DIGITS && header[SIZE_AT + i] >= '0' && header[SIZE_AT + i] <= '9'; i++)
		size = size * 10 + (uint64_t)(header[SIZE_AT + i] - '0');
	return size;
}

int read_archive(struct span s, struct entries *out, struct diag *d)
{
	size_t at = MAGIC_SIZE;

	while (s.size - at > 1) {
		const uint8_t *header = s.data + at;
		struct span member = {s.name, NULL, 0};
		uint64_t size;

		if (s.size - at < MEMBER_HEADER || memcmp(header + END_AT, "`\n", 2))
			return diag_file(d, s.name, "this archive is damaged at byte %zu", at);
		size = member_size(header);
		at += MEMBER_HEADER;
		if (size > s.size - at)
			return diag_file(d, s.name, "this archive is cut off in the member at byte %zu", at);
		member.data = s.data + at;
		member.size = (size_t)size;
		if (is_elf(member.data, member.size) && read_elf(member, out, d) < 0)
			return DIAG_ERROR;
		at += member.size + (member.size & 1);
		if (at > s.size)
			break;
	}
	return 0;
}
