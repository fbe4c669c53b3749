/*
 * Private to the random kernels: a kernel under construction, and the ways that a step may take.
 *
 * Registers of the kernel: %rd0-3 buffers, %rd4 table, %rd5 indices, %rd6-7 the struct's pointers, %rd8-10 the local
 * array; %r0 the thread; %p0 a predicate that half of the lanes have, %p1 and %fd0 scratch.
 */
#ifndef ROMARK_TESTS_RANDOM_GENERATOR_H
#define ROMARK_TESTS_RANDOM_GENERATOR_H

#include "tests/ptx-analyzer/readonly/random_kernels.h"

#include <stdbool.h>
#include <stdint.h>

enum { RANDOM_POINTERS = 64, RANDOM_WAYS = 25, RANDOM_LAUNDERINGS = 20, RANDOM_FRAMES = 13 };

/* %rd registers that hold valid pointers in every lane, and how many registers of each kind were used. */
struct generator {
	struct strbuf body;
	unsigned pointers[RANDOM_POINTERS], npointers;
	unsigned wide, narrow, labels;
};

/* Adds a way from valid pointers in %rd`p` and %rd`q` to one more. */
typedef void way(struct generator *g, unsigned p, unsigned q);
extern way *const random_ways[RANDOM_WAYS];
extern way *const random_frames[RANDOM_FRAMES];
extern way *const random_launderings[RANDOM_LAUNDERINGS];

static inline unsigned wide(struct generator *g)
{
	return g->wide++;
}

unsigned any_pointer(const struct generator *g);
void add_pointer(struct generator *g, unsigned reg);
/* A load through %rd`p` that goes into the sum in %f0, and a store of that sum. */
void add_load(struct generator *g, unsigned p);
void add_store(struct generator *g, unsigned p);
/* The same of local or shared memory, through functions that other kernels call with global memory. */
void add_window_call(struct generator *g);
/* Module-level text: variables and functions. */
extern const char random_module_head[];

#endif
