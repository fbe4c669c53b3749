/* Private to the printer: fast appends, and the text of one instruction. For rare texts strbuf_addf is fast enough. */
#ifndef ROMARK_PTX_PRINT_H
#define ROMARK_PTX_PRINT_H

#include "ptx-analyzer/language/module/ptx_private.h"

#include <string.h>

/* The appends below leave `data` without a NUL; whoever hands the buffer out adds it. */
static inline char *out_room(struct strbuf *sb, size_t more)
{
	if (sb->len + more + 1 > sb->cap)
		strbuf_reserve(sb, more);
	return sb->data + sb->len;
}

static inline void out_bytes(struct strbuf *sb, const char *text, size_t len)
{
	memcpy(out_room(sb, len), text, len);
	sb->len += len;
}

static inline void out_text(struct strbuf *sb, const char *text)
{
	out_bytes(sb, text, strlen(text));
}

static inline void out_char(struct strbuf *sb, char c)
{
	*out_room(sb, 1) = c;
	sb->len++;
}

static inline void out_unsigned(struct strbuf *sb, uint64_t value)
{
	char digits[20];
	unsigned n = sizeof(digits);

	do
		digits[--n] = (char)('0' + value % 10);
	while (value /= 10);
	out_bytes(sb, digits + n, sizeof(digits) - n);
}

/*
 * Top-level things, each with its line end; a variable as declared or `.extern`, a function's header as a declaration.
 */
void print_variable(struct strbuf *out, const struct ptx_module *m, const struct ptx_symbol *s, bool as_extern);
void print_declaration(struct strbuf *out, const struct ptx_function *f, uint8_t linkage);
/* The lines of .version, .target and .address_size. */
void print_module_header(struct strbuf *out, const struct ptx_module *m);
/* A function that has a body, without source positions. */
void print_plain_function(struct strbuf *out, const struct ptx_function *f);
void print_item(struct strbuf *out, const struct ptx_module *m, const struct item *item);
/* With ';', without line end. */
void print_inst(struct strbuf *out, const struct ptx_function *f, const struct ptx_inst *inst);

#endif
