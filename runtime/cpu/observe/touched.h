/* The bytes of memory that an instruction is about to touch, range by range, for checks that look at each byte. */
#ifndef ROMARK_CPU_TOUCHED_H
#define ROMARK_CPU_TOUCHED_H

#include "runtime/cpu/observe/runs.h"

/*
 * `bytes` bytes at `address`, which is a lane's address or lies in device memory already. `a`: the accesses of several
 * lanes that the range is made of, `lane` the first; NULL: the range is `lane`'s alone. Returns enum stop.
 */
typedef int (*touch_fn)(struct warp *w, const struct inst *in, const struct accesses *a, unsigned lane,
			uint64_t address, uint64_t bytes);

/*
 * Calls `touch` for each range that the lanes of `mask` load, store or fetch; of a copy, for what it writes. Ends with
 * the first result that is not STOP_NOT.
 */
int each_touched_range(struct warp *w, const struct inst *in, uint32_t mask, touch_fn touch);

#endif
