/*
 * The check of regions (ROMARK_VERIFY). A program that registers a region promises to use a pointer into it only for
 * its bytes. The analysis knows which structures an access may belong to, and the launch knows where they lie. An
 * access outside all of them breaks the promise, if one of them is a region, or if the access is in an allocation that
 * has regions.
 */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/observe.h"
#include "runtime/device/regions.h"

bool inst_concerns_regions(const struct inst *in)
{
	enum ptx_space space = (enum ptx_space)in->space;

	return inst_has_access(in) && (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_GENERIC) &&
	       !op_is(in->ptx, OP_COPIES | OP_MOVES_FRAGMENT | OP_FETCHES);
}

/* True if the places of all structures of the access are known. *in_region: true if one of them is a region. */
static bool are_known(const struct region_check *check, const struct access *a, const struct regions *regions,
		      bool *in_region)
{
	*in_region = false;
	for (uint32_t i = 0; i < a->nstructures; i++) {
		const struct region_span *s = &check->structures[a->structures[i]];
		const struct region *r = s->size ? regions_find(regions, s->base) : NULL;

		if (!s->size)
			return false;
		*in_region = *in_region || (r && r->address == s->base && r->size == s->size);
	}
	return a->nstructures;
}

static bool is_inside(const struct region_check *check, const struct access *a, uint64_t address, uint64_t bytes)
{
	for (uint32_t i = 0; i < a->nstructures; i++) {
		const struct region_span *s = &check->structures[a->structures[i]];

		if (address - s->base < s->size && bytes <= s->size - (address - s->base))
			return true;
	}
	return false;
}

/* The region or allocation that the first of the structures is. */
static const char *name_of(const struct warp *w, const struct region_check *check, const struct access *a)
{
	uint64_t base = check->structures[a->structures[0]].base;
	const struct region *r = regions_find(w->launch->shape->regions, base);
	const struct allocation *whole = memory_find(w->launch->memory, base);

	return r ? r->name : whole ? whole->name : "its memory";
}

int check_regions(struct warp *w, const struct inst *in, uint32_t mask)
{
	const struct region_check *check = w->launch->observer->regions;
	const struct regions *regions = w->launch->shape->regions;
	const struct access *a = check->accesses[in->trace];
	uint64_t address[LANES], bytes = (uint64_t)in->bytes * in->vec;
	bool in_region;

	if (!a || !are_known(check, a, regions, &in_region))
		return STOP_NOT;
	for (uint32_t rest = accessed(w, in, mask, address); rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (!memory_contains(w->launch->memory, address[lane], bytes) ||
		    is_inside(check, a, address[lane], bytes) ||
		    (!in_region && !regions_holder(regions, address[lane])))
			continue;
		return fault_contradiction(w, in, lane, address[lane], (struct fault_place){NULL, NULL},
					   "the access of line %u leaves %s, which its pointer leads into:",
					   in->ptx->line, name_of(w, check, a));
	}
	return STOP_NOT;
}
