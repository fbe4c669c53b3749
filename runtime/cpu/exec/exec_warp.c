/*
 * Instructions that lanes do together: shuffle, vote, match, reduce, elect. The lanes of the current split take part; a
 * member that is elsewhere in a divergent warp contributes what its register holds.
 */
#include "runtime/cpu/exec/lanes.h"
#include "runtime/cpu/exec/update.h"

/* --- shfl: d|p, a, b = lane or offset, c = clamp and segment mask --- */

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };

ALWAYS_INLINE int shuffle_lanes(struct warp *w, const struct inst *in, uint32_t mask, enum shuffle mode)
{
	const uint32_t *rb = source(w, in->b), *rc = source(w, in->c);
	uint32_t a[LANES], result[LANES], in_range = 0, *rd = destination(w, in->d);

	memcpy(a, source(w, in->a), sizeof a);
	for (unsigned i = 0; i < LANES; i++) {
		uint32_t b = rb[i] & 31, c = rc[i] & 31, segment = rc[i] >> 8 & 31;
		int32_t last = (int32_t)((i & segment) | (c & ~segment)); /* of up: the first */
		int32_t from = mode == SHUFFLE_UP          ? (int32_t)i - (int32_t)b
			       : mode == SHUFFLE_DOWN      ? (int32_t)(i + b)
			       : mode == SHUFFLE_BUTTERFLY ? (int32_t)(i ^ b)
							   : (int32_t)((i & segment) | (b & ~segment));
		bool ok = mode == SHUFFLE_UP ? from >= last : from <= last;

		result[i] = a[ok ? from & 31 : (int32_t)i];
		in_range |= ok ? lane_bit[i] : 0;
	}
	LANE_LOOP rd[i] = mask & lane_bit[i] ? result[i] : rd[i];
	if (in->e != OPERAND_NONE)
		write_predicate(w, in->e, mask, in_range);
	return STOP_NOT;
}

/* clang-format off */
EXEC_FUNCTION(shfl_up) { return shuffle_lanes(w, in, mask, SHUFFLE_UP); }
EXEC_FUNCTION(shfl_down) { return shuffle_lanes(w, in, mask, SHUFFLE_DOWN); }
EXEC_FUNCTION(shfl_bfly) { return shuffle_lanes(w, in, mask, SHUFFLE_BUTTERFLY); }
EXEC_FUNCTION(shfl_idx) { return shuffle_lanes(w, in, mask, SHUFFLE_INDEX); }
/* clang-format on */

/* --- vote: `b` is the member mask, all lanes without .sync --- */

static inline uint32_t members_of(const struct warp *w, uint32_t operand, uint32_t mask)
{
	return operand == OPERAND_NONE ? mask : ((const uint32_t *)source(w, operand))[__builtin_ctz(mask)] & mask;
}

static inline uint32_t ballot(const struct warp *w, const struct inst *in, uint32_t members)
{
	uint32_t p = read_predicate(w, in->a);

	return (in->flags & INST_NEGATE ? ~p : p) & members;
}

EXEC_FUNCTION(vote_all)
{
	uint32_t members = members_of(w, in->b, mask);

	write_predicate(w, in->d, mask, ballot(w, in, members) == members ? ALL_LANES : 0);
	return STOP_NOT;
}

EXEC_FUNCTION(vote_any)
{
	write_predicate(w, in->d, mask, ballot(w, in, members_of(w, in->b, mask)) ? ALL_LANES : 0);
	return STOP_NOT;
}

EXEC_FUNCTION(vote_uni)
{
	uint32_t members = members_of(w, in->b, mask), yes = ballot(w, in, members);

	write_predicate(w, in->d, mask, yes == members || yes == 0 ? ALL_LANES : 0);
	return STOP_NOT;
}

static inline void write_all(struct warp *w, const struct inst *in, uint32_t mask, uint32_t value)
{
	uint32_t *rd = destination(w, in->d);

	LANE_LOOP rd[i] = mask & lane_bit[i] ? value : rd[i];
}

/* If lanes name different members, each lane gets the result of its own members. */
EXEC_FUNCTION(vote_ballot)
{
	uint32_t yes = ballot(w, in, mask), own[LANES], *rd = destination(w, in->d);

	if (in->b == OPERAND_NONE) {
		write_all(w, in, mask, yes);
		return STOP_NOT;
	}
	memcpy(own, source(w, in->b), sizeof own);
	LANE_LOOP rd[i] = mask & lane_bit[i] ? yes & own[i] : rd[i];
	return STOP_NOT;
}

EXEC_FUNCTION(activemask)
{
	write_all(w, in, mask, w->active);
	return STOP_NOT;
}

/* --- match: in->e is the predicate of .all --- */

ALWAYS_INLINE int match_any(struct warp *w, const struct inst *in, uint32_t mask, unsigned bytes)
{
	const void *ra = source(w, in->a);
	uint32_t members = members_of(w, in->b, mask), result[LANES] = {0}, *rd;

	FOR_EACH_LANE(i, members)
		for (unsigned k = 0; k < LANES; k++)
			result[i] |= lane_value(ra, k, bytes) == lane_value(ra, i, bytes) ? lane_bit[k] & members : 0;
	rd = destination(w, in->d);
	LANE_LOOP rd[i] = mask & lane_bit[i] ? result[i] : rd[i];
	return STOP_NOT;
}

