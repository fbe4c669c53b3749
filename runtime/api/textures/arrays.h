/* CUDA arrays: pitched device memory with a channel format. */
#ifndef ROMARK_API_ARRAYS_H
#define ROMARK_API_ARRAYS_H

#include "runtime/device/device.h"
#include "runtime/include/cuda_runtime_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cudaArray {
	uint64_t address;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent; /* as the program gave it: 0 marks a missing dimension */
	unsigned flags;
	size_t element, pitch, rows; /* bytes of an element and of a row; rows of a slice */
};

/* For any address: whether it is a live array, which may be a mipmap's level, or a live mipmap. */
bool array_is(cudaArray_const_t array);
bool mipmap_is(cudaMipmappedArray_const_t mipmap);
/* True if a box lies in the array. The x of `at` and `width` count bytes; the others count rows and slices. */
bool array_holds(cudaArray_const_t array, const struct cudaPos *at, size_t width, size_t height, size_t depth);

struct cudaMipmappedArray {
	struct cudaArray *levels[IMAGE_LEVELS]; /* each has half the size of the previous one, down to 1 */
	unsigned nlevels;
};

#endif
