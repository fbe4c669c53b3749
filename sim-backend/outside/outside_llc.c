/* An LLC policy from outside as one of the tree's. */
#include "sim-backend/outside/outside_parts.h"

#include "common/xalloc.h"

/* The state of a chip. */
struct outside_llc {
	struct outside_policy *self;
	struct outside_run run;
	const struct romark_llc_policy *policy;
	void *state;
	unsigned chip, chips, slices;
	bool coherent;
};

static void *create(const struct llc_geometry *g, const void *values)
{
	struct outside_llc *o = xcalloc(1, sizeof *o);
	const struct romark_llc_geometry geometry = {.chip = g->chip,
						     .chips = g->chips,
						     .sms = g->sms,
						     .clusters = g->clusters,
						     .mcs = g->mcs,
						     .slices = g->slices,
						     .sets = g->sets,
						     .ways = g->ways,
						     .line_bytes = g->line_bytes,
						     .run = &o->run.shown};

	o->run = outside_run_now();
	o->self = outside_self(values);
	o->policy = &o->self->theirs.llc;
	o->chip = g->chip;
	o->chips = g->chips;
	o->slices = g->slices;
	o->coherent = g->coherent;
	o->state = o->policy->create(&geometry, outside_their_values(values));
	return o;
}

static void destroy(void *state)
{
	struct outside_llc *o = state;

	if (o->policy->destroy)
		o->policy->destroy(o->state);
	xfree(o);
}

static struct romark_llc_request request_of(const struct mem_request *r, struct llc_origin origin)
{
	return (struct romark_llc_request){.line = r->line,
					   .bytes = r->bytes,
					   .structure = r->structure,
					   .sm = r->sm,
					   .kind = r->kind,
					   .flags = r->flags & MEM_READ_ONLY,
					   .sectors = r->sectors,
					   .chip = origin.chip,
					   .cluster = origin.cluster,
					   .home_chip = origin.home_chip,
					   .home = origin.home};
}

/* Why the answer cannot be; NULL: it can. */
static const char *wrong_route(const struct outside_llc *o, struct llc_origin origin, struct romark_llc_route route)
{
	if (route.chip >= o->chips)
		return "there is no such chip";
	if (route.slice >= o->slices)
		return "a controller has no such slice";
	if (route.chip == origin.home_chip)
		return NULL;
	if (!o->policy->holds_far_lines)
		return "a slice of another chip than the line's may hold it only with holds_far_lines";
	return route.past_home ? NULL : "a slice of another chip than the line's must ask past_home";
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *r)
{
	const struct outside_llc *o = state;
	const struct romark_llc_request request = request_of(r, origin);
	struct romark_llc_route answer = o->policy->route(o->state, &request);
	const char *wrong = wrong_route(o, origin, answer);

	if (wrong) {
		outside_note_fault(o->self, "policy '%s' routed a request to chip %u, slice %u: %s", o->policy->name,
				   answer.chip, answer.slice, wrong);
		return llc_memory_side(origin, origin.home);
	}
	return (struct llc_route){.chip = answer.chip, .slice = answer.slice, .bypass = answer.past_home};
}

static void observe(void *state, unsigned mc, unsigned cluster, unsigned home, const struct mem_request *r)
{
	struct outside_llc *o = state;
	const struct romark_llc_request request =
	    request_of(r, (struct llc_origin){.cluster = (uint8_t)cluster, .home = (uint8_t)home});

	o->policy->observe(o->state, mc, &request);
}

static void looked_up(void *state, unsigned mc, unsigned slice, unsigned cluster, const struct mem_request *r, bool hit)
{
	struct outside_llc *o = state;
	const struct romark_llc_request request = request_of(r, (struct llc_origin){.cluster = (uint8_t)cluster});

	o->policy->looked_up(o->state, mc, slice, &request, hit);
}

static uint64_t next_tick(const void *state)
{
	const struct outside_llc *o = state;

	return o->policy->next_tick(o->state);
}

