/* Loads that carry an order or a hint, barriers, atomics, inline assembly. */
#include "prelude.h"

KERNEL volatile_load(const volatile float *in, float *out) { out[INDEX] = in[INDEX]; }

KERNEL volatile_and_plain(const float *in, float *out)
{
	out[INDEX] = *(const volatile float *)(in + INDEX) + in[INDEX + 1];
}

KERNEL spin_then_load(const int *__restrict__ flag, const float *__restrict__ in, float *__restrict__ out)
{
	while (*(const volatile int *)flag == 0)
		;
	out[INDEX] = in[INDEX];
}

KERNEL around_barrier(const float *__restrict__ in, float *__restrict__ out)
{
	float before = in[INDEX];

	__syncthreads();
	__threadfence();
	asm volatile("" ::: "memory");
	out[INDEX] = before + in[INDEX + 1];
}

KERNEL relaxed_load(const float *__restrict__ in, float *__restrict__ out)
{
	float v;

	asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(v) : "l"(in + INDEX));
	out[INDEX] = v;
}

KERNEL acquire_load(const float *in, float *out)
{
	float v;

	asm volatile("ld.acquire.gpu.global.f32 %0, [%1];" : "=f"(v) : "l"(in + INDEX));
	out[INDEX] = v;
}

KERNEL uncached_load(const float *in, float *out)
{
	float v;

	asm volatile("ld.global.cv.f32 %0, [%1];" : "=f"(v) : "l"(in + INDEX));
	out[INDEX] = v;
}

KERNEL last_use_load(const float *in, float *out)
{
	float v;

	asm volatile("ld.global.lu.f32 %0, [%1];" : "=f"(v) : "l"(in + INDEX));
	out[INDEX] = v;
}

KERNEL streaming_load(const float *in, float *out)
{
	float v, w;

	asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(v) : "l"(in + INDEX));
	asm volatile("ld.weak.global.cg.f32 %0, [%1];" : "=f"(w) : "l"(in + INDEX + 1));
	out[INDEX] = v + w;
}

KERNEL assembly_load(const float *in, float *out)
{
	float v;

	asm("{ .reg .u64 t; add.u64 t, %1, 16; ld.global.f32 %0, [t]; }" : "=f"(v) : "l"(in + INDEX));
	out[INDEX] = v;
}

KERNEL assembly_store(float *__restrict__ p, const float *__restrict__ in)
{
	asm volatile("st.global.f32 [%0], %1;" ::"l"(p + INDEX), "f"(in[INDEX]) : "memory");
}

KERNEL assembly_store_generic(const float *in, float *out)
{
	float v = in[INDEX];

	asm volatile("st.f32 [%0], %1;" ::"l"(out + INDEX), "f"(v) : "memory");
}

KERNEL atomic_add(const int *in, int *out) { atomicAdd(out + in[INDEX], 1); }

KERNEL atomic_cast(const int *__restrict__ p, int *__restrict__ out)
{
	out[INDEX] = p[INDEX];
	atomicAdd((int *)p, 1);
}

KERNEL reduction(const int *in, int *out)
{
	asm volatile("red.global.add.s32 [%0], %1;" ::"l"(out), "r"(in[INDEX]) : "memory");
}

KERNEL compare_and_swap(const int *in, int *lock)
{
	int old = *lock, seen;

	while ((seen = atomicCAS(lock, old, old + in[INDEX])) != old)
		old = seen;
}
