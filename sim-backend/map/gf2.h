/*
 * Square 0/1 matrices over GF(2), at most 64 x 64: row i is the mask of the input bits whose XOR is output bit i.
 * A matrix whose rank is its size maps addresses one to one.
 */
#ifndef ROMARK_SIM_GF2_H
#define ROMARK_SIM_GF2_H

#include <stdbool.h>
#include <stdint.h>

enum { GF2_MAX = 64 };

struct gf2_matrix {
	unsigned size;
	uint64_t rows[GF2_MAX];
};

void gf2_identity(struct gf2_matrix *m, unsigned size);
uint64_t gf2_apply(const struct gf2_matrix *m, uint64_t x);
/* Rank of `count` rows, looking only at the columns in `columns`. */
unsigned gf2_rank(const uint64_t *rows, unsigned count, uint64_t columns);
/* False when `m` is singular. */
bool gf2_invert(const struct gf2_matrix *m, struct gf2_matrix *inverse);

#endif
