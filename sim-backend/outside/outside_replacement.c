/* A replacement policy from outside as one of the tree's. */
#include "sim-backend/outside/outside_parts.h"

#include "common/xalloc.h"

#include <inttypes.h>

enum { LINE_BYTES_OF_LLC = 128 }; /* sim_config_check takes no others */

/* The state of a slice. */
struct outside_replacement {
	struct outside_policy *self;
	struct outside_run run;
	const struct romark_replacement_policy *policy;
	void *state;
	uint32_t ways;
};

static void *create(const struct llc_replacement_geometry *g, const void *values)
{
	struct outside_replacement *o = xcalloc(1, sizeof *o);
	const struct romark_replacement_geometry geometry = {.sets = g->sets,
							     .ways = g->ways,
							     .slice = g->slice,
							     .slices = g->slices,
							     .line_bytes = LINE_BYTES_OF_LLC,
							     .run = &o->run.shown};

	o->run = outside_run_now();
	o->self = outside_self(values);
	o->policy = &o->self->theirs.replacement;
	o->ways = g->ways;
	o->state = o->policy->create(&geometry, outside_their_values(values));
	return o;
}

static void destroy(void *state)
{
	struct outside_replacement *o = state;

	if (o->policy->destroy)
		o->policy->destroy(o->state);
	xfree(o);
}

static struct romark_access access_of(const struct mem_request *r, bool waited)
{
	return (struct romark_access){.line = r->line,
				      .structure = r->structure,
				      .sm = r->sm,
				      .kind = r->kind,
				      .flags = r->flags & MEM_READ_ONLY,
				      .sectors = r->sectors,
				      .waited = waited};
}

static void hit(void *state, uint32_t place, const struct mem_request *r, bool waited)
{
	struct outside_replacement *o = state;
	const struct romark_access access = access_of(r, waited);

	if (o->policy->hit)
		o->policy->hit(o->state, place / o->ways, place % o->ways, &access);
}

static uint32_t victim(const void *state, uint32_t first, uint64_t ways, const struct mem_request *r)
{
	const struct outside_replacement *o = state;
	const struct romark_access access = access_of(r, false);
	uint32_t way = o->policy->victim(o->state, first / o->ways, ways, &access);

	if (way < LLC_MOST_WAYS && ways >> way & 1)
		return way;
	outside_note_fault(o->self,
			   "policy '%s' gives up way %" PRIu32 " of set %" PRIu32
			   ", which is none of the ways that may "
			   "leave (bits 0x%" PRIx64 ")",
			   o->policy->name, way, first / o->ways, ways);
	return romark_lowest_way(ways);
}

static void fill(void *state, uint32_t place, const struct mem_request *r)
{
	struct outside_replacement *o = state;
	const struct romark_access access = access_of(r, false);

	if (o->policy->fill)
		o->policy->fill(o->state, place / o->ways, place % o->ways, &access);
}

static void drop(void *state, uint32_t place)
{
	struct outside_replacement *o = state;

	o->policy->drop(o->state, place / o->ways, place % o->ways);
}

static bool keeps(const void *state, uint32_t first, const struct mem_request *r)
{
	const struct outside_replacement *o = state;
	const struct romark_access access = access_of(r, false);

	return o->policy->keeps(o->state, first / o->ways, &access);
}

static void passed(void *state, uint32_t first, const struct mem_request *r)
{
	struct outside_replacement *o = state;
	const struct romark_access access = access_of(r, false);

	o->policy->passed(o->state, first / o->ways, &access);
}

static const void *statistics(const void *state)
{
	const struct outside_replacement *o = state;

	return o->policy->statistics(o->state);
}

int outside_adapt_replacement(struct outside_policy *p, struct diag *d)
{
	const struct romark_replacement_policy *t = &p->theirs.replacement;
	const struct outside_head head = {t->name,       t->summary, t->source,     t->knobs,
					  t->knobs_size, t->stats,   t->stats_size, t->statistics != NULL};

	if (outside_take_rows(p, &head, d) < 0)
		return DIAG_ERROR;
	if (!t->create || !t->victim)
		return diag_file(d, p->file->path, "replacement policy '%s' must have the functions create and victim",
				 t->name);
	p->ops.replacement = (struct llc_replacement_ops){.name = t->name,
							  .section = t->name,
							  .summary = t->summary,
							  .source = t->source ? t->source : p->file->path,
							  .knobs = p->knobs,
							  .knobs_size = sizeof(struct outside_values) + t->knobs_size,
							  .stats = p->stats,
							  .create = create,
							  .destroy = destroy,
							  .hit = hit,
							  .victim = victim,
							  .fill = fill,
							  .drop = t->drop ? drop : NULL,
							  .keeps = t->keeps ? keeps : NULL,
							  .passed = t->passed ? passed : NULL,
							  .statistics = p->stats ? statistics : NULL};
	return 0;
}
