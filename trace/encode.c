/* Finds the shortest way to say what a warp did: as expected, an affine pattern of the lanes, or lane by lane. */
#include "trace/encode.h"

#include "trace/format.h"
#include "trace/predict.h"

enum { LANES = TRACE_WARP_LANES, MOST_ROWS_LOG2 = 4, MOST_SHIFT = 15 };

struct pattern {
	unsigned rows_log2;
	int32_t stride, row_stride;
};

void encoder_start(struct warp_encoder *e)
{
	e->out.len = 0;
	e->access_end = 0;
	predictor_init(&e->expect);
}

void encode_block(struct warp_encoder *e, uint32_t block, uint32_t mask)
{
	struct trace_predictor *p = &e->expect;
	uint32_t expected = predicted_block(p);
	unsigned code = block == expected ? 0 : BLOCK_EXPLICIT;

	if (mask != p->mask)
		code |= mask == predicted_mask(p, block) ? BLOCK_MASK_OF_SLOT : BLOCK_MASK_EXPLICIT;
	put_byte(&e->out, (uint8_t)code);
	if (code & BLOCK_EXPLICIT)
		put_signed(&e->out, (int32_t)(block - expected));
	if (code & BLOCK_MASK_EXPLICIT)
		put_fixed(&e->out, mask, 4);
	learn_block(p, block, mask);
}

/* Offset of a lane from lane 0. */
static uint64_t lane_offset(const struct pattern *pattern, unsigned lane)
{
	unsigned column_bits = 5 - pattern->rows_log2;
	int64_t column = lane & ((1u << column_bits) - 1), row = lane >> column_bits;

	return (uint64_t)(column * pattern->stride + row * pattern->row_stride);
}

/* Whether all 32 lanes follow the pattern: the usual case, without a test of each lane's bit. */
static bool all_lanes_match(const struct pattern *pattern, const uint64_t *addresses)
{
	unsigned width = LANES >> pattern->rows_log2;
	uint64_t row = addresses[0], wrong = 0;

	for (unsigned start = 0; start < LANES; start += width, row += (uint64_t)(int64_t)pattern->row_stride) {
		uint64_t expected = row;

		for (unsigned lane = start; lane < start + width; lane++) {
			wrong |= addresses[lane] ^ expected;
			expected += (uint64_t)(int64_t)pattern->stride;
		}
	}
	return wrong == 0;
}

static bool matches(const struct pattern *pattern, uint32_t mask, const uint64_t *addresses, uint64_t *base)
{
	unsigned first = (unsigned)__builtin_ctz(mask);

	*base = addresses[first] - lane_offset(pattern, first);
	if (mask == UINT32_MAX)
		return all_lanes_match(pattern, addresses);
	for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (addresses[lane] - lane_offset(pattern, lane) != *base)
			return false;
	}
	return true;
}

/* Whether difference / steps is a whole 32-bit number, which becomes *stride. */
static bool whole_stride(uint64_t difference, unsigned steps, int32_t *stride)
{
	int64_t total = (int64_t)difference, quotient = total / (int64_t)steps;

	*stride = (int32_t)quotient;
	return quotient * (int64_t)steps == total && quotient == *stride;
}

/* Finds the stride in the first row with two active lanes; it is 0 when there is no such row. */
static bool find_stride(struct pattern *pattern, uint32_t mask, const uint64_t *addresses)
{
	unsigned width = LANES >> pattern->rows_log2;

	pattern->stride = 0;
	for (unsigned start = 0; start < LANES; start += width) {
		uint32_t row = mask >> start & (uint32_t)((1ull << width) - 1);
		unsigned first, second;

		if (!(row & (row - 1)))
			continue;
		first = (unsigned)__builtin_ctz(row);
		second = (unsigned)__builtin_ctz(row & (row - 1));
		return whole_stride(addresses[start + second] - addresses[start + first], second - first,
				    &pattern->stride);
	}
	return true;
}

/* Finds the row stride from the first two rows with active lanes. */
static bool find_row_stride(struct pattern *pattern, uint32_t mask, const uint64_t *addresses)
{
	unsigned width = LANES >> pattern->rows_log2;
	unsigned first = (unsigned)__builtin_ctz(mask), row = first / width;
	uint64_t later = (uint64_t)mask >> (row + 1) * width << (row + 1) * width;
	unsigned lane;

	pattern->row_stride = 0;
	if (!later)
		return true;
	lane = (unsigned)__builtin_ctzll(later);
	return whole_stride(addresses[lane] - lane_offset(pattern, lane) - addresses[first] +
				lane_offset(pattern, first),
			    lane / width - row, &pattern->row_stride);
}

