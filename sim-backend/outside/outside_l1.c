/* An L1 policy from outside as one of the tree's. */
#include "sim-backend/outside/outside_parts.h"

#include "common/xalloc.h"
#include "sim-backend/l1/l1.h"

#include <inttypes.h>

/* The state of an L1. */
struct outside_l1 {
	struct outside_policy *self;
	struct outside_run run;
	const struct romark_l1_policy *policy;
	void *state;
	uint32_t ways;
};

static struct romark_l1_geometry geometry_of(uint32_t sets, uint32_t ways, const struct outside_run *run)
{
	return (struct romark_l1_geometry){
	    .sets = sets, .ways = ways, .line_bytes = 1u << L1_LINE_SHIFT, .run = &run->shown};
}

static void *create(const struct l1_geometry *g, const void *values)
{
	struct outside_l1 *o = xcalloc(1, sizeof *o);
	const struct romark_l1_geometry geometry = geometry_of(g->sets, g->ways, &o->run);

	o->run = outside_run_now();
	o->self = outside_self(values);
	o->policy = &o->self->theirs.l1;
	o->ways = g->ways;
	o->state = o->policy->create(&geometry, outside_their_values(values));
	return o;
}

static void destroy(void *state)
{
	struct outside_l1 *o = state;

	if (o->policy->destroy)
		o->policy->destroy(o->state);
	xfree(o);
}

static void hit(void *state, uint32_t set, uint32_t way)
{
	struct outside_l1 *o = state;

	if (o->policy->hit)
		o->policy->hit(o->state, set, way);
}

static bool fill(void *state, const struct l1_incoming *i, uint32_t *way)
{
	struct outside_l1 *o = state;
	const struct romark_l1_incoming incoming = {.line = i->line,
						    .set = i->set,
						    .free_way = i->free_way,
						    .locked = i->locked,
						    .structure = i->structure,
						    .flags = i->flags & (MEM_READ_ONLY | MEM_VICTIM)};
	uint32_t answer = ROMARK_L1_NO_WAY;

	if (!o->policy->fill(o->state, &incoming, &answer))
		return false;
	if (answer >= o->ways || l1_is_locked(i, answer)) {
		outside_note_fault(o->self, "policy '%s' puts a line into way %" PRIu32 " of set %" PRIu32 ", %s",
				   o->policy->name, answer, i->set,
				   answer < o->ways ? "which waits for its fill" : "which the L1 does not have");
		return false;
	}
	*way = answer;
	return true;
}

static bool reply(void *state, uint32_t set, uint32_t way, uint8_t flags)
{
	struct outside_l1 *o = state;

	return o->policy->reply(o->state, set, way, flags & (MEM_READ_ONLY | MEM_VICTIM));
}

static void drop(void *state, uint32_t set, uint32_t way)
{
	struct outside_l1 *o = state;

	if (o->policy->drop)
		o->policy->drop(o->state, set, way);
}

static void flush(void *state)
{
	struct outside_l1 *o = state;

	if (o->policy->flush)
		o->policy->flush(o->state);
}

static const void *statistics(const void *state)
{
	const struct outside_l1 *o = state;

	return o->policy->statistics(o->state);
}

static uint64_t storage_bits(const struct l1_config *config, const void *values)
{
	const struct romark_l1_policy *policy = &outside_self(values)->theirs.l1;
	const struct outside_run run = outside_run_now();
	const struct romark_l1_geometry geometry = geometry_of(l1_sets(config), config->ways, &run);

	return policy->storage_bits ? policy->storage_bits(&geometry, outside_their_values(values)) : 0;
}

int outside_adapt_l1(struct outside_policy *p, struct diag *d)
{
	const struct romark_l1_policy *t = &p->theirs.l1;
	const struct outside_head head = {t->name,       t->summary, t->source,     t->knobs,
					  t->knobs_size, t->stats,   t->stats_size, t->statistics != NULL};

	if (outside_take_rows(p, &head, d) < 0)
		return DIAG_ERROR;
	if (!t->create || !t->fill)
		return diag_file(d, p->file->path, "L1 policy '%s' must have the functions create and fill", t->name);
	p->ops.l1 = (struct l1_policy_ops){.name = t->name,
					   .summary = t->summary,
					   .source = t->source ? t->source : p->file->path,
					   .knobs = p->knobs,
					   .knobs_size = sizeof(struct outside_values) + t->knobs_size,
					   .stats = p->stats,
					   .stats_size = t->stats_size,
					   .storage_bits = storage_bits,
					   .create = create,
					   .destroy = destroy,
					   .hit = hit,
					   .fill = fill,
					   .bypasses = t->bypasses,
					   .reply = t->reply ? reply : NULL,
					   .drop = drop,
					   .flush = flush,
					   .statistics = p->stats ? statistics : NULL};
	return 0;
}
