/* libcudart.so.13: cudaGetDeviceProperties fills in CUDA 13's struct. */
#include "runtime/api/runtime/property_layouts.h"

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	return properties_13((struct device_prop_13 *)prop, device);
}
