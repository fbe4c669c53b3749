/*
 * How many SMs ask for the same line at about the same time: requests below the L1s are gathered in windows of 1,000
 * cycles, and each window's lines are counted by the number of SMs that asked for them. Windows begin at multiples of
 * 1,000 cycles. The last window of a kernel ends with the kernel.
 *
 * An SM writes its own list only, so SMs may note requests at the same time. The memory system's tick joins the lists.
 */
#ifndef ROMARK_SIM_SHARING_H
#define ROMARK_SIM_SHARING_H

#include "sim-backend/knobs/stat.h"

#include <stdbool.h>
#include <stdint.h>

enum { SHARING_WINDOW = 1000 };

/* How many SMs ask for a line within 1,000 cycles. */
struct sharing_stats {
#define STAT STAT_FIELD
#include "sim-backend/memory/sharing_stats.def"
};

extern const struct stat_row sharing_stat_rows[];

struct sharing;

struct sharing *sharing_create(unsigned sms);
void sharing_free(struct sharing *s);
/* A request for `line`, of a load that is marked read-only or of another; at most one per SM and cycle. */
void sharing_note(struct sharing *s, uint64_t cycle, unsigned sm, uint64_t line, bool read_only);
/*
 * Counts a window that is over by `cycle`. After a cycle with a request, call it in the next cycle at the latest,
 * before or after the requests of that cycle.
 */
void sharing_tick(struct sharing *s, uint64_t cycle);
/* Ends the window; to be called when a kernel ends. */
void sharing_end_window(struct sharing *s);
/* Counters of the windows that have ended. */
struct sharing_stats sharing_statistics(const struct sharing *s);

#endif
