/*
 * Sets of numbers of a given width: wrapped strided intervals.
 *
 *   struct strided tid = strided_between(0, 255, 32);            // 0, 1, ... 255
 *   struct strided row = strided_mul(tid, strided_of(4, 32));   // 0, 4, ... 1020
 *
 * An interval is low, low + step, ... low + span, each modulo 2^width, so it may go over the largest number to 0 and on
 * (-1 .. 1). Each operation gives an interval that holds every result of members of its operands, as PTX defines them.
 * Where PTX does not (division by 0), any number is a result.
 */
#ifndef ROMARK_PTX_STRIDED_H
#define ROMARK_PTX_STRIDED_H

#include <stdbool.h>
#include <stdint.h>

/* span is a multiple of step, and both are 0 for a single number. */
struct strided {
	uint64_t low, span, step;
	uint8_t width; /* 1 to 64 */
	bool empty;
};

/* The largest number of so many bits. */
uint64_t width_mask(unsigned width);
/* The number that these bits are as a signed one. */
int64_t width_signed(uint64_t bits, unsigned width);

struct strided strided_of(uint64_t number, unsigned width);
/* low <= high as unsigned numbers of that width. */
struct strided strided_between(uint64_t low, uint64_t high, unsigned width);
struct strided strided_full(unsigned width);
struct strided strided_empty(unsigned width);
bool strided_equal(struct strided a, struct strided b);
bool strided_is_single(struct strided a);
bool strided_is_full(struct strided a);

/* Its least and largest number, read as unsigned or signed; those of the width where it goes around the end. */
struct bounds_u {
	uint64_t low, high;
};
struct bounds_s {
	int64_t low, high;
};
bool strided_wraps_unsigned(struct strided a);
bool strided_wraps_signed(struct strided a);
struct bounds_u strided_unsigned(struct strided a);
struct bounds_s strided_signed(struct strided a);

/* --- Sets --- */

struct strided strided_join(struct strided a, struct strided b);
/* At least the numbers that are in both; empty only if there are none. */
struct strided strided_meet(struct strided a, struct strided b);

/* --- Arithmetic (strided_arithmetic.c). Both operands have the same width, but for the amount of a shift. --- */

struct strided strided_add(struct strided a, struct strided b);
struct strided strided_sub(struct strided a, struct strided b);
struct strided strided_neg(struct strided a);
struct strided strided_mul(struct strided a, struct strided b);
/* The upper half of the product of 32-bit or narrower numbers; any number for wider ones. */
struct strided strided_mulhi_u(struct strided a, struct strided b);
struct strided strided_mulhi_s(struct strided a, struct strided b);
struct strided strided_div_u(struct strided a, struct strided b);
struct strided strided_div_s(struct strided a, struct strided b);
struct strided strided_rem_u(struct strided a, struct strided b);
struct strided strided_rem_s(struct strided a, struct strided b);
/* a - a % b */
struct strided strided_floor_u(struct strided a, struct strided b);
struct strided strided_floor_s(struct strided a, struct strided b);
struct strided strided_min_u(struct strided a, struct strided b);
struct strided strided_min_s(struct strided a, struct strided b);
struct strided strided_max_u(struct strided a, struct strided b);
struct strided strided_max_s(struct strided a, struct strided b);
struct strided strided_abs(struct strided a);

/* --- Bits (strided_bits.c) --- */

struct strided strided_and(struct strided a, struct strided b);
struct strided strided_or(struct strided a, struct strided b);
struct strided strided_xor(struct strided a, struct strided b);
struct strided strided_not(struct strided a);
/* The amount is an unsigned number; all bits are shifted out by the width and above. */
struct strided strided_shl(struct strided a, struct strided amount);
struct strided strided_shr_u(struct strided a, struct strided amount);
struct strided strided_shr_s(struct strided a, struct strided amount);
struct strided strided_sext(struct strided a, unsigned width);
struct strided strided_zext(struct strided a, unsigned width);
struct strided strided_trunc(struct strided a, unsigned width);

/* --- For the files that implement these --- */

/* Any number whose lowest bits are those of `low`, as far as multiples of `step` keep them. */
struct strided strided_any(uint64_t low, uint64_t step, unsigned width);
/* The numbers from low to low + span by steps, of which the last may be less than that. */
struct strided strided_make(uint64_t low, uint64_t span, uint64_t step, unsigned width);
uint64_t common_step(uint64_t a, uint64_t b);

#endif
