/* Accesses of a warp as runs: bytes that follow each other, which checks look at once and not lane by lane. */
#ifndef ROMARK_CPU_RUNS_H
#define ROMARK_CPU_RUNS_H

#include "runtime/cpu/engine/engine.h"

/* The addresses that the lanes of an instruction access, `bytes` bytes at each. */
struct accesses {
	const uint64_t *address;
	uint64_t bytes;
	uint32_t mask;
};

/* `bytes` bytes from where `lane` is, the first of `lanes`, which touch them together. */
struct lane_run {
	uint32_t lanes;
	unsigned lane;
	uint64_t bytes;
};

/* Splits the accesses into runs, which have each of the lanes once; returns how many. */
unsigned runs_of(const struct accesses *a, struct lane_run out[LANES]);

#endif
