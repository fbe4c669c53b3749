/*
 * Loads and stores. A row has a space and an element type; vectors are a loop over in->list. The addresses of all lanes
 * are checked at once, against the space's size and the access's alignment. Most accesses of most kernels have
 * consecutive or uniform addresses; these are copied as a whole, not lane by lane.
 */
#include "runtime/cpu/exec/lanes.h"

/* The addresses of all lanes (those outside the mask may be anything), in the register itself where it can be. */
static inline const uint64_t *addresses_of(const struct warp *w, const struct inst *in, uint64_t own[LANES])
{
	uint64_t offset = (uint64_t)in->imm;

	switch (in->address) {
	case ADDRESS_REG64: {
		const uint64_t *ra = source(w, in->a);

		if (offset == 0 && in->vec == 1)
			return ra;
		LANE_LOOP own[i] = ra[i] + offset;
		return own;
	}
	case ADDRESS_REG32: {
		const uint32_t *ra = source(w, in->a);

		LANE_LOOP own[i] = (uint32_t)(ra[i] + offset);
		return own;
	}
	case ADDRESS_LOW32: {
		const uint64_t *ra = source(w, in->a);

		LANE_LOOP own[i] = (uint32_t)(ra[i] + offset);
		return own;
	}
	case ADDRESS_FRAME: offset += w->frame->local_base; break;
	}
	LANE_LOOP own[i] = offset;
	return own;
}

/*
 * The addresses of a space: `bytes` of them from `first`. In device memory an address is the host's own. Another space
 * is at `start`, and each lane's part is `stride` behind the previous lane's.
 */
struct extent {
	uint8_t *start;
	uint64_t first, bytes, stride;
};

/*
 * Two sums, not a common one: Clang would subtract MEMORY_BASE from the pointer first, and remove accesses at an offset
 * from the null pointer as unreachable.
 */
static inline uint8_t *host_at(const struct extent *e, unsigned lane, uint64_t address)
{
	return e->first == MEMORY_BASE ? memory_host(address) : e->start + e->stride * lane + address;
}

static inline struct extent extent_of(const struct warp *w, enum ptx_space space)
{
	const struct launch *launch = w->launch;

	switch (space) {
	case PTX_SPACE_SHARED: return (struct extent){w->cta->shared, 0, launch->shared_bytes, 0};
	case PTX_SPACE_LOCAL: return (struct extent){lane_local(w, 0), 0, launch->local_stride, launch->local_stride};
	case PTX_SPACE_PARAM: return (struct extent){launch->params, 0, launch->param_bytes, 0};
	default: return (struct extent){NULL, MEMORY_BASE, launch->memory->top, 0};
	}
}

/* Lanes of `mask` whose `bytes` bytes are not all inside, or not aligned. */
static inline uint32_t lanes_outside(const uint64_t *address, const struct extent *e, uint64_t bytes, uint32_t mask)
{
	uint64_t last = e->bytes - bytes, first = e->first, low = bytes - 1, any = 0;

	if (e->bytes < bytes)
		return mask;
	_Pragma("omp simd reduction(|:any)") for (unsigned i = 0; i < LANES; i++)
	{
		uint64_t a = address[i];
		uint64_t bad = (a - first > last ? ~UINT64_C(0) : 0) | (a & low);

		any |= mask & lane_bit[i] ? bad : 0;
	}
	if (any == 0)
		return 0;
	LANES_WHERE(uint64_t a = address[i], a - first > last || (a & low))
	return lanes & mask;
}

static int access_fault(struct warp *w, const struct inst *in, enum ptx_space space, const uint64_t *address,
			uint32_t lanes, uint64_t bytes)
{
	unsigned lane = (unsigned)__builtin_ctz(lanes);
	bool aligned = (address[lane] & (bytes - 1)) == 0;
	bool inside = lane_pointer(w, space, lane, address[lane] & ~(bytes - 1), bytes) != NULL;

	return fault_address(w, in, lane, !aligned && inside ? DEVICE_MISALIGNED : DEVICE_ILLEGAL_ADDRESS,
			     address[lane]);
}

/*
 * Checks the lanes in two halves: in a CTA 16 threads wide a warp has two rows, and each row is consecutive or uniform
 * by itself.
 */
