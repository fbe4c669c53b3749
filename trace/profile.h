/*
 * A profile describes a launch in a few numbers, to tell whether two launches are alike: executed instructions by
 * class, accesses by space, and about how many lines of global memory were touched.
 *
 *   struct trace_profile p = {.ctas = 0};
 *   trace_profile_cta(&p, kernel, &cta);              // each CTA
 *   if (trace_profiles_alike(&p, &earlier)) ...
 *
 * Lines are counted with a sketch (HyperLogLog), so a profile has the same size whatever the launch touches.
 */
#ifndef ROMARK_TRACE_PROFILE_H
#define ROMARK_TRACE_PROFILE_H

#include "trace/trace.h"

enum { TRACE_PROFILE_BUCKETS = 4096 };

struct trace_profile {
	uint64_t ctas;
	uint64_t instructions;                      /* warp instructions, without the parts of texture fetches */
	uint64_t of_class[TRACE_CLASS_COUNT];       /* warp instructions */
	uint64_t lanes_of_class[TRACE_CLASS_COUNT]; /* thread instructions */
	uint64_t accesses_to[TRACE_SPACE_COUNT];    /* warp memory instructions by the space touched */
	uint8_t buckets[TRACE_PROFILE_BUCKETS];     /* of lines, by their hash: the most leading zeros of it, plus 1 */
};

/* Adds a CTA. DIAG_ERROR when a warp's stream is damaged. */
int trace_profile_cta(struct trace_profile *p, const struct trace_kernel *kernel, const struct trace_cta *cta);
/* Lines of 128 bytes of global memory that were touched; the standard error is 1.6 %. */
double trace_profile_lines(const struct trace_profile *p);
/* As many CTAs, counts within 2 % of each other, and lines within 5 %. */
bool trace_profiles_alike(const struct trace_profile *a, const struct trace_profile *b);

#endif
