/* The driver API's profiler calls. */
#ifndef ROMARK_CUDAPROFILER_H
#define ROMARK_CUDAPROFILER_H

#include "cuda.h"

ROMARK_DRIVER_API cuProfilerStart(void);
ROMARK_DRIVER_API cuProfilerStop(void);

#endif
