/* Address maps: invertible, balanced over strides, and each scheme as it is defined. */
#include "tests/sim-backend/support.h"

#include "sim-backend/map/balance.h"

#include <stdlib.h>
#include <string.h>

static struct address_map map_of(enum map_scheme scheme, uint32_t seed)
{
	struct memsys_config config = paper_machine();
	struct address_map map;

	config.map.scheme = scheme;
	config.map.seed = seed;
	memsys_map_init(&map, &config);
	return map;
}

static void test_every_scheme_is_invertible(void **state)
{
	(void)state;
	for (unsigned scheme = MAP_LINEAR; scheme <= MAP_PAGE; scheme++)
		for (uint32_t seed = 0; seed < 5; seed++) {
			struct address_map map = map_of(scheme, seed);
			struct gf2_matrix inverse;
			uint64_t random = 7 + seed;

			assert_true(gf2_invert(&map.matrix, &inverse));
			assert_int_equal(gf2_rank(map.matrix.rows, map.matrix.size, UINT64_MAX), map.matrix.size);
			for (int i = 0; i < 200; i++) {
				uint64_t x = random_below(&random, UINT64_C(1) << 23);

				assert_int_equal(gf2_apply(&inverse, gf2_apply(&map.matrix, x)), x);
			}
		}
}

static void test_singular_matrix_is_noticed(void **state)
{
	struct gf2_matrix m, inverse;

	(void)state;
	gf2_identity(&m, 8);
	m.rows[3] = m.rows[1] ^ m.rows[6];
	assert_int_equal(gf2_rank(m.rows, 8, UINT64_MAX), 7);
	assert_false(gf2_invert(&m, &inverse));
}

/* Lines of a megabyte: no two at the same slice, channel, bank and row beyond the lines that a row holds. */
static void test_lines_fill_rows_exactly(void **state)
{
	(void)state;
	for (unsigned scheme = MAP_LINEAR; scheme <= MAP_PAGE; scheme++) {
		struct address_map map = map_of(scheme, 1);
		uint8_t *used = calloc(4 * 8 * 16 * 1024, 1);

		for (uint64_t line = 0; line < 1 << 23; line++) {
			struct map_place p = address_map_place(&map, line << 7);
			size_t place = ((((size_t)p.mc * 8 + p.channel) * 16 + p.bank) << 10) + p.row;

			assert_true(p.mc < 4 && p.slice < 16 && p.channel == p.slice / 2 && p.bank < 16 &&
				    p.row < 1024);
			used[place]++;
		}
		for (size_t i = 0; i < 4 * 8 * 16 * 1024; i++)
			assert_int_equal(used[i], 16);
		free(used);
	}
}

/* A machine with `mcs` controllers of two slices and a channel. */
static struct address_map map_with(enum map_scheme scheme, unsigned mcs)
{
	struct memsys_config config = paper_machine();
	struct address_map map;

	config.map.scheme = scheme;
	config.noc.mc_routers = mcs;
	config.llc.slices_per_mc = 2;
	config.dram.channels_per_mc = 1;
	memsys_map_init(&map, &config);
	return map;
}

static const unsigned odd_counts[] = {3, 5, 12, 40, 80};
enum { ODD_COUNTS = sizeof odd_counts / sizeof *odd_counts };

/* The same for any number of controllers: in `mcs` blocks of 2^16 lines each row is full or empty. */
static void test_any_number_of_controllers_fills_rows(void **state)
{
	enum { LINES = 1 << 16, LINES_OF_ROW = 16 };

	(void)state;
	for (unsigned scheme = MAP_LINEAR; scheme <= MAP_PAGE; scheme++)
		for (unsigned k = 0; k < ODD_COUNTS; k++) {
			unsigned mcs = odd_counts[k];
			struct address_map map = map_with((enum map_scheme)scheme, mcs);
			size_t rows = (size_t)mcs * 16 << 16;
			uint8_t *used = calloc(rows, 1);
			unsigned full = 0;

			for (uint64_t line = 0; line < (uint64_t)mcs * LINES; line++) {
				struct map_place p = address_map_place(&map, line << 7);

				assert_true(p.mc < mcs && p.slice < 2 && p.channel == 0 && p.bank < 16 &&
					    p.row >> 16 == 0);
				used[(((size_t)p.mc * 16 + p.bank) << 16) + p.row]++;
			}
			for (size_t i = 0; i < rows; i++) {
				assert_true(used[i] == 0 || used[i] == LINES_OF_ROW || scheme == MAP_ALL ||
					    scheme == MAP_FAE);
				assert_true(used[i] <= LINES_OF_ROW);
				full += used[i];
			}
			assert_int_equal(full, mcs * LINES);
			free(used);
		}
}

