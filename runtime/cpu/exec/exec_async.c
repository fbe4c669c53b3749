/*
 * Asynchronous copies and the barriers that wait for them. A copy is done when it is issued; hardware may do it at that
 * moment, too. So groups never wait, and a barrier's transactions are complete at once.
 *
 * An mbarrier is a 64-bit word in shared memory: arrivals pending, arrivals expected per phase, bytes outstanding,
 * and the parity of the current phase in the top bit.
 */
#include "runtime/cpu/exec/lanes.h"

/* --- mbarrier --- */

enum { COUNT_BITS = 20, TX_SHIFT = 2 * COUNT_BITS, TX_BITS = 23, PHASE_SHIFT = 63 };
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define TX_MASK ((UINT64_C(1) << TX_BITS) - 1)

struct mbarrier {
	uint64_t pending, expected, tx, phase;
};

static struct mbarrier unpack(uint64_t word)
{
	return (struct mbarrier){word & COUNT_MASK, word >> COUNT_BITS & COUNT_MASK, word >> TX_SHIFT & TX_MASK,
				 word >> PHASE_SHIFT};
}

/* Packs the barrier. If no arrival and no byte is pending, the phase ends. */
static uint64_t packed(struct mbarrier b)
{
	b.pending &= COUNT_MASK;
	b.tx &= TX_MASK;
	if (b.pending == 0 && b.tx == 0) {
		b.phase ^= 1;
		b.pending = b.expected;
	}
	return b.pending | b.expected << COUNT_BITS | b.tx << TX_SHIFT | b.phase << PHASE_SHIFT;
}

static uint64_t *barrier_word(struct warp *w, enum ptx_space space, unsigned lane, uint64_t address)
{
	uint8_t *p = address & 7 ? NULL : lane_pointer(w, space, lane, address, 8);

	return (uint64_t *)(void *)p;
}

typedef struct mbarrier (*change_fn)(struct mbarrier b, uint64_t count);

/* Replaces each lane's barrier by change(barrier, operand `b` or 1). `d`, if present, gets the old word. */
ALWAYS_INLINE int change_barriers(struct warp *w, const struct inst *in, uint32_t mask, change_fn change)
{
	uint64_t address[LANES];
	const uint32_t *rb = in->b == OPERAND_NONE ? NULL : source(w, in->b);
	uint64_t *rd = in->d == OPERAND_NONE ? NULL : destination(w, in->d);

	lane_addresses(w, in, address);
	FOR_EACH_LANE(i, mask) {
		uint64_t *word = barrier_word(w, (enum ptx_space)in->space, i, address[i]), state;

		if (!word)
			return fault_address(w, in, i, DEVICE_ILLEGAL_ADDRESS, address[i]);
		state = *word;
		*word = packed(change(unpack(state), rb ? rb[i] : 1));
		if (rd)
			rd[i] = state;
	}
	return STOP_NOT;
}

static inline struct mbarrier initial(struct mbarrier b, uint64_t count)
{
	(void)b;
	return (struct mbarrier){count, count, 0, 0};
}

static inline struct mbarrier expecting(struct mbarrier b, uint64_t bytes)
{
	b.tx += bytes;
	return b;
}

static inline struct mbarrier completed(struct mbarrier b, uint64_t bytes)
{
	b.tx -= bytes;
	return b;
}

static inline struct mbarrier arrived(struct mbarrier b, uint64_t count)
{
	b.pending -= count;
	return b;
}

static inline struct mbarrier arrived_expecting(struct mbarrier b, uint64_t bytes)
{
	return arrived(expecting(b, bytes), 1);
}

/* Takes arrivals out of this phase and all later phases. */
static inline struct mbarrier dropped(struct mbarrier b, uint64_t count)
{
	b.expected -= count;
	return arrived(b, count);
}

static void complete_bytes(uint64_t *word, uint64_t bytes)
{
	*word = packed(completed(unpack(*word), bytes));
}

