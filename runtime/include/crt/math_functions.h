/* A name that programs include; romark has its contents in ../math_functions.h. */
#ifndef ROMARK_CRT_MATH_FUNCTIONS_H
#define ROMARK_CRT_MATH_FUNCTIONS_H
#include "../math_functions.h"
#endif
