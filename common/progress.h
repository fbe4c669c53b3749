/*
 * Progress of long work: one line on stderr, redrawn at most ten times a second, shown only on a terminal and only
 * when the work has taken more than a second.
 */
#ifndef ROMARK_COMMON_PROGRESS_H
#define ROMARK_COMMON_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

struct progress {
	const char *what;
	uint64_t total; /* 0 = not known */
	double started, drawn;
	uint64_t first; /* work done at the first update, at time `heard` */
	double heard;
	int shown, terminal;
	int knows_time; /* notes tell the time that is left */
};

void progress_start(struct progress *p, const char *what, uint64_t total);
/* Cheap enough for every few thousand steps; `note` (may be NULL) comes after the bar. */
void progress_update(struct progress *p, uint64_t done, const char *note);
void progress_end(struct progress *p);
/* The line, at most `columns` wide: bar, percent and time left if the total is known. */
void progress_line(const struct progress *p, uint64_t done, double now, const char *note, unsigned columns, char *text,
		   size_t size);
/* Seconds of the monotonic clock. */
double monotonic_seconds(void);

#endif
