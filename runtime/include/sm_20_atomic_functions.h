/* A name that programs include; romark has its contents in cuda_runtime.h. */
#ifndef ROMARK_SM_20_ATOMIC_FUNCTIONS_H
#define ROMARK_SM_20_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
