/*
 * The address-mapping schemes, each a way to fill the matrix. base, pm, pae, fae and all follow Liu et al. (ISCA 2018)
 * and the permutation-based interleaving of Zhang et al. (MICRO 2000); ipoly follows Rau (ISCA 1991).
 */
#include "sim-backend/map/address_map.h"
#include "sim-backend/random.h"

enum { MAX_DRAWS = 100000, STRIDE_WINDOW = 12, STRIDE_SHIFTS = 17 };

static uint64_t field_mask(struct map_field field)
{
	return ((UINT64_C(1) << field.bits) - 1) << field.shift;
}

/* Number of bits that choose controller, slice and channel. They stand together at the low end. */
static unsigned spread_bits(const struct map_layout *l)
{
	return l->channel.shift + l->channel.bits;
}

static uint64_t place_mask(const struct map_layout *l)
{
	return ((UINT64_C(1) << spread_bits(l)) - 1) | field_mask(l->bank);
}

bool map_strides_balanced(const struct map_layout *l, const struct gf2_matrix *matrix, uint64_t inputs)
{
	unsigned wanted = l->mc.bits + l->slice.bits;

	for (unsigned shift = 0; shift < STRIDE_SHIFTS && shift < l->bits; shift++) {
		uint64_t window = ((UINT64_C(1) << STRIDE_WINDOW) - 1) << shift & inputs;
		unsigned possible = (unsigned)__builtin_popcountll(window);

		if (gf2_rank(matrix->rows, wanted, window) < (possible < wanted ? possible : wanted))
			return false;
	}
	return true;
}

/* Every row in `outputs` becomes a random subset of `inputs`. */
static unsigned draw(const struct map_layout *l, uint64_t outputs, uint64_t inputs, uint64_t seed,
		     struct gf2_matrix *matrix)
{
	struct gf2_matrix invertible = *matrix;
	uint64_t state = seed;

	for (unsigned draws = 1; draws <= MAX_DRAWS; draws++) {
		for (unsigned i = 0; i < l->bits; i++)
			if (outputs >> i & 1)
				matrix->rows[i] = random_next(&state) & inputs;
		if (gf2_rank(matrix->rows, matrix->size, ~UINT64_C(0)) < matrix->size)
			continue;
		if (map_strides_balanced(l, matrix, inputs))
			return draws;
		invertible = *matrix;
	}
	*matrix = invertible;
	return MAX_DRAWS;
}

static unsigned build_base(const struct map_layout *l, uint64_t seed, struct gf2_matrix *matrix)
{
	(void)l, (void)seed, (void)matrix;
	return 1;
}

/* Each slice, channel and bank bit is XORed with one row bit. */
static unsigned build_pm(const struct map_layout *l, uint64_t seed, struct gf2_matrix *matrix)
{
	unsigned row = 0;

	(void)seed;
	for (unsigned i = 0; i < l->row.shift && l->row.bits; i++)
		if (place_mask(l) >> i & 1)
			matrix->rows[i] |= UINT64_C(1) << (l->row.shift + row++ % l->row.bits);
	return 1;
}

/* Column bits stay out, so lines of one DRAM page stay in one page. */
static unsigned build_pae(const struct map_layout *l, uint64_t seed, struct gf2_matrix *matrix)
{
	return draw(l, place_mask(l), place_mask(l) | field_mask(l->row), seed, matrix);
}

static unsigned build_fae(const struct map_layout *l, uint64_t seed, struct gf2_matrix *matrix)
{
	return draw(l, place_mask(l), (UINT64_C(1) << l->bits) - 1, seed, matrix);
}

static unsigned build_all(const struct map_layout *l, uint64_t seed, struct gf2_matrix *matrix)
{
	uint64_t every = (UINT64_C(1) << l->bits) - 1;

	return draw(l, every, every, seed, matrix);
}

/* The spread bits are the line's number modulo a primitive polynomial; both are polynomials over GF(2). */
static unsigned build_ipoly(const struct map_layout *l, uint64_t seed, struct gf2_matrix *matrix)
{
	/* By degree; bit k is the coefficient of x^k. */
	static const uint32_t primitive[] = {0x1,   0x3,   0x7,   0xb,    0x13,   0x25,   0x43,   0x89,   0x11d,
					     0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443, 0x8003, 0x1100b};
	unsigned degree = spread_bits(l);
	uint32_t power = 1;

	(void)seed;
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

/* By enum map_scheme. */
static unsigned (*const builders[])(const struct map_layout *, uint64_t, struct gf2_matrix *) = {
    [MAP_BASE] = build_base, [MAP_PM] = build_pm,   [MAP_PAE] = build_pae,
    [MAP_FAE] = build_fae,   [MAP_ALL] = build_all, [MAP_IPOLY] = build_ipoly};

unsigned map_scheme_build(const struct map_layout *layout, const struct map_config *config, struct gf2_matrix *matrix)
{
	gf2_identity(matrix, layout->bits);
	return builders[config->scheme](layout, config->seed, matrix);
}
