/*
 * Read-only analysis: which data structures each kernel only reads, why the others are not, and the rewriting of
 * their loads.
 *
 *   struct ptx_analysis *a = ptx_analyze(module, ALIAS_GUARDED);
 *   ptx_mark_loads(a, LOAD_RO);            // edits the module: ld.global -> ld.global.ro
 *   const struct kernel_facts *k = ptx_kernel_facts(a, "saxpy");
 *   ptx_analysis_free(a);                      // the module stays
 *
 * verdict/structure.h declares the facts. Their numbers of functions, instructions and symbols are indices into the
 * module's arrays, and their lines are lines of the PTX text.
 */
#ifndef ROMARK_PTX_ANALYSIS_H
#define ROMARK_PTX_ANALYSIS_H

#include "ptx-analyzer/language/module/ptx.h"
#include "verdict/structure.h"

struct ptx_analysis;

struct ptx_analysis *ptx_analyze(struct ptx_module *m, enum alias_level alias);
/* The same for part of a program: other modules may call this module's visible functions, so these get no marks. */
struct ptx_analysis *ptx_analyze_relocatable(struct ptx_module *m, enum alias_level alias);
/*
 * The same as either, before marking loads. If several kernels call a function, one of them may forbid marks that
 * another allows. Then `m` gets a copy of the function, FUNCTION$KERNEL, for the kernel that allows them. With
 * LOAD_KEEP `m` does not change.
 */
struct ptx_analysis *ptx_analyze_to_mark(struct ptx_module *m, enum alias_level alias, bool relocatable,
					 enum load_mark mark);
void ptx_analysis_free(struct ptx_analysis *a);
const struct ptx_module *ptx_analysis_module(const struct ptx_analysis *a);
size_t ptx_analysis_kernels(const struct ptx_analysis *a);
const struct kernel_facts *ptx_analysis_kernel(const struct ptx_analysis *a, size_t index);
const struct kernel_facts *ptx_kernel_facts(const struct ptx_analysis *a, const char *kernel);
/*
 * Every access to global memory (or generic that may be global) reachable from a kernel, ascending by function and
 * instruction. A copy from global to global memory is listed twice.
 */
const struct access *ptx_kernel_accesses(const struct ptx_analysis *a, size_t index, size_t *count);

/*
 * Rewrites the marked loads. In a function that several kernels call, a load is marked only if every calling kernel
 * allows it. Removes a `.ro` that the text has and the analysis does not allow. Returns the number of loads changed.
 */
size_t ptx_mark_loads(struct ptx_analysis *a, enum load_mark mark);

/* May every kernel that comes to this load or texture fetch take it as marked? Fetches show it nowhere else. */
bool ptx_is_marked(const struct ptx_analysis *a, uint32_t function, uint32_t inst);

#endif