enum { HALF_LANES = LANES / 2 };
#define HALF_LOOP(h) _Pragma("omp simd") for (unsigned i = (h); i < (h) + HALF_LANES; i++)

static inline bool half_consecutive(const uint64_t *address, unsigned h, uint64_t bytes)
{
	uint64_t first = address[h], differ = 0;

	_Pragma("omp simd reduction(|:differ)") for (unsigned i = 0; i < HALF_LANES; i++) differ |=
	    address[h + i] ^ (first + i * bytes);
	return differ == 0;
}

static inline bool half_same(const uint64_t *address, unsigned h)
{
	uint64_t first = address[h], differ = 0;

	_Pragma("omp simd reduction(|:differ)") for (unsigned i = 0; i < HALF_LANES; i++) differ |=
	    address[h + i] ^ first;
	return differ == 0;
}

static inline bool all_consecutive(const uint64_t *address, uint64_t bytes)
{
	return half_consecutive(address, 0, bytes) && half_consecutive(address, HALF_LANES, bytes) &&
	       address[HALF_LANES] == address[0] + HALF_LANES * bytes;
}

/* All lanes of a register from a space without a stride between lanes. */
ALWAYS_INLINE void load_all(void *rd, const uint64_t *address, const struct extent *e, unsigned size, bool is_signed)
{
	for (unsigned h = 0; h < LANES; h += HALF_LANES) {
		const uint8_t *from = host_at(e, h, address[h]);
		uint64_t value = element_at(from, size, is_signed);

		if (half_same(address, h))
			HALF_LOOP(h) set_lane(rd, i, size, value);
		else if (half_consecutive(address, h, size))
			HALF_LOOP(h) set_lane(rd, i, size, element_at(from + (i - h) * size, size, is_signed));
		else
			for (unsigned i = h; i < h + HALF_LANES; i++)
				set_lane(rd, i, size, element_at(host_at(e, i, address[i]), size, is_signed));
	}
}

/* Loads of one space and one element of `size` bytes. */
ALWAYS_INLINE int load_lanes(struct warp *w, const struct inst *in, uint32_t mask, enum ptx_space space, unsigned size,
			     bool is_signed)
{
	uint64_t own[LANES];
	const uint64_t *address = addresses_of(w, in, own);
	const struct extent e = extent_of(w, space);
	const unsigned count = in->vec;
	const uint64_t bytes = (uint64_t)size * count;
	uint32_t bad = lanes_outside(address, &e, bytes, mask);

	if (__builtin_expect(bad != 0, 0))
		return access_fault(w, in, space, address, bad, bytes);
	if (space != PTX_SPACE_LOCAL && mask == ALL_LANES && count == 1) {
		load_all(destination(w, in->d), address, &e, size, is_signed);
		return STOP_NOT;
	}
	/* The first element may be loaded into the register that has the address. */
	if (address != own && count > 1)
		address = memcpy(own, address, sizeof own);
	for (unsigned k = 0; k < count; k++) {
		void *rd = destination(w, count == 1 ? in->d : in->list[k]);

		if (count > 1 && in->list[k] == OPERAND_NONE)
			continue;
		FOR_EACH_LANE(i, mask) {
			const uint8_t *from = host_at(&e, i, address[i]);

			set_lane(rd, i, size, element_at(from + (size_t)k * size, size, is_signed));
		}
	}
	return STOP_NOT;
}

ALWAYS_INLINE int store_lanes(struct warp *w, const struct inst *in, uint32_t mask, enum ptx_space space, unsigned size)
{
	uint64_t own[LANES];
	const uint64_t *address = addresses_of(w, in, own);
	const struct extent e = extent_of(w, space);
	const unsigned count = in->vec;
	const uint64_t bytes = (uint64_t)size * count;
	uint32_t bad = lanes_outside(address, &e, bytes, mask);

	if (__builtin_expect(bad != 0, 0))
		return access_fault(w, in, space, address, bad, bytes);
	if (space != PTX_SPACE_LOCAL && mask == ALL_LANES && count == 1 && all_consecutive(address, size)) {
		const void *rs = source(w, in->b);
		uint8_t *to = host_at(&e, 0, address[0]);

		LANE_LOOP set_element(to + i * size, size, lane_value(rs, i, size));
		return STOP_NOT;
	}
	FOR_EACH_LANE(i, mask) {
		uint8_t *to = host_at(&e, i, address[i]);

		for (unsigned k = 0; k < count; k++)
			set_element(to + (size_t)k * size, size,
				    lane_value(source(w, count == 1 ? in->b : in->list[k]), i, size));
	}
	return STOP_NOT;
}

