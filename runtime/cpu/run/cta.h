/* CTAs of a launch: made once, started again for each position in the grid. */
#ifndef ROMARK_CPU_CTA_H
#define ROMARK_CPU_CTA_H

#include "runtime/cpu/engine/engine.h"

struct cta *cta_new(struct launch *launch);
void cta_free(struct cta *cta);
void cta_start(struct cta *cta, uint64_t index);
/* Runs until the CTA is finished (unfinished == 0) or every warp had `rounds` turns. False after a fault. */
bool cta_run(struct cta *cta, unsigned rounds);

#endif
