/*
 * PyTorch's memory from a pool that tells romark about each piece. PyTorch loads it as
 * torch.cuda.memory.CUDAPluggableAllocator (docs/allocators.md has the steps):
 *
 *   g++ -shared -fPIC -I$CUDA_HOME/include -I. pytorch_allocator.cpp -o libromark_pytorch.so
 */
#include <region_pool.h>

#include <sys/types.h>

/* A pool for each device. None is ever taken apart: PyTorch may give memory back while the process ends. */
static romark::region_pool &pool_of(int device)
{
	enum { MANY_DEVICES = 64 };
	static romark::region_pool *const pools = new romark::region_pool[MANY_DEVICES];

	return pools[device % MANY_DEVICES];
}

/* PyTorch prescribes these two signatures. */
extern "C" void *romark_pytorch_malloc(ssize_t size, int device, cudaStream_t stream)
{
	return pool_of(device).take(size, stream);
}

extern "C" void romark_pytorch_free(void *ptr, ssize_t size, int device, cudaStream_t stream)
{
	(void)size;
	pool_of(device).give(ptr, stream);
}
