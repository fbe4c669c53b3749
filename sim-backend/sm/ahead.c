/* Decodes a warp's next instructions in a batch: their kind for the SM, and the lines or banks that they touch. */
#include "sim-backend/sm/sm.h"

#include "common/integer.h"

/* Called for each decoded instruction, and from elsewhere. */
#define IN_DECODE static inline __attribute__((always_inline))

static bool is_kept(const struct sm *sm, const struct trace_op *op)
{
	const struct l1_config *config = sm->context->l1_config;

	if (op->space == TRACE_LOCAL)
		return true;
	if (op->inst->flags & (TRACE_VOLATILE | TRACE_NO_L1))
		return false;
	return config->caches == L1_ALL_LOADS ||
	       (config->caches == L1_READ_ONLY_LOADS && sm->context->insts[op->inst_index].mem_flags & MEM_READ_ONLY);
}

IN_DECODE enum sm_op kind_of_access(const struct sm *sm, const struct trace_op *op)
{
	if (op->space == TRACE_SHARED)
		return OP_SHARED;
	if (op->inst->cls == TRACE_STORE)
		return OP_STORE;
	if (op->inst->cls == TRACE_ATOMIC)
		return op->inst->flags & TRACE_NO_RETURN ? OP_REDUCTION : OP_ATOMIC;
	return is_kept(sm, op) ? OP_LOAD : OP_BYPASS;
}

IN_DECODE enum sm_op kind_of(const struct sm *sm, const struct trace_op *op)
{
	enum sm_op kind = (enum sm_op)sm->context->insts[op->inst_index].kind;

	if (kind != OP_ALU || !op->access_mask)
		return kind;
	switch (op->space) {
	case TRACE_GLOBAL:
	case TRACE_LOCAL:
	case TRACE_SHARED: return kind_of_access(sm, op);
	case TRACE_CONST:
	case TRACE_PARAM: return OP_CONST;
	default: return OP_ALU;
	}
}

_Static_assert((int)LOCAL_SLOTS == SM_MAX_WARPS, "each warp slot has a window");

enum { WIDEST_ACCESS = 16 };

/*
 * Whether `op` has the bank conflicts of `known`. Adding the same multiple of WIDEST_ACCESS to all addresses renames
 * the banks and changes no conflict.
 */
static bool same_banks(const struct bank_conflicts *known, const struct trace_op *op)
{
	const struct trace_lanes *a = &known->lanes, *b = &op->lanes;

	return known->mask == op->access_mask && a->stride == b->stride && a->row_stride == b->row_stride &&
	       a->rows_log2 == b->rows_log2 && (a->base ^ b->base) % WIDEST_ACCESS == 0;
}

static enum shared_access shared_access_of(const struct trace_inst *inst)
{
	return inst->cls == TRACE_LOAD ? SHARED_LOAD : inst->cls == TRACE_ATOMIC ? SHARED_ATOMIC : SHARED_STORE;
}

static unsigned conflict_cycles(struct sm *sm, struct trace_op *op)
{
	struct bank_conflicts *known = &sm->context->conflicts[op->inst_index];
	unsigned cycles;

	if (!op->lanes.offsets && same_banks(known, op))
		return known->cycles;
	trace_op_addresses(op);
	cycles = shared_conflict_cycles(op->access_mask, op->address, op->inst->access_bytes,
					sm->context->config->shared_banks, shared_access_of(op->inst));
	if (!op->lanes.offsets)
		*known = (struct bank_conflicts){op->lanes, op->access_mask, cycles};
	return cycles;
}

static unsigned coalesce_global(struct sm *sm, struct trace_op *op, bool uncached, struct line_access *out)
{
	enum coalesce_rule rule = (enum coalesce_rule)sm->context->config->coalescing;
	unsigned count = 0, bytes = op->inst->access_bytes;

	if (rule == COALESCE_SECTORS && op->access_mask == UINT32_MAX && !op->lanes.offsets)
		count = coalesce_rows(&op->lanes, bytes, out);
	if (count)
		return count;
	trace_op_addresses(op);
	return coalesce(rule, uncached, op->access_mask, op->address, bytes, out);
}

