/*
 * Copies from global to shared memory that go past the registers: cp.async from sm_80 on, plain copies before. Sizes
 * are 4, 8 or 16 bytes; a thread waits for its own copies.
 */
#ifndef ROMARK_CUDA_PIPELINE_H
#define ROMARK_CUDA_PIPELINE_H

#include "cuda_runtime.h"

#if defined(ROMARK_CUDA)

/* The last `zeros` of the bytes are filled with zeros, not copied. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
							       size_t bytes, size_t zeros = 0)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	unsigned shared = (unsigned)__cvta_generic_to_shared(to), copied = (unsigned)(bytes - zeros);
	size_t global = __cvta_generic_to_global(from);

	if (bytes == 16)
		__asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
				 :
				 : "r"(shared), "l"(global), "r"(copied)
				 : "memory");
	else if (bytes == 8)
		__asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
				 :
				 : "r"(shared), "l"(global), "r"(copied)
				 : "memory");
	else
		__asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
				 :
				 : "r"(shared), "l"(global), "r"(copied)
				 : "memory");
#else
	for (size_t i = 0; i < bytes; i++)
		((char *)to)[i] = i < bytes - zeros ? ((const char *)from)[i] : 0;
#endif
}

static __device__ __forceinline__ void __pipeline_commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	__asm__ volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/* All groups of copies but the last `prior` that were committed are there. */
static __device__ __forceinline__ void __pipeline_wait_prior(size_t prior)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	switch (prior) {
#define ROMARK_WAIT_PRIOR(n)                                                                                           \
	case n: __asm__ volatile("cp.async.wait_group " #n ";" : : : "memory"); break;
		ROMARK_WAIT_PRIOR(0)
		ROMARK_WAIT_PRIOR(1)
		ROMARK_WAIT_PRIOR(2)
		ROMARK_WAIT_PRIOR(3)
		ROMARK_WAIT_PRIOR(4)
		ROMARK_WAIT_PRIOR(5)
		ROMARK_WAIT_PRIOR(6)
		ROMARK_WAIT_PRIOR(7)
#undef ROMARK_WAIT_PRIOR
	default: __asm__ volatile("cp.async.wait_group 8;" : : : "memory");
	}
#else
	(void)prior;
#endif
}

#endif
#endif
