/*
 * The check of byte ranges (ROMARK_VERIFY): what the analysis claims of an instruction's addresses at this launch is
 * held against each address that the instruction has. It shares no code with what makes the claims.
 */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/observe.h"

#include <inttypes.h>

const struct range_check *range_check_begin(struct launch *l, const struct launch_ranges *ranges)
{
	const struct program *p = l->program;
	struct range_check *check = arena_alloc(&l->arena, sizeof *check);

	check->ranges = arena_array(&l->arena, struct byte_range, p->ninsts + 1);
	for (uint32_t c = 0; c < p->ncodes; c++)
		for (uint32_t i = 0; i < p->codes[c].ninsts; i++) {
			const struct inst *in = &p->codes[c].insts[i];

			if (p->codes[c].function == p->kernel && in->flags & INST_REGIONS)
				check->ranges[in->trace] =
				    ptx_ranges_of(ranges, (uint32_t)(in->ptx - p->kernel->insts));
		}
	return check;
}

static bool is_inside(const struct byte_range *r, uint64_t address, uint64_t bytes)
{
	return r->kind == RANGE_KNOWN && r->first <= address && address <= r->last && bytes - 1 <= r->last - address;
}

int check_ranges(struct warp *w, const struct inst *in, uint32_t mask)
{
	const struct byte_range *claim = &w->launch->observer->ranges->ranges[in->trace];
	uint64_t address[LANES], bytes = (uint64_t)in->bytes * in->vec;

	if (claim->kind == RANGE_UNKNOWN)
		return STOP_NOT;
	for (uint32_t rest = accessed(w, in, mask, address); rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (!is_inside(claim, address[lane], bytes))
			return fault_contradiction(w, in, lane, address[lane], (struct fault_place){NULL, NULL},
						   "a fault of romark: the access of line %u is not in the bytes "
						   "0x%" PRIx64 " to 0x%" PRIx64 " that it was found to be in:",
						   in->ptx->line, claim->first, claim->last);
	}
	return STOP_NOT;
}
