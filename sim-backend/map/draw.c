/* Draws a matrix column by column, each outside the span of the earlier columns in its window. */
#include "sim-backend/map/draw.h"

#include "sim-backend/base/random.h"

enum { COLUMN_TRIES = 256 };

struct columns {
	unsigned ninputs, noutputs;
	uint8_t inputs[GF2_MAX], outputs[GF2_MAX]; /* bit numbers, rising; outputs that name a place */
	uint64_t column[GF2_MAX];                  /* by input; bit k is outputs[k] */
	unsigned prefix[3];                        /* outputs that consecutive columns must be independent over */
};

static unsigned bits_of(uint64_t mask, uint8_t *bits)
{
	unsigned n = 0;

	for (; mask; mask &= mask - 1)
		bits[n++] = (uint8_t)__builtin_ctzll(mask);
	return n;
}

static uint64_t field_mask(struct map_field field)
{
	return ((UINT64_C(1) << field.bits) - 1) << field.shift;
}

static void columns_init(struct columns *c, const struct map_layout *l, uint64_t inputs)
{
	uint64_t place = field_mask(l->mc) | field_mask(l->slice) | field_mask(l->channel) | field_mask(l->bank);

	c->ninputs = bits_of(inputs, c->inputs);
	c->noutputs = bits_of(place, c->outputs);
	c->prefix[0] = l->mc.bits;
	c->prefix[1] = (unsigned)l->mc.bits + l->slice.bits;
	c->prefix[2] = c->noutputs;
}

/* Whether column `last` and the n - 1 columns before it are independent over the first n outputs, for each prefix. */
static bool is_independent(const struct columns *c, unsigned last)
{
	for (unsigned p = 0; p < 3; p++) {
		unsigned n = c->prefix[p], first = last + 1 > n ? last + 1 - n : 0;

		if (n && gf2_rank(c->column + first, last + 1 - first, (UINT64_C(1) << n) - 1) < last + 1 - first)
			return false;
	}
	return true;
}

static bool draw_columns(struct columns *c, uint64_t *random)
{
	uint64_t every = (UINT64_C(1) << c->noutputs) - 1;

	for (unsigned i = 0; i < c->ninputs; i++) {
		unsigned tries = 0;

		do {
			if (tries++ == COLUMN_TRIES)
				return false;
			c->column[i] = random_next(random) & every;
		} while (!is_independent(c, i));
	}
	return true;
}

/* Row outputs[k] holds the inputs whose columns have bit k. */
static void place_columns(const struct columns *c, struct gf2_matrix *matrix)
{
	for (unsigned k = 0; k < c->noutputs; k++) {
		uint64_t row = 0;

		for (unsigned i = 0; i < c->ninputs; i++)
			row |= (c->column[i] >> k & 1) << c->inputs[i];
		matrix->rows[c->outputs[k]] = row;
	}
}

unsigned map_draw(const struct map_layout *l, uint64_t outputs, uint64_t inputs, uint64_t seed,
		  struct gf2_matrix *matrix)
{
	uint64_t state = seed;
	struct columns c;

	columns_init(&c, l, inputs);
	for (unsigned i = 0; i < c.noutputs; i++)
		outputs &= ~(UINT64_C(1) << c.outputs[i]);
	for (unsigned draws = 1;; draws++) {
		if (!draw_columns(&c, &state))
			continue;
		place_columns(&c, matrix);
		for (unsigned i = 0; i < l->bits; i++)
			if (outputs >> i & 1)
				matrix->rows[i] = random_next(&state) & inputs;
		if (gf2_rank(matrix->rows, matrix->size, ~UINT64_C(0)) == matrix->size)
			return draws;
	}
}
