/*
 * Random kernels that do everything to pointers which a program may: offsets, selects, halves, shifts, masks, local and
 * shared memory, tables, variables, calls. One entry, "k", of these parameters:
 *
 *   a, b, c, d    pointers to floats
 *   t             table of RANDOM_SLOTS such pointers
 *   i             16 indices, in floats
 *   s             a struct of two more pointers
 *
 * Addresses stay within 32 KiB around where the pointers point if the indices are below 64 and a block has 32 threads.
 */
#ifndef ROMARK_TESTS_RANDOM_KERNELS_H
#define ROMARK_TESTS_RANDOM_KERNELS_H

#include "common/strbuf.h"

enum { RANDOM_BUFFERS = 4, RANDOM_SLOTS = 8, RANDOM_INDICES = 16, RANDOM_PARAMS = 8 };

/* The text of a module; release with strbuf_release. */
struct strbuf random_kernel(void);
/* The generator's own numbers in [0, below), the same in every run. */
unsigned random_below(unsigned below);

#endif
