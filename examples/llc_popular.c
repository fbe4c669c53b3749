/*
 * An LLC policy: a data structure that is asked for often gets copies of its marked lines.
 *
 *   cc -shared -fPIC $(pkg-config --cflags romark) llc_popular.c -o llc_popular.so
 *   romark sim conv1.romtrace --llc=./llc_popular.so --set popular.copies=8
 */
#include <romark/policy_llc.h>
#include <stdlib.h>

struct popular_knobs {
	uint32_t copies, after;
};

static const struct romark_knob knobs[] = {
    ROMARK_KNOB_UINT(struct popular_knobs, copies, "copies", 1, 64, 4,
		     "of a popular structure's lines; a power of two"),
    ROMARK_KNOB_UINT(struct popular_knobs, after, "requests", 1, 1000000, 1000,
		     "a structure is popular from this one on, until its kernel ends"),
    ROMARK_KNOB_END,
};

struct popular_counts {
	uint64_t copied, structures;
};

static const struct romark_stat stats[] = {
    ROMARK_STAT_COUNT(struct popular_counts, copied, "requests", "marked reads that were routed to a copy"),
    ROMARK_STAT_COUNT(struct popular_counts, structures, "structures", "that became popular, in each kernel anew"),
    ROMARK_STAT_END,
};

struct popular {
	struct romark_llc_geometry geometry;
	uint32_t degree, after;
	struct popular_counts counts;
	uint32_t requests[ROMARK_STRUCTURES]; /* of this kernel */
};

static void *create(const struct romark_llc_geometry *geometry, const void *values)
{
	const struct popular_knobs *k = values;
	struct popular *p = calloc(1, sizeof *p);

	p->geometry = *geometry;
	p->after = k->after;
	p->degree = romark_llc_fit(geometry, k->copies);
	return p;
}

static bool is_copied(const struct popular *p, const struct romark_llc_request *request)
{
	return request->kind == ROMARK_READ && request->flags & ROMARK_READ_ONLY &&
	       p->requests[request->structure] >= p->after;
}

static struct romark_llc_route route(const void *state, const struct romark_llc_request *request)
{
	const struct popular *p = state;

	return is_copied(p, request) ? romark_llc_copies(&p->geometry, p->degree, request) : romark_llc_home(request);
}

static void observe(void *state, uint32_t mc, const struct romark_llc_request *request)
{
	struct popular *p = state;

	(void)mc;
	p->counts.structures += ++p->requests[request->structure] == p->after;
	p->counts.copied += is_copied(p, request);
}

/* A copy is read from memory, so memory must have what earlier kernels wrote. */
static void kernel_begin(void *state, uint64_t cycle, const struct romark_llc_kernel *kernel,
			 struct romark_llc_orders *orders)
{
	struct popular *p = state;

	(void)cycle;
	for (unsigned i = 0; i < ROMARK_STRUCTURES; i++)
		p->requests[i] = 0;
	if (kernel->finds_dirty)
		orders->work = ROMARK_LLC_CLEAN;
}

static void kernel_end(void *state, uint64_t cycle, struct romark_llc_orders *orders)
{
	(void)state, (void)cycle;
	orders->work = ROMARK_LLC_DROP_COPIES;
}

static const void *statistics(const void *state)
{
	return &((const struct popular *)state)->counts;
}

ROMARK_LLC_POLICY = {
    ROMARK_LLC_HEAD,
    .name = "popular",
    .summary = "structures that are asked for often get copies of their marked lines",
    .knobs = knobs,
    .knobs_size = sizeof(struct popular_knobs),
    .stats = stats,
    .stats_size = sizeof(struct popular_counts),
    .needs_marks = true,
    .create = create,
    .route = route,
    .destroy = free,
    .observe = observe,
    .kernel_begin = kernel_begin,
    .kernel_end = kernel_end,
    .statistics = statistics,
};
