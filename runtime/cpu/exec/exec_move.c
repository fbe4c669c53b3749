/* Moves: registers, vectors packed into a register and back, addresses between spaces, clocks. */
#include "runtime/cpu/exec/lanes.h"

#include "common/integer.h"

UNARY(mov_32, u32, u32, a)
UNARY(mov_64, u64, u64, a)

EXEC_FUNCTION(mov_128)
{
	const uint64_t(*ra)[2] = source(w, in->a);
	uint64_t(*rd)[2] = destination(w, in->d);

	FOR_EACH_LANE(i, mask) {
		rd[i][0] = ra[i][0];
		rd[i][1] = ra[i][1];
	}
	return STOP_NOT;
}

EXEC_FUNCTION(mov_pred)
{
	write_predicate(w, in->d, mask, read_predicate(w, in->a));
	return STOP_NOT;
}

/* --- {a, b, ..} -> d and back: in->list has in->vec operands of in->bytes each, the lowest first --- */

BINARY(pack_16x2, u32, u32, u32, (a & 0xffff) | b << 16)
BINARY(pack_32x2, u64, u32, u32, a | (uint64_t)b << 32)

EXEC_FUNCTION(pack)
{
	uint8_t *rd = destination(w, in->d);
	size_t width = in->vec * in->bytes, lane_bytes = width < 4 ? 4 : width;

	FOR_EACH_LANE(i, mask) {
		uint8_t value[16] = {0};

		for (unsigned k = 0; k < in->vec; k++) {
			const uint8_t *element = source(w, in->list[k]);

			memcpy(value + k * in->bytes, element + i * (in->bytes < 4 ? 4u : in->bytes), in->bytes);
		}
		memcpy(rd + i * lane_bytes, value, lane_bytes);
	}
	return STOP_NOT;
}

EXEC_FUNCTION(unpack)
{
	const uint8_t *ra = source(w, in->a);
	size_t width = in->vec * in->bytes, lane_bytes = width < 4 ? 4 : width;

	FOR_EACH_LANE(i, mask) {
		uint8_t value[16];

		memcpy(value, ra + i * lane_bytes, lane_bytes);
		for (unsigned k = 0; k < in->vec; k++) {
			uint8_t element[8] = {0};

			if (in->list[k] == OPERAND_NONE)
				continue;
			memcpy(element, value + k * in->bytes, in->bytes);
			memcpy((uint8_t *)destination(w, in->list[k]) + i * (in->bytes < 4 ? 4u : in->bytes), element,
			       in->bytes < 4 ? 4u : in->bytes);
		}
	}
	return STOP_NOT;
}

/* clang-format off */
#define STORE_LANES(d, mask, value)                                                                                    \
	LANE_LOOP {                                                                                                    \
		(d)[i] = (mask)&lane_bit[i] ? (value) : (d)[i];                                                        \
	}
/* clang-format on */

EXEC_FUNCTION(unpack_16x2)
{
	uint32_t value[LANES];

	memcpy(value, source(w, in->a), sizeof value);
	for (unsigned k = 0; k < 2; k++)
		if (in->list[k] != OPERAND_NONE) {
			uint32_t *d = destination(w, in->list[k]);

			STORE_LANES(d, mask, value[i] >> k * 16 & 0xffff)
		}
	return STOP_NOT;
}

EXEC_FUNCTION(unpack_32x2)
{
	uint64_t value[LANES];

	memcpy(value, source(w, in->a), sizeof value);
	for (unsigned k = 0; k < 2; k++)
		if (in->list[k] != OPERAND_NONE) {
			uint32_t *d = destination(w, in->list[k]);

			STORE_LANES(d, mask, (uint32_t)(value[i] >> k * 32))
		}
	return STOP_NOT;
}

/* {a, b, ..} -> {d, e, ..}: in->list has the destinations, then the sources. Reads all before it writes the first. */
EXEC_FUNCTION(mov_vector)
{
	enum { MOST = 8 };
	uint64_t values[MOST][LANES];

	for (unsigned k = 0; k < in->vec; k++) {
		const void *from = source(w, in->list[in->vec + k]);

		for (unsigned i = 0; i < LANES; i++)
			values[k][i] = lane_value(from, i, in->bytes);
	}
	for (unsigned k = 0; k < in->vec; k++) {
		if (in->list[k] == OPERAND_NONE)
			continue;
		FOR_EACH_LANE(i, mask)
			set_lane(destination(w, in->list[k]), i, in->bytes, values[k][i]);
	}
	return STOP_NOT;
}

/* --- Addresses --- */

/* in->imm: what the window of the space adds to an offset in it. */
UNARY(cvta_64, u64, u64, a + (uint64_t)in->imm)

/* Address of a local variable: in->imm is its offset in the frame. */
EXEC_FUNCTION(local_address_64)
{
	uint64_t *rd = destination(w, in->d), address = w->frame->local_base + (uint64_t)in->imm;

	STORE_LANES(rd, mask, address)
	return STOP_NOT;
}

EXEC_FUNCTION(local_address_32)
{
	uint32_t *rd = destination(w, in->d), address = w->frame->local_base + (uint32_t)in->imm;

	STORE_LANES(rd, mask, address)
	return STOP_NOT;
}

/* --- The stack of a frame: what alloca takes stays until the function returns, or stackrestore gives it back --- */

