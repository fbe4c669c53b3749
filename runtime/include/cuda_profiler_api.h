/* cudaProfilerStart and cudaProfilerStop. */
#ifndef ROMARK_CUDA_PROFILER_API_H
#define ROMARK_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

enum cudaOutputMode { cudaKeyValuePair = 0, cudaCSV = 1 };
typedef enum cudaOutputMode cudaOutputMode_t;

#endif
