/*
 * A fixed replication degree for read-only requests: each group of SM-clusters has its own copy. Everything else uses
 * the line's home, so nothing written is ever replicated.
 */
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum flush { FLUSH_REPLICAS, FLUSH_READ_ONLY };

struct degree_knobs {
	uint32_t flush; /* enum flush */
};

static const struct knob degree_knobs[] = {
    KNOB_CHOICE(struct degree_knobs, flush, "replicas|read_only", FLUSH_REPLICAS,
		"lines that a kernel's end invalidates: copies away from their home, or all lines fetched as read-only",
		"SelRep section III-E; which lines: our reading"),
    KNOB_END,
};

struct degree_state {
	struct llc_geometry geometry;
	unsigned degree;
	enum llc_work flush;
};

static void *create(const struct llc_geometry *geometry, const void *values, unsigned degree)
{
	const struct degree_knobs *knobs = values;
	struct degree_state *d = xcalloc(1, sizeof *d);

	d->geometry = *geometry;
	d->degree = degree < llc_max_degree(geometry) ? degree : llc_max_degree(geometry);
	d->flush = knobs->flush == FLUSH_REPLICAS ? LLC_DROP_REPLICAS : LLC_DROP_READ_ONLY;
	return d;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	const struct degree_state *d = state;

	if (!(request->flags & MEM_READ_ONLY))
		return llc_memory_side(origin, origin.home);
	return llc_memory_side(origin, llc_slice_at_degree(&d->geometry, d->degree, origin.cluster, origin.home));
}

/*
 * Data that earlier kernels wrote may be read-only now. A copy that misses reads memory, so memory must have the
 * written data.
 */
static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	(void)state, (void)cycle, (void)kernel;
	orders->work = LLC_CLEAN;
}

static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	const struct degree_state *d = state;

	(void)cycle;
	orders->work = d->flush;
}

#define DEGREE(n)                                                                                                      \
	static void *create##n(const struct llc_geometry *geometry, const void *values)                                \
	{                                                                                                              \
		return create(geometry, values, n);                                                                    \
	}                                                                                                              \
	const struct llc_policy_ops llc_degree##n = {                                                                  \
	    .name = "degree" #n,                                                                                       \
	    .summary = "read-only lines have " #n " copies, one for each group of SM-clusters",                        \
	    .source = "SelRep section V (best static replication)",                                                    \
	    .degree = n,                                                                                               \
	    .lives_on_marks = true,                                                                                    \
	    .knobs = degree_knobs,                                                                                     \
	    .knobs_size = sizeof(struct degree_knobs),                                                                 \
	    .create = create##n,                                                                                       \
	    .destroy = xfree,                                                                                          \
	    .route = route,                                                                                            \
	    .kernel_begin = kernel_begin,                                                                              \
	    .kernel_end = kernel_end,                                                                                  \
	}

DEGREE(2);
DEGREE(4);
DEGREE(8);
DEGREE(16);
