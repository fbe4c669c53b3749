/*
 * Guarded modules for real hardware. Each kernel with marked loads is there twice: marked under its own name, and
 * unmarked under NAME PTX_PLAIN_SUFFIX. Module variables are there once. The device launches the marked version only if
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
#include "ptx-analyzer/readonly/checked.h"

#define PTX_PLAIN_SUFFIX "$plain"

/*
 * Marks the loads of module `m`, whose analysis is `a`, and appends the doubled module to `out`; with LOAD_KEEP the
 * module unchanged. Functions and kernels whose address is taken cannot be doubled and stay unmarked. Returns the
 * number of loads marked.
 */
size_t ptx_print_guarded(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, struct strbuf *out);

/* The same, and each kernel with marked loads of its own a third time, as NAME PTX_CHECKED_SUFFIX (checked.h). */
size_t ptx_print_guarded_checked(struct ptx_analysis *a, struct ptx_module *m, enum load_mark mark, struct strbuf *out);

/* The kernel's facts to check guards with: its plain copy's, if the module has one. NULL if unknown. */
const struct kernel_facts *ptx_guarded_facts(const struct ptx_analysis *a, const char *kernel);

#endif
