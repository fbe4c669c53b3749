/*
 * A module from PTX text, and text from a module.
 *
 *   struct ptx_module *m = ptx_parse(file_name, text, size, &diag);   // NULL and diag on a syntax error
 *   ptx_print(m, &strbuf);
 *   ptx_module_free(m);
 */
#ifndef ROMARK_PTX_TEXT_H
#define ROMARK_PTX_TEXT_H

#include "common/diag.h"
#include "common/strbuf.h"
#include "ptx-analyzer/language/module/ptx.h"

/* `text` need not be NUL-terminated and is not needed after the call. NULL with `d` filled on an error. */
struct ptx_module *ptx_parse(const char *file, const char *text, size_t size, struct diag *d);

/* Canonical text; parsing it again gives the same module, and printing that the same text. */
void ptx_print(const struct ptx_module *m, struct strbuf *out);
/* The same, but the caller decides how each function is printed: twice, under another name, or not at all. */
struct ptx_print_options {
	/* Called for each function at its place; it prints with ptx_print_function. NULL: each once. */
	void (*function)(const struct ptx_function *f, struct strbuf *out, void *data);
	void *data;
};
void ptx_print_with(const struct ptx_module *m, const struct ptx_print_options *options, struct strbuf *out);
/* One function, under its own name (`name` = NULL) or another. */
void ptx_print_function(const struct ptx_function *f, const char *name, struct strbuf *out);
/* The same with changes. */
struct ptx_function_edits {
	const char *params; /* further parameters, behind its own: ".param .u64 a,\n\t.param .u64 b" */
	const char *entry;  /* whole lines ahead of the first instruction */
	/* Prints whole lines in place of an instruction; false: it stays. */
	bool (*inst)(const struct ptx_function *f, uint32_t inst, struct strbuf *out, void *data);
	void *data;
};
void ptx_print_edited(const struct ptx_function *f, const char *name, const struct ptx_function_edits *edits,
		      struct strbuf *out);
/*
 * An excerpt: the functions `order` (indices, each has a body) in that order, and declarations of what they name. It
 * parses by itself; the same functions have the same instructions and registers there. It has no source positions and
 * no values of the module's variables.
 */
void ptx_print_excerpt(const struct ptx_module *m, const uint32_t *order, size_t count, struct strbuf *out);
/* One instruction as text without line end, for reports and error messages. */
void ptx_print_inst(const struct ptx_function *f, const struct ptx_inst *inst, struct strbuf *out);

#endif
