/* A name that programs include; romark has its contents in cuda_runtime.h. */
#ifndef ROMARK_DEVICE_DOUBLE_FUNCTIONS_H
#define ROMARK_DEVICE_DOUBLE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
