/*
 * libcudart.so.11.0 and .12: there this name takes CUDA 11's struct; CUDA 12's headers call cudaGetDeviceProperties_v2.
 */
#include "runtime/api/cudart/property_layouts.h"

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	return properties_11(prop, device);
}
