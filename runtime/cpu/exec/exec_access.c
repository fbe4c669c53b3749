/* Addresses one lane at a time: which space a generic address is in, and where the host has its bytes. */
#include "runtime/cpu/engine/engine_op.h"
#include "runtime/cpu/engine/engine.h"
#include "runtime/cpu/exec/matrix.h"
#include "runtime/cpu/images/texture.h"

void lane_addresses(const struct warp *w, const struct inst *in, uint64_t out[LANES])
{
	uint64_t offset = (uint64_t)in->imm + (in->address == ADDRESS_FRAME ? w->frame->local_base : 0);

	if (in->address == ADDRESS_REG64 || in->address == ADDRESS_LOW32) {
		const uint64_t *a = (const void *)source(w, in->a);
		uint64_t kept = in->address == ADDRESS_LOW32 ? UINT32_MAX : UINT64_MAX;

		for (unsigned i = 0; i < LANES; i++)
			out[i] = (offset + a[i]) & kept;
	} else if (in->address == ADDRESS_REG32) {
		const uint32_t *a = (const void *)source(w, in->a);

		for (unsigned i = 0; i < LANES; i++)
			out[i] = (uint32_t)(offset + a[i]); /* a negative index wraps */
	} else {
		for (unsigned i = 0; i < LANES; i++)
			out[i] = offset;
	}
}

uint64_t fragment_address(const struct warp *w, const struct inst *in, unsigned lane, unsigned i)
{
	const struct fragment *f = &in->matrix->d;
	struct place p = fragment_place(f, lane, i);
	uint64_t address[LANES], stride = f->by_column ? f->rows : f->cols;

	lane_addresses(w, in, address);
	if (in->b != OPERAND_NONE)
		stride = ((const uint32_t *)source(w, in->b))[lane];
	return address[lane] + (f->by_column ? p.col * stride + p.row : p.row * stride + p.col) * f->type.bits / 8;
}

uint32_t accessed(const struct warp *w, const struct inst *in, uint32_t mask, uint64_t out[LANES])
{
	if (in->ptx->opcode->cls == PTX_CLASS_TEXTURE)
		return surface_footprint(w, in, mask, out);
	lane_addresses(w, in, out);
	if (op_is(in->ptx, OP_MOVES_FRAGMENT))
		for (unsigned lane = 0; lane < LANES; lane++)
			out[lane] = fragment_address(w, in, lane, 0);
	if (op_is(in->ptx, OP_MOVES_ROWS) && in->e < 4)
		mask &= (1u << 8 * in->e) - 1;
	return mask;
}

unsigned bulk_rows(const struct ptx_inst *inst)
{
	const struct ptx_opcode *o = inst->opcode;
	const struct ptx_operand *size = &inst->operands[2];
	int64_t lines;

	if (o->op != PTX_OP_cp_async_bulk || inst->noperands < 3 ||
	    (o->space != PTX_SPACE_GLOBAL && o->space2 != PTX_SPACE_GLOBAL))
		return 0;
	if (size->kind != PTX_OPERAND_INT)
		return BULK_ROWS;
	lines = size->imm > 0 ? size->imm / BULK_LINE + 2 : 1; /* it need not begin at a line's begin */
	return lines < BULK_ROWS * LANES ? (unsigned)((lines + LANES - 1) / LANES) : BULK_ROWS;
}

enum ptx_space resolve_space(enum ptx_space space, uint64_t address, uint64_t *offset)
{
	uint64_t at = address;

	if (space == PTX_SPACE_GENERIC) {
		space = PTX_SPACE_GLOBAL;
		if (address - SHARED_WINDOW < WINDOW_BYTES) {
			space = PTX_SPACE_SHARED;
			at = address - SHARED_WINDOW;
		} else if (address - LOCAL_WINDOW < WINDOW_BYTES) {
			space = PTX_SPACE_LOCAL;
			at = address - LOCAL_WINDOW;
		} else if (address - PARAM_WINDOW < WINDOW_BYTES) {
			space = PTX_SPACE_PARAM;
			at = address - PARAM_WINDOW;
		}
	}
	if (offset)
		*offset = at;
	return space;
}

static uint8_t *within(uint8_t *start, uint64_t size, uint64_t offset, size_t bytes)
{
	return offset <= size && bytes <= size - offset ? start + offset : NULL;
}

uint8_t *lane_pointer(const struct warp *w, enum ptx_space space, unsigned lane, uint64_t address, size_t bytes)
{
	uint64_t offset;

	switch (resolve_space(space, address, &offset)) {
	case PTX_SPACE_SHARED: return within(w->cta->shared, w->launch->shared_bytes, offset, bytes);
	case PTX_SPACE_LOCAL: return within(lane_local(w, lane), w->launch->local_stride, offset, bytes);
	case PTX_SPACE_PARAM: return within(w->launch->params, w->launch->param_bytes, offset, bytes);
	default: return memory_contains(w->launch->memory, address, bytes) ? memory_host(address) : NULL;
	}
}
