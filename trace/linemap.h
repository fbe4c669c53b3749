/*
 * Counts the distinct CTAs that touch each line in a launch. CTAs come one after the other, so a line needs to remember
 * only its last CTA to count each once.
 */
#ifndef ROMARK_TRACE_LINEMAP_H
#define ROMARK_TRACE_LINEMAP_H

#include <stddef.h>
#include <stdint.h>

enum line_use { LINE_READ_MARKED = 1, LINE_READ = 2, LINE_WRITTEN = 4, LINE_SHARED = 8, LINE_SHARED_MIXED = 16 };

struct line {
	uint64_t number;  /* address / line size */
	uint32_t owner;   /* row that it is counted for */
	uint32_t launch;  /* 1-based, 0 = free entry */
	uint32_t cta;     /* last CTA of the launch */
	uint32_t sharers; /* of the launch */
	uint32_t most_sharers;
	uint8_t use;  /* of the launch: READ_MARKED, READ, WRITTEN */
	uint8_t ever; /* of earlier launches: SHARED, SHARED_MIXED */
};

struct linemap {
	struct line *lines;
	size_t capacity, len; /* capacity: a power of two, or 0 */
};

/* CTA `cta` of launch `launch` (1-based, never going back) uses the line. */
void linemap_touch(struct linemap *map, uint64_t number, uint32_t owner, uint32_t launch, uint32_t cta,
		   enum line_use use);
/* Ends the last launch of every line. Then `ever` and `most_sharers` are complete. */
void linemap_settle(struct linemap *map);
void linemap_release(struct linemap *map);

#endif
