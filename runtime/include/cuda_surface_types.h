/* The name that programs include; the contents are in cuda_texture_types.h. */
#ifndef ROMARK_CUDA_SURFACE_TYPES_H
#define ROMARK_CUDA_SURFACE_TYPES_H
#include "cuda_texture_types.h"
#endif
