/* The name that programs include; the contents are in surface_indirect_functions.h. */
#ifndef ROMARK_SURFACE_FUNCTIONS_H
#define ROMARK_SURFACE_FUNCTIONS_H
#include "surface_indirect_functions.h"
#endif
