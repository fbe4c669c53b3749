/* Sets of ports and virtual channels as bit masks of one or more words, and the round-robin choice among them. */
#ifndef ROMARK_SIM_BITS_H
#define ROMARK_SIM_BITS_H

#include "common/integer.h"

#include <stdbool.h>
#include <stdint.h>

#define BITS_FOR_EACH(index, word, base)                                                                               \
	for (uint64_t bits_rest_ = (word);                                                                             \
	     bits_rest_ && ((index) = (base) + (unsigned)__builtin_ctzll(bits_rest_), 1);                              \
	     bits_rest_ &= bits_rest_ - 1)

static inline unsigned bits_words(unsigned count)
{
	return (unsigned)divide_up(count, 64);
}

static inline void bits_set(uint64_t *bits, unsigned index)
{
	bits[index >> 6] |= UINT64_C(1) << (index & 63);
}

static inline void bits_clear(uint64_t *bits, unsigned index)
{
	bits[index >> 6] &= ~(UINT64_C(1) << (index & 63));
}

static inline bool bits_has(const uint64_t *bits, unsigned index)
{
	return bits[index >> 6] >> (index & 63) & 1;
}

static inline bool bits_any(const uint64_t *bits, unsigned words)
{
	uint64_t any = 0;

	for (unsigned w = 0; w < words; w++)
		any |= bits[w];
	return any;
}

/* First set bit at or after `start`, else the first set bit. Requires a nonzero word and start < 64. */
static inline unsigned bits_first_from(uint64_t word, unsigned start)
{
	uint64_t later = word & ~UINT64_C(0) << start;

	return (unsigned)__builtin_ctzll(later ? later : word);
}

#endif
