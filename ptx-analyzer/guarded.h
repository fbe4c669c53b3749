/*
 * Guarded modules for real hardware: each kernel whose loads are marked stands twice, marked under its own name and
 * unmarked under NAME PTX_PLAIN_SUFFIX; module variables stand once. Whoever launches picks the marked one only if
 * the kernel's guards hold (runtime/guards.h).
 *
 *   struct ptx_analysis *a = ptx_analyze(m, PTX_ALIAS_GUARDED);
 *   ptx_print_guarded(a, PTX_LOAD_NC, &text);
 *
 * Functions that marked kernels call and that contain marked loads are doubled too. Loading such a module again
 * and analysing NAME PTX_PLAIN_SUFFIX gives the same guards, so the file needs no table beside the code.
 */
#ifndef ROMARK_PTX_GUARDED_H
#define ROMARK_PTX_GUARDED_H

#include "ptx-analyzer/analysis.h"

#define PTX_PLAIN_SUFFIX "$plain"

/* Marks the loads of `a`'s module (as ptx_mark_loads does) and appends the doubled module. Returns loads marked. */
size_t ptx_print_guarded(struct ptx_analysis *a, enum ptx_load_mark mark, struct strbuf *out);

/* The kernel's facts to check guards with: those of its plain copy where the module has one. NULL if unknown. */
const struct ptx_kernel_facts *ptx_guarded_facts(const struct ptx_analysis *a, const char *kernel);

#endif
