/* A trace with the shape of matrix products, written without running a program: for size and speed measurements. */
#ifndef ROMARK_TESTS_TRACE_MATMUL_H
#define ROMARK_TESTS_TRACE_MATMUL_H

#include "trace/trace.h"

/* c = a * b, n x n floats, 16 x 16 CTAs, inner loop unrolled by four; n a multiple of 16. Returns warp instructions. */
uint64_t matmul_write(struct trace_writer *w, uint32_t n);
/* The same; `marked` false: no load carries the read-only mark. */
uint64_t matmul_write_as(struct trace_writer *w, uint32_t n, bool marked);

#endif
