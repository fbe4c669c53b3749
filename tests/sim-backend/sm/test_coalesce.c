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

static void test_sectors_one_request_per_line(void **state)
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

static void test_sectors_keep_the_order_of_lanes(void **state)
{
	(void)state;
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = lane % 2 ? 0x1000 : 0x8000;
	assert_int_equal(sectors(UINT32_MAX, 4), 2);
	assert_access(0, 0x8000, 1);
	assert_access(1, 0x1000, 1);
}

static void test_an_unaligned_access_takes_two_lines(void **state)
{
	(void)state;
	lanes(0x107c, 0);
	assert_int_equal(sectors(1, 8), 2);
	assert_access(0, 0x1000, 8);
	assert_access(1, 0x1080, 1);
}

/*
 * Random and regular patterns against the definition: the requested sectors of a line are exactly those that lanes
 * touch.
 */
static void test_sectors_are_those_that_lanes_touch(void **state)
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

static void test_segments_shrink_to_what_is_touched(void **state)
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
	assert_int_equal(segments(0xffff00, 4, false), 1); /* the middle two are not an aligned half */
	assert_access(0, 0x1000, 0xf);
}

static void test_segments_depend_on_the_access_size(void **state)
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

static void test_local_words_of_a_warp_share_a_line(void **state)
{
	const struct local_window at = {.near = 1 << 20, .far = 1 << 30, .words = 16}, zero = {.words = 16};

	(void)state;
	lanes(8, 0);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 4, &at, out), 1);
	assert_access(0, (1 << 20) + 2 * 128, 0xf);
	assert_int_equal(coalesce_local(0xff, addresses, 4, &zero, out), 1);
	assert_access(0, 2 * 128, 1);
	lanes(16, 0);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 16, &zero, out), 4);
	assert_access(3, 7 * 128, 0xf);
	lanes(0, 64);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 16, &zero, out), 128);
	/* The last word of the kernel's local memory, and the first beyond it. */
	lanes(60, 0);
	assert_int_equal(coalesce_local(UINT32_MAX, addresses, 8, &at, out), 2);
	assert_access(0, (1 << 20) + 15 * 128, 0xf);
	assert_access(1, (1 << 30) + 16 * 128, 0xf);
}

static void test_bank_conflicts(void **state)
{
	static const struct {
		uint64_t stride;
		unsigned bytes, cycles;
	} rows[] = {{4, 4, 1}, {0, 4, 1}, {8, 4, 2},  {16, 4, 4},  {128, 4, 32}, {132, 4, 1}, {12, 4, 1}, {2, 2, 1},
		    {1, 1, 1}, {8, 8, 2}, {16, 8, 4}, {16, 16, 4}, {256, 8, 32}, {32, 16, 8}, {136, 8, 2}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		lanes(0, rows[i].stride);
		assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, rows[i].bytes, 32, SHARED_LOAD),
				 rows[i].cycles);
	}
	lanes(0, 0);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 4, 32, SHARED_ATOMIC), 32);
	lanes(0, 4);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 4, 32, SHARED_ATOMIC), 1);
	assert_int_equal(shared_conflict_cycles(0, addresses, 4, 32, SHARED_LOAD), 1);
}

/* Cycles of the lanes in `group`: the most different words that they want from one bank of 4 bytes. */
static unsigned cycles_of_group(uint32_t group, unsigned words, unsigned banks)
{
	unsigned most = 0;

	for (unsigned bank = 0; bank < banks; bank++) {
		uint64_t wanted[TRACE_WARP_LANES * 4];
		unsigned count = 0;

		for (unsigned i = 0; i < TRACE_WARP_LANES * words; i++) {
			uint64_t word = addresses[i / words] / 4 + i % words;
			bool counts = (group >> i / words & 1) && word % banks == bank;

			for (unsigned j = 0; j < count; j++)
				counts = counts && wanted[j] != word;
			if (counts)
				wanted[count++] = word;
		}
		most = count > most ? count : most;
	}
	return most;
}

static bool all_pairs_agree(uint32_t mask, unsigned distance)
{
	for (unsigned a = 0; a < TRACE_WARP_LANES; a++)
		for (unsigned b = 0; b < TRACE_WARP_LANES; b++)
			if ((a ^ b) == distance && (mask >> a & 1) && (mask >> b & 1) && addresses[a] != addresses[b])
				return false;
	return true;
}

