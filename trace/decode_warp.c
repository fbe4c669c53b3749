/* Decoder of one warp's stream, the inner loop of every consumer. It allocates nothing and checks every byte. */
#include "trace/bytes.h"
#include "trace/format.h"
#include "trace/predict.h"
#include "trace/trace.h"

/* Called for each step, and from elsewhere. */
#define IN_STEP static inline __attribute__((always_inline))
#define UNLIKELY(condition) __builtin_expect((condition), 0)

void trace_warp_start(struct trace_warp_cursor *c, const struct trace_kernel *kernel, const struct trace_cta *cta,
		      uint32_t warp)
{
	c->kernel = kernel;
	c->at = cta->streams[warp];
	c->end = c->at + cta->stream_bytes[warp];
	c->inst = c->block_end = 0;
	c->bad = false;
	predictor_init(&c->expect);
}

static bool damaged(struct trace_warp_cursor *c)
{
	c->bad = true;
	c->at = c->end;
	c->inst = c->block_end = 0;
	return false;
}

static bool get_mask(struct trace_warp_cursor *c, uint32_t *mask)
{
	if (c->end - c->at < 4)
		return false;
	*mask = (uint32_t)load_fixed(c->at, 4);
	c->at += 4;
	return true;
}

IN_STEP bool next_block(struct trace_warp_cursor *c)
{
	struct trace_predictor *p = &c->expect;
	uint32_t block = predicted_block(p), mask = p->mask;
	unsigned code;
	int64_t difference;

	if (c->at == c->end)
		return false;
	code = *c->at++;
	if (UNLIKELY(code & ~(unsigned)BLOCK_CODES))
		return damaged(c);
	if (code & BLOCK_EXPLICIT) {
		if (!get_signed(&c->at, c->end, &difference))
			return damaged(c);
		block += (uint32_t)difference;
	}
	if (UNLIKELY(block >= c->kernel->nblocks))
		return damaged(c);
	if (code & BLOCK_MASK_OF_SLOT)
		mask = predicted_mask(p, block);
	if (code & BLOCK_MASK_EXPLICIT && !get_mask(c, &mask))
		return damaged(c);
	learn_block(p, block, mask);
	p->access = c->kernel->first_access[block];
	c->inst = c->kernel->blocks[block].first;
	c->block_end = c->inst + c->kernel->blocks[block].count;
	return true;
}

IN_STEP bool get_pattern(struct trace_warp_cursor *c, struct trace_access_slot *slot)
{
	int64_t stride, row_stride = 0;

	if (c->at == c->end)
		return false;
	slot->rows_log2 = *c->at++;
	if (slot->rows_log2 > 5 || !get_signed(&c->at, c->end, &stride))
		return false;
	if (slot->rows_log2 && !get_signed(&c->at, c->end, &row_stride))
		return false;
	slot->stride = (int32_t)stride;
	slot->row_stride = (int32_t)row_stride;
	return true;
}

/* Takes note of the offsets, which stay in the stream until trace_op_addresses reads them. */
static bool get_offsets(struct trace_warp_cursor *c, uint32_t mask, struct trace_lanes *lanes)
{
	ptrdiff_t bytes;

	if (c->at == c->end)
		return false;
	lanes->shift = *c->at >> 4;
	lanes->width = *c->at++ & 15;
	bytes = (ptrdiff_t)lanes->width * __builtin_popcount(mask);
	if (lanes->width < 1 || lanes->width > 8 || c->end - c->at < bytes)
		return false;
	lanes->offsets = c->at;
	c->at += bytes;
	return true;
}

IN_STEP bool next_access(struct trace_warp_cursor *c, struct trace_op *op)
{
	struct trace_predictor *p = &c->expect;
	struct trace_access_slot *slot;
	unsigned code;
	uint32_t mask = p->mask;
	uint64_t base;
	int64_t difference;

	if (UNLIKELY(c->at == c->end))
		return damaged(c);
	code = *c->at++;
	if (UNLIKELY(code & ~(unsigned)ACCESS_CODES))
		return damaged(c);
	if (code & ACCESS_NONE) {
		op->access_mask = 0;
		op->space = op->inst->space;
		p->access++;
		return code == ACCESS_NONE ? true : damaged(c);
	}
	slot = predicted_access(p, op->inst->space);
	base = predicted_base(slot);
	if (code & ACCESS_MASK_OF_SLOT)
		mask = slot->mask;
	if (code & ACCESS_MASK_EXPLICIT && !get_mask(c, &mask))
		return damaged(c);
	if (code & ACCESS_SPACE) {
		if (c->at == c->end || *c->at == TRACE_SPACE_NONE || *c->at >= TRACE_SPACE_COUNT)
			return damaged(c);
		slot->space = *c->at++;
	}
	if (code & ACCESS_AFFINE && !get_pattern(c, slot))
		return damaged(c);
	if (code & ACCESS_BASE) {
		if (!get_signed(&c->at, c->end, &difference))
			return damaged(c);
		base += (uint64_t)difference;
	}
	op->lanes.base = base;
	op->lanes.stride = slot->stride;
	op->lanes.row_stride = slot->row_stride;
	op->lanes.rows_log2 = slot->rows_log2;
	op->lanes.offsets = NULL;
	if (code & ACCESS_SCATTERED && !get_offsets(c, mask, &op->lanes))
		return damaged(c);
	slot->mask = mask;
	learn_access(p, slot, base);
	p->access++;
	op->access_mask = mask;
	op->space = slot->space;
	return true;
}