ALWAYS_INLINE int match_all(struct warp *w, const struct inst *in, uint32_t mask, unsigned bytes)
{
	const void *ra = source(w, in->a);
	uint32_t members = members_of(w, in->b, mask), same = 0;
	uint64_t first = lane_value(ra, (unsigned)__builtin_ctz(members ? members : 1), bytes);

	FOR_EACH_LANE(i, members)
		same |= lane_value(ra, i, bytes) == first ? lane_bit[i] : 0;
	if (in->d != OPERAND_NONE)
		write_all(w, in, mask, same == members ? members : 0);
	if (in->e != OPERAND_NONE)
		write_predicate(w, in->e, mask, same == members ? ALL_LANES : 0);
	return STOP_NOT;
}

/* clang-format off */
EXEC_FUNCTION(match_any_32) { return match_any(w, in, mask, 4); }
EXEC_FUNCTION(match_any_64) { return match_any(w, in, mask, 8); }
EXEC_FUNCTION(match_all_32) { return match_all(w, in, mask, 4); }
EXEC_FUNCTION(match_all_64) { return match_all(w, in, mask, 8); }
/* clang-format on */

/* --- redux --- */

/* r = update(r, a) over the members' values. */
ALWAYS_INLINE int reduce_lanes(struct warp *w, const struct inst *in, uint32_t mask, update_fn update)
{
	const uint32_t *ra = source(w, in->a);
	uint32_t members = members_of(w, in->b, mask), r = ra[__builtin_ctz(members ? members : 1)];

	FOR_EACH_LANE(i, members & (members - 1))
		r = (uint32_t)update(r, ra[i], 0);
	write_all(w, in, mask, r);
	return STOP_NOT;
}

/* clang-format off */
#define REDUX(name, update)                                                                                            \
	EXEC_FUNCTION(redux_##name) { return reduce_lanes(w, in, mask, update); }
/* clang-format on */
REDUX(add_u32, update_add)
REDUX(and_u32, update_and)
REDUX(or_u32, update_or)
REDUX(xor_u32, update_xor)
REDUX(min_u32, update_min_u32)
REDUX(max_u32, update_max_u32)
REDUX(min_s32, update_min_s32)
REDUX(max_s32, update_max_s32)

/* in->variant: 1 = maximum, 2 = of magnitudes, 4 = not-a-number wins */
EXEC_FUNCTION(redux_f32)
{
	const float *ra = source(w, in->a);
	uint32_t members = members_of(w, in->b, mask);
	float r = bits_float(NAN_F32);
	bool poisoned = false;

	FOR_EACH_LANE(i, members) {
		float a = in->variant & 2 ? fabsf(ra[i]) : ra[i];
		bool wins = in->variant & 1 ? a > r || (a == r && !signbit(a)) : a < r || (a == r && signbit(a));

		poisoned |= a != a;
		r = r != r || wins ? a : r;
	}
	write_all(w, in, mask, poisoned && in->variant & 4 ? NAN_F32 : float_bits(canonical(r)));
	return STOP_NOT;
}

/* elect.sync d|p, members: the first member is the leader. */
EXEC_FUNCTION(elect)
{
	uint32_t members = members_of(w, in->a, mask), leader = (uint32_t)__builtin_ctz(members ? members : mask);

	if (in->d != OPERAND_NONE)
		write_all(w, in, mask, leader);
	if (in->e != OPERAND_NONE)
		write_predicate(w, in->e, mask, lane_bit[leader]);
	return STOP_NOT;
}

#define ROW(op, t, which, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_##which, 0, fn, 0}
#define ROWS_REDUX_F32(which, base)                                                                                    \
	{PTX_OP_redux, {PTX_f32}, PTX_MOD_##which, 0, redux_f32, base},                                                \
	    {PTX_OP_redux, {PTX_f32}, PTX_MOD_##which, M_BIT(ABS), redux_f32, (base) | 2},                             \
	    {PTX_OP_redux, {PTX_f32}, PTX_MOD_##which, M_BIT(NAN_), redux_f32, (base) | 4},                            \
	    {PTX_OP_redux, {PTX_f32}, PTX_MOD_##which, M_BIT(ABS) | M_BIT(NAN_), redux_f32, (base) | 6}

extern const struct exec_row EXEC_TABLE(exec_warp)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_warp)[] = {
	ROW(shfl, b32, up, shfl_up), ROW(shfl, b32, down, shfl_down), ROW(shfl, b32, bfly, shfl_bfly),
	ROW(shfl, b32, idx, shfl_idx),
	ROW(vote, pred, all, vote_all), ROW(vote, pred, any, vote_any), ROW(vote, pred, uni, vote_uni),
	ROW(vote, b32, ballot, vote_ballot), ROW(activemask, b32, NONE, activemask),
	ROW(match, b32, any, match_any_32), ROW(match, b64, any, match_any_64),
	ROW(match, b32, all, match_all_32), ROW(match, b64, all, match_all_64),
	ROW(redux, u32, add, redux_add_u32), ROW(redux, s32, add, redux_add_u32),
	ROW(redux, b32, and, redux_and_u32), ROW(redux, b32, or, redux_or_u32), ROW(redux, b32, xor, redux_xor_u32),
	ROW(redux, u32, min, redux_min_u32), ROW(redux, u32, max, redux_max_u32),
	ROW(redux, s32, min, redux_min_s32), ROW(redux, s32, max, redux_max_s32),
	ROWS_REDUX_F32(min, 0), ROWS_REDUX_F32(max, 1), ROW(elect, untyped, NONE, elect),
	{0}};
/* clang-format on */
