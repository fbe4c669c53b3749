/* Worked examples of both coalescing rules, of local memory, and of bank conflicts. */
#include "sim-backend/sm/coalesce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t addresses[TRACE_WARP_LANES];
static struct line_access out[COALESCE_MAX];

static void lanes(uint64_t base, uint64_t stride)
{
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = base + lane * stride;
}

static void assert_access(unsigned i, uint64_t line, unsigned sectors)
{
	assert_int_equal(out[i].line, line);
	assert_int_equal(out[i].sectors, sectors);
}

static unsigned sectors(uint32_t mask, unsigned bytes)
{
	return coalesce(COALESCE_SECTORS, false, mask, addresses, bytes, out);
}

static unsigned segments(uint32_t mask, unsigned bytes, bool uncached)
{
	return coalesce(COALESCE_SEGMENTS, uncached, mask, addresses, bytes, out);
}

static void sectors_one_request_per_line(void **state)
{
	(void)state;
	lanes(0x1000, 4);
	assert_int_equal(sectors(UINT32_MAX, 4), 1);
	assert_access(0, 0x1000, 0xf);
	assert_int_equal(sectors(0x1, 4), 1);
	assert_access(0, 0x1000, 1);
	assert_int_equal(sectors(0, 4), 0);

	lanes(0x1000, 16);
	assert_int_equal(sectors(UINT32_MAX, 16), 4);
	assert_access(3, 0x1180, 0xf);

	lanes(0x1000, 128);
	assert_int_equal(sectors(UINT32_MAX, 4), 32);
	assert_access(31, 0x1000 + 31 * 128, 1);

	/* One word off: the last lane falls into the next line. */
	lanes(0x1004, 4);
	assert_int_equal(sectors(UINT32_MAX, 4), 2);
	assert_access(0, 0x1000, 0xf);
	assert_access(1, 0x1080, 1);

	/* All lanes one word. */
	lanes(0x1048, 0);
	assert_int_equal(sectors(UINT32_MAX, 4), 1);
	assert_access(0, 0x1000, 4);
}

static void sectors_keep_the_order_of_lanes(void **state)
{
	(void)state;
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = lane % 2 ? 0x1000 : 0x8000;
	assert_int_equal(sectors(UINT32_MAX, 4), 2);
	assert_access(0, 0x8000, 1);
	assert_access(1, 0x1000, 1);
}

static void an_unaligned_access_takes_two_lines(void **state)
{
	(void)state;
	lanes(0x107c, 0);
	assert_int_equal(sectors(1, 8), 2);
	assert_access(0, 0x1000, 8);
	assert_access(1, 0x1080, 1);
}

/* Random and regular patterns against the definition: a line is asked for with exactly the sectors that lanes touch. */
static void sectors_are_those_that_lanes_touch(void **state)
{
	static const unsigned sizes[] = {1, 2, 4, 8, 16};
	uint64_t random = 88172645463325252;

	(void)state;
	for (unsigned round = 0; round < 5000; round++) {
		unsigned bytes = sizes[round % 5], count;
		uint32_t mask = round % 3 ? UINT32_MAX : (uint32_t)(random >> 11);

		for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			addresses[lane] = 0x10000 + (round % 7 ? lane * bytes * (round % 4) : random % 1024);
			addresses[lane] += round % 11 ? 0 : 3;
		}
		count = sectors(mask, bytes);
		for (unsigned i = 0; i < count; i++) {
			unsigned wanted = 0;

			for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
				for (unsigned b = 0; b < bytes && (mask >> lane & 1); b++)
					if ((addresses[lane] + b) / 128 * 128 == out[i].line)
						wanted |= 1u << ((addresses[lane] + b) / 32 % 4);
			assert_int_equal(out[i].sectors, wanted);
			for (unsigned j = 0; j < i; j++)
				assert_true(out[i].line != out[j].line);
		}
	}
}

static void segments_shrink_to_what_is_touched(void **state)
{
	(void)state;
	lanes(0x1000, 4);
	assert_int_equal(segments(UINT32_MAX, 4, false), 1);
	assert_access(0, 0x1000, 0xf);
	assert_int_equal(segments(0xffff, 4, false), 1); /* lower half: 64 B */
	assert_access(0, 0x1000, 3);
	assert_int_equal(segments(0xff0000, 4, false), 1); /* third sector: 32 B */
	assert_access(0, 0x1000, 4);
	assert_int_equal(segments(0xff0000ff, 4, false), 1); /* first and last: 128 B here, 2 x 32 B with sectors */
	assert_access(0, 0x1000, 0xf);
	assert_int_equal(sectors(0xff0000ff, 4), 1);
	assert_access(0, 0x1000, 9);
	assert_int_equal(segments(0xffff00, 4, false), 1); /* the two middle ones are not one aligned half */
	assert_access(0, 0x1000, 0xf);
}

