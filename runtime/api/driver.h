/* What the driver API's files share. */
#ifndef ROMARK_API_DRIVER_H
#define ROMARK_API_DRIVER_H

#include "runtime/api/runtime.h"
#include "runtime/include/cuda.h"

/* The driver's error for a runtime's: the same number where both have it. */
CUresult driver_result(cudaError_t error);
/* Points args at the parameters that a launch's `extra` has packed in one buffer. */
cudaError_t driver_unpack(const struct kernel *kernel, void **extra, void **args);

#endif
