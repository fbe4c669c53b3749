/* Gauss-Jordan elimination on bit masks. */
#include "sim-backend/map/gf2.h"

#include <string.h>

void gf2_identity(struct gf2_matrix *m, unsigned size)
{
	memset(m, 0, sizeof *m);
	m->size = size;
	for (unsigned i = 0; i < size; i++)
		m->rows[i] = UINT64_C(1) << i;
}

uint64_t gf2_apply(const struct gf2_matrix *m, uint64_t x)
{
	uint64_t y = 0;

	for (unsigned i = 0; i < m->size; i++)
		y |= (uint64_t)(__builtin_popcountll(m->rows[i] & x) & 1) << i;
	return y;
}

unsigned gf2_rank(const uint64_t *rows, unsigned count, uint64_t columns)
{
	uint64_t work[GF2_MAX];
	unsigned rank = 0;

	for (unsigned i = 0; i < count; i++) {
		uint64_t row = rows[i] & columns;

		/*
		 * Each row that was kept owns its lowest bit. Clear these bits in the new row: what is left is
		 * independent of the others.
		 */
		for (unsigned k = 0; k < rank; k++)
			if (row & work[k] & -work[k])
				row ^= work[k];
		if (!row)
			continue;
		for (unsigned k = 0; k < rank; k++)
			if (work[k] & row & -row)
				work[k] ^= row;
		work[rank++] = row;
	}
	return rank;
}

static void swap_rows(struct gf2_matrix *m, unsigned a, unsigned b)
{
	uint64_t row = m->rows[a];

	m->rows[a] = m->rows[b];
	m->rows[b] = row;
}

bool gf2_invert(const struct gf2_matrix *m, struct gf2_matrix *inverse)
{
	struct gf2_matrix work = *m;

	gf2_identity(inverse, m->size);
	for (unsigned col = 0; col < m->size; col++) {
		unsigned pivot = col;

		while (pivot < m->size && !(work.rows[pivot] >> col & 1))
			pivot++;
		if (pivot == m->size)
			return false;
		swap_rows(&work, pivot, col);
		swap_rows(inverse, pivot, col);
		for (unsigned i = 0; i < m->size; i++) {
			if (i == col || !(work.rows[i] >> col & 1))
				continue;
			work.rows[i] ^= work.rows[col];
			inverse->rows[i] ^= inverse->rows[col];
		}
	}
	return true;
}
