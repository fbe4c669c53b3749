/*
 * Included in front of a sample: its cudaMalloc takes memory from a pool like those of frameworks. ROMARK_TEST_MEMORY
 * says what romark hears of it: "malloc" (there is no pool), "pool" (nothing), or "told".
 */
#include <cuda_runtime.h>
#include <region_pool.h>

#include <cstdlib>
#include <cstring>

static const char *pooled_memory_of(void)
{
	const char *from = std::getenv("ROMARK_TEST_MEMORY");

	return from ? from : "malloc";
}

static romark::region_pool &pooled_memory_pool(void)
{
	static romark::region_pool pool(std::strcmp(pooled_memory_of(), "told") == 0);

	return pool;
}

template <class T>
static cudaError_t pooled_memory_take(T **p, std::size_t bytes)
{
	if (std::strcmp(pooled_memory_of(), "malloc") == 0)
		return cudaMalloc((void **)p, bytes);
	*p = static_cast<T *>(pooled_memory_pool().take(bytes, 0));
	return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t pooled_memory_give(void *p)
{
	if (std::strcmp(pooled_memory_of(), "malloc") == 0)
		return cudaFree(p);
	pooled_memory_pool().give(p, 0);
	return cudaSuccess;
}

#define cudaMalloc pooled_memory_take
#define cudaFree pooled_memory_give
