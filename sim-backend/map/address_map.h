/*
 * Address map: where in the machine a line lives. The bits of the line's number are multiplied by an invertible matrix
 * over GF(2). The fields of the product, from the lowest bit up, are
 *
 *   memory controller | slice | channel* | column | bank | row
 *
 * The slices of a controller with the same upper slice bits share a channel; in the paper's machine these are two
 * slices. The lower slice bits then serve as column bits. (*) The channel is a field of its own only when there are
 * more channels than slices. Address bits above map.address_bits do not take part; they extend the row.
 *
 * The number of controllers may be any: an odd number times a power of two, 40 = 5 * 8. The line's number is first
 * divided by the odd factor. The remainder, turned by a hash of the quotient, names one of the factor's groups of
 * controllers. The quotient takes the number's place above and names the controller within its group.
 */
#ifndef ROMARK_SIM_ADDRESS_MAP_H
#define ROMARK_SIM_ADDRESS_MAP_H

#include "sim-backend/map/gf2.h"
#include "sim-backend/map/map_config.h"

#include <stdio.h>

struct map_place {
	uint8_t mc, slice, channel, bank; /* slice and channel count within the controller */
	uint32_t row;
};

struct map_field {
	uint8_t shift, bits;
};

struct map_layout {
	struct map_field mc, slice, channel, column, bank, row;
	uint8_t line_shift, bits; /* bits of a line's number that take part */
	uint8_t slice_to_channel; /* lower slice bits that do not name the channel */
	uint8_t slice_to_row;     /* of these, the bits for which no column bit is left */
	uint8_t odd;              /* factor of the number of controllers */
	uint8_t grain;            /* lower bits of a line's number that are not divided: the lines of a page, or none */
};

struct address_map {
	struct map_layout layout;
	struct gf2_matrix matrix;
	uint64_t tables[6][256]; /* the product, a byte of the line's number at a time */
	unsigned draws;          /* matrices tried by a random scheme (draw.h) */
};

/* Requires map_config_check. */
void address_map_init(struct address_map *map, const struct map_config *config, const struct shape *shape);
struct map_place address_map_place(const struct address_map *map, uint64_t line_address);
/* The line's number that has this quotient and remainder by the odd factor. */
uint64_t address_map_join(const struct map_layout *l, uint64_t line, unsigned remainder);
static inline unsigned address_map_mcs(const struct address_map *map)
{
	return (unsigned)map->layout.odd << map->layout.mc.bits;
}

/* Prints the matrix, one output bit a line, with the fields' names. */
void address_map_dump(const struct address_map *map, FILE *out);

/* The widths of the fields, which do not depend on the matrix. */
struct map_layout map_layout_of(const struct map_config *config, const struct shape *shape);
/* Fills `matrix` for the scheme; returns the number of matrices tried, 1 for schemes without chance. */
unsigned map_scheme_build(const struct map_layout *layout, const struct map_config *config, struct gf2_matrix *matrix);

static inline uint64_t map_field_of(struct map_field field, uint64_t y)
{
	return y >> field.shift & ((UINT64_C(1) << field.bits) - 1);
}

#endif
