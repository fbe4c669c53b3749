/* A name that programs include; romark has its contents in cuda_runtime_api.h. */
#ifndef ROMARK_DRIVER_FUNCTIONS_H
#define ROMARK_DRIVER_FUNCTIONS_H
#include "cuda_runtime_api.h"
#endif
