/*
 * Reports of an analysis: text for a terminal, JSON for scripts, one HTML page for reading beside the source.
 *
 *   struct report r = {.file = "k.ptx", .modules = modules, .nmodules = 1, .alias = PTX_ALIAS_GUARDED};
 *   report_json(&r, &text);
 *
 * Each appends to `out`; the same analysis gives the same bytes.
 */
#ifndef ROMARK_VERDICT_REPORT_H
#define ROMARK_VERDICT_REPORT_H

#include "ptx-analyzer/readonly/analysis.h"

#include <jansson.h>
#include <regex.h>

/* One module of the input: a PTX file has one, an executable may have several. */
struct report_module {
	const char *name; /* for the reader; NULL when the input is the module */
	struct ptx_module *module;
	struct ptx_analysis *analysis; /* marks made already or not, that does not matter */
	const char *text;              /* as read, for the HTML page */
	size_t size;
};

struct report {
	const char *file;
	const struct report_module *modules;
	size_t nmodules;
	enum ptx_alias alias;
	bool loads;             /* text and JSON: every load, too */
	const regex_t *kernels; /* only kernels whose name, as in PTX or as in C++, matches; NULL = all */
};

void report_text(const struct report *r, struct strbuf *out);
void report_json(const struct report *r, struct strbuf *out);
/* Source files are read where .file names them; those that cannot be read are left out. */
void report_html(const struct report *r, struct strbuf *out);

/* What changed from `old` to `new`: kernels and structures by name, their verdicts and marks. */
void diff_text(const struct report *old, const struct report *new, struct strbuf *out);
void diff_json(const struct report *old, const struct report *new, struct strbuf *out);

/* --- Shared by the reports --- */

/* Does the report show this kernel? */
bool report_wants(const struct report *r, const struct ptx_kernel_facts *facts);
/* The next kernel that the report shows, over all modules; NULL at the end. Start with a zeroed position. */
struct report_position {
	size_t module, kernel;
};
const struct ptx_kernel_facts *report_next(const struct report *r, struct report_position *at,
					   const struct report_module **module);
/* A JSON string of any bytes: what is not UTF-8 is replaced. */
json_t *report_string(const char *text);
void report_dump(json_t *root, struct strbuf *out);
json_t *report_json_kernel(const struct ptx_kernel_facts *facts);
/* loads.c: the loads of the module's kernel `index`, where each stands, what it may touch, and why it is not marked. */
void report_text_loads(const struct report_module *module, size_t index, struct strbuf *out);
json_t *report_json_loads(const struct report_module *module, size_t index);
/* "tid.x", ... of one bit of enum ptx_dependence. */
const char *report_dependence(unsigned bit);

#endif