/* Takes the policy's orders over, if they are some that can be done. */
static void take_orders(struct outside_llc *o, const struct romark_llc_orders *theirs, struct llc_orders *orders)
{
	static const enum llc_work works[] = {
	    [ROMARK_LLC_NO_WORK] = LLC_WORK_NONE,
	    [ROMARK_LLC_CLEAN] = LLC_CLEAN,
	    [ROMARK_LLC_DROP_DIRTY] = LLC_DROP_DIRTY,
	    [ROMARK_LLC_DROP_COPIES] = LLC_DROP_REPLICAS,
	    [ROMARK_LLC_DROP_READ_ONLY] = LLC_DROP_READ_ONLY,
	    [ROMARK_LLC_DROP_ALL] = LLC_DROP_ALL,
	};

	if (theirs->work >= sizeof works / sizeof *works) {
		outside_note_fault(o->self, "policy '%s' ordered work %u, which <romark/policy_llc.h> does not have",
				   o->policy->name, theirs->work);
		return;
	}
	orders->reorganise = theirs->reorganise;
	orders->work = works[theirs->work];
	if (o->coherent && orders->work == LLC_CLEAN)
		orders->work = LLC_WORK_NONE;
}

static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct outside_llc *o = state;
	struct romark_llc_orders theirs = {.reorganise = false};

	o->policy->tick(o->state, cycle, &theirs);
	take_orders(o, &theirs, orders);
}

static void reorganised(void *state, uint64_t cycle)
{
	struct outside_llc *o = state;

	o->policy->reorganised(o->state, cycle);
}

static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	struct outside_llc *o = state;
	const struct romark_llc_kernel facts = {kernel.has_atomics, kernel.finds_dirty};
	struct romark_llc_orders theirs = {.reorganise = false};

	o->policy->kernel_begin(o->state, cycle, &facts, &theirs);
	take_orders(o, &theirs, orders);
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct outside_llc *o = state;
	struct romark_llc_orders theirs = {.reorganise = false};

	o->policy->kernel_end(o->state, cycle, &theirs);
	take_orders(o, &theirs, orders);
}

static bool write_through(const void *state)
{
	const struct outside_llc *o = state;

	return o->policy->write_through(o->state);
}

static const void *statistics(void *state)
{
	struct outside_llc *o = state;

	return o->policy->statistics(o->state);
}

int outside_adapt_llc(struct outside_policy *p, struct diag *d)
{
	/* Slices may hold other chips' lines; the policy needs none of the functions. */
	static const struct llc_chips_ops holds_far_lines = {.departs = NULL};
	const struct romark_llc_policy *t = &p->theirs.llc;
	const struct outside_head head = {t->name,       t->summary, t->source,     t->knobs,
					  t->knobs_size, t->stats,   t->stats_size, t->statistics != NULL};

	if (outside_take_rows(p, &head, d) < 0)
		return DIAG_ERROR;
	if (!t->create || !t->route || (t->tick != NULL) != (t->next_tick != NULL))
		return diag_file(d, p->file->path,
				 "LLC policy '%s' must have the functions create and route, and tick with next_tick",
				 t->name);
	p->ops.llc = (struct llc_policy_ops){.name = t->name,
					     .summary = t->summary,
					     .source = t->source ? t->source : p->file->path,
					     .lives_on_marks = t->needs_marks,
					     .knobs = p->knobs,
					     .knobs_size = sizeof(struct outside_values) + t->knobs_size,
					     .stats = p->stats,
					     .create = create,
					     .destroy = destroy,
					     .route = route,
					     .chips = t->holds_far_lines ? &holds_far_lines : NULL,
					     .write_through = t->write_through ? write_through : NULL,
					     .observe = t->observe ? observe : NULL,
					     .looked_up = t->looked_up ? looked_up : NULL,
					     .next_tick = t->next_tick ? next_tick : NULL,
					     .tick = t->tick ? tick : NULL,
					     .reorganised = t->reorganised ? reorganised : NULL,
					     .kernel_begin = t->kernel_begin ? kernel_begin : NULL,
					     .kernel_end = t->kernel_end ? kernel_end : NULL,
					     .statistics = p->stats ? statistics : NULL};
	return 0;
}
