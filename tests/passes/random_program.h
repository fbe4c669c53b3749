/*
 * Random kernels in LLVM IR for tests of soundness by execution.
 *
 * All memory is objects of two nodes; a node is four 64-bit numbers and behind them four slots with pointers to
 * objects. Each pointer that a program keeps points to the first byte of an object, so that whatever a program does, it
 * touches memory that is there, and any pointer that it loads from a slot can be used. Kernels k0.. share functions,
 * and each has the parameters
 *
 *   p0..p3  pointers    p4  { ptr, ptr, i64 } by value    p5  a small number    p6  a pointer as a number
 *   p7      a noalias pointer that every kernel writes
 *   p8      { i32, ptr, ptr } by value, packed
 *
 * and knows the variables g0 and g1, which are objects too. Every second kernel hides pointers in numbers
 * (random_disguises.h). Some programs have another kernel, `other`, with a small number as its parameter, which calls
 * the functions with shared and local memory.
 */
#ifndef ROMARK_TEST_RANDOM_PROGRAM_H
#define ROMARK_TEST_RANDOM_PROGRAM_H

#include "common/strbuf.h"

#include <stdint.h>

enum { OBJECT_NODES = 2, NODE_BYTES = 64, NODE_SLOTS = 4, SLOTS_AT = 32, OBJECT_BYTES = OBJECT_NODES * NODE_BYTES };
/* Most of the time of a program goes into its functions, so several kernels share them. */
enum { KERNELS = 4 };

/* A pseudo-random sequence of its own. */
struct random {
	uint64_t state;
};

struct random random_from(uint64_t seed);
unsigned random_pick(struct random *r, unsigned below);

/* Appends the module. Tells for each kernel which of p0..p3 are noalias, bit by bit. */
void random_program(struct random *r, struct strbuf *out, unsigned noalias[KERNELS]);

#endif
