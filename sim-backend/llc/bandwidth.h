/* The analytical bandwidth model of SelRep section III-C, also used by the adaptive LLC. */
#ifndef ROMARK_SIM_BANDWIDTH_H
#define ROMARK_SIM_BANDWIDTH_H

#include <stdint.h>

/*
 * Equation 1, LLC slice parallelism: all requests divided by the requests to the busiest slice. With slices that get 6,
 * 3 and 3 requests it is 12 / 6 = 2. It is `count` when all get equally many, 1 when one slice gets all, 0 without
 * requests.
 */
double bandwidth_parallelism(const uint32_t *requests, unsigned count);

/*
 * Equation 2: parallelism * (hit_rate * slice + min((1 - hit_rate) * slice, memory)). `slice`: bandwidth of a slice;
 * `memory`: the slice's share of the DRAM bandwidth, in the same unit as the result.
 */
double bandwidth_supplied(double parallelism, double hit_rate, double slice, double memory);

#endif
