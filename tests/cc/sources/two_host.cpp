/* Host code that calls the API without any device code of its own. */
#include "two.h"

#include <cuda_runtime.h>

#include <cstdio>

int main()
{
	int out[3] = {0, 0, 0}, count = 0;

	if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1)
		return 1;
	fill_on_device(out, 3);
	std::printf("%d %d %d\n", out[0], out[1], out[2]);
	return 0;
}
