/* LLVM IR written line by line, its values numbered in the order of their definitions. */
#ifndef ROMARK_TEST_IR_TEXT_H
#define ROMARK_TEST_IR_TEXT_H

#include "common/strbuf.h"

struct ir_text {
	struct strbuf *out;
	unsigned next; /* number of the next value or label */
};

__attribute__((format(printf, 2, 3))) void ir_line(struct ir_text *t, const char *format, ...);
/* A line that defines a value: `format` is the text right of the '='. Returns the value's number. */
__attribute__((format(printf, 2, 3))) unsigned ir_value(struct ir_text *t, const char *format, ...);

#endif
