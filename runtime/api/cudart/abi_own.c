/* libromark_cudart.so: for programs compiled with the headers in runtime/include. */
#include "runtime/api/cudart/property_layouts.h"

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	return cudaGetDeviceProperties_v2(prop, device);
}