static bool find_pattern(struct pattern *pattern, uint32_t mask, const uint64_t *addresses, uint64_t *base)
{
	for (unsigned rows_log2 = 0; rows_log2 <= MOST_ROWS_LOG2; rows_log2++) {
		*pattern = (struct pattern){.rows_log2 = rows_log2};
		if (find_stride(pattern, mask, addresses) && find_row_stride(pattern, mask, addresses) &&
		    matches(pattern, mask, addresses, base))
			return true;
	}
	return false;
}

static uint64_t lowest_address(uint32_t mask, const uint64_t *addresses)
{
	uint64_t lowest = UINT64_MAX;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint64_t address = addresses[__builtin_ctz(rest)];

		lowest = address < lowest ? address : lowest;
	}
	return lowest;
}

/* Writes offsets from the lowest address, all of the same width, without their common low zero bits. */
static void put_offsets(struct bytes *out, uint32_t mask, const uint64_t *addresses, uint64_t lowest)
{
	uint64_t any = 0;
	unsigned shift, width;

	for (uint32_t rest = mask; rest; rest &= rest - 1)
		any |= addresses[__builtin_ctz(rest)] - lowest;
	shift = any ? (unsigned)__builtin_ctzll(any) : 0;
	shift = shift > MOST_SHIFT ? MOST_SHIFT : shift;
	width = any >> shift ? (71 - (unsigned)__builtin_clzll(any >> shift)) / 8 : 1;
	put_byte(out, (uint8_t)(shift << 4 | width));
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		put_fixed(out, (addresses[__builtin_ctz(rest)] - lowest) >> shift, width);
}

static unsigned mask_code(const struct trace_predictor *p, const struct trace_access_slot *slot, uint32_t mask)
{
	if (mask == p->mask)
		return 0;
	return mask == slot->mask ? ACCESS_MASK_OF_SLOT : ACCESS_MASK_EXPLICIT;
}

/* Chooses between the slot's pattern, a new pattern, and no pattern. */
static unsigned pattern_code(struct trace_access_slot *slot, uint32_t mask, const uint64_t *addresses, uint64_t *base)
{
	struct pattern pattern = {slot->rows_log2, slot->stride, slot->row_stride};

	if (matches(&pattern, mask, addresses, base))
		return 0;
	if (find_pattern(&pattern, mask, addresses, base)) {
		slot->rows_log2 = (uint8_t)pattern.rows_log2;
		slot->stride = pattern.stride;
		slot->row_stride = pattern.row_stride;
		return ACCESS_AFFINE;
	}
	*base = lowest_address(mask, addresses);
	return ACCESS_SCATTERED;
}

void encode_access(struct warp_encoder *e, unsigned named_space, enum trace_space space, uint32_t mask,
		   const uint64_t *addresses)
{
	struct trace_predictor *p = &e->expect;
	struct trace_access_slot *slot;
	uint64_t base, expected;
	unsigned code;

	if (!mask) {
		put_byte(&e->out, ACCESS_NONE);
		p->access++;
		return;
	}
	slot = predicted_access(p, named_space);
	expected = predicted_base(slot);
	code = mask_code(p, slot, mask) | pattern_code(slot, mask, addresses, &base);
	code |= slot->space == space ? 0 : ACCESS_SPACE;
	code |= base == expected ? 0 : ACCESS_BASE;
	put_byte(&e->out, (uint8_t)code);
	if (code & ACCESS_MASK_EXPLICIT)
		put_fixed(&e->out, mask, 4);
	if (code & ACCESS_SPACE)
		put_byte(&e->out, (uint8_t)space);
	if (code & ACCESS_AFFINE) {
		put_byte(&e->out, slot->rows_log2);
		put_signed(&e->out, slot->stride);
		if (slot->rows_log2)
			put_signed(&e->out, slot->row_stride);
	}
	if (code & ACCESS_BASE)
		put_signed(&e->out, (int64_t)(base - expected));
	if (code & ACCESS_SCATTERED)
		put_offsets(&e->out, mask, addresses, base);
	slot->mask = mask;
	slot->space = (uint8_t)space;
	learn_access(p, slot, base);
	p->access++;
}
