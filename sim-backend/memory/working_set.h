/*
 * The working set of several chips, by who shares it: lines below the L1s are gathered in windows of several lengths at
 * once, the whole run among them, and each window's lines are counted by class (SAC section 2.1).
 *
 *   truly shared     several chips ask for the line
 *   falsely shared   one chip asks for the line, another for another line of its page
 *   not shared       only one chip asks for lines of the page
 *
 * Windows begin at multiples of their length and go on over kernels' ends. A truly shared line has a copy in each of
 * its chips under the SM-side organisation, so copies are counted too.
 *
 *   working_set_note(w, cycle, chip, line);        // cycles never fall
 *   working_set_tick(w, cycle);                    // counts windows that are over, before statistics are read
 *   working_set_end(w, cycle);                     // the run is over: what is left of each length is a window
 */
#ifndef ROMARK_SIM_WORKING_SET_H
#define ROMARK_SIM_WORKING_SET_H

#include "sim-backend/knobs/stat.h"

#include <stdbool.h>
#include <stdint.h>

enum { WORKING_SET_LENGTHS = 6 };

/* Bytes of lines by who shares them, times the cycles of the windows. */
struct working_set_stats {
	struct working_set_of {
		uint64_t cycles, truly_shared, copies, falsely_shared, not_shared;
	} of[WORKING_SET_LENGTHS]; /* by length of the windows */
};

extern const struct stat_row working_set_stat_rows[];

struct working_set;

struct working_set *working_set_create(uint32_t line_bytes, uint32_t page_bytes);
void working_set_free(struct working_set *w);
void working_set_note(struct working_set *w, uint64_t cycle, unsigned chip, uint64_t line);
void working_set_tick(struct working_set *w, uint64_t cycle);
void working_set_end(struct working_set *w, uint64_t cycle);
/* Counters of the windows that are over. */
struct working_set_stats working_set_statistics(const struct working_set *w);

#endif
