/* CTAs of a launch: made once, started again for each position in the grid. */
#ifndef ROMARK_CPU_CTA_H
#define ROMARK_CPU_CTA_H

#include "runtime/cpu/engine/engine.h"

struct cta *cta_new(struct launch *launch);
void cta_free(struct cta *cta);
void cta_start(struct cta *cta, uint64_t index);
/*
 * Runs until the CTA is finished (unfinished == 0), or waits in loops for what others write (waits), or every warp had
 * `rounds` turns. False after a fault.
 */
bool cta_run(struct cta *cta, unsigned rounds);
/* True if what the CTA waits for has changed, so that it can run again. */
bool cta_wakes(struct cta *cta);
/* Loops go on that may end without that. False when it has none. */
bool cta_wakes_restless(struct cta *cta);
/* Lanes no longer wait for others of their warps, which wait in loops. False when none does. */
bool cta_release_joins(struct cta *cta);
/* Ends the launch with what the CTA waits for, after `what`. */
void cta_fault(struct cta *cta, const char *what);

#endif
