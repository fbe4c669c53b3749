/*
 * Two LLC policies for several chips that divide the ways of each set: some for lines of the chip's own memory, some
 * for lines of other chips' memory. Reads of other chips' lines are looked up in the own slices, and when they miss in
 * the slices there; writes and atomics use the slices of the line's chip, so that remote lines are never dirty and are
 * only dropped at a kernel's end. `static` gives half of the ways to either (the L1.5 of MCM-GPU); `dynamic` moves a
 * way at a time towards the saturated side, links or memory (Milic et al., MICRO 2017).
 */
#include "sim-backend/llc/llc_policy.h"

#include "common/xalloc.h"

#include <stdlib.h>

enum misses { MISSES_HOME, MISSES_MEMORY };

struct static_knobs {
	uint32_t misses; /* enum misses */
};

/* Begins like static's. */
struct dynamic_knobs {
	uint32_t misses;
	uint32_t window_cycles;
	double saturated;
};

#define MISSES(type, source)                                                                                           \
	KNOB_CHOICE(type, misses, "home|memory", MISSES_HOME,                                                          \
		    "where a read of another chip's line goes next: to that chip's slices, or to its memory", source)

static const struct knob static_knobs[] = {
    MISSES(struct static_knobs, "MCM-GPU (ISCA 2017): the L1.5 is in front of the L2"),
    KNOB_END,
};

static const struct knob dynamic_knobs[] = {
    MISSES(struct dynamic_knobs, "as static; with hardware coherence both ask memory"),
    KNOB_UINT(struct dynamic_knobs, window_cycles, "cycles", 100, 100000000, 5000, "between two looks at the load",
	      "Milic et al., MICRO 2017; " KNOB_OPEN),
    KNOB_REAL(struct dynamic_knobs, saturated, "", 0.01, 1, 0.9,
	      "of a bandwidth: links or memory that give more are full",
	      "99 % in Milic et al., MICRO 2017; " KNOB_OPEN),
    KNOB_END,
};

struct ways_stats {
	uint64_t windows, to_remote, to_local, to_equal;
	uint64_t remote_ways;
};

static const struct stat_row stat_rows[] = {
    STAT_COUNT(struct ways_stats, windows, "windows", "looks at the load, all chips"),
    STAT_COUNT(struct ways_stats, to_remote, "changes", "a way went to other chips' lines"),
    STAT_COUNT(struct ways_stats, to_local, "changes", "a way went to the chip's own lines"),
    STAT_COUNT(struct ways_stats, to_equal, "changes", "a way went towards halves, with links and memory full"),
    STAT_LEVEL(struct ways_stats, remote_ways, "ways", "for other chips' lines, of the chip with the most"),
    STAT_END,
};

struct ways_state {
	const struct dynamic_knobs *knobs; /* NULL: the halves stay */
	enum misses misses;
	struct llc_geometry geometry;
	unsigned remote;
	uint64_t next, window_start;
	uint64_t link_bytes,
	    memory_bytes; /* in the window: bytes that links brought for this chip, bytes requested of its memory */
	struct ways_stats stats;
};

static unsigned half(const struct ways_state *s)
{
	return s->geometry.chips > 1 ? s->geometry.ways / 2 : 0;
}

static struct ways_state *create(const struct llc_geometry *geometry)
{
	struct ways_state *s = xcalloc(1, sizeof *s);

	s->geometry = *geometry;
	s->remote = half(s);
	s->stats.remote_ways = s->remote;
	s->next = UINT64_MAX;
	return s;
}

static void *create_static(const struct llc_geometry *geometry, const void *knobs)
{
	const struct static_knobs *settings = knobs;
	struct ways_state *s = create(geometry);

	s->misses = settings->misses;
	return s;
}

static void *create_dynamic(const struct llc_geometry *geometry, const void *knobs)
{
	struct ways_state *s = create(geometry);

	s->knobs = knobs;
	s->misses = s->knobs->misses;
	return s;
}

static struct llc_route route(const void *state, struct llc_origin origin, const struct mem_request *request)
{
	(void)state;
	if (request->kind != MEM_READ || origin.chip == origin.home_chip)
		return llc_memory_side(origin, origin.home);
	return llc_sm_side(origin, request);
}

static bool asks_home(const void *state)
{
	const struct ways_state *s = state;

	return s->misses == MISSES_HOME;
}

static unsigned remote_ways(const void *state)
{
	return ((const struct ways_state *)state)->remote;
}

/* Reads of other chips' lines may ask memory past the slices there, so it must have what earlier kernels wrote. */
static void clean(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	const struct ways_state *s = state;

	(void)cycle, (void)kernel;
	orders->work = s->geometry.coherent ? LLC_WORK_NONE : LLC_CLEAN;
}

