/* Counts where accesses go, and prints the counts for the blocks and strides that programs use. */
#include "sim-backend/map/balance.h"

#include "common/c_locale.h"

#include <inttypes.h>

enum { MOST_MCS = 256, MOST_SLICES = 256 };

static unsigned most_of(const uint32_t *count, unsigned n, unsigned *used)
{
	unsigned most = 0;

	*used = 0;
	for (unsigned i = 0; i < n; i++) {
		*used += count[i] != 0;
		most = count[i] > most ? count[i] : most;
	}
	return most;
}

struct map_balance map_balance_of(const struct address_map *map, uint64_t start, uint64_t stride, unsigned count)
{
	uint32_t slice[MOST_MCS * MOST_SLICES] = {0}, mc[MOST_MCS] = {0};
	unsigned slice_bits = map->layout.slice.bits, mcs = address_map_mcs(map), slices = mcs << slice_bits;
	struct map_balance b;
	unsigned used;

	for (unsigned i = 0; i < count; i++) {
		struct map_place p = address_map_place(map, start + i * stride);

		slice[(unsigned)p.mc << slice_bits | p.slice]++;
		mc[p.mc]++;
	}
	b.worst = (double)most_of(slice, slices, &b.slices) * slices / count;
	b.controller = (double)most_of(mc, mcs, &used) * mcs / count;
	return b;
}

static void print_row(const char *what, uint64_t bytes, struct map_balance few, struct map_balance many, FILE *out)
{
	c_fprintf(out, "%s %8" PRIu64 " %8u %8.2f %8.2f   %8u %8.2f %8.2f\n", what, bytes, few.slices, few.worst,
		  few.controller, many.slices, many.worst, many.controller);
}

void map_balance_print(const struct address_map *map, FILE *out)
{
	unsigned slices = address_map_mcs(map) << map->layout.slice.bits;
	uint64_t line = UINT64_C(1) << map->layout.line_shift;

	fprintf(out,
		"# Slices used (of %u), and accesses of the busiest slice and controller over the mean (1 = even)\n"
		"#        bytes   slices    slice       mc     slices    slice       mc\n",
		slices);
	fprintf(out, "# aligned blocks: every line once | every fourth line once\n");
	for (uint64_t bytes = line * slices; bytes <= 1 << 20; bytes *= 2)
		print_row("block ", bytes, map_balance_of(map, 0, line, (unsigned)(bytes / line)),
			  map_balance_of(map, 0, 4 * line, (unsigned)(bytes / line / 4)), out);
	fprintf(out, "# strides: %u rows | 4096 rows\n", slices);
	for (uint64_t bytes = line; bytes <= 1 << 20; bytes *= 2)
		print_row("stride", bytes, map_balance_of(map, 0, bytes, slices), map_balance_of(map, 0, bytes, 4096),
			  out);
}