/* No stride of a power of two, nor a multiple of the number of controllers, stays with a few of them. */
static void test_strides_reach_any_number_of_controllers(void **state)
{
	enum { COUNT = 1 << 14 };

	(void)state;
	for (unsigned k = 0; k < ODD_COUNTS; k++) {
		unsigned mcs = odd_counts[k], odd = mcs >> __builtin_ctz(mcs);
		struct address_map map = map_with(MAP_IPOLY, mcs);

		for (uint64_t stride = 128; stride <= 1 << 17; stride *= 2)
			for (uint64_t times = 1; times <= odd * odd; times *= odd)
				assert_true(map_balance_of(&map, 0, stride * times, COUNT).controller < 1.35);
	}
}

/* Accesses of the busiest slice of 64 over the mean, by counting. */
static double unevenness(const struct address_map *map, uint64_t start, uint64_t stride, unsigned count)
{
	unsigned slices[64] = {0}, most = 0;

	for (unsigned i = 0; i < count; i++) {
		struct map_place p = address_map_place(map, start + i * stride);
		unsigned n = ++slices[p.mc * 16 + p.slice];

		most = n > most ? n : most;
	}
	return most * 64.0 / count;
}

static const enum map_scheme spreading[] = {MAP_PAE, MAP_FAE, MAP_ALL, MAP_IPOLY};

static void test_aligned_blocks_use_all_slices(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (uint32_t seed = 1; seed <= 12; seed++)
		for (unsigned s = 0; s < 4; s++) {
			struct address_map map = map_of(spreading[s], seed);

			for (uint64_t bytes = 8 << 10; bytes <= 1 << 20; bytes *= 2)
				for (unsigned i = 0; i < 20; i++) {
					uint64_t start = random_below(&random, (UINT64_C(1) << 30) / bytes) * bytes;

					assert_true(unevenness(&map, start, 128, (unsigned)(bytes / 128)) <= 1.1);
				}
		}
}

/* How many of the address bits that rows at this stride differ in are column bits, which PAE leaves out. */
static unsigned column_bits_in(const struct map_layout *l, unsigned first, unsigned bits)
{
	unsigned n = 0;

	for (unsigned i = first; i < first + bits; i++)
		n += i >= l->column.shift && i < l->column.shift + l->column.bits;
	return n;
}

/* 64 rows differ in six bits; theory allows one slice a row, less the bits that take no part. */
static void test_strides_use_what_theory_allows(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 12; seed++)
		for (unsigned s = 0; s < 4; s++) {
			struct address_map map = map_of(spreading[s], seed);

			for (unsigned shift = 8; shift <= 16; shift++) {
				unsigned lost = spreading[s] == MAP_PAE ? column_bits_in(&map.layout, shift - 7, 6) : 0;

				assert_true(unevenness(&map, 0, UINT64_C(1) << shift, 64) <= 1.0 * (1 << lost));
				assert_true(unevenness(&map, 0, UINT64_C(1) << shift, 512) <= 1.1);
				assert_true(unevenness(&map, UINT64_C(3) << 28, UINT64_C(1) << shift, 4096) <= 1.1);
				assert_true(unevenness(&map, 5 << 16, UINT64_C(1) << shift, 4096) <= 1.2);
			}
		}
}

static void test_linear_maps_strides_to_few_slices(void **state)
{
	struct address_map linear = map_of(MAP_LINEAR, 1);

	(void)state;
	assert_true(unevenness(&linear, 0, 128, 4096) == 1);
	assert_true(unevenness(&linear, 0, 1024, 4096) == 8);
	assert_true(unevenness(&linear, 0, 65536, 4096) == 64);
}

