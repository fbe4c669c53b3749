/*
 * A shadow of device memory: which bytes marked loads have read in a launch, which bytes were written, and by which
 * instructions. It uses addresses alone, so its findings do not depend on the analysis.
 *
 *   shadow_open(&s);
 *   shadow_forget(&s);                                                         (a launch begins)
 *   place = shadow_touch(&s, SHADOW_STORE, address, 4, place_of_store, &byte); (0, or the place of the load that read
 * the byte) shadow_close(&s);
 *
 * A byte is never of both kinds: the second access is reported, and the launch ends. So a place for each 4 bytes is
 * enough, unless their bytes were touched at different places. Then each byte has its own place.
 */
#ifndef ROMARK_CPU_SHADOW_H
#define ROMARK_CPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* The kinds of access that must not meet in a byte. */
enum shadow_kind { SHADOW_LOAD, SHADOW_STORE };

/* Places are numbers from 1 to this. */
enum { MAX_SHADOW_PLACE = (1 << 23) - 1 };

struct shadow {
	uint32_t *words;  /* a word for each 4 bytes of device memory */
	uint32_t *bytes;  /* places of single bytes, for words that say so; NULL: no word does */
	uint64_t *epochs; /* by page: the epoch of its words */
	uint64_t epoch;   /* words of older epochs count as zero */
};

void shadow_open(struct shadow *s);
void shadow_close(struct shadow *s);
/* Nothing was touched. */
void shadow_forget(struct shadow *s);
/*
 * Records that `place` touches `count` bytes of device memory. Returns 0. If the other kind has touched a byte before,
 * returns its place, and the first such byte's address in *byte; then it is undefined which of the bytes are recorded.
 */
uint32_t shadow_touch(struct shadow *s, enum shadow_kind kind, uint64_t address, uint64_t count, uint32_t place,
		      uint64_t *byte);

#endif
