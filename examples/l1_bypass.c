/*
 * An L1 policy: lines of a data structure that are hardly ever found again are not kept. The others replace the least
 * recently used line.
 *
 *   cc -shared -fPIC $(pkg-config --cflags romark) l1_bypass.c -o l1_bypass.so
 *   romark sim conv1.romtrace --l1=./l1_bypass.so --set bypass.least=20
 */
#include <romark/policy_l1.h>
#include <stdlib.h>

struct bypass_knobs {
	uint32_t least, first, one_in;
};

static const struct romark_knob knobs[] = {
    ROMARK_KNOB_UINT(struct bypass_knobs, least, "hits", 0, 10000, 50,
		     "of 100 lines that keep their structure in the L1"),
    ROMARK_KNOB_UINT(struct bypass_knobs, first, "lines", 1, 65536, 256,
		     "of a structure that are kept before it is judged"),
    ROMARK_KNOB_UINT(struct bypass_knobs, one_in, "lines", 1, 1024, 16,
		     "of others is kept all the same, to judge anew"),
    ROMARK_KNOB_END,
};

struct bypass_counts {
	uint64_t bypassed;
};

static const struct romark_stat stats[] = {
    ROMARK_STAT_COUNT(struct bypass_counts, bypassed, "lines", "lines that were not kept"),
    ROMARK_STAT_END,
};

struct bypass {
	struct bypass_knobs knobs;
	struct bypass_counts counts;
	uint32_t ways;
	uint64_t clock;
	struct {
		uint64_t lines, kept, hits;
	} structures[ROMARK_STRUCTURES];
	struct {
		uint64_t used;
		uint32_t structure;
	} lines[]; /* [set][way] */
};

static void *create(const struct romark_l1_geometry *geometry, const void *values)
{
	struct bypass *b = calloc(1, sizeof *b + sizeof *b->lines * geometry->sets * geometry->ways);

	b->knobs = *(const struct bypass_knobs *)values;
	b->ways = geometry->ways;
	return b;
}

static void hit(void *state, uint32_t set, uint32_t way)
{
	struct bypass *b = state;

	b->lines[set * b->ways + way].used = ++b->clock;
	b->structures[b->lines[set * b->ways + way].structure].hits++;
}

static bool is_kept(struct bypass *b, uint32_t structure)
{
	uint64_t n = b->structures[structure].lines++, kept = b->structures[structure].kept;

	return kept < b->knobs.first || b->structures[structure].hits * 100 >= kept * b->knobs.least ||
	       n % b->knobs.one_in == 0;
}

static uint32_t oldest(const struct bypass *b, const struct romark_l1_incoming *incoming)
{
	uint32_t best = ROMARK_L1_NO_WAY;

	for (uint32_t way = 0; way < b->ways; way++)
		if (!romark_l1_is_locked(incoming, way) &&
		    (best == ROMARK_L1_NO_WAY ||
		     b->lines[incoming->set * b->ways + way].used < b->lines[incoming->set * b->ways + best].used))
			best = way;
	return best;
}

static bool fill(void *state, const struct romark_l1_incoming *incoming, uint32_t *way)
{
	struct bypass *b = state;

	if (!is_kept(b, incoming->structure)) {
		b->counts.bypassed++;
		return false;
	}
	*way = incoming->free_way != ROMARK_L1_NO_WAY ? incoming->free_way : oldest(b, incoming);
	b->structures[incoming->structure].kept++;
	b->lines[incoming->set * b->ways + *way].structure = incoming->structure;
	b->lines[incoming->set * b->ways + *way].used = ++b->clock;
	return true;
}

static const void *statistics(const void *state)
{
	return &((const struct bypass *)state)->counts;
}

ROMARK_L1_POLICY = {
    ROMARK_L1_HEAD,
    .name = "bypass",
    .summary = "structures whose lines are hardly ever found again are not kept",
    .knobs = knobs,
    .knobs_size = sizeof(struct bypass_knobs),
    .stats = stats,
    .stats_size = sizeof(struct bypass_counts),
    .create = create,
    .fill = fill,
    .destroy = free,
    .hit = hit,
    .statistics = statistics,
};
