/*
 * Pointer types for the driver's functions, for programs that look these up by name. PFN_cuMemAlloc points to
 * cuMemAlloc's newest form. The type PFN_cuMemAlloc_v3020 names the release that brought this form. PFN_..._ptsz and
 * _ptds are the same types.
 */
#ifndef ROMARK_CUDA_TYPEDEFS_H
#define ROMARK_CUDA_TYPEDEFS_H

#include "cuda.h"

#define POINTER(name, release, function)                                                                               \
	typedef __typeof__(function) *PFN_##name##_v##release;                                                         \
	typedef PFN_##name##_v##release PFN_##name##_v##release##_ptsz;                                                \
	typedef PFN_##name##_v##release PFN_##name##_v##release##_ptds;                                                \
	typedef PFN_##name##_v##release PFN_##name;
#include "romark_driver_pointers.def"
#undef POINTER

typedef __typeof__(cuGetProcAddress_v2) *PFN_cuGetProcAddress_v12000;
typedef PFN_cuGetProcAddress_v12000 PFN_cuGetProcAddress;

#endif
