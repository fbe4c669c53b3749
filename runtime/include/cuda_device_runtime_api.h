/* A name that programs include; romark has its contents in cuda_runtime_api.h. */
#ifndef ROMARK_CUDA_DEVICE_RUNTIME_API_H
#define ROMARK_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime_api.h"
#endif
