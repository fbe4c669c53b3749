/* Shared by the tests of the PTX language: cmocka's headers, and modules made of a few lines. */
#ifndef ROMARK_TESTS_PTXTEST_H
#define ROMARK_TESTS_PTXTEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/file.h"
#include "ptx-analyzer/language/module/ptx.h"
#include "ptx-analyzer/language/text/ptx_text.h"

#include <stdio.h>
#include <string.h>

#define HEAD ".version 8.3\n.target sm_80\n.address_size 64\n"
/* A kernel with registers of every type around `code`, which starts in line 7. */
#define KERNEL(code)                                                                                                   \
	HEAD ".func (.param .b32 o) f(.param .b32 i); .func g(); .visible .entry k(.param .u64 a, .param .u64 b) {\n"  \
	     ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %d<8>;\n"                                 \
	     ".reg .f32 %f<8>; .reg .f64 %fd<8>;\n" code "\n}\n"

static inline struct ptx_module *parse_text(const char *text)
{
	struct diag d = DIAG_INIT;
	struct ptx_module *m = ptx_parse("test.ptx", text, strlen(text), &d);

	if (!m)
		fail_msg("%u:%u: %s", d.line, d.column, d.message);
	return m;
}

/* The module of a .ptx file beside the test. */
static inline struct ptx_module *parse_file(const char *path)
{
	struct diag d = DIAG_INIT;
	struct file_data text;
	struct ptx_module *m;

	if (file_read(path, &text, &d) < 0)
		fail_msg("%s: %s", path, d.message);
	m = ptx_parse(path, text.data, text.size, &d);
	if (!m)
		fail_msg("%s:%u:%u: %s", path, d.line, d.column, d.message);
	file_data_release(&text);
	return m;
}

#endif
