/*
 * Micro-benchmarks of a whole GPU model: small kernels that are made here, simulated, and measured as one measures a
 * GPU: by the difference between a long and a short run, which takes off launch and warm-up.
 *
 *   double value;
 *   if (probe_gpu(config, BENCH_CHASE, (struct bench_point){.x = 1 << 20}, &value, &d) == 0) ...   // cycles
 */
#ifndef ROMARK_SIM_PROBE_GPU_H
#define ROMARK_SIM_PROBE_GPU_H

#include "sim-backend/config/config.h"

enum bench {
	BENCH_CHASE, /* x: bytes. Cycles of a load whose address comes from the load before, lines in random order */
	BENCH_READ_SAME,   /* x: bytes. GB/s of all SMs, which read the same buffer at the same time, again and again */
	BENCH_READ_SHARED, /* x: bytes. The same, each SM from another place on */
	/* x: threads of a CTA times SMs; a thread an element, two CTAs on an SM. GB/s of a = s over large arrays */
	BENCH_STREAM_INIT,
	BENCH_STREAM_READ,  /* .. of s = s + a */
	BENCH_STREAM_SCALE, /* .. of b = s * a */
	BENCH_STREAM_TRIAD, /* .. of c = a + s * b */
	BENCH_EMPTY,        /* x: blocks, y: threads of a block. Cycles of a kernel that ends at once */
	BENCH_FFMA,         /* x: multiply-adds, each with the result of the one before. Cycles of one */
	BENCH_COUNT
};

struct bench_point {
	double x, y;
};

/* Name and unit as tables of measured values have them, the points of a run without such a table, ended by x = 0. */
struct bench_info {
	const char *name, *unit, *x_unit;
	bool latency; /* the value is a time, else a bandwidth */
	const struct bench_point *points;
};

/* Points of the curves that were measured on GPUs; probe_measured.def has their source. Ends with gpu NULL. */
struct bench_measured {
	const char *gpu; /* the GPU file that models it */
	enum bench bench;
	double x, value;
};

extern const struct bench_measured bench_measured[];

/* Larger sets of the pointer chase are not simulated: warming them takes too long. */
#define BENCH_CHASE_MOST (128.0 * 1024 * 1024)

extern const struct bench_info bench_infos[BENCH_COUNT];

/* `config` has passed sim_config_check. Returns 0 or DIAG_ERROR. */
int probe_gpu(const struct sim_config *config, enum bench bench, struct bench_point point, double *value,
	      struct diag *d);

#endif
