/* The three kinds as C++. */
#include <romark/policy_l1.h>
#include <romark/policy_llc.h>
#include <romark/policy_replacement.h>

static void *llc_create(const romark_llc_geometry *, const void *)
{
	return nullptr;
}

static romark_llc_route route(const void *, const romark_llc_request *request)
{
	return romark_llc_home(request);
}

ROMARK_LLC_POLICY = {ROMARK_LLC_HEAD, .name = "plus_llc", .summary = "as shared", .create = llc_create, .route = route};

static void *l1_create(const romark_l1_geometry *, const void *)
{
	return nullptr;
}

static bool l1_fill(void *, const romark_l1_incoming *, uint32_t *)
{
	return false;
}

ROMARK_L1_POLICY = {ROMARK_L1_HEAD, .name = "plus_l1", .summary = "keeps nothing", .create = l1_create,
		    .fill = l1_fill};

static void *replacement_create(const romark_replacement_geometry *, const void *)
{
	return nullptr;
}

static uint32_t victim(const void *, uint32_t, uint64_t ways, const romark_access *)
{
	return romark_lowest_way(ways);
}

ROMARK_REPLACEMENT_POLICY = {ROMARK_REPLACEMENT_HEAD, .name = "plus_replacement", .summary = "the lowest way leaves",
			     .create = replacement_create, .victim = victim};
