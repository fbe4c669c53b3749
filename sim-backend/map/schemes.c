/*
 * The address-mapping schemes, each a way to fill the matrix. linear, pae, fae and all follow Liu et al. (ISCA 2018),
 * who call linear "base"; permutation follows Zhang et al. (MICRO 2000); ipoly follows Rau (ISCA 1991). page gives
 * whole pages to a controller.
 */
#include "sim-backend/map/address_map.h"
#include "sim-backend/map/draw.h"

static uint64_t field_mask(struct map_field field)
{
	return ((UINT64_C(1) << field.bits) - 1) << field.shift;
}

/* Number of bits that choose controller, slice and channel. They are together at the low end. */
static unsigned spread_bits(const struct map_layout *l)
{
	return l->channel.shift + l->channel.bits;
}

static uint64_t place_mask(const struct map_layout *l)
{
	return ((UINT64_C(1) << spread_bits(l)) - 1) | field_mask(l->bank);
}

static unsigned build_linear(const struct map_layout *l, const struct map_config *config, struct gf2_matrix *matrix)
{
	(void)l, (void)config, (void)matrix;
	return 1;
}

/* Each slice, channel and bank bit is XORed with one row bit. */
static unsigned build_permutation(const struct map_layout *l, const struct map_config *config,
				  struct gf2_matrix *matrix)
{
	unsigned row = 0;

	(void)config;
	for (unsigned i = 0; i < l->row.shift && l->row.bits; i++)
		if (place_mask(l) >> i & 1)
			matrix->rows[i] |= UINT64_C(1) << (l->row.shift + row++ % l->row.bits);
	return 1;
}

/* Column bits stay out, so lines of one DRAM page stay in one page. */
static unsigned build_pae(const struct map_layout *l, const struct map_config *config, struct gf2_matrix *matrix)
{
	return map_draw(l, place_mask(l), place_mask(l) | field_mask(l->row), config->seed, matrix);
}

static unsigned build_fae(const struct map_layout *l, const struct map_config *config, struct gf2_matrix *matrix)
{
	return map_draw(l, place_mask(l), (UINT64_C(1) << l->bits) - 1, config->seed, matrix);
}

static unsigned build_all(const struct map_layout *l, const struct map_config *config, struct gf2_matrix *matrix)
{
	uint64_t every = (UINT64_C(1) << l->bits) - 1;

	return map_draw(l, every, every, config->seed, matrix);
}

/* The spread bits are the line's number modulo a primitive polynomial; both are polynomials over GF(2). */
static unsigned build_ipoly(const struct map_layout *l, const struct map_config *config, struct gf2_matrix *matrix)
{
	/* By degree; bit k is the coefficient of x^k. */
	static const uint32_t primitive[] = {0x1,   0x3,   0x7,   0xb,    0x13,   0x25,   0x43,   0x89,   0x11d,
					     0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443, 0x8003, 0x1100b};
	unsigned degree = spread_bits(l);
	uint32_t power = 1;

	(void)config;
	for (unsigned column = 0; column < l->bits; column++) {
		for (unsigned i = 0; i < degree; i++) {
			matrix->rows[i] &= ~(UINT64_C(1) << column);
			matrix->rows[i] |= (uint64_t)(power >> i & 1) << column;
		}
		power <<= 1;
		if (power >> degree & 1)
			power ^= primitive[degree];
	}
	return 1;
}

/* The page's number names the controller. The bits below it name the slice, the other fields follow in order. */
static unsigned build_page(const struct map_layout *l, const struct map_config *config, struct gf2_matrix *matrix)
{
	unsigned page = (unsigned)__builtin_ctz(config->page_bytes) - l->line_shift, input = 0;

	for (unsigned i = 0; i < l->mc.bits; i++)
		matrix->rows[l->mc.shift + i] = UINT64_C(1) << (page + i);
	for (unsigned i = l->slice.shift; i < l->bits; i++) {
		if (input == page)
			input += l->mc.bits;
		matrix->rows[i] = UINT64_C(1) << input++;
	}
	return 1;
}

/* By enum map_scheme. */
static unsigned (*const builders[])(const struct map_layout *, const struct map_config *, struct gf2_matrix *) = {
    [MAP_LINEAR] = build_linear, [MAP_PERMUTATION] = build_permutation,
    [MAP_PAE] = build_pae,       [MAP_FAE] = build_fae,
    [MAP_ALL] = build_all,       [MAP_IPOLY] = build_ipoly,
    [MAP_PAGE] = build_page};

unsigned map_scheme_build(const struct map_layout *layout, const struct map_config *config, struct gf2_matrix *matrix)
{
	gf2_identity(matrix, layout->bits);
	return builders[config->scheme](layout, config, matrix);
}
