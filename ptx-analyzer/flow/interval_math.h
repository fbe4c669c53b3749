/* Arithmetic on intervals: what an instruction makes of numbers between bounds. */
#ifndef ROMARK_PTX_INTERVAL_MATH_H
#define ROMARK_PTX_INTERVAL_MATH_H

#include "ptx-analyzer/flow/intervals.h"

/* All that is in either. */
struct interval interval_hull(struct interval a, struct interval b);
/* All that is in both; an empty one has low > high. */
struct interval interval_meet(struct interval a, struct interval b);
/* The same, or all numbers of so many bits if some of it does not fit into them. */
struct interval interval_fit(struct interval v, unsigned bits);
/* A register's number read as this type: -1 as u32 is 4294967295. */
struct interval interval_as(struct interval v, enum ptx_type type);
/* What a special register holds. */
struct interval interval_of_sreg(enum ptx_sreg sreg);
/* What a load of this type may bring. */
struct interval interval_of_type(enum ptx_type type);
/*
 * The result of an integer instruction without memory, from its first three sources, whose numbers are in registers of
 * the type's width.
 */
struct interval interval_compute(const struct ptx_inst *inst, const struct interval *sources);

#endif
