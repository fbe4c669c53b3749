/* Reads a launch's CTAs and keeps them by chip until they are placed. */
#include "sim-backend/sm/cta_ranges.h"

#include "common/xalloc.h"

#include <stdlib.h>

void cta_ranges_init(struct cta_ranges *r, uint32_t chips, uint32_t chunk)
{
	*r = (struct cta_ranges){
	    .chips = chips, .chunk = chunk, .ranges = xcalloc(chips, sizeof *r->ranges), .ended = true};
}

void cta_ranges_release(struct cta_ranges *r)
{
	for (uint32_t i = 0; i < r->chips; i++) {
		struct cta_range *range = &r->ranges[i];

		for (; range->next < range->ctas.len; range->next++)
			trace_cta_release(&range->ctas.data[range->next]);
		vec_release(&range->ctas);
	}
	xfree(r->ranges);
}

void cta_ranges_begin(struct cta_ranges *r, struct cta_source *source, uint64_t total)
{
	r->source = source;
	r->total = total;
	r->read = 0;
	r->ended = false;
}

static uint32_t chip_of(const struct cta_ranges *r, uint64_t index)
{
	if (r->chunk)
		return (uint32_t)(index / r->chunk % r->chips);
	return index < r->total ? (uint32_t)(index * r->chips / r->total) : r->chips - 1;
}

/* Whether CTAs that are not read yet may belong to the chip. Ranges follow each other; chunks alternate. */
static bool may_come(const struct cta_ranges *r, uint32_t chip)
{
	return !r->ended && (r->chunk || chip_of(r, r->read) <= chip);
}

static void read_one(struct cta_ranges *r, struct diag *failure)
{
	struct trace_cta cta;

	if (r->source->next(r->source, &cta, failure) <= 0) {
		r->ended = true;
		return;
	}
	vec_push(&r->ranges[chip_of(r, r->read)].ctas, cta);
	r->read++;
}

struct trace_cta *cta_ranges_front(struct cta_ranges *r, uint32_t chip, struct diag *failure)
{
	struct cta_range *range = &r->ranges[chip];

	while (range->next == range->ctas.len && may_come(r, chip))
		read_one(r, failure);
	return range->next < range->ctas.len ? &range->ctas.data[range->next] : NULL;
}

void cta_ranges_pop(struct cta_ranges *r, uint32_t chip)
{
	struct cta_range *range = &r->ranges[chip];

	if (++range->next == range->ctas.len)
		range->next = range->ctas.len = 0;
}

bool cta_ranges_over(const struct cta_ranges *r)
{
	for (uint32_t i = 0; i < r->chips; i++)
		if (r->ranges[i].ctas.len)
			return false;
	return r->ended;
}
