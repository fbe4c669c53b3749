/*
 * Re-reference prediction values (Jaleel et al., ISCA 2010): a small number per line. 0 = used again soon; the farthest
 * value = not for long. A line at the farthest value may leave.
 */
#ifndef ROMARK_SIM_RRPV_H
#define ROMARK_SIM_RRPV_H

#include "sim-backend/l1/l1_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

struct rrpv {
	uint32_t ways, lines;
	uint8_t farthest;
	uint8_t *values; /* [set][way] */
};

static inline void rrpv_init(struct rrpv *r, const struct l1_geometry *geometry, uint32_t bits)
{
	r->ways = geometry->ways;
	r->lines = geometry->sets * geometry->ways;
	r->farthest = (uint8_t)((1u << bits) - 1);
	r->values = xmalloc(r->lines);
	memset(r->values, r->farthest, r->lines);
}

static inline uint8_t *rrpv_set(const struct rrpv *r, uint32_t set)
{
	return r->values + (size_t)set * r->ways;
}

static inline void rrpv_age(const struct rrpv *r, uint32_t set)
{
	uint8_t *values = rrpv_set(r, set);

	for (uint32_t way = 0; way < r->ways; way++)
		values[way] += values[way] < r->farthest;
}

/*
 * A free way, or else the first way with the farthest value. As long as there is no such way, the whole set ages. A
 * locked way ages with its set but cannot leave.
 */
static inline uint32_t rrpv_victim(const struct rrpv *r, const struct l1_incoming *incoming)
{
	const uint8_t *values = rrpv_set(r, incoming->set);

	if (incoming->free_way != L1_NO_WAY)
		return incoming->free_way;
	for (;;) {
		for (uint32_t way = 0; way < r->ways; way++)
			if (values[way] == r->farthest && !l1_is_locked(incoming, way))
				return way;
		rrpv_age(r, incoming->set);
	}
}

static inline void rrpv_forget(struct rrpv *r)
{
	memset(r->values, r->farthest, r->lines);
}

#endif
