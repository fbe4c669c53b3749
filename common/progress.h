/*
 * Progress of long work: one line on stderr, redrawn at most ten times a second, shown only on a terminal and only
 * when the work has taken more than a second.
 */
#ifndef ROMARK_COMMON_PROGRESS_H
#define ROMARK_COMMON_PROGRESS_H

#include <stdint.h>

struct progress {
	const char *what;
	uint64_t total; /* 0 = not known */
	double started, drawn;
	int shown, terminal;
};

void progress_start(struct progress *p, const char *what, uint64_t total);
/* Cheap enough for every few thousand steps; `note` (may be NULL) stands behind the bar. */
void progress_update(struct progress *p, uint64_t done, const char *note);
void progress_end(struct progress *p);
/* Seconds of the monotonic clock. */
double monotonic_seconds(void);

#endif
