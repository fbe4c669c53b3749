/* Lanes that wait in a loop for memory that others write: found, put aside, and woken by what they wait for. */
#ifndef ROMARK_CPU_SPIN_H
#define ROMARK_CPU_SPIN_H

#include "runtime/cpu/engine/engine.h"

/* The warp starts anew. */
void spin_reset(struct warp *w);
void spin_free(struct warp *w);
/* During a look at the warp: the lanes of `mask` are about to execute an instruction. */
void spin_note(struct warp *w, const struct inst *in, uint32_t mask);
/* Some split of the warp waits in a loop. */
bool spin_waits(const struct warp *w);
/* Lets waiting splits go on whose memory has changed. True if there are any. */
bool spin_wakes(struct warp *w);
/* The same where a loop may end without that: it counts, reads a clock, or passes a barrier. */
bool spin_wakes_restless(struct warp *w);
/* The same where the loop does what a look does not see, as passing a barrier: then other warps may go on. */
bool spin_wakes_unseen(struct warp *w);
/* A loop that waits tries to take a lock, which lanes of the same warp may hold. */
bool spin_takes_lock(const struct warp *w);
/* Ends the launch with what the warp waits for, after `what`. */
void spin_fault(struct warp *w, const char *what);

#endif
