// Defines the shared function, which calls a static one and uses a variable of another file.
#include "parts.h"

static __device__ int hidden = 1000000;

static __device__ int helper(int number)
{
	return hidden ? 2 * number : 0;
}

__device__ int transform(int number)
{
	return helper(clamped(number, 20)) + (calls < 0);
}
