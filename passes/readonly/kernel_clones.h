/* Copies of functions for kernels that others keep marks out of. */
#ifndef ROMARK_PASSES_KERNEL_CLONES_H
#define ROMARK_PASSES_KERNEL_CLONES_H

#include "passes/readonly/facts.h"

/*
 * Gives kernels copies of functions in which other kernels, or code that is not visible, forbid marks that they allow.
 * A copy's name is FUNCTION$KERNEL. False if there are no copies. Otherwise the facts still describe the module before,
 * and the caller reads the module anew.
 */
bool facts_clone_functions(struct facts *facts);

/* The names of the copies that the kernel calls, directly or not; in the facts' arena. Returns how many. */
uint32_t facts_list_clones(struct facts *facts, uint32_t kernel_function, const char ***names);

#endif
