/*
 * Programs include this header by name. The runtime computes occupancy: cudaOccupancyMaxActiveBlocksPerMultiprocessor
 * and kin.
 */
#ifndef ROMARK_CUDA_OCCUPANCY_H
#define ROMARK_CUDA_OCCUPANCY_H

#include "cuda_runtime_api.h"

#endif