/* The rule word by word: each group of lanes has its turn, and a load whose pairs agree has half as many groups. */
static unsigned reference_cycles(uint32_t mask, unsigned bytes, unsigned banks, enum shared_access kind)
{
	unsigned words = bytes <= 4 ? 1 : bytes / 4, lanes = TRACE_WARP_LANES / words, cycles = 0;

	if (words > 1 && kind == SHARED_LOAD && (all_pairs_agree(mask, 1) || all_pairs_agree(mask, 2)))
		lanes *= 2;
	for (unsigned first = 0; first < TRACE_WARP_LANES; first += lanes)
		cycles += cycles_of_group(mask & (uint32_t)((((uint64_t)1 << lanes) - 1) << first), words, banks);
	return cycles ? cycles : 1;
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Few different elements, of which pairs of lanes often want the same. */
static void random_elements(unsigned bytes, uint32_t *state)
{
	unsigned distance = next_random(state) % 4, span = 1u << next_random(state) % 7;

	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++) {
		unsigned partner = lane & ~distance;

		addresses[lane] = 4096 + (uint64_t)bytes * (next_random(state) % span);
		if (distance && next_random(state) % 1000)
			addresses[lane] = addresses[partner];
	}
}

static void test_bank_conflicts_follow_the_reference(void **state)
{
	uint32_t random = 1;
	unsigned halved = 0;

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		unsigned bytes = 1u << next_random(&random) % 5, banks = next_random(&random) % 2 ? 32 : 16;
		uint32_t mask =
		    next_random(&random) % 3 ? UINT32_MAX : next_random(&random) ^ next_random(&random) << 16;
		unsigned load, store;

		random_elements(bytes, &random);
		load = shared_conflict_cycles(mask, addresses, bytes, banks, SHARED_LOAD);
		store = shared_conflict_cycles(mask, addresses, bytes, banks, SHARED_STORE);
		assert_int_equal(load, reference_cycles(mask, bytes, banks, SHARED_LOAD));
		assert_int_equal(store, reference_cycles(mask, bytes, banks, SHARED_STORE));
		assert_true(load <= store);
		halved += 2 * load == store;
	}
	assert_true(halved > 250);
}

/* NVIDIA's rule for LDS.128: four requests, but two if neighbours, or lanes two apart, agree. */
static void test_wide_loads_merge_lanes_that_agree(void **state)
{
	(void)state;
	lanes(0, 16);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_LOAD), 4);
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = lane / 2 * 16;
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_LOAD), 2);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_STORE), 4);
	addresses[31] += 16;
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_LOAD), 4);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX >> 1, addresses, 16, 32, SHARED_LOAD), 2);
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = (lane / 4 * 2 + lane % 2) * 16;
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_LOAD), 2);
	/* A tile's row for each half of the warp, as a matrix product reads it. */
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = lane / 16 * 64;
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_LOAD), 2);
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 8, 32, SHARED_LOAD), 1);
	/* Lanes that are four apart agree: no rule for that. */
	for (unsigned lane = 0; lane < TRACE_WARP_LANES; lane++)
		addresses[lane] = (lane / 8 * 4 + lane % 4) * 16;
	assert_int_equal(shared_conflict_cycles(UINT32_MAX, addresses, 16, 32, SHARED_LOAD), 4);
}

static void test_constants_serialise_distinct_words(void **state)
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

static void test_rows_are_coalesced_as_their_lanes(void **state)
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

static void test_rows_with_gaps_are_left_to_their_lanes(void **state)
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
	    cmocka_unit_test(test_sectors_one_request_per_line),
	    cmocka_unit_test(test_sectors_keep_the_order_of_lanes),
	    cmocka_unit_test(test_an_unaligned_access_takes_two_lines),
	    cmocka_unit_test(test_sectors_are_those_that_lanes_touch),
	    cmocka_unit_test(test_segments_shrink_to_what_is_touched),
	    cmocka_unit_test(test_segments_depend_on_the_access_size),
	    cmocka_unit_test(test_local_words_of_a_warp_share_a_line),
	    cmocka_unit_test(test_bank_conflicts),
	    cmocka_unit_test(test_bank_conflicts_follow_the_reference),
	    cmocka_unit_test(test_wide_loads_merge_lanes_that_agree),
	    cmocka_unit_test(test_constants_serialise_distinct_words),
	    cmocka_unit_test(test_rows_are_coalesced_as_their_lanes),
	    cmocka_unit_test(test_rows_with_gaps_are_left_to_their_lanes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
