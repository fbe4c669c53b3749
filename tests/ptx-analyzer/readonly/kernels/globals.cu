/* Module variables. */
#include "prelude.h"

__device__ float table_a[256];
__device__ float table_b[256];
__device__ const float fixed_table[4] = {1, 2, 3, 5};
__constant__ float constant_table[64];
__device__ float *held;
__device__ int counter;

KERNEL global_restrict_out(float *__restrict__ out) { out[INDEX] = table_a[threadIdx.x]; }

KERNEL global_plain_out(float *out) { out[INDEX] = table_a[threadIdx.x]; }

KERNEL global_const(float *out, int i) { out[INDEX] = fixed_table[i & 3]; }

KERNEL global_written(const float *in) { table_a[threadIdx.x] = in[INDEX]; }

KERNEL global_to_global() { table_b[threadIdx.x] = table_a[threadIdx.x]; }

KERNEL global_in_place() { table_a[threadIdx.x] *= 2.0f; }

KERNEL global_pointer_read(float *out) { out[INDEX] = held[INDEX]; }

KERNEL global_pointer_written(const float *in) { held[INDEX] = in[INDEX]; }

KERNEL global_counter(const int *in)
{
	if (in[INDEX] > 0)
		atomicAdd(&counter, 1);
}

KERNEL constant_array(float *out, int i) { out[INDEX] = constant_table[i]; }

KERNEL global_by_choice(float *out, int which) { out[INDEX] = (which ? table_a : table_b)[threadIdx.x]; }
