/* What the driver API's files share. */
#ifndef ROMARK_API_DRIVER_H
#define ROMARK_API_DRIVER_H

#include "runtime/api/runtime.h"
#include "runtime/include/cuda.h"

/* The driver's error for a runtime's: the same number where both have it. */
CUresult driver_result(cudaError_t error);

#endif
