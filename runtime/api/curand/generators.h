/*
 * Sequences of random words behind curand's host generators.
 *
 *   numbers_open(&n, NUMBERS_PHILOX, seed, offset);
 *   x = numbers_uniform(&n);  ...
 *   numbers_close(&n);
 *
 * Philox: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011. Word i is word i % 4 of counter (i /
 * 4) / 65536, subsequence (i / 4) % 65536, key = seed, in the order of NVIDIA's library.
 *
 * MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
 * generators", 1999. Word i is number i / 81920 of stream i % 81920. Each stream starts 2^76 numbers behind the
 * previous one. With seed 0 (all states 12345) the words are NVIDIA's. NVIDIA does not publish how other seeds become
 * states, so for them the words differ.
 *
 * MT19937: M. Matsumoto and T. Nishimura, "Mersenne Twister", 1998, seeded by init_genrand. It is a single sequence;
 * NVIDIA's library interleaves several.
 *
 * XORWOW: G. Marsaglia, "Xorshift RNGs", 2003. Word i is number i / 4096 of stream i % 4096. The streams start at
 * scrambled states, as in curand_kernel.h, so the words are not NVIDIA's.
 */
#ifndef ROMARK_CURAND_GENERATORS_H
#define ROMARK_CURAND_GENERATORS_H

#include <stdbool.h>
#include <stdint.h>

enum numbers_kind { NUMBERS_XORWOW, NUMBERS_MRG32K3A, NUMBERS_MT19937, NUMBERS_PHILOX, NUMBERS_KINDS };

struct numbers {
	enum numbers_kind kind;
	uint64_t seed, position;
	void *state;
	double saved; /* the second of a pair of normals */
	bool has_saved;
};

/* False when memory runs out. */
bool numbers_open(struct numbers *n, enum numbers_kind kind, uint64_t seed, uint64_t offset);
void numbers_close(struct numbers *n);

uint32_t numbers_word(struct numbers *n);
/* In (0, 1], from as many words as it takes. */
float numbers_uniform(struct numbers *n);
double numbers_uniform_double(struct numbers *n);
/*
 * Standard normals by Box and Muller. The method makes pairs, and the second number is kept for the next call. So a
 * caller uses only one of the two functions on a generator.
 */
float numbers_normal(struct numbers *n);
double numbers_normal_double(struct numbers *n);
/* Counts arrivals up to a mean of 64; a rounded normal beyond. */
uint32_t numbers_poisson(struct numbers *n, double mean);

#endif
