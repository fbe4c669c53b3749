/* A module written by hand and what the analysis says of it. A module that does not parse fails the test. */
#ifndef ROMARK_TESTS_PTX_SUBJECT_H
#define ROMARK_TESTS_PTX_SUBJECT_H

#include "common/strbuf.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define HEADER ".version 8.0\n.target sm_90\n.address_size 64\n"

struct subject {
	struct ptx_module *module;
	struct ptx_analysis *analysis;
};

void analyze(struct subject *s, const char *text, enum alias_level alias);
void release(struct subject *s);

/* A kernel `k` with three pointers in %rd1 to %rd3 and an integer in %rd4 and %r1, around `body`. */
void add_kernel(struct strbuf *text, const char *body);
void analyze_body(struct subject *s, const char *body, enum alias_level alias);

/* Structure `id` of `kernel`, or NULL. */
const struct structure *find(const struct subject *s, const char *kernel, const char *id);

/* The verdict of structure `id` of `body`; -1 if it is not there. */
int verdict(const char *body, const char *id, enum alias_level alias);

#endif
