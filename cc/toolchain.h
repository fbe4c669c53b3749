/*
 * The Clang that compiles, and its abilities.
 *
 *   struct toolchain tools;
 *   if (toolchain_find(&tools, NULL, &arena, &d) == 0) command_add(&c, tools.clangxx);
 */
#ifndef ROMARK_CC_TOOLCHAIN_H
#define ROMARK_CC_TOOLCHAIN_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>

struct toolchain {
	const char *clangxx;    /* full path, in the arena */
	const char *clang;      /* its sibling for C */
	unsigned clang_version; /* major */
	bool takes_plugin;      /* romark's LLVM pass was built for this release */
};

/*
 * Looks for `path` (from the user, may be NULL), else for the name in ROMARK_CLANG, else in PATH for clang++-NN of the
 * known releases, then for clang++. 0, or DIAG_ERROR when there is none.
 */
int toolchain_find(struct toolchain *t, const char *path, struct arena *arena, struct diag *d);

#endif
