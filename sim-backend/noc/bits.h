/* Sets of ports and virtual channels as bit masks of one or more words, and the round-robin choice among them. */
#ifndef ROMARK_SIM_BITS_H
#define ROMARK_SIM_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define BITS_FOR_EACH(index, word, base)                                                                               \
	for (uint64_t bits_rest_ = (word);                                                                             \
	     bits_rest_ && ((index) = (base) + (unsigned)__builtin_ctzll(bits_rest_), 1);                              \
	     bits_rest_ &= bits_rest_ - 1)

static inline unsigned bits_words(unsigned count)
{
	return (count + 63) / 64;
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

/* Flips `count` < 64 bits from `first` on, all of which are known to be the same. */
static inline void bits_change_range(uint64_t *bits, unsigned first, unsigned count)
{
	uint64_t ones = (UINT64_C(1) << count) - 1;
	unsigned shift = first & 63;

	bits[first >> 6] ^= ones << shift;
	if (shift + count > 64)
		bits[(first >> 6) + 1] ^= ones >> (64 - shift);
}

static inline bool bits_any(const uint64_t *bits, unsigned words)
{
	uint64_t any = 0;

	for (unsigned w = 0; w < words; w++)
		any |= bits[w];
	return any;
}

/* First set bit at or after `start`, else the first one; requires a nonzero word and start < 64. */
static inline unsigned bits_first_from(uint64_t word, unsigned start)
{
	uint64_t later = word & ~UINT64_C(0) << start;

	return (unsigned)__builtin_ctzll(later ? later : word);
}

/* The same for the intersection of four sets of `words` words; -1 when it is empty. */
static inline int bits_first_of(const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d,
				unsigned words, unsigned start)
{
	unsigned first = start >> 6;
	uint64_t word = a[first] & b[first] & c[first] & d[first] & ~UINT64_C(0) << (start & 63);

	for (unsigned i = 0; !word && i < words; i++) {
		first = first + 1 == words ? 0 : first + 1;
		word = a[first] & b[first] & c[first] & d[first];
	}
	return word ? (int)(first * 64 + (unsigned)__builtin_ctzll(word)) : -1;
}

#endif