/* clang-format off */
#define MBARRIER(name, change)                                                                                         \
	EXEC_FUNCTION(mbarrier_##name) { return change_barriers(w, in, mask, change); }
/* clang-format on */
MBARRIER(init, initial)
MBARRIER(expect_tx, expecting)
MBARRIER(complete_tx, completed)
MBARRIER(arrive, arrived)
MBARRIER(arrive_expect_tx, arrived_expecting)
MBARRIER(arrive_drop, dropped)

EXEC_FUNCTION(mbarrier_inval)
{
	(void)w, (void)in, (void)mask;
	return STOP_NOT;
}

EXEC_FUNCTION(mbarrier_pending_count)
{
	const uint64_t *ra = source(w, in->a);
	uint32_t *rd = destination(w, in->d);

	FOR_EACH_LANE(i, mask)
		rd[i] = (uint32_t)unpack(ra[i]).pending;
	return STOP_NOT;
}

/* test_wait, try_wait: in->variant 1 = by parity. Whoever finds the phase unfinished lets others run. */
EXEC_FUNCTION(mbarrier_wait)
{
	uint32_t done = 0, on = mask;
	uint64_t address[LANES];

	if (in->flags & INST_PREDICATED) {
		on = read_predicate(w, in->e);
		on = mask & (in->flags & INST_PREDICATE_NOT ? ~on : on);
	}
	lane_addresses(w, in, address);
	FOR_EACH_LANE(i, on) {
		const uint64_t *word = barrier_word(w, (enum ptx_space)in->space, i, address[i]);
		uint64_t parity = in->variant ? ((const uint32_t *)source(w, in->b))[i] & 1
					      : ((const uint64_t *)source(w, in->b))[i] >> PHASE_SHIFT;

		if (!word)
			return fault_address(w, in, i, DEVICE_ILLEGAL_ADDRESS, address[i]);
		done |= *word >> PHASE_SHIFT != parity ? lane_bit[i] : 0;
	}
	write_predicate(w, in->d, on, done);
	w->next = in->control->rest;
	return done == on ? STOP_JUMP : split_yield(w, in->control->rest);
}

/* --- Copies: `a` is the source; the list has the destination, as enum copy_list numbers it --- */

/* Copies `bytes` for a lane and fills up to `room` with zeros; false after a fault. */
static bool copy_bytes(struct warp *w, const struct inst *in, unsigned lane, uint64_t from, uint64_t bytes,
		       uint64_t room)
{
	uint64_t to = copy_destination(w, in, lane);
	uint8_t *target = lane_pointer(w, (enum ptx_space)in->list[COPY_TO_SPACE], lane, to, room);
	const uint8_t *origin = lane_pointer(w, (enum ptx_space)in->space, lane, from, bytes);
	uint64_t align = in->bytes ? in->bytes : 16;

	if (!target || to % align || (bytes && (!origin || from % align))) {
		fault_address(w, in, lane, DEVICE_ILLEGAL_ADDRESS, target && to % align == 0 ? from : to);
		return false;
	}
	memmove(target, bytes ? origin : target, bytes);
	memset(target + bytes, 0, room - bytes);
	return true;
}

/* cp.async: in->bytes are written, of which `b` bytes (all, when absent) are read; `c`: a predicate that reads none. */
EXEC_FUNCTION(cp_async)
{
	uint32_t ignore =
	    in->c == OPERAND_NONE ? 0 : read_predicate(w, in->c) ^ (in->flags & INST_NEGATE ? ALL_LANES : 0);
	uint64_t address[LANES];

	lane_addresses(w, in, address);
	FOR_EACH_LANE(i, mask) {
		uint64_t bytes = in->b == OPERAND_NONE ? in->bytes : ((const uint32_t *)source(w, in->b))[i];

		if (ignore & lane_bit[i])
			bytes = 0;
		if (!copy_bytes(w, in, i, address[i], bytes < in->bytes ? bytes : in->bytes, in->bytes))
			return STOP_FAULT;
	}
	return STOP_NOT;
}

/* cp.async.bulk: `b` bytes; `c` is the address of the mbarrier that counts them, in shared memory. */
EXEC_FUNCTION(cp_async_bulk)
{
	const uint32_t *size = source(w, in->b);
	uint64_t address[LANES];

	lane_addresses(w, in, address);
	FOR_EACH_LANE(i, mask) {
		uint64_t *word;

		if (!copy_bytes(w, in, i, address[i], size[i], size[i]))
			return STOP_FAULT;
		if (in->c == OPERAND_NONE)
			continue;
		word = barrier_word(w, PTX_SPACE_SHARED, i,
				    ((const uint64_t *)source(w, in->c))[i] + in->list[COPY_BARRIER_OFFSET]);
		if (!word)
			return fault_at(w, in, lane_bit[i], DEVICE_ILLEGAL_ADDRESS,
					"the mbarrier is not in shared memory");
		complete_bytes(word, size[i]);
	}
	return STOP_NOT;
}

EXEC_FUNCTION(nothing)
{
	(void)w, (void)in, (void)mask;
	return STOP_NOT;
}

#define ROW(op, mods, fn, variant) {PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, mods, fn, variant}

extern const struct exec_row EXEC_TABLE(exec_async)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_async)[] = {
	ROW(mbarrier_init, 0, mbarrier_init, 0), ROW(mbarrier_inval, 0, mbarrier_inval, 0),
	ROW(mbarrier_expect_tx, 0, mbarrier_expect_tx, 0), ROW(mbarrier_complete_tx, 0, mbarrier_complete_tx, 0),
	ROW(mbarrier_arrive, 0, mbarrier_arrive, 0), ROW(mbarrier_arrive, M_BIT(NOCOMPLETE), mbarrier_arrive, 0),
	ROW(mbarrier_arrive, M_BIT(EXPECT_TX), mbarrier_arrive_expect_tx, 0),
	ROW(mbarrier_arrive_drop, 0, mbarrier_arrive_drop, 0),
	ROW(mbarrier_arrive_drop, M_BIT(NOCOMPLETE), mbarrier_arrive_drop, 0),
	ROW(mbarrier_test_wait, 0, mbarrier_wait, 0), ROW(mbarrier_test_wait, M_BIT(PARITY), mbarrier_wait, 1),
	ROW(mbarrier_try_wait, 0, mbarrier_wait, 0), ROW(mbarrier_try_wait, M_BIT(PARITY), mbarrier_wait, 1),
	{PTX_OP_mbarrier_pending_count, {PTX_b64}, PTX_MOD_NONE, 0, mbarrier_pending_count, 0},
	/* Without .noinc the same instruction counts the arrival as pending and makes it, so nothing is left to do. */
	ROW(cp_async_mbarrier_arrive, 0, nothing, 0), ROW(cp_async_mbarrier_arrive, M_BIT(NOINC), mbarrier_arrive, 0),
	ROW(cp_async, 0, cp_async, 0), ROW(cp_async_bulk, 0, cp_async_bulk, 0),
	ROW(cp_async_commit_group, 0, nothing, 0), ROW(cp_async_wait_group, 0, nothing, 0),
	ROW(cp_async_wait_all, 0, nothing, 0), ROW(cp_async_bulk_commit_group, 0, nothing, 0),
	ROW(cp_async_bulk_wait_group, 0, nothing, 0),
	{0}};
/* clang-format on */
