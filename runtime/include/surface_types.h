/* The name that programs include; the contents are in texture_types.h. */
#ifndef ROMARK_SURFACE_TYPES_H
#define ROMARK_SURFACE_TYPES_H
#include "texture_types.h"
#endif