static unsigned coalesce_op(struct sm *sm, unsigned warp, struct trace_op *op, enum sm_op kind, struct line_access *out)
{
	struct local_window window;

	if (op->space != TRACE_LOCAL)
		return coalesce_global(sm, op, kind != OP_LOAD, out);
	trace_op_addresses(op);
	window = local_window_of(&sm->ctas[sm->warps[warp].cta].local, sm->id, warp);
	return coalesce_local(op->access_mask, op->address, op->inst->access_bytes, &window, out);
}

/* The words of an access to constants, and its lines if they have a cache. */
static uint16_t count_constants(struct sm *sm, unsigned warp, struct trace_op *op, packed_access *lines)
{
	unsigned words, count = 0;

	trace_op_addresses(op);
	words = distinct_words(op->access_mask, op->address);
	for (unsigned lane = 0; sm->constants && lane < TRACE_WARP_LANES; lane++) {
		uint64_t line = const_line(sm, op->address[lane], op->space == TRACE_PARAM,
					   sm->ctas[sm->warps[warp].cta].first_inst);
		unsigned i = 0;

		while (i < count && lines[i] != line)
			i++;
		if (op->access_mask >> lane & 1 && i == count)
			lines[count++] = line;
	}
	return (uint16_t)(words | count << CONST_LINES_SHIFT);
}

/* Lanes of the access that name the address of `lane`. */
static unsigned alike(const struct trace_op *op, unsigned lane)
{
	unsigned count = 0;

	for (unsigned other = 0; other < TRACE_WARP_LANES; other++)
		count += op->access_mask >> other & 1 && op->address[other] == op->address[lane];
	return count;
}

/* Tells each line of an atomic how many lanes name its most wanted address. */
static void note_alike(struct trace_op *op, packed_access *lines, unsigned count)
{
	trace_op_addresses(op);
	for (unsigned i = 0; i < count; i++) {
		unsigned most = 1;

		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
			if (op->access_mask >> lane & 1 && op->address[lane] >> LINE_SHIFT == lines[i] >> LINE_SHIFT)
				most = alike(op, lane) > most ? alike(op, lane) : most;
		lines[i] |= (packed_access)log2_ceil(most) << ACCESS_ALIKE_SHIFT;
	}
}

/*
 * Returns the instruction's number of accesses, which it puts into `accesses`, or of cycles (OP_SHARED) or words
 * (OP_CONST).
 */
IN_DECODE uint16_t count_of(struct sm *sm, unsigned warp, struct trace_op *op, enum sm_op kind, packed_access *accesses)
{
	struct line_access lines[COALESCE_MAX];
	unsigned count;

	if (kind < OP_SHARED && kind != OP_CONST)
		return 0;
	if (kind == OP_SHARED)
		return (uint16_t)conflict_cycles(sm, op);
	if (kind == OP_CONST)
		return count_constants(sm, warp, op, accesses);
	count = coalesce_op(sm, warp, op, kind, lines);
	for (unsigned i = 0; i < count; i++)
		accesses[i] = lines[i].line | lines[i].sectors;
	if (sm->context->counts_alike && op->inst->cls == TRACE_ATOMIC)
		note_alike(op, accesses, count);
	return (uint16_t)count;
}

static uint8_t lanes_in(uint32_t mask)
{
	return mask == UINT32_MAX ? TRACE_WARP_LANES : (uint8_t)__builtin_popcount(mask);
}

IN_DECODE struct warp_op op_of(struct sm *sm, unsigned warp, struct trace_op *op, packed_access *accesses,
			       unsigned *naccesses)
{
	enum sm_op kind = kind_of(sm, op);
	struct warp_op decoded = {.inst = op->inst_index,
				  .lanes = lanes_in(op->mask),
				  .kind = (uint8_t)kind,
				  .count = count_of(sm, warp, op, kind, accesses + *naccesses)};

	*naccesses += accesses_of(&decoded);
	return decoded;
}

/* Apart from warp_decode, which has a copy of its own. */
__attribute__((noinline)) struct warp_op decode_op(struct sm *sm, unsigned warp, struct trace_op *op,
						   packed_access *accesses, unsigned *naccesses)
{
	return op_of(sm, warp, op, accesses, naccesses);
}

/* The decoded instructions will be executed. */
static void count_for_launch(struct sm *sm, unsigned warp, const struct warp_op *ops, unsigned count)
{
	struct resident_cta *cta = &sm->ctas[sm->warps[warp].cta];

	for (unsigned i = 0; i < count; i++) {
		if (launch_inst_is_part(&sm->context->insts[ops[i].inst]))
			continue;
		cta->warp_instructions++;
		cta->thread_instructions += ops[i].lanes;
	}
}