/* 4 KB stay in a controller, and each controller's slices take the lines of a page in turn. */
static void test_pages_stay_in_a_controller(void **state)
{
	struct address_map map = map_of(MAP_PAGE, 1);

	(void)state;
	for (uint64_t line = 0; line < 4096; line++) {
		struct map_place p = address_map_place(&map, line * 128);

		assert_int_equal(p.mc, line / 32 % 4);
		assert_int_equal(p.slice, line % 16);
	}
}

static void test_balance_counts_places(void **state)
{
	struct address_map map = map_of(MAP_PAGE, 1);
	struct map_balance page = map_balance_of(&map, 0, 128, 32), pages = map_balance_of(&map, 0, 128, 128);

	(void)state;
	assert_int_equal(page.slices, 16);
	assert_true(page.worst == 4 && page.controller == 4);
	assert_int_equal(pages.slices, 64);
	assert_true(pages.worst == 1 && pages.controller == 1);
}

static uint64_t bits_of(struct map_field f)
{
	return ((UINT64_C(1) << f.bits) - 1) << f.shift;
}

static void test_schemes_change_what_they_say(void **state)
{
	struct map_layout l = map_of(MAP_LINEAR, 1).layout;
	uint64_t place = bits_of(l.mc) | bits_of(l.slice) | bits_of(l.bank);

	(void)state;
	assert_int_equal(l.mc.bits + l.slice.bits + l.column.bits + l.bank.bits + l.row.bits, 23);
	for (unsigned scheme = MAP_PERMUTATION; scheme <= MAP_FAE; scheme++) {
		struct address_map map = map_of(scheme, 1);

		for (unsigned i = 0; i < 23; i++)
			if (!(place >> i & 1))
				assert_int_equal(map.matrix.rows[i], UINT64_C(1) << i);
			else if (scheme == MAP_PERMUTATION)
				assert_int_equal(__builtin_popcountll(map.matrix.rows[i]), 2);
			else if (scheme == MAP_PAE)
				assert_int_equal(map.matrix.rows[i] & bits_of(l.column), 0);
	}
}

/* x^6 + x + 1: address bit 6 above the line goes to slice bits 0 and 1, bit 7 to 1 and 2. */
static void test_ipoly_is_a_remainder(void **state)
{
	struct address_map map = map_of(MAP_IPOLY, 1);

	(void)state;
	assert_int_equal(gf2_apply(&map.matrix, 1 << 6) & 63, 3);
	assert_int_equal(gf2_apply(&map.matrix, 1 << 7) & 63, 6);
	assert_int_equal(gf2_apply(&map.matrix, 1 << 12) & 63, 5);
}

static void test_high_addresses_extend_the_row(void **state)
{
	struct address_map map = map_of(MAP_PAE, 1);
	struct map_place low = address_map_place(&map, 0x1280), high = address_map_place(&map, 0x7f0000001280);

	(void)state;
	assert_int_equal(low.mc, high.mc);
	assert_int_equal(low.slice, high.slice);
	assert_int_equal(high.row - low.row, 0x7f0000000000 >> 20);
}

static void test_dump_shows_a_row_for_each_bit(void **state)
{
	struct address_map map = map_of(MAP_LINEAR, 1);
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	address_map_dump(&map, out);
	fclose(out);
	assert_non_null(strstr(text, " 7 mc[0]: ......................1\n"));
	assert_non_null(strstr(text, "29 row[9]: 1......................\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_scheme_is_invertible),
	    cmocka_unit_test(test_singular_matrix_is_noticed),
	    cmocka_unit_test(test_lines_fill_rows_exactly),
	    cmocka_unit_test(test_any_number_of_controllers_fills_rows),
	    cmocka_unit_test(test_strides_reach_any_number_of_controllers),
	    cmocka_unit_test(test_aligned_blocks_use_all_slices),
	    cmocka_unit_test(test_strides_use_what_theory_allows),
	    cmocka_unit_test(test_linear_maps_strides_to_few_slices),
	    cmocka_unit_test(test_pages_stay_in_a_controller),
	    cmocka_unit_test(test_balance_counts_places),
	    cmocka_unit_test(test_schemes_change_what_they_say),
	    cmocka_unit_test(test_ipoly_is_a_remainder),
	    cmocka_unit_test(test_high_addresses_extend_the_row),
	    cmocka_unit_test(test_dump_shows_a_row_for_each_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
