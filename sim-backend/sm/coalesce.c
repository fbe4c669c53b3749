/* Merges lanes one after the other into a short list of requests. The search in the list begins at its newest entry. */
#include "sim-backend/sm/coalesce.h"

#include "common/integer.h"

_Static_assert((int)LINE_BYTES == LOCAL_LINE_BYTES, "a word of all lanes is a line");

enum { HALF_WARP = TRACE_WARP_LANES / 2 };

/* Adds sectors to a request for `line` in the same aligned segment of `span` sectors, or appends a new request. */
static unsigned add(struct line_access *out, unsigned count, uint64_t line, uint8_t sectors, uint8_t span)
{
	for (unsigned i = count; i-- > 0;)
		if (out[i].line == line && (out[i].sectors & span)) {
			out[i].sectors |= sectors;
			return count;
		}
	out[count] = (struct line_access){line, sectors};
	return count + 1;
}

static uint8_t sector_range(uint64_t first, uint64_t last)
{
	unsigned low = (unsigned)(first >> SECTOR_SHIFT) & 3, high = (unsigned)(last >> SECTOR_SHIFT) & 3;

	return (uint8_t)((0xfu << low) & (0xfu >> (3 - high)));
}

/* Adds an access that reaches into the next line, in two parts. */
static unsigned add_unaligned(struct line_access *out, unsigned count, uint64_t first, uint64_t last)
{
	uint64_t line = first & ~(uint64_t)(LINE_BYTES - 1), last_line = last & ~(uint64_t)(LINE_BYTES - 1);

	count = add(out, count, line, sector_range(first, line + LINE_BYTES - 1), 0xf);
	return add(out, count, last_line, sector_range(last_line, last), 0xf);
}

/*
 * Merges lane by lane. Neighbouring lanes mostly stay in a sector, or else in a line, so the newest requests are tried
 * first.
 */
static unsigned lane_by_lane(uint32_t mask, const uint64_t *addresses, unsigned bytes, struct line_access *out,
			     unsigned count)
{
	uint64_t previous = UINT64_MAX;

	for (; mask; mask &= mask - 1) {
		uint64_t first = addresses[__builtin_ctz(mask)], last = first + bytes - 1;
		uint64_t line = first & ~(uint64_t)(LINE_BYTES - 1);

		if (first >> SECTOR_SHIFT == previous && last >> SECTOR_SHIFT == previous)
			continue;
		previous = first >> SECTOR_SHIFT;
		if ((first ^ last) >> LINE_SHIFT)
			count = add_unaligned(out, count, first, last);
		else if (count && out[count - 1].line == line)
			out[count - 1].sectors |= sector_range(first, last);
		else
			count = add(out, count, line, sector_range(first, last), 0xf);
	}
	return count;
}

/* The sectors that half a warp touches if all its aligned accesses are in one line; 0 if they are not. */
static uint8_t half_warp_sectors(const uint64_t *addresses, unsigned bytes)
{
	uint64_t differ = 0, all = 0;
	uint32_t sectors = 0;

	for (unsigned lane = 0; lane < HALF_WARP; lane++) {
		differ |= addresses[lane] ^ addresses[0];
		all |= addresses[lane];
	}
	if (differ >> LINE_SHIFT || (bytes & (bytes - 1)) || (all & (bytes - 1)))
		return 0;
	if (differ >> SECTOR_SHIFT == 0)
		return (uint8_t)(1u << (addresses[0] >> SECTOR_SHIFT & 3));
	for (unsigned lane = 0; lane < HALF_WARP; lane++)
		sectors |= 1u << (addresses[lane] >> SECTOR_SHIFT & 3);
	return (uint8_t)sectors;
}

/* Merges half warps. Mostly all accesses of a half warp are in one line; this case needs no branch per lane. */
static unsigned by_lines(uint32_t mask, const uint64_t *addresses, unsigned bytes, struct line_access *out)
{
	const uint32_t all = (1u << HALF_WARP) - 1;
	unsigned count = 0;

	for (unsigned first = 0; first < TRACE_WARP_LANES; first += HALF_WARP) {
		const uint64_t *half = addresses + first;
		uint32_t lanes = mask >> first & all;
		uint8_t sectors = lanes == all ? half_warp_sectors(half, bytes) : 0;

		if (sectors)
			count = add(out, count, half[0] & ~(uint64_t)(LINE_BYTES - 1), sectors, 0xf);
		else
			count = lane_by_lane(lanes, half, bytes, out, count);
	}
	return count;
}

/* The sectors of the aligned segment of `size` sectors around sector `at`. */
static uint8_t segment_of(unsigned at, unsigned size)
{
	return (uint8_t)(((1u << size) - 1) << (at / size * size));
}

/* Touched sectors of one segment, widened to the smallest aligned 32, 64 or 128 B that holds them. */
static uint8_t shrink(uint8_t sectors)
{
	unsigned low = (unsigned)__builtin_ctz(sectors), high = 31 - (unsigned)__builtin_clz(sectors);

	for (unsigned size = 1; size < SECTORS_PER_LINE; size *= 2)
		if (low / size == high / size)
			return segment_of(low, size);
	return 0xf;
}

static unsigned by_segments(uint32_t mask, const uint64_t *addresses, unsigned bytes, bool uncached,
			    struct line_access *out)
{
	unsigned size = uncached || bytes == 1 ? 1 : bytes == 2 ? 2 : SECTORS_PER_LINE;
	unsigned count = 0;

