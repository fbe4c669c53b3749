/*
 * Static re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010). A line enters as "far" and
 * becomes "near" on a hit. The first line of a set at the farthest value leaves; while there is none, the whole set
 * ages.
 */
#include "sim-backend/l1/policy.h"

#include "common/xalloc.h"

#include <stdlib.h>
#include <string.h>

struct srrip_knobs {
	uint32_t bits;
};

static const struct knob srrip_knobs[] = {
    KNOB_UINT(struct srrip_knobs, bits, "bits", 1, 7, 3, "width of a line's re-reference prediction value",
	      "G-Cache: 3-bit SRRIP"),
    KNOB_END,
};

struct srrip {
	uint32_t ways, lines;
	uint8_t farthest;
	uint8_t *rrpv; /* [set][way] */
};

static void *srrip_create(const struct l1_geometry *geometry, const void *knobs)
{
	const struct srrip_knobs *k = knobs;
	struct srrip *s = xcalloc(1, sizeof *s);

	s->ways = geometry->ways;
	s->lines = geometry->sets * geometry->ways;
	s->farthest = (uint8_t)((1u << k->bits) - 1);
	s->rrpv = xmalloc(s->lines);
	memset(s->rrpv, s->farthest, s->lines);
	return s;
}

static void srrip_destroy(void *state)
{
	struct srrip *s = state;

	xfree(s->rrpv);
	xfree(s);
}

static void srrip_hit(void *state, uint32_t set, uint32_t way)
{
	struct srrip *s = state;

	s->rrpv[set * s->ways + way] = 0;
}

/* A locked way ages with its set but cannot leave. */
static uint32_t victim(const struct srrip *s, const struct l1_incoming *incoming, uint8_t *rrpv)
{
	for (;;) {
		for (uint32_t w = 0; w < s->ways; w++)
			if (rrpv[w] == s->farthest && !l1_is_locked(incoming, w))
				return w;
		for (uint32_t w = 0; w < s->ways; w++)
			rrpv[w] += rrpv[w] < s->farthest;
	}
}

static bool srrip_fill(void *state, const struct l1_incoming *incoming, uint32_t *way)
{
	struct srrip *s = state;
	uint8_t *rrpv = s->rrpv + (size_t)incoming->set * s->ways;

	*way = incoming->free_way != L1_NO_WAY ? incoming->free_way : victim(s, incoming, rrpv);
	rrpv[*way] = (uint8_t)(s->farthest - 1);
	return true;
}

static void srrip_drop(void *state, uint32_t set, uint32_t way)
{
	struct srrip *s = state;

	s->rrpv[set * s->ways + way] = s->farthest;
}

static void srrip_flush(void *state)
{
	struct srrip *s = state;

	memset(s->rrpv, s->farthest, s->lines);
}

const struct l1_policy_ops l1_srrip = {
    .name = "srrip",
    .summary = "static re-reference interval prediction with hit priority",
    .source = "Jaleel et al., ISCA 2010",
    .knobs = srrip_knobs,
    .knobs_size = sizeof(struct srrip_knobs),
    .create = srrip_create,
    .destroy = srrip_destroy,
    .hit = srrip_hit,
    .fill = srrip_fill,
    .drop = srrip_drop,
    .flush = srrip_flush,
};
