/* The name that programs include; the contents are in texture_types.h. */
#ifndef ROMARK_BUILTIN_TYPES_H
#define ROMARK_BUILTIN_TYPES_H
#include "texture_types.h"
#endif