bool trace_warp_step(struct trace_warp_cursor *c, struct trace_op *op)
{
	const struct trace_inst *inst;

again:
	while (c->inst == c->block_end)
		if (!next_block(c))
			return false;
	inst = &c->kernel->insts[c->inst];
	op->inst = inst;
	op->inst_index = c->inst++;
	op->mask = c->expect.mask;
	if (inst->flags & TRACE_HAS_ACCESS) {
		if (!next_access(c, op))
			return false;
		if (UNLIKELY(inst->flags & TRACE_PART) && !op->access_mask)
			goto again;
		return true;
	}
	op->access_mask = 0;
	op->space = inst->space;
	return true;
}

bool trace_warp_enter(struct trace_warp_cursor *c, uint32_t *block)
{
	while (c->inst == c->block_end)
		if (!next_block(c))
			return false;
	*block = c->expect.block;
	return true;
}

bool trace_warp_row(struct trace_warp_cursor *c, struct trace_op *op)
{
	op->inst = &c->kernel->insts[c->inst];
	op->inst_index = c->inst++;
	op->mask = c->expect.mask;
	op->access_mask = 0;
	op->space = op->inst->space;
	return !(op->inst->flags & TRACE_HAS_ACCESS) || next_access(c, op);
}

/* Fills in an address for inactive lanes too, which is cheaper than leaving them out. */
static void fill_affine(const struct trace_lanes *lanes, uint64_t *address)
{
	unsigned width = TRACE_WARP_LANES >> lanes->rows_log2;
	uint64_t stride = (uint64_t)(int64_t)lanes->stride, row_stride = (uint64_t)(int64_t)lanes->row_stride;
	uint64_t base = lanes->base;

	if (width == TRACE_WARP_LANES) {
		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
			address[lane] = base + lane * stride;
		return;
	}
	for (unsigned start = 0; start < TRACE_WARP_LANES; start += width, base += row_stride)
		for (unsigned column = 0; column < width; column++)
			address[start + column] = base + column * stride;
}

static void fill_scattered(const struct trace_lanes *lanes, uint32_t mask, uint64_t *address)
{
	uint64_t keep = UINT64_MAX >> (64 - 8 * lanes->width);
	const uint8_t *at = lanes->offsets;

	for (uint32_t rest = mask; rest; rest &= rest - 1, at += lanes->width) {
		/*
		 * The load may reach up to TRACE_STREAM_SLACK bytes past the stream, but not past the chunk's storage.
		 */
		uint64_t offset = load_word(at) & keep;

		address[__builtin_ctz(rest)] = lanes->base + (offset << lanes->shift);
	}
}

void trace_op_addresses(struct trace_op *op)
{
	if (!op->access_mask)
		return;
	if (op->lanes.offsets)
		fill_scattered(&op->lanes, op->access_mask, op->address);
	else
		fill_affine(&op->lanes, op->address);
}

/* The slots of a few accesses from the `first` on. */
static void prefetch_slots(const struct trace_predictor *p, uint32_t first)
{
	const struct trace_access_slot *slot = &p->accesses[first % TRACE_ACCESS_SLOTS];

	for (unsigned i = 0; i < 3; i++)
		__builtin_prefetch((const char *)slot + i * 64);
}

void trace_warp_prefetch(const struct trace_warp_cursor *c, unsigned step)
{
	const struct trace_predictor *p = &c->expect;
	uint32_t block;

	if (step == 2) {
		__builtin_prefetch(c);
	} else if (step == 1) {
		__builtin_prefetch(c->at);
		__builtin_prefetch(&p->blocks[p->block % TRACE_BLOCK_SLOTS]);
		if (c->inst != c->block_end)
			prefetch_slots(p, p->access);
	} else if (c->inst == c->block_end) {
		block = predicted_block(p);
		if (block < c->kernel->nblocks)
			prefetch_slots(p, c->kernel->first_access[block]);
		__builtin_prefetch(&p->blocks[block % TRACE_BLOCK_SLOTS]);
	}
}

bool trace_warp_next(struct trace_warp_cursor *c, struct trace_op *op)
{
	if (!trace_warp_step(c, op))
		return false;
	trace_op_addresses(op);
	return true;
}
