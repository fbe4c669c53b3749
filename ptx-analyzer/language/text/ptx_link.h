/*
 * The device link: relocatable modules (`nvcc -rdc=true`, `clang -fgpu-rdc`) joined into one, so that what a module
 * declares `.extern` is what another one defines, and the analysis sees both.
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
 * Appends the joined module to `out`. The modules are changed (names, file numbers) and good for nothing but
 * ptx_module_free afterwards. DIAG_ERROR, with the names of the modules' files in the message, for a name that two
 * modules define, that none defines, or that two modules take for different things.
 */
int ptx_link(struct ptx_module *const *modules, size_t count, struct strbuf *out, struct diag *d);
/*
 * What a linker has to know to choose among the members of a library: calls `name` for each name that the module
 * defines for others, and (`defined` = false) for each that it needs from them.
 */
void ptx_link_names(struct ptx_module *m, void (*name)(void *arg, const char *name, bool defined), void *arg);
/* 0 when the module is complete in itself; DIAG_ERROR names what another one would have to define. */
int ptx_check_complete(const struct ptx_module *m, struct diag *d);

#endif
