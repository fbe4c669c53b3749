/* The few rules of JSON: commas, indentation, escapes. */
#include "sim-backend/results/json_out.h"

#include "common/c_locale.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Bytes of the UTF-8 character at `text`, 2 for U+00E9; 0 when the bytes there are no UTF-8. */
static size_t character(const unsigned char *text)
{
	size_t n = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : text[0] >> 3 == 30 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if (text[i] >> 6 != 2)
			return 0;
	/* Longer than need be, half of a pair, or past the last character. */
	if ((n == 2 && text[0] < 0xc2) || (n == 3 && text[0] == 0xe0 && text[1] < 0xa0) ||
	    (n == 3 && text[0] == 0xed && text[1] > 0x9f) || (n == 4 && text[0] == 0xf0 && text[1] < 0x90) ||
	    (n == 4 && (text[0] > 0xf4 || (text[0] == 0xf4 && text[1] > 0x8f))))
		return 0;
	return n;
}

/* Bytes that are not text (names of damaged traces) become the replacement character. */
static void put_text(FILE *out, const char *text)
{
	putc('"', out);
	while (*text) {
		unsigned char c = (unsigned char)*text;
		size_t n = character((const unsigned char *)text);

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ')
			fprintf(out, "\\u%04x", c);
		else if (n)
			fwrite(text, 1, n, out);
		else
			fputs("\\ufffd", out);
		text += n ? n : 1;
	}
	putc('"', out);
}

static void new_line(const struct json_out *o)
{
	putc('\n', o->stream);
	for (unsigned i = 0; i < o->depth; i++)
		putc(' ', o->stream);
}

static void start(struct json_out *o, const char *key)
{
	if (o->filled)
		putc(',', o->stream);
	if (o->depth && o->depth < o->flat)
		new_line(o);
	if (key) {
		put_text(o->stream, key);
		putc(':', o->stream);
		if (o->depth < o->flat)
			putc(' ', o->stream);
	}
	o->filled = true;
}

void out_open(struct json_out *o, const char *key, char bracket)
{
	start(o, key);
	putc(bracket, o->stream);
	o->depth++;
	o->filled = false;
}

void out_open_flat(struct json_out *o, const char *key, char bracket)
{
	out_open(o, key, bracket);
	if (o->depth < o->flat)
		o->flat = o->depth;
}

void out_close(struct json_out *o, char bracket)
{
	bool was_flat = o->depth >= o->flat;

	if (o->depth == o->flat)
		o->flat = UINT32_MAX;
	o->depth--;
	if (o->filled && !was_flat)
		new_line(o);
	putc(bracket, o->stream);
	o->filled = true;
}

void out_count(struct json_out *o, const char *key, uint64_t value)
{
	start(o, key);
	fprintf(o->stream, "%" PRIu64, value);
}

void out_real(struct json_out *o, const char *key, double value)
{
	char text[64];

	c_snprintf(text, sizeof text, "%.9g", isfinite(value) ? value : 0);
	start(o, key);
	fprintf(o->stream, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

void out_bool(struct json_out *o, const char *key, bool value)
{
	start(o, key);
	fputs(value ? "true" : "false", o->stream);
}

void out_text(struct json_out *o, const char *key, const char *text)
{
	start(o, key);
	put_text(o->stream, text);
}
