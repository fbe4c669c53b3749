/*
 * Numbers in memory that a launch's addresses depend on, such as the indices of a gather: between which they lie.
 *
 *   struct guard_scan scan = {.address = p, .count = 1000, .bytes = 4, .step = 4};
 *   struct guard_scanned found;
 *   if (guard_scan(&context, &scan, &found)) ... each of them is between found.low and found.high
 */
#ifndef ROMARK_VERDICT_GUARD_SCAN_H
#define ROMARK_VERDICT_GUARD_SCAN_H

#include "verdict/guards.h"

/* `count` numbers, at least 1, of 1, 2, 4 or 8 bytes, of which one begins every `step` bytes. */
struct guard_scan {
	uint64_t address, count;
	uint32_t bytes;
	uint64_t step;
};

/* The least and the largest of them, read as unsigned and as signed numbers. */
struct guard_scanned {
	uint64_t low, high;
	int64_t signed_low, signed_high;
};

/* From the first byte of the first number to the last byte of the last one. */
uint64_t guard_scan_size(const struct guard_scan *scan);

/*
 * Looks at the memory as the kernel will find it. False where the numbers are not all in one allocation, or cannot be
 * read.
 */
bool guard_scan(const struct guard_context *context, const struct guard_scan *scan, struct guard_scanned *found);

#endif
