/*
 * The analyser's results for a module, as text for people, from control flow to verdicts:
 *
 *   unsigned parts = PTX_DUMP_ORIGINS | PTX_DUMP_VERDICTS;
 *   if (ptx_dump(module, &(struct ptx_dump_request){.parts = parts, .alias = ALIAS_GUARDED}, &text, &diag) < 0) ...
 *
 * The same module gives the same bytes. docs/looking-inside.md explains the text.
 */
#ifndef ROMARK_PTX_DUMP_H
#define ROMARK_PTX_DUMP_H

#include "common/strbuf.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <regex.h>

enum ptx_dump_part {
	PTX_DUMP_CFG = 1,      /* blocks, edges, dominators, where lanes meet */
	PTX_DUMP_ORIGINS = 2,  /* what each address may have been made of */
	PTX_DUMP_VERDICTS = 4, /* for each structure its accesses, from the origins to the reason */
};

struct ptx_dump_request {
	unsigned parts; /* of enum ptx_dump_part */
	enum alias_level alias;
	enum load_mark mark;
	bool relocatable;
	const regex_t *kernels; /* only these, and the functions that they reach; NULL = all */
};

/* Appends to `out`. Analyses `m`, which must not have been marked; with marks wanted it may get copies of functions. */
int ptx_dump(struct ptx_module *m, const struct ptx_dump_request *request, struct strbuf *out, struct diag *d);

#endif
