/* A random line leaves. The n-th line that a slice takes draws the same number in every run with the same seed. */
#include "sim-backend/llc/llc_replacement.h"

#include "common/xalloc.h"
#include "sim-backend/base/random.h"

struct random_knobs {
	uint32_t seed;
};

static const struct knob random_knobs[] = {
    KNOB_UINT(struct random_knobs, seed, "", 0, 4294967295.0, 1, "of the numbers that are drawn", KNOB_OPEN),
    KNOB_END,
};

struct llc_random {
	uint64_t drawn; /* for the next line */
	uint64_t numbers;
};

static void *random_create(const struct llc_replacement_geometry *geometry, const void *values)
{
	const struct random_knobs *knobs = values;
	struct llc_random *r = xcalloc(1, sizeof *r);

	r->numbers = (uint64_t)knobs->seed << 32 | geometry->slice;
	r->drawn = random_next(&r->numbers);
	return r;
}

static void random_hit(void *state, uint32_t place, const struct mem_request *request, bool waited)
{
	(void)state, (void)place, (void)request, (void)waited;
}

/* The n-th of the ways that may leave. */
static uint32_t random_victim(const void *state, uint32_t first, uint64_t ways, const struct mem_request *request)
{
	const struct llc_random *r = state;

	(void)first, (void)request;
	for (uint64_t n = r->drawn % (uint64_t)__builtin_popcountll(ways); n > 0; n--)
		ways &= ways - 1;
	return (uint32_t)__builtin_ctzll(ways);
}

static void random_fill(void *state, uint32_t place, const struct mem_request *request)
{
	struct llc_random *r = state;

	(void)place, (void)request;
	r->drawn = random_next(&r->numbers);
}

const struct llc_replacement_ops llc_replace_random = {
    .name = "random",
    .section = "llc_random",
    .summary = "a random line leaves",
    .source = "textbooks",
    .knobs = random_knobs,
    .knobs_size = sizeof(struct random_knobs),
    .create = random_create,
    .destroy = xfree,
    .hit = random_hit,
    .victim = random_victim,
    .fill = random_fill,
};