/*
 * Decodes instructions that access no memory: the launch's table has their kind for the SM. `base`: its first row.
 */
static unsigned decode_plain(struct sm *sm, unsigned warp, uint32_t base, unsigned most, struct warp_op *ops)
{
	uint32_t first, mask, count = trace_warp_pass(&sm->cursors[warp], most, &first, &mask);
	const struct launch_inst *insts = sm->context->insts + (first += base);
	uint8_t lanes = lanes_in(mask);

	for (uint32_t i = 0; i < count; i++)
		ops[i] = (struct warp_op){.inst = first + i, .lanes = lanes, .kind = insts[i].kind};
	return count;
}

void warp_prefetch_decode(const struct sm *sm, unsigned warp, unsigned left)
{
	const struct sm_warp *w = &sm->warps[warp];

	if (left > 1) {
		trace_warp_prefetch(&sm->cursors[warp], left - 2);
		return;
	}
	for (unsigned i = 0; i < AHEAD_OPS; i += 64 / sizeof *w->ops)
		__builtin_prefetch(&w->ops[i], 1);
	__builtin_prefetch(sm_accesses(sm, warp), 1);
	__builtin_prefetch(sm_accesses(sm, warp) + 8, 1);
}

IN_DECODE unsigned decode_rows(struct sm *sm, unsigned warp)
{
	struct sm_warp *w = &sm->warps[warp];
	packed_access *accesses = sm_accesses(sm, warp);
	uint32_t base = sm->ctas[w->cta].first_inst;
	unsigned nops = 0, naccesses = 0;
	struct trace_op op;

	while (nops < AHEAD_OPS && naccesses <= AHEAD_ACCESSES) {
		unsigned plain = decode_plain(sm, warp, base, AHEAD_OPS - nops, w->ops + nops);

		nops += plain;
		if (plain)
			continue;
		if (!trace_warp_step(&sm->cursors[warp], &op))
			break;
		op.inst_index += base;
		w->ops[nops++] = op_of(sm, warp, &op, accesses, &naccesses);
	}
	w->decoded += nops;
	return nops;
}

bool warp_decode(struct sm *sm, unsigned warp)
{
	struct sm_warp *w = &sm->warps[warp];
	unsigned nops = sm->ctas[w->cta].code ? decode_code(sm, warp) : decode_rows(sm, warp);

	if (sm->context->launches)
		count_for_launch(sm, warp, w->ops, nops);
	sm->at[warp] = 0;
	w->access = 0;
	w->nops = (uint16_t)nops;
	return nops > 0;
}

static uint64_t pass_over(struct trace_warp_cursor *cursor, uint32_t most)
{
	uint32_t first, mask, passed = 0;
	struct trace_op op;

	while (passed < most) {
		uint32_t count = trace_warp_pass(cursor, most - passed, &first, &mask);

		if (count == 0 && !trace_warp_step(cursor, &op))
			break;
		passed += count ? count : !(op.inst->flags & TRACE_PART);
	}
	return passed;
}

/* Machine code is that of whole blocks. */
static uint64_t pass_block(struct trace_warp_cursor *cursor)
{
	uint64_t passed = 0;
	struct trace_op op;

	while (trace_warp_in_block(cursor) && trace_warp_row(cursor, &op))
		passed += !(op.inst->flags & TRACE_PART);
	return passed;
}

uint64_t sm_pass(struct sm *sm, double ratio)
{
	uint64_t passed = 0;

	for (unsigned i = 0; i < sm->nctas; i++) {
		uint64_t warps = sm->age_masks[i] & sm->running, decoded = 0;
		unsigned count = (unsigned)__builtin_popcountll(warps);

		for (uint64_t left = warps; left; left &= left - 1)
			decoded += sm->warps[__builtin_ctzll(left)].decoded;
		for (uint64_t left = warps; left; left &= left - 1) {
			unsigned warp = (unsigned)__builtin_ctzll(left);

			passed += pass_over(&sm->cursors[warp], (uint32_t)(ratio * (double)decoded / count));
			if (sm->ctas[sm->warps[warp].cta].code)
				passed += pass_block(&sm->cursors[warp]);
			sm->warps[warp].decoded = 0;
		}
	}
	return passed;
}
