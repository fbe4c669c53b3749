/*
 * A Chrome trace (trace events, for Perfetto and chrome://tracing): kernels and their boundaries as bars, decisions of
 * the policy as marks, rates as curves. An event is written when it is known. The list is closed at the end; viewers
 * also read a list that is not closed.
 */
#ifndef ROMARK_SIM_TIMELINE_H
#define ROMARK_SIM_TIMELINE_H

#include "sim-backend/results/json_out.h"

struct timeline {
	struct json_out json;
	double cycles_per_us;
};

enum timeline_row { TIMELINE_KERNELS, TIMELINE_BOUNDARIES, TIMELINE_POLICY };

void timeline_begin(struct timeline *t, FILE *stream, uint32_t clock_mhz);
/* A bar from cycle `start` to `end`. `launch`: shown with it. */
void timeline_bar(struct timeline *t, enum timeline_row row, const char *name, uint64_t start, uint64_t end,
		  uint64_t launch);
/* A mark with a value. */
void timeline_mark(struct timeline *t, enum timeline_row row, const char *name, uint64_t cycle, double value);
/* A curve's value from `cycle` on. */
void timeline_counter(struct timeline *t, const char *name, uint64_t cycle, double value);
void timeline_end(struct timeline *t);

#endif
