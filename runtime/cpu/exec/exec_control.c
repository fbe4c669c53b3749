/* Control: branches, calls, returns, exits, barriers. Each of these ends a block; see struct control. */
#include "runtime/cpu/exec/lanes.h"

/* Lanes for which a control instruction is carried out. */
static inline uint32_t predicated(const struct warp *w, const struct inst *in, uint32_t mask)
{
	uint32_t p;

	if (!(in->flags & INST_PREDICATED))
		return mask;
	p = read_predicate(w, in->e);
	return mask & (in->flags & INST_PREDICATE_NOT ? ~p : p);
}

static inline int go(struct warp *w, const struct block *next)
{
	w->next = next;
	return STOP_JUMP;
}

EXEC_FUNCTION(fall_through)
{
	(void)mask;
	return go(w, in->control->rest);
}

EXEC_FUNCTION(bra)
{
	(void)mask;
	return go(w, in->control->taken);
}

EXEC_FUNCTION(bra_predicated)
{
	uint32_t taken = predicated(w, in, mask);
	const struct control *c = in->control;

	if (taken == mask || c->taken == c->rest)
		return go(w, c->taken);
	if (taken == 0)
		return go(w, c->rest);
	const struct split_part parts[] = {{c->taken, taken}, {c->rest, mask & ~taken}};
	return split_parts(w, parts, 2, c->join);
}

/*
 * Branches backward, in programs that may wait for what others write: a loop that waits comes here again and again.
 * in->variant: the number of the branch.
 */
static inline int gone_back(struct warp *w, const struct inst *in)
{
	return ++w->visits < w->launch->patience[in->variant] ? STOP_JUMP : spin_visit(w, in);
}

EXEC_FUNCTION(bra_back)
{
	(void)mask;
	w->next = in->control->taken;
	return gone_back(w, in);
}

EXEC_FUNCTION(bra_back_predicated)
{
	int stop = bra_predicated(w, in, mask);

	return w->next == in->control->taken ? gone_back(w, in) : stop;
}

EXEC_FUNCTION(brx)
{
	const uint32_t *index = source(w, in->a);
	const struct control *c = in->control;
	uint32_t on = predicated(w, in, mask), rest = on;
	struct split_part parts[LANES + 1];
	unsigned nparts = 0;

	if (on != mask)
		parts[nparts++] = (struct split_part){c->rest, mask & ~on};
	while (rest) {
		uint32_t target = index[__builtin_ctz(rest)], same = 0;

		FOR_EACH_LANE(i, rest)
			same |= index[i] == target ? lane_bit[i] : 0;
		if (target >= c->table_count)
			return fault_at(w, in, same, DEVICE_TRAP, "branch index %u is outside its table of %u targets",
					target, c->table_count);
		parts[nparts++] = (struct split_part){c->table[target], same};
		rest &= ~same;
	}
	return nparts == 1 ? go(w, parts[0].at) : split_parts(w, parts, nparts, c->join);
}

EXEC_FUNCTION(call)
{
	uint32_t on = predicated(w, in, mask);

	return on ? split_call(w, in, on, in->control->site->callee) : go(w, in->control->rest);
}

/* Lanes that call the same function go together; the others come back to this block for theirs. */
EXEC_FUNCTION(call_indirect)
{
	const uint64_t *address = source(w, in->a);
	uint32_t on = predicated(w, in, mask), same = 0;
	struct code *callee;

	if (!on)
		return go(w, in->control->rest);
	FOR_EACH_LANE(i, on)
		same |= address[i] == address[__builtin_ctz(on)] ? lane_bit[i] : 0;
	callee = program_function(w->launch->program, address[__builtin_ctz(on)]);
	if (!callee)
		return fault_address(w, in, (uint32_t)__builtin_ctz(on), DEVICE_ILLEGAL_ADDRESS,
				     address[__builtin_ctz(on)]);
	return split_call_some(w, in, on, same, callee);
}

EXEC_FUNCTION(ret)
{
	uint32_t on = predicated(w, in, mask);

	return on ? split_return(w, on, in->control->rest) : go(w, in->control->rest);
}

EXEC_FUNCTION(leave)
{
	uint32_t on = predicated(w, in, mask);

	return on ? split_exit(w, on, in->control->rest) : go(w, in->control->rest);
}

EXEC_FUNCTION(trap)
{
	uint32_t on = predicated(w, in, mask);

	return on ? fault_at(w, in, on, DEVICE_TRAP, "trap instruction executed") : go(w, in->control->rest);
}

/* Barrier operands are the same in all lanes; `b` is the number of threads, 0 = all. in->variant: the lanes wait. */
EXEC_FUNCTION(barrier)
{
	uint32_t on = predicated(w, in, mask), lane, id, threads;

	if (!on)
		return go(w, in->control->rest);
	lane = (uint32_t)__builtin_ctz(on);
	id = ((const uint32_t *)source(w, in->a))[lane];
	threads = ((const uint32_t *)source(w, in->b))[lane];
	if (id >= MAX_BARRIERS || threads > MAX_CTA_THREADS || threads % LANES)
		return fault_at(w, in, on, DEVICE_TRAP,
				"barrier %u for %u threads: ids go to %d, thread counts are multiples of %d up to %d",
				id, threads, MAX_BARRIERS - 1, LANES, MAX_CTA_THREADS);
	return barrier_arrive(w, in, on, id, threads, in->variant, in->control->rest);
}

EXEC_FUNCTION(warp_sync)
{
	uint32_t on = predicated(w, in, mask);
	const uint32_t *members = source(w, in->a);

	return on ? split_warp_sync(w, in, on, members[__builtin_ctz(on)], in->control->rest)
		  : go(w, in->control->rest);
}

/* A sleeping warp lets others run. A warp that sleeps in a loop most likely waits there. */
EXEC_FUNCTION(nanosleep)
{
	w->visits = SPIN_SOON;
	return predicated(w, in, mask) ? split_yield(w, in->control->rest) : go(w, in->control->rest);
}

#define ROW(op, t, mods, fn, variant) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, mods, fn, variant}
/* Predicated branches, branches backward, indirect calls and falling through have no spelling of their own. */
extern const struct exec_row EXEC_TABLE(exec_control)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_control)[] = {
	ROW(bra, untyped, 0, bra, 0), ROW(bra, pred, 0, bra_predicated, 0), ROW(bra, b8, 0, fall_through, 0),
	ROW(bra, b32, 0, bra_back, 0), ROW(bra, b64, 0, bra_back_predicated, 0),
	ROW(brx_idx, untyped, 0, brx, 0), ROW(call, untyped, 0, call, 0), ROW(call, b64, 0, call_indirect, 0),
	ROW(ret, untyped, 0, ret, 0), ROW(exit, untyped, 0, leave, 0), ROW(trap, untyped, 0, trap, 0),
	ROW(bar_sync, untyped, 0, barrier, 1), ROW(barrier_sync, untyped, 0, barrier, 1),
	ROW(bar_arrive, untyped, 0, barrier, 0), ROW(barrier_arrive, untyped, 0, barrier, 0),
	ROW(bar_red, pred, 0, barrier, 1), ROW(bar_red, u32, 0, barrier, 1),
	ROW(barrier_red, pred, 0, barrier, 1), ROW(barrier_red, u32, 0, barrier, 1),
	ROW(bar_warp_sync, untyped, 0, warp_sync, 0), ROW(nanosleep, u32, 0, nanosleep, 0),
	{0}};
/* clang-format on */
