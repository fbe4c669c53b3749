/* Launches by a kernel's grid, see run/nested.h. */
#ifndef ROMARK_CPU_GRID_LAUNCHES_H
#define ROMARK_CPU_GRID_LAUNCHES_H

#include "runtime/cpu/engine/device_memory.h"
#include "runtime/device/device.h"

enum { MAX_NESTING = 24 };

/* A copy or fill of device code: bytes of rows of slices. */
struct nested_copy {
	uint64_t to, to_pitch, to_slice, from, from_pitch, from_slice;
	uint64_t width, height, depth;
	bool is_fill;
	uint8_t value; /* of a fill */
};

struct nested_launch {
	struct nested_launch *next;
	struct device_kernel *kernel; /* NULL: a copy, or a buffer that has no launch yet */
	struct nested_copy copy;
	struct launch_params shape; /* its parameters are the bytes behind this struct */
	uint64_t buffer;            /* where the kernel's parameters are put; 0 once it is launched */
	uint64_t cta;               /* who launched it */
	uint32_t depth;
};

struct nested_queue {
	struct nested_launch *first, *last;
};

/* The launches by the CTAs of a grid. */
struct nested {
	struct nested_queue prepared, children, tails;
	uint32_t depth; /* 0: the host launched the grid */
	uint32_t error; /* of the last launch that failed, a cudaError_t */
	bool reported;
};

#endif
