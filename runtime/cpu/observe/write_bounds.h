/*
 * The check per access, for a launch whose guards fail: where all bytes that the launch may write are known before it
 * runs, a load that takes none of these bytes takes bytes that nothing in the launch writes, whatever its index was.
 *
 *   o->bounds = write_bounds_begin(launch, ranges);          NULL: the bytes are not all known
 *   if (write_bounds_pass(w, in, mask)) ...                  (a marked load is about to run)
 *   write_bounds_rows(o->bounds)                             (the launch has ended: the loads that always passed)
 */
#ifndef ROMARK_CPU_WRITE_BOUNDS_H
#define ROMARK_CPU_WRITE_BOUNDS_H

#include "ptx-analyzer/ranges/ranges.h"
#include "runtime/cpu/engine/engine.h"

struct write_bounds;
struct kernel_facts;

/* In the launch's arena. `ranges` may be released then. */
struct write_bounds *write_bounds_begin(struct launch *l, const struct launch_ranges *ranges);
/* No lane of the marked load takes a byte that the launch may write. Else its row is not marked in this launch. */
bool write_bounds_pass(struct warp *w, const struct inst *in, uint32_t mask);
/* A bit for each row of the program: a marked load that has passed whenever it ran. NULL: there is none. */
const uint8_t *write_bounds_rows(const struct write_bounds *b);
/* marked[i]: structure i has marks, and all marked loads that may be of it have such a row. */
void write_bounds_structures(const struct write_bounds *b, const struct kernel_facts *facts, bool *marked);

#endif
