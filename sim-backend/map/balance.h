/*
 * How evenly a map spreads the accesses of a program over the LLC slices: a block of consecutive lines, or rows that
 * lie a stride apart.
 */
#ifndef ROMARK_SIM_MAP_BALANCE_H
#define ROMARK_SIM_MAP_BALANCE_H

#include "sim-backend/map/address_map.h"

struct map_balance {
	unsigned slices;   /* of all controllers, that any access went to */
	double worst;      /* accesses of the busiest slice over the mean of all slices; 1 is even */
	double controller; /* the same for the busiest controller */
};

/* `count` accesses at start, start + stride, ... (bytes). */
struct map_balance map_balance_of(const struct address_map *map, uint64_t start, uint64_t stride, unsigned count);
/* Tables over aligned blocks and power-of-two strides. A map is linear, so each aligned block is like the first. */
void map_balance_print(const struct address_map *map, FILE *out);

#endif
