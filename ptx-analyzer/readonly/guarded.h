/*
 * Guarded modules for real hardware: each kernel whose loads are marked stands twice, marked under its own name and
 * unmarked under NAME PTX_PLAIN_SUFFIX; module variables stand once. Whoever launches picks the marked one only if
 * the kernel's guards hold (verdict/guards.h).
 *
 *   struct ptx_analysis *a = ptx_analyze(m, ALIAS_GUARDED);
 *   ptx_print_guarded(a, m, LOAD_NC, &text);
 *
 * Functions that marked kernels call and that contain marked loads are doubled too. Loading such a module again
 * and analysing NAME PTX_PLAIN_SUFFIX gives the same guards, so the file needs no table beside the code.
 */
#ifndef ROMARK_PTX_GUARDED_H
#define ROMARK_PTX_GUARDED_H

#include "ptx-analyzer/readonly/analysis.h"

#define PTX_PLAIN_SUFFIX "$plain"

/*
 * Marks the loads of module `m`, which `a` is the analysis of, and appends the doubled module to `out`; with
 * LOAD_KEEP the module as it is. Functions (and kernels) whose address is taken cannot be doubled and stay
 * unmarked. Returns the number of loads marked.
 */
size_t ptx_print_guarded(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, struct strbuf *out);

/* The kernel's facts to check guards with: those of its plain copy where the module has one. NULL if unknown. */
const struct kernel_facts *ptx_guarded_facts(const struct ptx_analysis *a, const char *kernel);

#endif
