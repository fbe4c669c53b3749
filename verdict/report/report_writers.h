/* Helpers that the writers of reports share. */
#ifndef ROMARK_VERDICT_REPORT_WRITERS_H
#define ROMARK_VERDICT_REPORT_WRITERS_H

#include "verdict/report/verdict_report.h"

#include <jansson.h>

/* Does the report show this kernel? */
bool report_wants(const struct report *r, const struct kernel_facts *facts);
/* A kernel that text and JSON show, and the text that the order goes by. */
struct report_item {
	const struct report_module *module;
	const struct report_kernel *kernel;
	size_t position;
	char *name;
};
/* All kernels to show, in the order of the report. Release with report_items_free. */
struct report_item *report_items(const struct report *r, size_t *count);
void report_items_free(struct report_item *items, size_t count);
/* A JSON string of any bytes: what is not UTF-8 is replaced. */
json_t *report_string(const char *text);
/* The text under `key` of a part of the report, "" where there is none; the same for a number, and 0. */
const char *report_word(const json_t *object, const char *key);
long long report_number(const json_t *object, const char *key);
void report_dump(json_t *root, unsigned indent, struct strbuf *out);
json_t *report_tree(const struct report *r);
json_t *report_json_kernel(const struct report_form *form, const struct kernel_facts *facts);
/* "denied_by", where somebody is. */
void report_add_denial(json_t *object, const struct denial *by);
/* "place", "inlined_at" and "code_of", if the source is known. (report_places.c) */
void report_add_places(json_t *object, const struct place_chain *chain);
/* The calls from a kernel to an instruction, as a list. (report_places.c) */
json_t *report_calls(const struct call_step *steps, uint32_t count);
/* "demangled" for the name of a function; the name itself stays beside it. (report_places.c) */
void report_add_demangled(json_t *object, const char *symbol);
/* The place of a reason, a load or a call: "k.cu:2", or "" where that is not known. (report_text_places.c) */
void report_text_place(const json_t *object, struct strbuf *out);
/* The lines below a reason: how inlining and calls lead to the instruction. (report_text_places.c) */
void report_text_ways(const char *kernel, const json_t *why, struct strbuf *out);
/* Puts names in the source in place of mangled ids, for text. (report_shown.c) */
void report_show_ids(json_t *report);
/* loads.c: the kernel's loads, the place of each, what it may touch, and why it is not marked. */
void report_add_loads(json_t *object, const struct report_module *module, const struct report_kernel *kernel);
/* loads.c: the bytes of each access of the kernel. */
void report_add_ranges(json_t *object, const struct report_kernel *kernel);

#endif
