/* Asynchronous copies, matrix instructions, textures and surfaces (sm_90). */
#include "prelude.h"

KERNEL async_copy(const float *in, float *out)
{
	__shared__ float tile[128];

	asm volatile("{ .reg .u64 t; .reg .u32 s; cvta.to.shared.u64 t, %0; cvt.u32.u64 s, t;\n"
		     "cp.async.ca.shared.global [s], [%1], 16; cp.async.wait_all; }" ::"l"(tile + threadIdx.x * 4),
		     "l"(in + INDEX * 4)
		     : "memory");
	__syncthreads();
	out[INDEX] = tile[threadIdx.x];
}

KERNEL bulk_store(const float *in, float *out)
{
	__shared__ __attribute__((aligned(16))) float tile[128];

	tile[threadIdx.x] = in[INDEX];
	__syncthreads();
	asm volatile("{ .reg .u64 t; .reg .u32 s; cvta.to.shared.u64 t, %1; cvt.u32.u64 s, t;\n"
		     "cp.async.bulk.global.shared::cta.bulk_group [%0], [s], 512; cp.async.bulk.commit_group; }" ::"l"(out),
		     "l"(tile)
		     : "memory");
}

KERNEL bulk_reduce(const float *in, float *out)
{
	__shared__ __attribute__((aligned(16))) float tile[128];

	tile[threadIdx.x] = in[INDEX];
	__syncthreads();
	asm volatile("{ .reg .u64 t; .reg .u32 s; cvta.to.shared.u64 t, %1; cvt.u32.u64 s, t;\n"
		     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [s], 512; }" ::"l"(out), "l"(tile)
		     : "memory");
}

/* The memory that a tensor map describes could be anything. */
KERNEL tensor_store(const float *in, const void *map)
{
	__shared__ __attribute__((aligned(128))) float tile[128];

	tile[threadIdx.x] = in[INDEX];
	__syncthreads();
	asm volatile("{ .reg .u64 t; .reg .u32 s; cvta.to.shared.u64 t, %1; cvt.u32.u64 s, t;\n"
		     "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [s]; }" ::"l"(map),
		     "l"(tile), "r"(0)
		     : "memory");
}

KERNEL matrix_load(const float *in, float *out)
{
	float v[8];

	asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], 16;"
		     : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]), "=f"(v[7])
		     : "l"(in));
	asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%8], {%0,%1,%2,%3,%4,%5,%6,%7}, 16;" ::"f"(v[0]),
		     "f"(v[1]), "f"(v[2]), "f"(v[3]), "f"(v[4]), "f"(v[5]), "f"(v[6]), "f"(v[7]), "l"(out)
		     : "memory");
}

KERNEL matrix_from_shared(const float *in, float *out)
{
	__shared__ __attribute__((aligned(16))) float tile[256];
	unsigned a, b;

	tile[threadIdx.x] = in[INDEX];
	__syncthreads();
	asm volatile("{ .reg .u64 t; .reg .u32 s; cvta.to.shared.u64 t, %2; cvt.u32.u64 s, t;\n"
		     "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [s]; }"
		     : "=r"(a), "=r"(b)
		     : "l"(tile + threadIdx.x * 4));
	out[INDEX] = (float)(a + b);
}

/* Surfaces are CUDA arrays, which no pointer reaches. */
KERNEL surface_store(unsigned long long surface, const int *in)
{
	asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" ::"l"(surface), "r"(threadIdx.x * 4), "r"(in[INDEX])
		     : "memory");
}

KERNEL texture_load(unsigned long long texture, float *out)
{
	float x, y, z, w;

	asm volatile("tex.1d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5}];"
		     : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
		     : "l"(texture), "r"(threadIdx.x));
	out[INDEX] = x + y + z + w;
}
