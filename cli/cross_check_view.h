/*
 * One module seen by both analysers at one level: the pass's marked PTX, the PTX of the same module without marks, and
 * for each load of the former what both say.
 *
 *   struct view v;
 *   if (view_make(&v, file, data, size, &options, d) < 0) ...
 *   for (size_t i = 0; i < v.loads.len; i++) use(v.loads.data[i].by_pass, v.loads.data[i].by_ptx);
 *   view_release(&v);
 */
#ifndef ROMARK_CLI_CROSS_CHECK_VIEW_H
#define ROMARK_CLI_CROSS_CHECK_VIEW_H

#include "common/vec.h"
#include "passes/passes.h"
#include "ptx-analyzer/readonly/analysis.h"

#include <jansson.h>

/* PTX, and the analyser's verdicts on it. */
struct analysed {
	struct ptx_module *module;
	struct ptx_analysis *analysis;
};

/* An `ld` of the marked PTX that may read global memory. */
struct seen_load {
	uint32_t function, inst; /* in the marked PTX */
	/* The same load in the plain PTX, or PTX_NONE: copies of structs and some loads for assembly come out
	 * otherwise. */
	uint32_t plain_function, plain_inst;
	bool by_pass, by_ptx;
	bool in_assembly;    /* inline assembly of the program */
	bool space_is_known; /* the pass makes marked generic loads global; the twin of such a load tells its first form
			      */
};

struct view {
	json_t *report; /* of the pass */
	struct analysed marked, plain;
	VEC(struct seen_load) loads; /* ascending by function and instruction */
	enum alias_level level;
};

/* 0, or DIAG_ERROR with the reason in `d` and nothing to release. `options` say all but how loads are spelled. */
int view_make(struct view *v, const char *file, const void *data, size_t size, const struct pass_options *options,
	      struct diag *d);
void view_release(struct view *v);

/* The same mark, and of a global load for both. */
bool seen_the_same(const struct seen_load *load);
/* The load's twin in another view of the module, which differs in a few loads at most; NULL = none for certain. */
const struct seen_load *view_twin(const struct view *other, const struct view *v, const struct seen_load *load);
/* The instruction, and the instruction that the analyser judged. */
const struct ptx_inst *seen_inst(const struct view *v, const struct seen_load *load);
const struct ptx_inst *judged_inst(const struct view *v, const struct seen_load *load);
/* The analyser's verdict on the load in kernel `index`; NULL if the kernel does not reach the load. */
const struct access *judged_access(const struct view *v, const struct seen_load *load, size_t index);
const struct analysed *judging(const struct view *v, const struct seen_load *load);

#endif
