/*
 * Instructions that lanes do together: shuffle, vote, match, reduce, elect. The lanes that take part are those of the
 * current split; a member that is elsewhere in a divergent warp contributes what its register holds.
 */
#include "runtime/cpu/exec/lanes.h"

/* --- shfl: d|p, a, b = lane or offset, c = clamp and segment mask --- */

#define DEFINE_SHUFFLE(mode, expr, valid)                                                                              \
	EXEC_FUNCTION(shfl_##mode)                                                                                     \
	{                                                                                                              \
		const uint32_t *rb = source(w, in->b), *rc = source(w, in->c);                                         \
		uint32_t a[LANES], result[LANES], in_range = 0, *rd = destination(w, in->d);                           \
                                                                                                                       \
		memcpy(a, source(w, in->a), sizeof a);                                                                 \
		for (unsigned i = 0; i < LANES; i++) {                                                                 \
			uint32_t b = rb[i] & 31, c = rc[i] & 31, segment = rc[i] >> 8 & 31;                            \
			uint32_t max_lane = (i & segment) | (c & ~segment), min_lane = i & segment;                    \
			int32_t from = (expr);                                                                         \
			bool ok = (valid);                                                                             \
                                                                                                                       \
			(void)max_lane, (void)min_lane;                                                                \
			result[i] = a[ok ? from & 31 : (int32_t)i];                                                    \
			in_range |= ok ? lane_bit[i] : 0;                                                              \
		}                                                                                                      \
		LANE_LOOP rd[i] = mask & lane_bit[i] ? result[i] : rd[i];                                              \
		if (in->e != OPERAND_NONE)                                                                             \
			write_predicate(w, in->e, mask, in_range);                                                     \
		return STOP_NOT;                                                                                       \
	}
DEFINE_SHUFFLE(up, (int32_t)i - (int32_t)b, from >= (int32_t)max_lane)
DEFINE_SHUFFLE(down, (int32_t)(i + b), from <= (int32_t)max_lane)
DEFINE_SHUFFLE(bfly, (int32_t)(i ^ b), from <= (int32_t)max_lane)
DEFINE_SHUFFLE(idx, (int32_t)(min_lane | (b & ~segment)), from <= (int32_t)max_lane)

/* --- vote: `b` is the member mask, all lanes without .sync --- */

static inline uint32_t members_of(const struct warp *w, const struct inst *in, uint32_t operand, uint32_t mask)
{
	(void)in;
	return operand == OPERAND_NONE ? mask : ((const uint32_t *)source(w, operand))[__builtin_ctz(mask)] & mask;
}

static inline uint32_t ballot(const struct warp *w, const struct inst *in, uint32_t members)
{
	uint32_t p = read_predicate(w, in->a);

	return (in->flags & INST_NEGATE ? ~p : p) & members;
}

#define DEFINE_VOTE(name, holds)                                                                                       \
	EXEC_FUNCTION(vote_##name)                                                                                     \
	{                                                                                                              \
		uint32_t members = members_of(w, in, in->b, mask), yes = ballot(w, in, members);                       \
                                                                                                                       \
		write_predicate(w, in->d, mask, (holds) ? ALL_LANES : 0);                                              \
		return STOP_NOT;                                                                                       \
	}
DEFINE_VOTE(all, yes == members)
DEFINE_VOTE(any, yes != 0)
DEFINE_VOTE(uni, yes == members || yes == 0)

static inline void write_all(struct warp *w, const struct inst *in, uint32_t mask, uint32_t value)
{
	uint32_t *rd = destination(w, in->d);

	LANE_LOOP rd[i] = mask & lane_bit[i] ? value : rd[i];
}

/* Where lanes name different members, each is told of its own. */
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

#define DEFINE_MATCH(bits)                                                                                             \
	EXEC_FUNCTION(match_any_##bits)                                                                                \
	{                                                                                                              \
		const uint##bits##_t *ra = source(w, in->a);                                                           \
		uint32_t members = members_of(w, in, in->b, mask), result[LANES] = {0}, *rd;                           \
                                                                                                                       \
		FOR_EACH_LANE(i, members)                                                                              \
			for (unsigned k = 0; k < LANES; k++)                                                           \
				result[i] |= ra[k] == ra[i] ? lane_bit[k] & members : 0;                               \
		rd = destination(w, in->d);                                                                            \
		LANE_LOOP rd[i] = mask & lane_bit[i] ? result[i] : rd[i];                                              \
		return STOP_NOT;                                                                                       \
	}                                                                                                              \
	EXEC_FUNCTION(match_all_##bits)                                                                                \
	{                                                                                                              \
		const uint##bits##_t *ra = source(w, in->a);                                                           \
		uint32_t members = members_of(w, in, in->b, mask), same = 0;                                           \
                                                                                                                       \
		FOR_EACH_LANE(i, members)                                                                              \
			same |= ra[i] == ra[__builtin_ctz(members)] ? lane_bit[i] : 0;                                 \
		if (in->d != OPERAND_NONE)                                                                             \
			write_all(w, in, mask, same == members ? members : 0);                                         \
		if (in->e != OPERAND_NONE)                                                                             \
			write_predicate(w, in->e, mask, same == members ? ALL_LANES : 0);                              \
		return STOP_NOT;                                                                                       \
	}
DEFINE_MATCH(32)
DEFINE_MATCH(64)

/* --- redux --- */

#define DEFINE_REDUX(name, t, step)                                                                                    \
	EXEC_FUNCTION(redux_##name##_##t)                                                                              \
	{                                                                                                              \
		const reg_##t *ra = source(w, in->a);                                                                  \
		uint32_t members = members_of(w, in, in->b, mask);                                                     \
		val_##t r = ra[__builtin_ctz(members ? members : 1)];                                                  \
                                                                                                                       \
		FOR_EACH_LANE(i, members & (members - 1)) {                                                            \
			val_##t a = ra[i];                                                                             \
                                                                                                                       \
			r = (step);                                                                                    \
		}                                                                                                      \
		write_all(w, in, mask, (uint32_t)r);                                                                   \
		return STOP_NOT;                                                                                       \
	}
DEFINE_REDUX(add, u32, r + a)
DEFINE_REDUX(and, u32, r &a)
DEFINE_REDUX(or, u32, r | a)
DEFINE_REDUX(xor, u32, r ^ a)
DEFINE_REDUX(min, u32, a < r ? a : r)
DEFINE_REDUX(max, u32, a > r ? a : r)
DEFINE_REDUX(min, s32, a < r ? a : r)
DEFINE_REDUX(max, s32, a > r ? a : r)

/* in->variant: 1 = maximum, 2 = of magnitudes, 4 = not-a-number wins */
EXEC_FUNCTION(redux_f32)
{
	const float *ra = source(w, in->a);
	uint32_t members = members_of(w, in, in->b, mask);
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
	uint32_t members = members_of(w, in, in->a, mask), leader = (uint32_t)__builtin_ctz(members ? members : mask);

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
