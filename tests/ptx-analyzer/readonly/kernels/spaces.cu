/* Shared, local and generic addresses. */
#include "prelude.h"

KERNEL tile(const float *in, float *out)
{
	__shared__ float tile[32];

	tile[threadIdx.x] = in[INDEX];
	__syncthreads();
	out[INDEX] = tile[31 - threadIdx.x];
}

extern __shared__ float dynamic[];

KERNEL dynamic_tile(const float *in, float *out)
{
	dynamic[threadIdx.x] = in[INDEX];
	__syncthreads();
	out[INDEX] = dynamic[threadIdx.x ^ 1];
}

/* The same generic load reads shared or global memory: it cannot become ld.global. */
KERNEL shared_or_global(const float *in, float *out, int which)
{
	__shared__ float copy[32];
	const float *p = which ? copy : in;

	copy[threadIdx.x] = 0;
	__syncthreads();
	out[INDEX] = p[threadIdx.x];
}

KERNEL store_shared_or_global(const float *in, float *out, int which)
{
	__shared__ float copy[32];
	float *p = which ? copy : out;

	p[threadIdx.x] = in[INDEX];
	__syncthreads();
	if (copy[0] == 1.0f)
		asm volatile("trap;");
}

KERNEL is_global(const float *in, float *out)
{
	unsigned global;

	asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(global) : "l"(in));
	out[INDEX] = global ? in[INDEX] : 0.0f;
}

KERNEL shared_window(const float *in, float *out)
{
	__shared__ float tile[32];
	unsigned address;
	float v;

	asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(tile + threadIdx.x));
	asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(in[INDEX]) : "memory");
	__syncthreads();
	asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(address ^ 4u));
	out[INDEX] = v;
}

KERNEL copy_bytes(const char *from, char *to, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = from[i];
}

struct block {
	float v[32];
};

KERNEL copy_block(const block *from, block *to) { to[INDEX] = from[INDEX]; }

KERNEL local_array(const float *in, float *out, int which)
{
	float v[8];

	for (int i = 0; i < 8; i++)
		v[i] = in[INDEX + i];
	out[INDEX] = v[which & 7];
}
