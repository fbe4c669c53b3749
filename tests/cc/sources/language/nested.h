/* A kernel that launches another kernel, in a header. */
#pragma once

__global__ void add_from_header(int *out, int value);

__global__ void launch_from_header(int *out)
{
	if (threadIdx.x == 0)
		add_from_header<<<2, 32>>>(out, 5);
}
