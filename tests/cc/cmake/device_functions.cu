// A device function of a library, with a constant that is defined in the program.
#include "device.h"

__device__ int scaled(int number, int index)
{
	return number * factors[index];
}
