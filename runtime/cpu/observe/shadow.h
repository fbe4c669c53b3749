/*
 * A shadow of device memory: which bytes marked loads took and which were written in a launch, and by what. It knows
 * addresses and nothing else; no analysis has a say in what it finds.
 *
 *   shadow_open(&s);
 *   shadow_forget(&s);                                                         (a launch begins)
 *   place = shadow_touch(&s, SHADOW_STORE, address, 4, place_of_store, &byte); (0, or who took the byte before)
 *   shadow_close(&s);
 *
 * A byte cannot be of both kinds, since the access that would make it so is the one that is reported. So one place for
 * each 4 bytes says it all, unless their bytes were touched at different places: then each byte has its own.
 */
#ifndef ROMARK_CPU_SHADOW_H
#define ROMARK_CPU_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* The kinds of access that must not meet in a byte. */
enum shadow_kind { SHADOW_LOAD, SHADOW_STORE };

/* Places are numbers from 1 to this one. */
enum { MAX_SHADOW_PLACE = (1 << 23) - 1 };

struct shadow {
	uint32_t *words;  /* one for each 4 bytes of device memory */
	uint32_t *bytes;  /* a place for each byte, where a word says so; NULL: none does */
	uint64_t *epochs; /* of each page: that of its words */
	uint64_t epoch;   /* words of older ones count as zero */
};

void shadow_open(struct shadow *s);
void shadow_close(struct shadow *s);
/* Nothing was touched. */
void shadow_forget(struct shadow *s);
/*
 * `count` bytes of device memory are touched at `place`. Returns 0; or, where the other kind was there before, its
 * place, and the first such byte's address in *byte. Which bytes count as touched then is not defined.
 */
uint32_t shadow_touch(struct shadow *s, enum shadow_kind kind, uint64_t address, uint64_t count, uint32_t place,
		      uint64_t *byte);

#endif
