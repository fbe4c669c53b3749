/*
 * The device link: joins relocatable modules (`nvcc -rdc=true`, `clang -fgpu-rdc`) into a single module. A name that a
 * module declares `.extern` is then the name that another module defines, and the analysis sees both.
 *
 *   struct ptx_module *modules[] = {a, b};
 *   if (ptx_link(modules, 2, &text, &d) < 0) ...      // text: the joined module, to be parsed again
 *
 * A visible definition is the only one in the whole program. Of weak definitions the first stays. A name without
 * linkage belongs to its module, and is renamed where two modules use it. Debug sections and inlining notes are left
 * out; .loc stays.
 */
#ifndef ROMARK_PTX_LINK_H
#define ROMARK_PTX_LINK_H

#include "ptx-analyzer/language/module/ptx.h"

/*
 * Appends the joined module to `out`. Changes the modules (names, file numbers); afterwards they can only be freed, by
 * ptx_module_free. DIAG_ERROR, with the names of the modules' files in the message, for a name that two modules define,
 * that no module defines, or that is a different object in two modules.
 */
int ptx_link(struct ptx_module *const *modules, size_t count, struct strbuf *out, struct diag *d);
/*
 * For a linker that chooses among the members of a library: calls `name` for each name that the module defines for
 * others, and (`defined` = false) for each name that it needs from them.
 */
void ptx_link_names(struct ptx_module *m, void (*name)(void *arg, const char *name, bool defined), void *arg);
/* 0 if the module is complete; else DIAG_ERROR, with a name that another module would have to define. */
int ptx_check_complete(const struct ptx_module *m, struct diag *d);

#endif
