/* Loads and replies one by one, for tests that keep fetches on their way. */
#ifndef ROMARK_TESTS_LOAD_AND_FILL_H
#define ROMARK_TESTS_LOAD_AND_FILL_H

#include "tests/sim-backend/l1/one_l1.h"

/* A miss is sent; *mshr is then what waits for it. */
static enum l1_outcome load(struct one_l1 *o, uint64_t line, uint8_t sectors, uint32_t *mshr)
{
	struct l1_fetch fetch;
	enum l1_outcome outcome = l1_load(o->l1, line * 128, sectors, 1, &fetch);

	if (outcome == L1_MISS || outcome == L1_PARTIAL)
		*mshr = l1_open(o->l1, line * 128, 0, 1);
	return outcome;
}

/* The reply comes. Returns whether the L1 keeps it. */
static bool fill(struct one_l1 *o, uint32_t mshr, uint8_t flags)
{
	const uint16_t *waiters;
	bool kept;

	l1_fill(o->l1, mshr, flags, 0, &waiters, &kept);
	return kept;
}

#endif
