/*
 * Atomics and reductions, one lane after the other in lane order. `red` is `atom` without a destination; vectors are
 * elements in turn (in->list: destinations, then operands).
 */
#include "runtime/cpu/exec/half.h"

/* Host addresses of the lanes of `mask`; false after a fault. */
static bool atomic_pointers(struct warp *w, const struct inst *in, uint32_t mask, uint8_t *at[LANES])
{
	uint64_t address[LANES];
	uint64_t bytes = (uint64_t)in->bytes * in->vec;

	w->polls += in->variant;
	lane_addresses(w, in, address);
	FOR_EACH_LANE(i, mask) {
		at[i] = lane_pointer(w, (enum ptx_space)in->space, i, address[i], bytes);
		if (!at[i] || address[i] & (bytes - 1))
			return fault_address(w, in, i, at[i] ? DEVICE_MISALIGNED : DEVICE_ILLEGAL_ADDRESS,
					     address[i]) != STOP_FAULT;
	}
	return true;
}

/* Registers of up to 32 bits are 32 bits wide. */
#define REG_OF(T) __typeof__(__builtin_choose_expr(sizeof(T) > 4, (uint64_t)0, (uint32_t)0))

#define DEFINE_ATOMIC(name, T, update)                                                                                 \
	EXEC_FUNCTION(atom_##name)                                                                                     \
	{                                                                                                              \
		uint8_t *at[LANES];                                                                                    \
                                                                                                                       \
		if (!atomic_pointers(w, in, mask, at))                                                                 \
			return STOP_FAULT;                                                                             \
		for (unsigned k = 0; k < in->vec; k++) {                                                               \
			uint32_t to = in->vec == 1 ? in->d : in->list[k];                                              \
			const REG_OF(T) *rb = source(w, in->vec == 1 ? in->b : in->list[in->vec + k]);                 \
			const REG_OF(T) *rc = source(w, in->c == OPERAND_NONE ? 0 : in->c);                            \
			REG_OF(T) *rd = to == OPERAND_NONE ? NULL : destination(w, to);                                \
                                                                                                                       \
			FOR_EACH_LANE(i, mask) {                                                                       \
				T *p = (T *)(void *)(at[i] + k * sizeof(T)), old = *p, b, c;                           \
                                                                                                                       \
				memcpy(&b, &rb[i], sizeof b);                                                          \
				memcpy(&c, &rc[i], sizeof c);                                                          \
				(void)b, (void)c;                                                                      \
				*p = (update);                                                                         \
				if (rd) {                                                                              \
					rd[i] = 0;                                                                     \
					memcpy(&rd[i], &old, sizeof old);                                              \
				}                                                                                      \
			}                                                                                              \
		}                                                                                                      \
		return STOP_NOT;                                                                                       \
	}
#define DEFINE_ATOMICS(bits)                                                                                           \
	DEFINE_ATOMIC(add_u##bits, uint##bits##_t, old + b)                                                            \
	DEFINE_ATOMIC(min_u##bits, uint##bits##_t, b < old ? b : old)                                                  \
	DEFINE_ATOMIC(max_u##bits, uint##bits##_t, b > old ? b : old)                                                  \
	DEFINE_ATOMIC(min_s##bits, int##bits##_t, b < old ? b : old)                                                   \
	DEFINE_ATOMIC(max_s##bits, int##bits##_t, b > old ? b : old)                                                   \
	DEFINE_ATOMIC(inc_u##bits, uint##bits##_t, old >= b ? 0 : old + 1)                                             \
	DEFINE_ATOMIC(dec_u##bits, uint##bits##_t, old == 0 || old > b ? b : old - 1)                                  \
	DEFINE_ATOMIC(and_b##bits, uint##bits##_t, old &b)                                                             \
	DEFINE_ATOMIC(or_b##bits, uint##bits##_t, old | b)                                                             \
	DEFINE_ATOMIC(xor_b##bits, uint##bits##_t, old ^ b)                                                            \
	DEFINE_ATOMIC(exch_b##bits, uint##bits##_t, b)                                                                 \
	DEFINE_ATOMIC(cas_b##bits, uint##bits##_t, old == b ? c : old)
DEFINE_ATOMICS(32)
DEFINE_ATOMICS(64)
DEFINE_ATOMIC(cas_b16, uint16_t, old == b ? c : old)
DEFINE_ATOMIC(exch_b16, uint16_t, b)

static inline uint16_t sum_f16(uint16_t a, uint16_t b)
{
	return f32_to_f16(f16_to_f32(a) + f16_to_f32(b));
}

static inline uint16_t sum_bf16(uint16_t a, uint16_t b)
{
	return f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b));
}

#define HALVES(f, a, b)                                                                                                \
	((uint32_t)f((uint16_t)(a), (uint16_t)(b)) | (uint32_t)f((uint16_t)((a) >> 16), (uint16_t)((b) >> 16)) << 16)
/* Global atomics on .f32 flush subnormals on hardware; so do these in global memory, and not in shared memory. */
static inline float sum_f32(float a, float b, bool global)
{
	return global ? flushed(canonical(flushed(a) + flushed(b))) : canonical(a + b);
}

DEFINE_ATOMIC(add_f32, float, sum_f32(old, b, in->space == PTX_SPACE_GLOBAL))
DEFINE_ATOMIC(add_f64, double, old + b)
DEFINE_ATOMIC(add_f16, uint16_t, sum_f16(old, b))
DEFINE_ATOMIC(add_bf16, uint16_t, sum_bf16(old, b))
DEFINE_ATOMIC(add_f16x2, uint32_t, HALVES(sum_f16, old, b))
DEFINE_ATOMIC(add_bf16x2, uint32_t, HALVES(sum_bf16, old, b))

/* --- 128 bits: exchange and compare-and-swap --- */

static int atomic_128(struct warp *w, const struct inst *in, uint32_t mask, bool compare)
{
	const uint64_t(*rb)[2] = source(w, in->b), (*rc)[2] = source(w, compare ? in->c : in->b);
	uint8_t *at[LANES];

	if (!atomic_pointers(w, in, mask, at))
		return STOP_FAULT;
	FOR_EACH_LANE(i, mask) {
		uint64_t old[2];

		memcpy(old, at[i], sizeof old);
		if (!compare || (old[0] == rb[i][0] && old[1] == rb[i][1]))
			memcpy(at[i], rc[i], sizeof old);
		if (in->d != OPERAND_NONE)
			memcpy((uint64_t(*)[2])destination(w, in->d) + i, old, sizeof old);
	}
	return STOP_NOT;
}

EXEC_FUNCTION(atom_exch_b128)
{
	return atomic_128(w, in, mask, false);
}

EXEC_FUNCTION(atom_cas_b128)
{
	return atomic_128(w, in, mask, true);
}

#define ROW(which, t, mods, name) {PTX_OP_atom, {PTX_##t}, PTX_MOD_##which, mods, atom_##name, 0}
/* What locks are taken with: a warp that does nothing else may be waiting for its own lanes, see split.c. */
#define ROW_LOCK(which, t, name) {PTX_OP_atom, {PTX_##t}, PTX_MOD_##which, 0, atom_##name, 1}
/* clang-format off */
#define ROWS_BITS(bits)                                                                                                \
	ROW(add, u##bits, 0, add_u##bits), ROW(add, s##bits, 0, add_u##bits), ROW(min, u##bits, 0, min_u##bits),       \
		ROW(max, u##bits, 0, max_u##bits), ROW(min, s##bits, 0, min_s##bits),                                  \
		ROW(max, s##bits, 0, max_s##bits), ROW(inc, u##bits, 0, inc_u##bits),                                  \
		ROW(dec, u##bits, 0, dec_u##bits), ROW(and, b##bits, 0, and_b##bits),                                  \
		ROW(or, b##bits, 0, or_b##bits), ROW(xor, b##bits, 0, xor_b##bits),                                    \
		ROW_LOCK(exch, b##bits, exch_b##bits), ROW_LOCK(cas, b##bits, cas_b##bits)
/* clang-format on */

extern const struct exec_row EXEC_TABLE(exec_atomic)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_atomic)[] = {
	ROWS_BITS(32), ROWS_BITS(64), ROW_LOCK(cas, b16, cas_b16), ROW_LOCK(exch, b16, exch_b16),
	ROW_LOCK(exch, b128, exch_b128), ROW_LOCK(cas, b128, cas_b128),
	ROW(add, f32, 0, add_f32), ROW(add, f64, 0, add_f64),
	ROW(add, f16, M_BIT(NOFTZ), add_f16), ROW(add, bf16, M_BIT(NOFTZ), add_bf16),
	ROW(add, f16x2, M_BIT(NOFTZ), add_f16x2), ROW(add, bf16x2, M_BIT(NOFTZ), add_bf16x2),
	{0}};
/* clang-format on */
