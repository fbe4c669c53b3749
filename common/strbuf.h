/* String buffer: text that grows at its end; `data` is always NUL-terminated once something was added. */
#ifndef ROMARK_COMMON_STRBUF_H
#define ROMARK_COMMON_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *data;
	size_t len, cap;
};

#define STRBUF_INIT {NULL, 0, 0}

void strbuf_reserve(struct strbuf *sb, size_t more);
void strbuf_add(struct strbuf *sb, const char *text, size_t len);
void strbuf_adds(struct strbuf *sb, const char *text);
void strbuf_addc(struct strbuf *sb, char c);
void strbuf_addf(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args);
/* The text as a malloc'ed string that the caller frees; the buffer is empty afterwards. Never NULL. */
char *strbuf_detach(struct strbuf *sb);
void strbuf_release(struct strbuf *sb);

#endif
