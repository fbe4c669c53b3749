/* Doubling buffer behind every piece of text that is built up before it is written. */
#include "common/strbuf.h"

#include "common/c_locale.h"
#include "common/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_reserve(struct strbuf *sb, size_t more)
{
	size_t wanted = sb->len + more + 1;
	size_t cap = sb->cap ? sb->cap * 2 : 64;

	if (wanted <= sb->cap)
		return;
	sb->cap = cap < wanted ? wanted : cap;
	sb->data = xrealloc(sb->data, sb->cap);
}

void strbuf_add(struct strbuf *sb, const char *text, size_t len)
{
	strbuf_reserve(sb, len);
	memcpy(sb->data + sb->len, text, len);
	sb->len += len;
	sb->data[sb->len] = '\0';
}

void strbuf_adds(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_addc(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args)
{
	va_list again;
	size_t room, len;

	va_copy(again, args);
	strbuf_reserve(sb, 0);
	room = sb->cap - sb->len;
	len = (size_t)c_vsnprintf(sb->data + sb->len, room, format, args);
	if (len >= room) {
		strbuf_reserve(sb, len);
		c_vsnprintf(sb->data + sb->len, len + 1, format, again);
	}
	sb->len += len;
	va_end(again);
}

void strbuf_addf(struct strbuf *sb, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(sb, format, args);
	va_end(args);
}

char *strbuf_detach(struct strbuf *sb)
{
	char *text = sb->data ? sb->data : xstrdup("");

	*sb = (struct strbuf)STRBUF_INIT;
	return text;
}

void strbuf_release(struct strbuf *sb)
{
	xfree(sb->data);
	*sb = (struct strbuf)STRBUF_INIT;
}
