/* A name that programs include; romark has its contents in ../device_functions.h. */
#ifndef ROMARK_CRT_DEVICE_FUNCTIONS_H
#define ROMARK_CRT_DEVICE_FUNCTIONS_H
#include "../device_functions.h"
#endif
