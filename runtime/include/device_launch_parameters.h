/* A name that programs include; romark has its contents in cuda_runtime.h. */
#ifndef ROMARK_DEVICE_LAUNCH_PARAMETERS_H
#define ROMARK_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif
