/* Streams of loads for L1s of chunks, and the piece of a line that a load wants. */
#ifndef ROMARK_TEST_CHUNK_STREAMS_H
#define ROMARK_TEST_CHUNK_STREAMS_H

#include "tests/sim-backend/l1/one_l1.h"

enum { ALL = 15, LOW = 3, HIGH = 12 };

/* First word and number of words of the smallest aligned piece that has all of them, at least `least`. */
static inline unsigned piece(uint8_t sectors, unsigned least, unsigned *first)
{
	for (unsigned size = least; size <= 4; size *= 2)
		for (*first = 0; *first < 4; *first += size)
			if (!(sectors & ~(((1u << size) - 1) << *first)))
				return size;
	return 0;
}

/* Phases of small, middle and large loads. */
static inline uint8_t next_sectors(uint64_t *random, unsigned step)
{
	switch ((step / 3000 + (random_below(random, 4) == 0)) % 3) {
	case 0: return (uint8_t)(1u << random_below(random, 4));
	case 1: return random_below(random, 2) ? LOW : HIGH;
	default: return random_below(random, 3) ? ALL : (uint8_t)(1 + random_below(random, 15));
	}
}

#endif
