/*
 * Random modules that do everything to pointers which a program may: offsets, selects, halves, shifts, masks, numbers
 * made of differences, local and shared memory, tables, variables, calls. An entry "k", and in every other module a
 * second one, "second", that shares its functions; both of these parameters:
 *
 *   a, b, c, d    pointers to floats
 *   t             table of RANDOM_SLOTS such pointers: a half as they are, a quarter with tags in their low bits, a
 *                 quarter with a constant exclusive-ored into them
 *   i             16 indices, in floats
 *   s             a struct of two more pointers
 *   u             a packed struct of two more, at bytes that are no multiple of 8
 *   v             another pointer, but RANDOM_BIAS bytes behind where the kernel uses it
 *   w, x          null, and the address of another buffer as the offset from there
 *
 * The variables beside_a, beside_b and beside_c stand beside each other, and pointers may lead to their middles.
 * Addresses stay within 8 KiB around where the pointers point if the indices are below 64 and a block has 32 threads.
 */
#ifndef ROMARK_TESTS_RANDOM_KERNELS_H
#define ROMARK_TESTS_RANDOM_KERNELS_H

#include "common/strbuf.h"

#include <stdint.h>

enum {
	RANDOM_BUFFERS = 4,
	RANDOM_SLOTS = 16,
	RANDOM_INDICES = 16,
	RANDOM_PACKED_WORDS = 3,
	RANDOM_PACKED = 8, /* its first word in the parameter buffer, then the others' */
	RANDOM_BIASED = RANDOM_PACKED + RANDOM_PACKED_WORDS,
	RANDOM_NULL,
	RANDOM_ADDRESS,
	RANDOM_PARAMS,           /* words of the parameter buffer */
	RANDOM_PACKED_FIRST = 3, /* bytes in u */
	RANDOM_PACKED_SECOND = 13,
	RANDOM_BIAS = 0x8000, /* also what is exclusive-ored */
	RANDOM_VARIABLES = 3,
	RANDOM_VARIABLE_BYTES = 16 << 10,
};

/* The text of a module; release with strbuf_release. */
struct strbuf random_kernel(void);
/* The generator's own numbers in [0, below), the same in every run. */
unsigned random_below(unsigned below);
/* Begins them anew: the same seed, the same modules. */
void random_seed(uint64_t seed);
/* Puts the two pointers of u into the words of the parameter buffer, and the other two as the kernel wants them. */
void random_pack(uint64_t *params, uint64_t first, uint64_t second, uint64_t biased, uint64_t address);
/* The contents of the table's slot for a pointer to `address`. */
uint64_t random_slot(unsigned slot, uint64_t address);

#endif
