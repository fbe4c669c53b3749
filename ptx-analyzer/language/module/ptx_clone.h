/* Copies of functions inside their module. */
#ifndef ROMARK_PTX_CLONE_H
#define ROMARK_PTX_CLONE_H

#include "ptx-analyzer/language/module/ptx.h"

/*
 * Whether a copy does what the original does: a function with a body, whose variables are all its own at each call.
 */
bool ptx_can_clone(const struct ptx_module *m, uint32_t function);

/*
 * Adds a copy of `function` under a name that the module does not have, for this module alone; returns its number. In
 * the text the copy comes just before the original, and so does its declaration. It calls what the original calls, and
 * its lines are the original's. Pointers into m->functions and m->symbols are not valid any more.
 */
uint32_t ptx_clone_function(struct ptx_module *m, uint32_t function, const char *name);

/* Makes the direct calls of `from` in `caller` calls of `to`. */
void ptx_redirect_calls(struct ptx_module *m, uint32_t caller, uint32_t from, uint32_t to);

#endif
