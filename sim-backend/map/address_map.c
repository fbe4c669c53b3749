/* Multiplies a line's number by the map's matrix, a byte at a time through tables, and cuts the product into fields. */
#include "sim-backend/map/address_map.h"

#include "common/integer.h"

#include <inttypes.h>

static uint8_t above(struct map_field field)
{
	return (uint8_t)(field.shift + field.bits);
}

struct map_layout map_layout_of(const struct map_config *config, const struct shape *shape)
{
	struct map_layout l = {.line_shift = log2_floor(shape->line_bytes)};
	unsigned slices = log2_floor(shape->slices_per_mc), channels = log2_floor(shape->channels_per_mc);
	unsigned columns = 0;

	if (shape->row_bytes > shape->line_bytes)
		columns = log2_floor(shape->row_bytes / shape->line_bytes);
	l.slice_to_channel = slices > channels ? slices - channels : 0;
	l.slice_to_row = l.slice_to_channel > columns ? l.slice_to_channel - columns : 0;
	l.bits = (uint8_t)(config->address_bits - l.line_shift);
	l.odd = (uint8_t)(shape->mcs >> __builtin_ctz(shape->mcs));
	l.grain = config->scheme == MAP_PAGE ? (uint8_t)(log2_floor(config->page_bytes) - l.line_shift) : 0;
	l.mc = (struct map_field){0, (uint8_t)__builtin_ctz(shape->mcs)};
	l.slice = (struct map_field){above(l.mc), slices};
	l.channel = (struct map_field){above(l.slice), channels > slices ? channels - slices : 0};
	l.column = (struct map_field){above(l.channel), columns + l.slice_to_row - l.slice_to_channel};
	l.bank = (struct map_field){above(l.column), log2_floor(shape->banks)};
	l.row = (struct map_field){above(l.bank), l.bits > above(l.bank) ? l.bits - above(l.bank) : 0};
	return l;
}

static void build_tables(struct address_map *map)
{
	uint64_t mask = (UINT64_C(1) << map->matrix.size) - 1;

	for (unsigned k = 0; k < 6; k++)
		for (uint64_t byte = 0; byte < 256; byte++) {
			uint64_t x = byte << 8 * k;

			map->tables[k][byte] = gf2_apply(&map->matrix, x & mask) | (x & ~mask);
		}
}

void address_map_init(struct address_map *map, const struct map_config *config, const struct shape *shape)
{
	map->layout = map_layout_of(config, shape);
	map->draws = map_scheme_build(&map->layout, config, &map->matrix);
	build_tables(map);
}

static uint64_t product(const struct address_map *map, uint64_t line)
{
	uint64_t y = line & ~UINT64_C(0xffffffffffff);

	for (unsigned k = 0; k < 6; k++)
		y ^= map->tables[k][line >> 8 * k & 255];
	return y;
}

/* 2^64 over the golden ratio: the upper bits of a product with it depend on all bits of the other factor. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

enum { TURN = 3 }; /* quotients that follow each other turn the groups in the same way, 8 at a time */

uint64_t address_map_join(const struct map_layout *l, uint64_t line, unsigned remainder)
{
	uint64_t low = line & ((UINT64_C(1) << l->grain) - 1);

	return ((line >> l->grain) * l->odd + remainder) << l->grain | low;
}

static inline struct map_place place_of(const struct address_map *map, uint64_t line, unsigned group)
{
	const struct map_layout *l = &map->layout;
	uint64_t y = product(map, line);
	uint64_t slice = map_field_of(l->slice, y);
	uint64_t row = y >> l->row.shift;

	return (struct map_place){
	    .mc = (uint8_t)(group << l->mc.bits | map_field_of(l->mc, y)),
	    .slice = (uint8_t)slice,
	    .channel = (uint8_t)(slice >> l->slice_to_channel << l->channel.bits | map_field_of(l->channel, y)),
	    .bank = (uint8_t)map_field_of(l->bank, y),
	    .row = (uint32_t)(row << l->slice_to_row | (slice & ((1u << l->slice_to_row) - 1))),
	};
}

/* Divides the line's number by the odd factor. Apart, so that powers of two do not pay for it. */
__attribute__((noinline)) static struct map_place place_in_group(const struct address_map *map, uint64_t line)
{
	const struct map_layout *l = &map->layout;
	uint64_t whole = line >> l->grain, low = line & ((UINT64_C(1) << l->grain) - 1);
	uint64_t quotient = whole / l->odd, turn = (quotient >> TURN) * GOLDEN >> 32;

	return place_of(map, quotient << l->grain | low, (unsigned)((whole % l->odd + turn) % l->odd));
}

struct map_place address_map_place(const struct address_map *map, uint64_t line_address)
{
	uint64_t line = line_address >> map->layout.line_shift;

	return map->layout.odd > 1 ? place_in_group(map, line) : place_of(map, line, 0);
}

void address_map_dump(const struct address_map *map, FILE *out)
{
	const struct map_layout *l = &map->layout;
	const struct {
		const char *name;
		struct map_field field;
	} fields[] = {{"mc", l->mc},         {"slice", l->slice}, {"channel", l->channel},
		      {"column", l->column}, {"bank", l->bank},   {"row", l->row}};

	fprintf(out, "# output bit, field: address bits %u..%u that are XORed (highest first); matrix number %u\n",
		l->line_shift + l->bits - 1u, l->line_shift, map->draws);
	if (l->odd > 1)
		fprintf(
		    out,
		    "# of a line's number divided by %u; the remainder, turned by a hash of the quotient, is one of %u "
		    "groups of %u controllers\n",
		    l->odd, l->odd, 1u << l->mc.bits);
	for (unsigned f = 0; f < sizeof fields / sizeof fields[0]; f++)
		for (unsigned b = 0; b < fields[f].field.bits; b++) {
			unsigned i = fields[f].field.shift + b;

			fprintf(out, "%2u %s[%u]: ", i + l->line_shift, fields[f].name, b);
			for (unsigned col = l->bits; col-- > 0;)
				fputc(map->matrix.rows[i] >> col & 1 ? '1' : '.', out);
			fputc('\n', out);
		}
}