/* clang-format off */
#define LOAD(name, space, size, is_signed)                                                                             \
	EXEC_FUNCTION(ld_##name) { return load_lanes(w, in, mask, space, size, is_signed); }
#define STORE(name, space, size)                                                                                       \
	EXEC_FUNCTION(st_##name) { return store_lanes(w, in, mask, space, size); }
#define LOADS(name, space)                                                                                             \
	LOAD(name##_u8, space, 1, false) LOAD(name##_u16, space, 2, false) LOAD(name##_u32, space, 4, false)           \
	LOAD(name##_u64, space, 8, false) LOAD(name##_s8, space, 1, true) LOAD(name##_s16, space, 2, true)
#define STORES(name, space)                                                                                            \
	STORE(name##_u8, space, 1) STORE(name##_u16, space, 2) STORE(name##_u32, space, 4) STORE(name##_u64, space, 8)
/* clang-format on */
LOADS(global, PTX_SPACE_GLOBAL)
LOADS(shared, PTX_SPACE_SHARED)
LOADS(local, PTX_SPACE_LOCAL)
LOADS(param, PTX_SPACE_PARAM)
STORES(global, PTX_SPACE_GLOBAL)
STORES(shared, PTX_SPACE_SHARED)
STORES(local, PTX_SPACE_LOCAL)

/* --- 128-bit elements, and generic addresses that are not all in device memory: a lane at a time --- */

static inline uint32_t register_bytes(unsigned bytes)
{
	return bytes < 4 ? 4 : bytes;
}

/* One element from memory into lane i of a register, extended to the register's width. */
static inline void element_in(uint8_t *rd, unsigned i, const uint8_t *from, unsigned bytes, bool is_signed)
{
	uint32_t value;

	if (bytes >= 4) {
		memcpy(rd + (size_t)i * bytes, from, bytes);
		return;
	}
	value = (uint32_t)(bytes == 1 ? element_at(from, 1, is_signed) : element_at(from, 2, is_signed));
	memcpy(rd + i * sizeof value, &value, sizeof value);
}

/* Host addresses of all lanes of `mask`, or false after a fault. */
static bool lane_pointers(struct warp *w, const struct inst *in, enum ptx_space space, uint32_t mask, uint64_t bytes,
			  uint8_t *at[LANES])
{
	uint64_t own[LANES];
	const uint64_t *address = addresses_of(w, in, own);

	FOR_EACH_LANE(i, mask) {
		at[i] = address[i] & (bytes - 1) ? NULL : lane_pointer(w, space, i, address[i], bytes);
		if (!at[i]) {
			access_fault(w, in, space, address, UINT32_C(1) << i, bytes);
			return false;
		}
	}
	return true;
}

/* in->variant: 1 = signed */
static int load_any(struct warp *w, const struct inst *in, uint32_t mask, enum ptx_space space)
{
	uint8_t *at[LANES];

	if (!lane_pointers(w, in, space, mask, (uint64_t)in->bytes * in->vec, at))
		return STOP_FAULT;
	for (unsigned k = 0; k < in->vec; k++) {
		uint32_t operand = in->vec == 1 ? in->d : in->list[k];

		if (operand == OPERAND_NONE)
			continue;
		FOR_EACH_LANE(i, mask)
			element_in(destination(w, operand), i, at[i] + k * in->bytes, in->bytes, in->variant);
	}
	return STOP_NOT;
}

static int store_any(struct warp *w, const struct inst *in, uint32_t mask, enum ptx_space space)
{
	uint8_t *at[LANES];

	if (!lane_pointers(w, in, space, mask, (uint64_t)in->bytes * in->vec, at))
		return STOP_FAULT;
	FOR_EACH_LANE(i, mask)
		for (unsigned k = 0; k < in->vec; k++) {
			const uint8_t *from = source(w, in->vec == 1 ? in->b : in->list[k]);

			memcpy(at[i] + k * in->bytes, from + (size_t)i * register_bytes(in->bytes), in->bytes);
		}
	return STOP_NOT;
}

static bool all_global(const struct warp *w, const struct inst *in, uint32_t mask)
{
	uint64_t own[LANES];
	const struct extent e = extent_of(w, PTX_SPACE_GLOBAL);

	return lanes_outside(addresses_of(w, in, own), &e, (uint64_t)in->bytes * in->vec, mask) == 0;
}

#define GENERIC_LOAD(kind)                                                                                             \
	EXEC_FUNCTION(ld_generic_##kind)                                                                               \
	{                                                                                                              \
		return all_global(w, in, mask) ? ld_global_##kind(w, in, mask)                                         \
					       : load_any(w, in, mask, PTX_SPACE_GENERIC);                             \
	}
#define GENERIC_STORE(kind)                                                                                            \
	EXEC_FUNCTION(st_generic_##kind)                                                                               \
	{                                                                                                              \
		return all_global(w, in, mask) ? st_global_##kind(w, in, mask)                                         \
					       : store_any(w, in, mask, PTX_SPACE_GENERIC);                            \
	}
GENERIC_LOAD(u8)
GENERIC_LOAD(u16)
GENERIC_LOAD(u32)
GENERIC_LOAD(u64)
GENERIC_LOAD(s8)
GENERIC_LOAD(s16)
GENERIC_STORE(u8)
GENERIC_STORE(u16)
GENERIC_STORE(u32)
GENERIC_STORE(u64)

EXEC_FUNCTION(ld_128)
{
	return load_any(w, in, mask, (enum ptx_space)in->space);
}

EXEC_FUNCTION(st_128)
{
	return store_any(w, in, mask, (enum ptx_space)in->space);
}

/* Hints and fences change nothing: an instruction is complete before the next one starts. */
EXEC_FUNCTION(nothing)
{
	(void)w, (void)in, (void)mask;
	return STOP_NOT;
}

#define ROW(op, t, space, fn, variant) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, M_SPACE(PTX_SPACE_##space), fn, variant}
#define ROWS_LOAD(space, name)                                                                                         \
	ROW(ld, u8, space, ld_##name##_u8, 0), ROW(ld, u16, space, ld_##name##_u16, 0),                                \
	    ROW(ld, u32, space, ld_##name##_u32, 0), ROW(ld, u64, space, ld_##name##_u64, 0),                          \
	    ROW(ld, s8, space, ld_##name##_s8, 1), ROW(ld, s16, space, ld_##name##_s16, 1),                            \
	    ROW(ld, b128, space, ld_128, 0)
#define ROWS_STORE(space, name)                                                                                        \
	ROW(st, u8, space, st_##name##_u8, 0), ROW(st, u16, space, st_##name##_u16, 0),                                \
	    ROW(st, u32, space, st_##name##_u32, 0), ROW(st, u64, space, st_##name##_u64, 0),                          \
	    ROW(st, b128, space, st_128, 0)
#define ROW_NOTHING(op) {PTX_OP_##op, {PTX_untyped}, PTX_MOD_NONE, 0, nothing, 0}

extern const struct exec_row EXEC_TABLE(exec_memory)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_memory)[] = {
	ROWS_LOAD(GLOBAL, global), ROWS_LOAD(CONST, global), ROWS_LOAD(SHARED, shared), ROWS_LOAD(LOCAL, local),
	ROWS_LOAD(PARAM, param), ROWS_LOAD(GENERIC, generic),
	ROWS_STORE(GLOBAL, global), ROWS_STORE(SHARED, shared), ROWS_STORE(LOCAL, local), ROWS_STORE(GENERIC, generic),
	ROW_NOTHING(prefetch), ROW_NOTHING(prefetchu), ROW_NOTHING(cp_async_bulk_prefetch),
	ROW_NOTHING(applypriority), ROW_NOTHING(discard),
	ROW_NOTHING(membar), ROW_NOTHING(fence), ROW_NOTHING(pmevent), ROW_NOTHING(griddepcontrol), ROW_NOTHING(brkpt),
	ROW_NOTHING(setmaxnreg),
	{0}};
/* clang-format on */
