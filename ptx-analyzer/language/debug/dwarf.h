/*
 * Names from the source that debug information gives: of kernels' parameters, and of members of by-value parameters.
 *
 *   struct dwarf *d = dwarf_read(module);
 *   dwarf_param(d, function, 2)               "weights", or NULL
 *   dwarf_member(d, function, 0, 8, arena)    "view.data", or NULL
 *   dwarf_free(d);
 *
 * The parser does not check debug information. Damaged entries and unknown forms give no names.
 */
#ifndef ROMARK_PTX_DWARF_H
#define ROMARK_PTX_DWARF_H

#include "ptx-analyzer/language/module/ptx.h"

struct dwarf;

struct dwarf *dwarf_read(const struct ptx_module *m);
void dwarf_free(struct dwarf *d);
/* `function` is an index in the module's functions. The text belongs to `d`. */
const char *dwarf_param(const struct dwarf *d, uint32_t function, uint32_t param);
/* The member at byte `offset` of a parameter that is a structure; in `arena`. */
const char *dwarf_member(const struct dwarf *d, uint32_t function, uint32_t param, uint64_t offset,
			 struct arena *arena);

#endif
