/*
 * A replacement policy of the LLC: the least recently used line leaves, but lines of marked loads stay as long as
 * others can leave. In one set of `open_one_in` they are as all others.
 *
 *   cc -shared -fPIC $(pkg-config --cflags romark) replace_protect.c -o replace_protect.so
 *   romark sim conv1.romtrace --set llc.replacement=./replace_protect.so --set protect.open_one_in=4
 */
#include <romark/policy_replacement.h>
#include <stdlib.h>

struct protect_knobs {
	uint32_t open_one_in;
};

static const struct romark_knob knobs[] = {
    ROMARK_KNOB_UINT(struct protect_knobs, open_one_in, "sets", 1, 1024, 16, "one set in so many protects nothing"),
    ROMARK_KNOB_END,
};

struct protect_counts {
	uint64_t protected_lines, others;
};

static const struct romark_stat stats[] = {
    ROMARK_STAT_COUNT(struct protect_counts, protected_lines, "lines", "lines of marked loads that came in"),
    ROMARK_STAT_COUNT(struct protect_counts, others, "lines", "other lines that came in"),
    ROMARK_STAT_END,
};

struct protect {
	struct protect_counts counts;
	uint32_t ways, open_one_in;
	uint64_t clock;
	struct {
		uint64_t used;
		bool is_protected;
	} lines[]; /* [set][way] */
};

static void *create(const struct romark_replacement_geometry *geometry, const void *values)
{
	struct protect *p = calloc(1, sizeof *p + sizeof *p->lines * geometry->sets * geometry->ways);

	p->ways = geometry->ways;
	p->open_one_in = ((const struct protect_knobs *)values)->open_one_in;
	return p;
}

static uint32_t victim(const void *state, uint32_t set, uint64_t ways, const struct romark_access *access)
{
	const struct protect *p = state;
	uint32_t best = romark_lowest_way(ways);

	(void)access;
	for (uint64_t left = romark_next_ways(ways); left; left = romark_next_ways(left)) {
		uint32_t way = romark_lowest_way(left), a = set * p->ways + way, b = set * p->ways + best;

		if (p->lines[a].is_protected != p->lines[b].is_protected)
			best = p->lines[a].is_protected ? best : way;
		else if (p->lines[a].used < p->lines[b].used)
			best = way;
	}
	return best;
}

static void hit(void *state, uint32_t set, uint32_t way, const struct romark_access *access)
{
	struct protect *p = state;

	(void)access;
	p->lines[set * p->ways + way].used = ++p->clock;
}

static void fill(void *state, uint32_t set, uint32_t way, const struct romark_access *access)
{
	struct protect *p = state;
	bool marked = access->flags & ROMARK_READ_ONLY;

	p->lines[set * p->ways + way].is_protected = marked && set % p->open_one_in;
	p->counts.protected_lines += marked;
	p->counts.others += !marked;
	hit(state, set, way, access);
}

static const void *statistics(const void *state)
{
	return &((const struct protect *)state)->counts;
}

ROMARK_REPLACEMENT_POLICY = {
    ROMARK_REPLACEMENT_HEAD,
    .name = "protect",
    .summary = "lines of marked loads stay as long as others can leave",
    .knobs = knobs,
    .knobs_size = sizeof(struct protect_knobs),
    .stats = stats,
    .stats_size = sizeof(struct protect_counts),
    .create = create,
    .victim = victim,
    .destroy = free,
    .hit = hit,
    .fill = fill,
    .statistics = statistics,
};
