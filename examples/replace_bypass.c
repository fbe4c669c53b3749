/*
 * A replacement policy of the LLC that bypasses it: lines of one parameter of each kernel are not kept. Of the others
 * the least recently used leaves.
 *
 *   cc -shared -fPIC $(pkg-config --cflags romark) replace_bypass.c -o replace_bypass.so
 *   romark sim conv1.romtrace --set llc.replacement=./replace_bypass.so --set param_bypass.param=1
 */
#include <romark/policy_replacement.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bypass_knobs {
	uint32_t param;
};

static const struct romark_knob knobs[] = {
    ROMARK_KNOB_UINT(struct bypass_knobs, param, "", 0, 99, 0,
		     "number of the pointer parameter whose lines are not kept"),
    ROMARK_KNOB_END,
};

struct bypass_counts {
	uint64_t passed;
};

static const struct romark_stat stats[] = {
    ROMARK_STAT_COUNT(struct bypass_counts, passed, "requests", "reads whose lines were not kept"),
    ROMARK_STAT_END,
};

struct bypass {
	struct bypass_counts counts;
	const struct romark_run *run;
	char id[16]; /* of the parameter */
	uint32_t ways;
	uint64_t clock, used[]; /* [set][way] */
};

static void *create(const struct romark_replacement_geometry *geometry, const void *values)
{
	struct bypass *b = calloc(1, sizeof *b + sizeof *b->used * geometry->sets * geometry->ways);

	b->run = geometry->run;
	b->ways = geometry->ways;
	snprintf(b->id, sizeof b->id, "p%u", ((const struct bypass_knobs *)values)->param);
	return b;
}

static bool keeps(const void *state, uint32_t set, const struct romark_access *access)
{
	const struct bypass *b = state;
	const char *id = b->run->structure_id(b->run, access->structure);

	(void)set;
	return !id || strcmp(id, b->id) != 0;
}

static void passed(void *state, uint32_t set, const struct romark_access *access)
{
	struct bypass *b = state;

	(void)set, (void)access;
	b->counts.passed++;
}

static uint32_t victim(const void *state, uint32_t set, uint64_t ways, const struct romark_access *access)
{
	const struct bypass *b = state;
	uint32_t best = romark_lowest_way(ways);

	(void)access;
	for (uint64_t left = ways; left; left = romark_next_ways(left)) {
		uint32_t way = romark_lowest_way(left);

		if (b->used[set * b->ways + way] < b->used[set * b->ways + best])
			best = way;
	}
	return best;
}

static void use(void *state, uint32_t set, uint32_t way, const struct romark_access *access)
{
	struct bypass *b = state;

	(void)access;
	b->used[set * b->ways + way] = ++b->clock;
}

static const void *statistics(const void *state)
{
	return &((const struct bypass *)state)->counts;
}

ROMARK_REPLACEMENT_POLICY = {
    ROMARK_REPLACEMENT_HEAD,
    .name = "param_bypass",
    .summary = "lines of one parameter are not kept",
    .knobs = knobs,
    .knobs_size = sizeof(struct bypass_knobs),
    .stats = stats,
    .stats_size = sizeof(struct bypass_counts),
    .create = create,
    .victim = victim,
    .destroy = free,
    .hit = use,
    .fill = use,
    .statistics = statistics,
    .keeps = keeps,
    .passed = passed,
};
