/*
 * The check of synchronisation (ROMARK_CHECK=sync): barriers of the CTA that only a part of a warp or of the CTA
 * reaches, and masks of warp-level operations that leave out the thread itself.
 *
 * Barriers are looked at when they let their threads go. Then it does not matter in which order the engine ran the
 * parts of a warp, but only whether they came to the same instruction.
 */
#include "runtime/cpu/engine/checks.h"
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/observe/observe.h"

/* --- Reports --- */

static void report_at(struct warp *w, struct fault_place place, uint32_t lanes, const char *what, const char *more)
{
	struct launch *l = w->launch;

	if (!place.inst || !place.inst->ptx || !pair_is_new(l->program, place.inst->trace + 1, PAIR_SYNC))
		return;
	fault_at(w, place.inst, lanes, DEVICE_HANG, "Barrier error detected. %s", what);
	l->fault.code = place.code;
	l->fault.others = (uint32_t)__builtin_popcount(lanes) - 1;
	report(l, &l->fault, "%s", more);
	l->fault = (struct fault){0};
}

/* --- Barriers of the CTA --- */

static uint32_t first_lanes(const struct warp *w)
{
	uint32_t left = w->launch->threads - w->index * LANES;

	return left >= LANES ? ALL_LANES : (1u << left) - 1;
}

/* A part of a warp at a barrier. */
struct waiting {
	struct warp *warp;
	struct fault_place place;
	uint32_t lanes;
};

/* The first part of the warp that waits at the barrier; `lanes` 0: none. *apart: another waits at another instruction.
 */
static struct waiting find_waiting(struct warp *w, uint32_t id, bool *apart)
{
	struct waiting found = {w, {NULL, NULL}, 0};

	*apart = false;
	for (size_t i = 0; i < w->splits.len; i++) {
		const struct split *s = &w->splits.data[i];

		if (s->state != SPLIT_AT_BARRIER || s->barrier != id)
			continue;
		*apart |= found.lanes && s->inst != found.place.inst;
		if (!found.lanes)
			found.place = (struct fault_place){s->inst, s->frame->code};
		if (s->inst == found.place.inst)
			found.lanes |= s->mask;
	}
	return found;
}

/* Some lanes of the warp went to another barrier, or have ended without one. */
static void check_warp(const struct waiting *at, bool apart)
{
	uint32_t ended = first_lanes(at->warp) & ~at->warp->live;
	char more[96];

	if (apart) {
		report_at(at->warp, at->place, at->lanes, "Divergent thread(s) in warp.",
			  "other threads of the warp wait at another barrier instruction");
	} else if (ended) {
		snprintf(more, sizeof more, "%u thread%s of the warp ended without reaching it",
			 (unsigned)__builtin_popcount(ended), ended & (ended - 1) ? "s" : "");
		report_at(at->warp, at->place, at->lanes, "Divergent thread(s) in warp.", more);
	}
}

void observe_release(struct cta *cta, uint32_t id)
{
	struct observer *o = cta->launch->observer;
	struct waiting first = {NULL, {NULL, NULL}, 0};
	unsigned ended = 0;
	char more[96];

	if (!o->sync || cta->barriers[id].expected)
		return;
	for (uint32_t i = 0; i < cta->nwarps; i++) {
		bool apart;
		struct waiting at = find_waiting(&cta->warps[i], id, &apart);

		if (at.lanes)
			check_warp(&at, apart);
		if (at.lanes && !first.lanes)
			first = at;
		ended += cta->warps[i].live == 0;
	}
	if (!ended || !first.lanes)
		return;
	snprintf(more, sizeof more, "%u warp%s of the block ended without reaching it", ended, ended == 1 ? "" : "s");
	report_at(first.warp, first.place, first.lanes, "Divergent thread(s) in block.", more);
}

/* --- Masks --- */

/* The operand of a warp-level operation that names its members; OPERAND_NONE: there is none. */
static uint32_t mask_operand(const struct inst *in)
{
	switch (in->ptx->opcode->op) {
	case PTX_OP_bar_warp_sync:
	case PTX_OP_elect: return in->a;
	case PTX_OP_shfl: return in->ptx->noperands > 4 ? (uint32_t)in->imm : OPERAND_NONE;
	case PTX_OP_vote:
	case PTX_OP_match:
	case PTX_OP_redux: return in->b;
	default: return OPERAND_NONE;
	}
}

bool inst_concerns_sync(const struct inst *in)
{
	return in->flags & INST_REAL && mask_operand(in) != OPERAND_NONE;
}

void check_sync(struct warp *w, const struct inst *in, uint32_t mask)
{
	const uint32_t *members = source(w, mask_operand(in));
	uint32_t on = carried_out(w, in, mask), out = 0, lane;
	char more[96];

	for (uint32_t rest = on; rest; rest &= rest - 1) {
		lane = (uint32_t)__builtin_ctz(rest);
		out |= members[lane] >> lane & 1 ? 0 : 1u << lane;
	}
	if (!out)
		return;
	lane = (uint32_t)__builtin_ctz(out);
	snprintf(more, sizeof more, "its mask 0x%08x leaves out lane %u, the thread itself", members[lane], lane);
	report_at(w, (struct fault_place){in, w->frame->code}, out, "Invalid arguments.", more);
}
