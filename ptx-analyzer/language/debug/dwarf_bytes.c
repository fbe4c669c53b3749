/* From the text of a debug section to its bytes. */
#include "ptx-analyzer/language/debug/dwarf_bytes.h"

#include "common/ascii.h"
#include "ptx-analyzer/language/module/ptx_private.h"

#include <stdlib.h>
#include <string.h>

/* --- Text --- */

static const char *skip_blanks(const char *at)
{
	for (;;) {
		if (ascii_is_space(*at))
			at++;
		else if (at[0] == '/' && at[1] == '/')
			at += strcspn(at, "\n");
		else
			return at;
	}
}

static void add_value(byte_list *out, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		vec_push(out, (uint8_t)(i < 8 ? value >> 8 * i : 0));
}

/* A number, ".debug_str", ".debug_str+7" or another symbol. */
static const char *add_operand(const char *at, unsigned bytes, byte_list *out)
{
	size_t length = strcspn(at, ",}/ \t\r\n"), name = strcspn(at, "+,}/ \t\r\n");
	uint64_t value = UINT64_MAX;

	if (ascii_is_digit(*at) || *at == '-')
		value = strtoull(at, NULL, 0);
	else if (*at == '.')
		value = name < length ? strtoull(at + name + 1, NULL, 0) : 0;
	add_value(out, value, bytes);
	return at + (length ? length : *at != '\0');
}

/* The values behind ".b32". */
static const char *add_operands(const char *at, unsigned bytes, byte_list *out)
{
	at = add_operand(skip_blanks(at), bytes, out);
	for (at = skip_blanks(at); *at == ','; at = skip_blanks(at))
		at = add_operand(skip_blanks(at + 1), bytes, out);
	return at;
}

static void read_section(const char *at, byte_list *out)
{
	while (*(at = skip_blanks(at)) && *at != '}') {
		if (at[0] == '.' && at[1] == 'b' && ascii_is_digit(at[2])) {
			char *end;
			unsigned long bits = strtoul(at + 2, &end, 10);

			at = add_operands(end, bits <= 64 ? (unsigned)bits / 8 : 0, out);
		} else {
			/* A label. */
			at += strcspn(at, " \t\r\n}");
		}
	}
}

void dwarf_section(const struct ptx_module *m, const char *name, byte_list *out)
{
	const struct ptx_private *private = ptx_private(m);
	static const char keyword[] = ".section";

	for (uint32_t i = 0; i < private->nitems; i++) {
		const char *at = private->items[i].text;

		if (private->items[i].kind != ITEM_VERBATIM || strncmp(at, keyword, strlen(keyword)) != 0)
			continue;
		at = skip_blanks(at + strlen(keyword));
		if (strncmp(at, name, strlen(name)) != 0)
			continue;
		at = skip_blanks(at + strlen(name));
		if (*at == '{')
			read_section(at + 1, out);
	}
}

/* --- Bytes --- */

struct cursor cursor_at(const byte_list *bytes, size_t offset)
{
	struct cursor c = {bytes->data, bytes->data, bytes->data, offset > bytes->len};

	if (bytes->len)
		c.end += bytes->len;
	if (!c.bad && bytes->len)
		c.at += offset;
	else
		c.at = c.end;
	return c;
}

uint64_t cursor_fixed(struct cursor *c, unsigned bytes)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < bytes) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		value |= i < 8 ? (uint64_t)c->at[i] << 8 * i : 0;
	c->at += bytes;
	return value;
}

uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = cursor_fixed(c, 1);

		value |= shift < 64 ? (byte & 127) << shift : 0;
		if (!(byte & 128))
			return value;
	}
}

const char *cursor_string(struct cursor *c)
{
	const uint8_t *text = c->at, *end = c->at == c->end ? NULL : memchr(c->at, 0, (size_t)(c->end - c->at));

	if (!end) {
		c->bad = true;
		c->at = c->end;
		return NULL;
	}
	c->at = end + 1;
	return (const char *)text;
}

void cursor_skip(struct cursor *c, uint64_t bytes)
{
	if ((uint64_t)(c->end - c->at) < bytes) {
		c->bad = true;
		c->at = c->end;
		return;
	}
	c->at += bytes;
}
