/* A name that programs include; romark has its contents in cuda_runtime.h. */
#ifndef ROMARK_SM_35_INTRINSICS_H
#define ROMARK_SM_35_INTRINSICS_H
#include "cuda_runtime.h"
#endif
