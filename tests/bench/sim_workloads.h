/*
 * Synthetic traces with the memory behaviour of common kernels, for the simulator's benchmark: no program is run, the
 * addresses are computed here.
 */
#ifndef ROMARK_BENCH_SIM_WORKLOADS_H
#define ROMARK_BENCH_SIM_WORKLOADS_H

#include "trace/trace.h"

/* C = A x B in floats: A has `rows` x `inner`, B `inner` x `columns`; each a multiple of the blocks below. */
struct matmul_shape {
	uint32_t rows, inner, columns;
};

/* One thread per element, blocks of `width` x `height` threads, operands from global memory. */
void write_matmul_naive(struct trace_writer *w, struct matmul_shape shape, uint32_t width, uint32_t height);
/* The same through tiles of `tile` x `tile` in shared memory, two barriers per tile. */
void write_matmul_tiled(struct trace_writer *w, struct matmul_shape shape, uint32_t tile);
/* out[b][o] = sum_i in[b][i] * weight[i][o]: a CTA per batch element, 256 threads that stride over the outputs. */
void write_neural_layer(struct trace_writer *w, uint32_t batch, uint32_t inputs, uint32_t outputs);
/* c = a + b, 256 threads per CTA. */
void write_vector_add(struct trace_writer *w, uint32_t ctas);

#endif
