/* Occupancy is asked of the runtime (cudaOccupancyMaxActiveBlocksPerMultiprocessor and kin); included by name. */
#ifndef ROMARK_CUDA_OCCUPANCY_H
#define ROMARK_CUDA_OCCUPANCY_H

#include "cuda_runtime_api.h"

#endif