/* All lanes take the largest size of any lane. in->imm: the alignment, 0 = the stack's. */
EXEC_FUNCTION(alloca_64)
{
	const uint64_t *size = source(w, in->a);
	uint64_t *rd = destination(w, in->d), most = 0, align = 8, start, base;

	if (in->imm)
		align = (uint64_t)in->imm;
	FOR_EACH_LANE(i, mask)
		most = size[i] > most ? size[i] : most;
	base = w->frame->local_base + w->frame->code->local_bytes;
	start = round_up(base + w->frame->local_dynamic, align);
	if (most > w->launch->local_stride || start + most > w->launch->local_stride)
		return fault_at(w, in, mask, DEVICE_ILLEGAL_ADDRESS,
				"the local memory of a thread (%u bytes) is used up; "
				"cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives it more",
				w->launch->local_stride);
	w->frame->local_dynamic = (uint32_t)(start + most - base);
	STORE_LANES(rd, mask, start)
	return STOP_NOT;
}

EXEC_FUNCTION(stacksave_64)
{
	uint64_t *rd = destination(w, in->d);

	STORE_LANES(rd, mask, w->frame->local_dynamic)
	return STOP_NOT;
}

EXEC_FUNCTION(stackrestore_64)
{
	uint64_t saved = ((const uint64_t *)source(w, in->a))[__builtin_ctz(mask)];

	if (saved > w->launch->local_stride)
		return fault_at(w, in, mask, DEVICE_ILLEGAL_ADDRESS, "stackrestore with what no stacksave returned");
	w->frame->local_dynamic = (uint32_t)saved;
	return STOP_NOT;
}

EXEC_FUNCTION(isspacep)
{
	const uint64_t *ra = source(w, in->a);
	uint32_t lanes = 0;

	FOR_EACH_LANE(i, mask)
		lanes |= (uint32_t)(resolve_space(PTX_SPACE_GENERIC, ra[i], NULL) == in->variant) << i;
	write_predicate(w, in->d, mask, lanes);
	return STOP_NOT;
}

/* --- Clocks: warp instructions that the launch has executed so far, so that no two runs differ --- */

static uint64_t clock_value(struct warp *w, unsigned sreg)
{
	uint64_t now = ++w->launch->instructions;

	switch (sreg) {
	case PTX_SREG_clock_hi:
	case PTX_SREG_globaltimer_hi: return now >> 32;
	case PTX_SREG_gridid: return w->launch->id;
	default: return now;
	}
}

EXEC_FUNCTION(clock_32)
{
	uint32_t *rd = destination(w, in->d), value = (uint32_t)clock_value(w, in->variant);

	STORE_LANES(rd, mask, value)
	return STOP_NOT;
}

EXEC_FUNCTION(clock_64)
{
	uint64_t *rd = destination(w, in->d), value = clock_value(w, in->variant);

	STORE_LANES(rd, mask, value)
	return STOP_NOT;
}

#define ROW(op, t, fn) {PTX_OP_##op, {PTX_##t}, PTX_MOD_NONE, 0, fn, 0}
/*
 * Forms of mov that forms_memory.c tells apart by the operands, not by the spelling. The second type of the key names
 * the form.
 */
#define ROW_FORM(t, form, fn) {PTX_OP_mov, {PTX_##t, PTX_##form}, PTX_MOD_NONE, 0, fn, 0}

extern const struct exec_row EXEC_TABLE(exec_move)[];
/* clang-format off */
const struct exec_row EXEC_TABLE(exec_move)[] = {
	ROW(mov, pred, mov_pred), ROW(mov, b8, mov_32), ROW(mov, b16, mov_32), ROW(mov, b32, mov_32), ROW(mov, b64, mov_64),
	ROW(mov, b128, mov_128),
	ROW_FORM(b32, MOV_PACK, pack), ROW_FORM(b32, MOV_UNPACK, unpack),
	ROW_FORM(b64, MOV_PACK, pack), ROW_FORM(b64, MOV_UNPACK, unpack),
	ROW_FORM(b16, MOV_PACK, pack), ROW_FORM(b16, MOV_UNPACK, unpack),
	ROW_FORM(b128, MOV_PACK, pack), ROW_FORM(b128, MOV_UNPACK, unpack),
	ROW_FORM(b32, MOV_PACK_2, pack_16x2), ROW_FORM(b32, MOV_UNPACK_2, unpack_16x2),
	ROW_FORM(b64, MOV_PACK_2, pack_32x2), ROW_FORM(b64, MOV_UNPACK_2, unpack_32x2),
	ROW_FORM(b8, MOV_VECTOR, mov_vector), ROW_FORM(b16, MOV_VECTOR, mov_vector),
	ROW_FORM(b32, MOV_VECTOR, mov_vector), ROW_FORM(b64, MOV_VECTOR, mov_vector),
	ROW_FORM(b32, MOV_LOCAL, local_address_32), ROW_FORM(b64, MOV_LOCAL, local_address_64),
	ROW_FORM(b32, MOV_CLOCK, clock_32), ROW_FORM(b64, MOV_CLOCK, clock_64),
	ROW(alloca, u64, alloca_64), ROW(stacksave, u64, stacksave_64), ROW(stackrestore, u64, stackrestore_64),
	ROW(cvta, u64, cvta_64), ROW(isspacep, untyped, isspacep),
	{0}};
/* clang-format on */
