/*
 * A member's header is 60 characters of text: a name and a decimal size. The name ends in a slash. A name that is
 * longer is in the member "//", and the header has a slash and its place there: "/17".
 */
#include "ptx-analyzer/containers/archive.h"

#include <string.h>

static const char archive_magic[] = "!<arch>\n";
enum { MAGIC_SIZE = 8, MEMBER_HEADER = 60, NAME_SIZE = 16, SIZE_AT = 48, SIZE_DIGITS = 10, END_AT = 58 };

bool is_archive(const uint8_t *data, size_t size)
{
	return size >= MAGIC_SIZE && !memcmp(data, archive_magic, MAGIC_SIZE);
}

static uint64_t decimal(const char *text, size_t most)
{
	uint64_t number = 0;

	for (size_t i = 0; i < most && text[i] >= '0' && text[i] <= '9'; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	return number;
}

static size_t name_length(const char *name, size_t most)
{
	size_t len = 0;

	while (len < most && name[len] != '/' && name[len] != '\n')
		len++;
	while (len && name[len - 1] == ' ')
		len--;
	return len;
}

static const char *member_name(const struct archive *a, struct arena *names, const char *field)
{
	size_t most = NAME_SIZE;

	if (field[0] == '/') {
		uint64_t place = decimal(field + 1, NAME_SIZE - 1);

		if (place >= a->long_names_size)
			return a->name;
		field = a->long_names + place;
		most = a->long_names_size - (size_t)place;
	}
	return arena_printf(names, "%s(%.*s)", a->name, (int)name_length(field, most), field);
}

/*
 * True for entries that are not members: the symbol tables "/" and "/SYM64/", and the table of long names "//", which
 * `a` remembers.
 */
static bool is_table(struct archive *a, const char *field, const uint8_t *data, size_t size)
{
	if (field[0] != '/' || (field[1] >= '0' && field[1] <= '9'))
		return false;
	if (field[1] == '/') {
		a->long_names = (const char *)data;
		a->long_names_size = size;
	}
	return true;
}

int archive_next(struct archive *a, struct arena *names, struct archive_member *member, struct diag *d)
{
	if (!a->at)
		a->at = MAGIC_SIZE;
	while (a->at < a->size && a->size - a->at > 1) {
		const char *header = (const char *)a->data + a->at;
		size_t start = a->at + MEMBER_HEADER;
		uint64_t size;

		if (a->size - a->at < MEMBER_HEADER || memcmp(header + END_AT, "`\n", 2) != 0)
			return diag_file(d, a->name, "this archive is damaged at byte %zu", a->at);
		size = decimal(header + SIZE_AT, SIZE_DIGITS);
		if (size > a->size - start)
			return diag_file(d, a->name, "this archive is cut off in the member at byte %zu", a->at);
		a->at = start + (size_t)size + (size & 1);
		if (is_table(a, header, a->data + start, (size_t)size))
			continue;
		*member = (struct archive_member){member_name(a, names, header), a->data + start, (size_t)size};
		return 1;
	}
	return 0;
}