	for (; mask; mask &= mask - 1) {
		uint64_t first = addresses[__builtin_ctz(mask)];
		uint64_t last_sector = (first + bytes - 1) >> SECTOR_SHIFT;

		for (uint64_t sector = first >> SECTOR_SHIFT; sector <= last_sector; sector++) {
			unsigned at = (unsigned)sector & 3;

			count = add(out, count, (sector >> 2) << LINE_SHIFT, (uint8_t)(1u << at), segment_of(at, size));
		}
	}
	for (unsigned i = 0; i < count; i++)
		out[i].sectors = shrink(out[i].sectors);
	return count;
}

/* A lane accesses a sector at most, or a whole line: a part of a bulk copy. */
static unsigned width_of(unsigned access_bytes)
{
	unsigned bytes = access_bytes ? access_bytes : 1;

	if (bytes == LINE_BYTES)
		return bytes;
	return bytes < SECTOR_BYTES ? bytes : SECTOR_BYTES;
}

/* Lanes at most a sector apart touch every sector from the row's first byte to its last. */
unsigned coalesce_rows(const struct trace_lanes *lanes, unsigned access_bytes, struct line_access *out)
{
	unsigned columns = TRACE_WARP_LANES >> lanes->rows_log2, bytes = width_of(access_bytes), count = 0;
	uint64_t first = lanes->base, length = (columns - 1) * (uint64_t)(int64_t)lanes->stride + bytes;

	if (lanes->stride < 0 || lanes->stride > SECTOR_BYTES)
		return 0;
	for (unsigned row = 0; row < 1u << lanes->rows_log2; row++) {
		uint64_t last = first + length - 1;
		uint64_t line = first & ~(uint64_t)(LINE_BYTES - 1), end = last & ~(uint64_t)(LINE_BYTES - 1);
		uint64_t from = first;

		for (; line != end; line += LINE_BYTES, from = line)
			count = add(out, count, line, sector_range(from, line + LINE_BYTES - 1), 0xf);
		count = add(out, count, line, sector_range(from, last), 0xf);
		first += (uint64_t)(int64_t)lanes->row_stride;
	}
	return count;
}

unsigned coalesce(enum coalesce_rule rule, bool uncached, uint32_t mask, const uint64_t addresses[TRACE_WARP_LANES],
		  unsigned access_bytes, struct line_access *out)
{
	unsigned bytes = width_of(access_bytes);

	return rule == COALESCE_SECTORS ? by_lines(mask, addresses, bytes, out)
					: by_segments(mask, addresses, bytes, uncached, out);
}

unsigned coalesce_local(uint32_t mask, const uint64_t offsets[TRACE_WARP_LANES], unsigned access_bytes,
			const struct local_window *window, struct line_access *out)
{
	unsigned words = access_bytes <= 4    ? 1
			 : access_bytes >= 16 ? 4
					      : (unsigned)divide_up(access_bytes, 4),
		 count = 0;

	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);
		uint64_t word = offsets[lane] / 4;

		for (unsigned w = 0; w < words; w++)
			count = add(out, count, local_line(window, word + w),
				    (uint8_t)(1u << (lane * 4 >> SECTOR_SHIFT)), 0xf);
	}
	return count;
}

/*
 * The most elements of `width` bytes that lanes want from one bank. Lanes that want the same element share it
 * (broadcast), unless the access is atomic.
 */
static unsigned worst_bank(uint32_t mask, const uint64_t *offsets, unsigned width, unsigned banks, bool atomic)
{
	uint64_t elements[TRACE_WARP_LANES];
	uint8_t per_bank[64] = {0};
	unsigned count = 0, worst = 0;

	for (; mask; mask &= mask - 1) {
		uint64_t element = offsets[__builtin_ctz(mask)] / width;
		unsigned bank = (unsigned)(element % banks), i = count;

		if (!atomic && per_bank[bank])
			for (i = 0; i < count && elements[i] != element;)
				i++;
		if (i < count)
			continue;
		elements[count++] = element;
		if (++per_bank[bank] > worst)
			worst = per_bank[bank];
	}
	return worst;
}

/* Whether each active lane wants the same address as the lane at `distance`, if that lane is active as well. */
static bool lanes_agree(uint32_t mask, const uint64_t *offsets, unsigned distance)
{
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned lane = (unsigned)__builtin_ctz(rest);

		if (mask >> (lane ^ distance) & 1 && offsets[lane] != offsets[lane ^ distance])
			return false;
	}
	return true;
}

unsigned shared_conflict_cycles(uint32_t mask, const uint64_t offsets[TRACE_WARP_LANES], unsigned access_bytes,
				unsigned banks, enum shared_access kind)
{
	unsigned words = access_bytes <= 4 ? 1 : access_bytes <= 8 ? 2 : 4, groups = words, lanes, cycles = 0;

	if (words > 1 && kind == SHARED_LOAD && (lanes_agree(mask, offsets, 1) || lanes_agree(mask, offsets, 2)))
		groups = words / 2;
	lanes = TRACE_WARP_LANES / groups;
	for (unsigned g = 0; g < groups; g++)
		cycles += worst_bank(mask & (UINT32_MAX >> (TRACE_WARP_LANES - lanes) << (g * lanes)), offsets,
				     4 * words, banks > words ? banks / words : 1, kind == SHARED_ATOMIC);
	return cycles ? cycles : 1;
}

unsigned distinct_words(uint32_t mask, const uint64_t offsets[TRACE_WARP_LANES])
{
	uint64_t words[TRACE_WARP_LANES];
	unsigned count = 0;

	for (; mask; mask &= mask - 1) {
		uint64_t word = offsets[__builtin_ctz(mask)] / 4;
		unsigned i = 0;

		while (i < count && words[i] != word)
			i++;
		if (i == count)
			words[count++] = word;
	}
	return count ? count : 1;
}
