/*
 * Atomics and reductions: the lanes run in lane order. `red` is `atom` without a destination. A vector's elements
 * follow each other (in->list: destinations, then operands).
 */
#include "runtime/cpu/engine/half.h"
#include "runtime/cpu/exec/lanes.h"
#include "runtime/cpu/exec/update.h"

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

/* Elements of `bytes` bytes, each of which becomes update(old, b, c). */
ALWAYS_INLINE int atomic_lanes(struct warp *w, const struct inst *in, uint32_t mask, unsigned bytes, update_fn update)
{
	const unsigned stride = bytes == 8 ? 8 : 4; /* of registers */
	uint8_t *at[LANES];

	if (!atomic_pointers(w, in, mask, at))
		return STOP_FAULT;
	for (unsigned k = 0; k < in->vec; k++) {
		uint32_t to = in->vec == 1 ? in->d : in->list[k];
		const uint8_t *rb = source(w, in->vec == 1 ? in->b : in->list[in->vec + k]);
		const uint8_t *rc = source(w, in->c == OPERAND_NONE ? 0 : in->c);
		void *rd = to == OPERAND_NONE ? NULL : destination(w, to);

		FOR_EACH_LANE(i, mask) {
			uint8_t *p = at[i] + (size_t)k * bytes;
			uint64_t old = element_at(p, bytes, false);

			set_element(p, bytes,
				    update(old, element_at(rb + i * stride, bytes, false),
					   element_at(rc + i * stride, bytes, false)));
			if (rd)
				set_lane(rd, i, bytes, old);
		}
	}
	return STOP_NOT;
}

UPDATE(update_exch, uint64_t, b)
UPDATE(update_cas, uint64_t, old == b ? c : old)

static inline uint16_t sum_f16(uint16_t a, uint16_t b)
{
	return f32_to_f16(f16_to_f32(a) + f16_to_f32(b));
}

static inline uint16_t sum_bf16(uint16_t a, uint16_t b)
{
	return f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b));
}

static inline float sum_f32_ftz(float a, float b)
{
	return flushed(canonical(flushed(a) + flushed(b)));
}

#define HALVES(f, a, b)                                                                                                \
	((uint32_t)f((uint16_t)(a), (uint16_t)(b)) | (uint32_t)f((uint16_t)((a) >> 16), (uint16_t)((b) >> 16)) << 16)
UPDATE(update_add_f32, uint32_t, float_bits(canonical(bits_float(old) + bits_float(b))))
UPDATE(update_add_f32_ftz, uint32_t, float_bits(sum_f32_ftz(bits_float(old), bits_float(b))))
UPDATE(update_add_f64, uint64_t, double_bits(bits_double(old) + bits_double(b)))
UPDATE(update_add_f16, uint16_t, sum_f16(old, b))
UPDATE(update_add_bf16, uint16_t, sum_bf16(old, b))
UPDATE(update_add_f16x2, uint32_t, HALVES(sum_f16, old, b))
UPDATE(update_add_bf16x2, uint32_t, HALVES(sum_bf16, old, b))

/* clang-format off */
#define ATOMIC(name, bytes, update)                                                                                    \
	EXEC_FUNCTION(atom_##name) { return atomic_lanes(w, in, mask, bytes, update); }
/* clang-format on */
#define ATOMICS_UNSIGNED(u, bytes)                                                                                     \
	ATOMIC(add_##u, bytes, update_add)                                                                             \
	ATOMIC(min_##u, bytes, update_min_##u)                                                                         \
	ATOMIC(max_##u, bytes, update_max_##u)                                                                         \
	ATOMIC(inc_##u, bytes, update_inc_##u)                                                                         \
	ATOMIC(dec_##u, bytes, update_dec_##u)
#define ATOMICS_BITWISE(b, bytes)                                                                                      \
	ATOMIC(and_##b, bytes, update_and)                                                                             \
	ATOMIC(or_##b, bytes, update_or)                                                                               \
	ATOMIC(xor_##b, bytes, update_xor)
ATOMICS_UNSIGNED(u32, 4)
ATOMICS_UNSIGNED(u64, 8)
ATOMICS_BITWISE(b32, 4)
ATOMICS_BITWISE(b64, 8)
ATOMIC(min_s32, 4, update_min_s32)
ATOMIC(max_s32, 4, update_max_s32)
ATOMIC(min_s64, 8, update_min_s64)
ATOMIC(max_s64, 8, update_max_s64)
ATOMIC(exch_b16, 2, update_exch)
ATOMIC(exch_b32, 4, update_exch)
ATOMIC(exch_b64, 8, update_exch)
ATOMIC(cas_b16, 2, update_cas)
ATOMIC(cas_b32, 4, update_cas)
ATOMIC(cas_b64, 8, update_cas)
ATOMIC(add_f64, 8, update_add_f64)
ATOMIC(add_f16, 2, update_add_f16)
ATOMIC(add_bf16, 2, update_add_bf16)
ATOMIC(add_f16x2, 4, update_add_f16x2)
ATOMIC(add_bf16x2, 4, update_add_bf16x2)

/* As on hardware, global atomics on .f32 flush subnormals, and those in shared memory do not. */
EXEC_FUNCTION(atom_add_f32)
{
	uint64_t address[LANES];
	uint32_t global = mask;

	if (in->space != PTX_SPACE_GLOBAL) {
		lane_addresses(w, in, address);
		FOR_EACH_LANE(i, mask)
			if (resolve_space((enum ptx_space)in->space, address[i], NULL) != PTX_SPACE_GLOBAL)
				global &= ~(1u << i);
	}
	if (global && atomic_lanes(w, in, global, 4, update_add_f32_ftz) == STOP_FAULT)
		return STOP_FAULT;
	return mask & ~global ? atomic_lanes(w, in, mask & ~global, 4, update_add_f32) : STOP_NOT;
}

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
/* Operations that can take a lock. A warp that runs only these may be waiting for its own lanes, see split.c. */
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
