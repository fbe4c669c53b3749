/* A line is a printf format behind two blanks. */
#include "tests/passes/ir_text.h"

#include <stdarg.h>
#include <stdio.h>

static void append(struct ir_text *t, const char *format, va_list arguments)
{
	char text[256];

	vsnprintf(text, sizeof text, format, arguments);
	strbuf_addf(t->out, "%s\n", text);
}

void ir_line(struct ir_text *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	strbuf_adds(t->out, "  ");
	append(t, format, arguments);
	va_end(arguments);
}

unsigned ir_value(struct ir_text *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	strbuf_addf(t->out, "  %%t%u = ", t->next);
	append(t, format, arguments);
	va_end(arguments);
	return t->next++;
}
