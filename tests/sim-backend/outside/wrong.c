/* An LLC policy with one fault, which WRONG names; and an L1 and a replacement policy that answer nonsense. */
#include <romark/policy_l1.h>
#include <romark/policy_llc.h>
#include <romark/policy_replacement.h>

enum fault { NONE, VERSION, SIZE, LATER, NAME, TAKEN, KNOB, RANGE, STATS, ROUTE, WORK, FUNCTION, OLD };

#ifndef TAKEN_NAME
#define TAKEN_NAME "selrep"
#endif

struct fault_knobs {
	uint32_t depth;
};

static const struct romark_knob knobs[] = {
    {"depth", ROMARK_UINT, WRONG == KNOB ? 64 : 0, "", 1, 8, WRONG == RANGE ? 9 : 2, NULL, "a number"},
    ROMARK_KNOB_END,
};
static const struct romark_stat stats[] = {{"count", ROMARK_COUNT, 0, "", "a number"}, ROMARK_STAT_END};

static void *create(const struct romark_llc_geometry *geometry, const void *values)
{
	(void)geometry, (void)values;
	return 0;
}

static struct romark_llc_route route(const void *state, const struct romark_llc_request *request)
{
	struct romark_llc_route r = romark_llc_home(request);

	(void)state;
	if (WRONG == ROUTE)
		r.slice = 200;
	if (WRONG == OLD && request->kind == ROMARK_WRITE) /* reads find the line as it was before */
		r.slice ^= 1;
	return r;
}

static void kernel_end(void *state, uint64_t cycle, struct romark_llc_orders *orders)
{
	(void)state, (void)cycle;
	orders->work = WRONG == WORK ? 77 : ROMARK_LLC_NO_WORK;
}

/* As from the headers of a later romark, with one more function. */
struct later {
	struct romark_llc_policy policy;
	void (*more)(void);
};

static void more(void)
{
}

ROMARK_POLICY_EXPORT extern const struct later romark_llc_policy_later;
ROMARK_POLICY_EXPORT const struct later romark_llc_policy_later __asm__("romark_llc_policy") = {
    .policy =
	{
	    .version = WRONG == VERSION ? 7 : ROMARK_POLICY_VERSION,
	    .size = WRONG == SIZE    ? 8
		    : WRONG == LATER ? sizeof(struct later)
				     : sizeof(struct romark_llc_policy),
	    .name = WRONG == NAME    ? "My Policy"
		    : WRONG == TAKEN ? TAKEN_NAME
				     : "wrong",
	    .summary = "has a fault",
	    .knobs = knobs,
	    .knobs_size = sizeof(struct fault_knobs),
	    .stats = WRONG == STATS ? stats : 0,
	    .create = create,
	    .route = WRONG == FUNCTION ? 0 : route,
	    .kernel_end = kernel_end,
	},
    .more = more,
};

static void *l1_create(const struct romark_l1_geometry *geometry, const void *values)
{
	(void)geometry, (void)values;
	return 0;
}

static bool l1_fill(void *state, const struct romark_l1_incoming *incoming, uint32_t *way)
{
	(void)state, (void)incoming;
	*way = 5000;
	return true;
}

ROMARK_L1_POLICY = {ROMARK_L1_HEAD, .name = "wrong_l1", .summary = "has a fault", .create = l1_create, .fill = l1_fill};

static void *replacement_create(const struct romark_replacement_geometry *geometry, const void *values)
{
	(void)geometry, (void)values;
	return 0;
}

static uint32_t victim(const void *state, uint32_t set, uint64_t ways, const struct romark_access *access)
{
	(void)state, (void)set, (void)ways, (void)access;
	return 63;
}

ROMARK_REPLACEMENT_POLICY = {ROMARK_REPLACEMENT_HEAD, .name = "wrong_replacement", .summary = "has a fault",
			     .create = replacement_create, .victim = victim};