static void segments_depend_on_the_access_size(void **state)
{
	(void)state;
	lanes(0x1000, 4);
	assert_int_equal(segments(UINT32_MAX, 1, false), 4); /* bytes: 32 B segments */
	assert_access(3, 0x1000, 8);
	assert_int_equal(segments(UINT32_MAX, 2, false), 2); /* halves: 64 B segments */
	assert_access(0, 0x1000, 3);
	assert_access(1, 0x1000, 0xc);
	assert_int_equal(segments(UINT32_MAX, 4, true), 4); /* past the L1: 32 B */
	assert_access(2, 0x1000, 4);
}

static void local_words_of_a_warp_share_a_line(void **state)
{
	(void)state;
	lanes(8, 0);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 4, 1 << 20, out), 1);
	assert_access(0, (1 << 20) + 2 * 128, 0xf);
	assert_int_equal(coalesce_local(0xff, addresses, 4, 0, out), 1);
	assert_access(0, 2 * 128, 1);
	lanes(16, 0);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 16, 0, out), 4);
	assert_access(3, 7 * 128, 0xf);
	lanes(0, 64);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 16, 0, out), 128);
}

static void bank_conflicts(void **state)
{
	static const struct {
		uint64_t stride;
		unsigned bytes, cycles;
	} rows[] = {{4, 4, 1}, {0, 4, 1}, {8, 4, 2},  {16, 4, 4},  {128, 4, 32}, {132, 4, 1}, {12, 4, 1}, {2, 2, 1},
		    {1, 1, 1}, {8, 8, 2}, {16, 8, 4}, {16, 16, 4}, {256, 8, 32}, {32, 16, 8}, {136, 8, 2}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		lanes(0, rows[i].stride);
		assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, rows[i].bytes, 32, false),
				 rows[i].cycles);
	}
	lanes(0, 0);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 4, 32, true), 32);
	lanes(0, 4);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 4, 32, true), 1);
	assert_int_equal(shared_conflict_cycles(0, addresses, 4, 32, false), 1);
}

static void constants_serialise_distinct_words(void **state)
{
	(void)state;
	lanes(64, 0);
	assert_int_equal(distinct_words(UINT32_MAX, addresses), 1);
	lanes(64, 4);
	assert_int_equal(distinct_words(UINT32_MAX, addresses), 32);
	lanes(64, 2);
	assert_int_equal(distinct_words(UINT32_MAX, addresses), 16);
}

static void fill(const struct trace_lanes *l)
{
	unsigned columns = TRACE_WARP_LANES >> l->rows_log2;

	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = l->base + lane % columns * (uint64_t)(int64_t)l->stride +
				  lane / columns * (uint64_t)(int64_t)l->row_stride;
}

static void assert_rows_agree(const struct trace_lanes *l, unsigned bytes)
{
	struct line_access rows[COALESCE_MAX];
	unsigned count = coalesce_rows(l, bytes, rows);

	fill(l);
	assert_int_equal(count, sectors(UINT32_MAX, bytes));
	for (unsigned i = 0; i < count; i++)
		assert_access(i, rows[i].line, rows[i].sectors);
}

static void rows_are_coalesced_as_their_lanes(void **state)
{
	static const int32_t strides[] = {0, 1, 2, 4, 8, 12, 16, 31, 32};
	static const int32_t row_strides[] = {0, 4, 32, 64, 96, 128, 2048, 2052, -64, -128, -132};
	enum { STRIDES = sizeof strides / sizeof *strides, ROWS = sizeof row_strides / sizeof *row_strides };

	(void)state;
	for (unsigned base = 0; base < LINE_BYTES; base += 7)
		for (unsigned bytes = 1; bytes <= 16; bytes *= 2)
			for (unsigned i = 0; i < 6 * STRIDES * ROWS; i++) {
				struct trace_lanes l = {.base = 0x10000 + base,
							.stride = strides[i / 6 % STRIDES],
							.row_stride = row_strides[i / 6 / STRIDES],
							.rows_log2 = (uint8_t)(i % 6)};

				assert_rows_agree(&l, bytes);
			}
}

static void rows_with_gaps_are_left_to_their_lanes(void **state)
{
	struct trace_lanes l = {.base = 0x1000, .stride = 36};

	(void)state;
	assert_int_equal(coalesce_rows(&l, 4, out), 0);
	l.stride = -4;
	assert_int_equal(coalesce_rows(&l, 4, out), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sectors_one_request_per_line),
	    cmocka_unit_test(sectors_keep_the_order_of_lanes),
	    cmocka_unit_test(an_unaligned_access_takes_two_lines),
	    cmocka_unit_test(sectors_are_those_that_lanes_touch),
	    cmocka_unit_test(segments_shrink_to_what_is_touched),
	    cmocka_unit_test(segments_depend_on_the_access_size),
	    cmocka_unit_test(local_words_of_a_warp_share_a_line),
	    cmocka_unit_test(bank_conflicts),
	    cmocka_unit_test(constants_serialise_distinct_words),
	    cmocka_unit_test(rows_are_coalesced_as_their_lanes),
	    cmocka_unit_test(rows_with_gaps_are_left_to_their_lanes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
