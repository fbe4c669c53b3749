/* The driver API's profiler calls. */
#ifndef ROMARK_CUDAPROFILER_H
#define ROMARK_CUDAPROFILER_H

#include "cuda.h" /* declares them */

#endif
