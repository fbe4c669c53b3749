// Variables that other files' kernels use, and a static one of the same name as theirs.
#include "device.h"

__device__ int launches;
__constant__ int factors[4];
static __device__ int offset = 1000;

__global__ void add_offset(int *number)
{
	*number += offset;
}
