/*
 * Made-up traces that the tests write, and the same content again for comparison.
 *
 *   struct sample s;
 *   sample_make(&s, seed, ctas);              // kernels, launches and every operation, from the seed alone
 *   sample_write(&s, trace_create(path, &d));
 *   sample_check(&s, trace_open(path, &d));   // launches and operations that agree; stops at the first error
 *   sample_release(&s);
 */
#ifndef ROMARK_TESTS_TRACE_SAMPLE_H
#define ROMARK_TESTS_TRACE_SAMPLE_H

#include "common/arena.h"
#include "common/vec.h"
#include "trace/trace.h"

struct sample_block { /* one executed block and its accesses */
	uint32_t warp, block, mask;
	uint32_t first_access;
};

struct sample_access {
	uint8_t space;
	uint32_t mask;
	uint64_t address[TRACE_WARP_LANES];
};

struct sample_cta {
	uint32_t launch, place[3], nwarps;
	uint32_t first_block, nblocks;
};

struct sample {
	struct arena arena;
	VEC(struct trace_kernel) kernels;
	VEC(struct trace_launch) launches;
	VEC(struct sample_cta) ctas;
	VEC(struct sample_block) blocks;
	VEC(struct sample_access) accesses;
};

/* How far a reader came, and whether all it gave was right. */
struct sample_result {
	size_t launches, ctas, operations;
	bool wrong; /* something differs from the sample */
	int status; /* 0 = read to the end mark, DIAG_ERROR */
	struct diag diag;
};

void sample_make(struct sample *s, uint32_t seed, unsigned launches, unsigned ctas);
/* Everything but trace_finish. */
void sample_write(const struct sample *s, struct trace_writer *w);
/* Closes the reader. */
struct sample_result sample_check(const struct sample *s, struct trace_reader *r);
void sample_release(struct sample *s);

/* xorshift: the same numbers everywhere. */
uint32_t sample_random(uint32_t *state);

#endif
