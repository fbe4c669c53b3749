/*
 * Random maps that spread every structure: rows of a map's matrix drawn so that small aligned blocks, and rows at any
 * power-of-two stride, use all controllers, slices and banks.
 *
 * The inputs are the address bits that may take part, in rising order. A column is what one input adds to the outputs.
 * Where any n consecutive columns are independent over the first n outputs, 2^n accesses that differ in n consecutive
 * inputs only go to 2^n different places. This holds here for three n at once: the bits of the controller; of
 * controller and slice; and of controller, slice, channel and bank.
 */
#ifndef ROMARK_SIM_MAP_DRAW_H
#define ROMARK_SIM_MAP_DRAW_H

#include "sim-backend/map/address_map.h"

/*
 * Fills the rows `outputs` of `matrix` with random subsets of `inputs`. The matrix is invertible, and the rows that
 * name a place spread as described above, for every seed. Returns the number of matrices tried.
 *
 * An address bit outside `inputs` (a column bit, for PAE) spreads nothing: a stride whose varying bits hold k of these
 * uses 2^k times fewer places, until enough higher bits vary.
 */
unsigned map_draw(const struct map_layout *layout, uint64_t outputs, uint64_t inputs, uint64_t seed,
		  struct gf2_matrix *matrix);

#endif
