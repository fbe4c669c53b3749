/* cudaDeviceProp as CUDA 11 and CUDA 13 lay it out; the headers in runtime/include have CUDA 12's. */
#ifndef ROMARK_API_PROPERTY_LAYOUTS_H
#define ROMARK_API_PROPERTY_LAYOUTS_H

#include "runtime/include/cuda_runtime_api.h"

struct device_prop_13 {
#define ALWAYS(type, name, bounds) type name bounds;
#define UNTIL_12(type, name, bounds)
#define SINCE_12(type, name, bounds) type name bounds;
#define SINCE_13(type, name, bounds) type name bounds;
#include "runtime/include/romark_device_prop.def"
#undef ALWAYS
#undef UNTIL_12
#undef SINCE_12
#undef SINCE_13
	int reserved[56];
};

/* CUDA 12's call under its own name there. */
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device);
/* Fills in the fields that CUDA 11 has, which come first in CUDA 12's struct. */
cudaError_t properties_11(struct cudaDeviceProp *prop, int device);
cudaError_t properties_13(struct device_prop_13 *prop, int device);

#endif
