/* Shared by cfg.c, which computes dominance, and meet.c, which finds where threads that part meet again. */
#ifndef ROMARK_PTX_MEET_H
#define ROMARK_PTX_MEET_H

#include "ptx-analyzer/language/module/ptx.h"

/* Some threads leave the function at the end of the block. */
bool leaves_function(const struct ptx_function *f, uint32_t block);

/* The paths through a function that count. */
struct dominance {
	const bool *exits;    /* blocks where ways end */
	const uint32_t *part; /* an edge counts if both of its blocks have the same part; NULL: any edge */
	bool forward;         /* no edge back in reverse post-order counts */
};
/* The immediate post-dominator of each block, or PTX_NONE. In a loop without an end, some block counts as an end. */
void post_dominators(const struct ptx_function *f, const struct dominance *way, uint32_t *out);
/* Fills `meet` of all blocks from `ipdom`. */
void find_meets(struct ptx_function *f);

#endif
