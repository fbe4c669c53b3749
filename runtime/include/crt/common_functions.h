/* A name that programs include; romark has its contents in ../common_functions.h. */
#ifndef ROMARK_CRT_COMMON_FUNCTIONS_H
#define ROMARK_CRT_COMMON_FUNCTIONS_H
#include "../common_functions.h"
#endif