/* Remote lines. Lines of the own chip's memory have a single place. */
static void kernel_end(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct ways_state *s = state;

	(void)cycle;
	s->next = UINT64_MAX;
	orders->work = s->geometry.coherent ? LLC_WORK_NONE : LLC_DROP_REPLICAS;
}

static const void *statistics(void *state)
{
	return &((struct ways_state *)state)->stats;
}

/* --- The load --- */

static void memory_asked(void *state, enum llc_memory_use use, uint32_t bytes)
{
	struct ways_state *s = state;

	if (use == LLC_FAR_MEMORY)
		s->link_bytes += bytes + s->geometry.link_header_bytes;
	else
		s->memory_bytes += bytes;
}

static void new_window(struct ways_state *s, uint64_t cycle)
{
	s->link_bytes = s->memory_bytes = 0;
	s->window_start = cycle;
	s->next = cycle + s->knobs->window_cycles;
}

static void kernel_begin(void *state, uint64_t cycle, struct llc_kernel kernel, struct llc_orders *orders)
{
	clean(state, cycle, kernel, orders);
	new_window(state, cycle);
}

static uint64_t next_tick(const void *state)
{
	return ((const struct ways_state *)state)->next;
}

/* A chip's share of the links in one direction. Packets for other chips use these links as well. */
static bool links_are_full(const struct ways_state *s, double cycles)
{
	const struct llc_geometry *g = &s->geometry;
	double capacity = g->link_bytes_per_cycle / 2 / g->chips * cycles;

	return (double)s->link_bytes * g->mean_hops >= s->knobs->saturated * capacity;
}

static bool memory_is_full(const struct ways_state *s, double cycles)
{
	return (double)s->memory_bytes >= s->knobs->saturated * s->geometry.memory_bytes_per_cycle * cycles;
}

/* Each class keeps a way. */
static void give(struct ways_state *s, int ways, uint64_t *counter)
{
	unsigned wanted = s->remote + (unsigned)ways;

	if (!ways || wanted < 1 || wanted >= s->geometry.ways)
		return;
	s->remote = wanted;
	s->stats.remote_ways = wanted;
	++*counter;
}

static void tick(void *state, uint64_t cycle, struct llc_orders *orders)
{
	struct ways_state *s = state;
	double cycles = (double)(cycle - s->window_start);
	bool links = links_are_full(s, cycles), memory = memory_is_full(s, cycles);

	(void)orders;
	s->stats.windows++;
	if (s->geometry.chips > 1 && links && memory)
		give(s, (s->remote < half(s)) - (s->remote > half(s)), &s->stats.to_equal);
	else if (s->geometry.chips > 1 && links)
		give(s, 1, &s->stats.to_remote);
	else if (s->geometry.chips > 1 && memory)
		give(s, -1, &s->stats.to_local);
	new_window(s, cycle);
}

struct ways_series {
	uint64_t remote_ways;
};

static const struct stat_row series_rows[] = {
    STAT_LEVEL(struct ways_series, remote_ways, "ways", "for other chips' lines"),
    STAT_END,
};

static void series(const void *state, uint64_t cycle, void *values)
{
	(void)cycle;
	((struct ways_series *)values)->remote_ways = remote_ways(state);
}

static const struct llc_chips_ops static_chips = {.remote_ways = remote_ways, .asks_home = asks_home};

const struct llc_policy_ops llc_static = {
    .name = "static",
    .summary = "half of each chip's ways for its own memory's lines, half for reads of the others'",
    .chips = &static_chips,
    .source = "SAC section 5, after MCM-GPU (ISCA 2017)",
    .knobs = static_knobs,
    .knobs_size = sizeof(struct static_knobs),
    .stats = stat_rows,
    .create = create_static,
    .destroy = xfree,
    .route = route,
    .kernel_begin = clean,
    .kernel_end = kernel_end,
    .statistics = statistics,
};

static const struct llc_chips_ops dynamic_chips = {
    .remote_ways = remote_ways, .asks_home = asks_home, .memory_asked = memory_asked};

const struct llc_policy_ops llc_dynamic = {
    .name = "dynamic",
    .summary = "as static, with ways that move towards links or memory, whichever is full",
    .chips = &dynamic_chips,
    .source = "SAC section 5, after Milic et al., MICRO 2017",
    .knobs = dynamic_knobs,
    .knobs_size = sizeof(struct dynamic_knobs),
    .stats = stat_rows,
    .create = create_dynamic,
    .destroy = xfree,
    .route = route,
    .next_tick = next_tick,
    .tick = tick,
    .kernel_begin = kernel_begin,
    .kernel_end = kernel_end,
    .statistics = statistics,
    .series_rows = series_rows,
    .series = series,
};
