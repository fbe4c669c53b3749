/*
 * Finds the program's CUDA runtime. A program that links NVIDIA's static runtime exports none of its functions; then
 * libromark_preload.so has loaded romark's runtime, and gives its handle.
 */
#include "runtime/api/curand/program_runtime.h"

#include <dlfcn.h>
#include <pthread.h>

static struct {
	pthread_once_t once;
	cudaError_t (*copy)(void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream);
	cudaError_t (*wait)(cudaStream_t stream);
} runtime = {.once = PTHREAD_ONCE_INIT};

static void find(void)
{
	void *(*ask)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "romark_preload_runtime");
	void *library = ask ? ask() : NULL;

	if (!library)
		library = RTLD_DEFAULT;
	*(void **)&runtime.copy = dlsym(library, "cudaMemcpyAsync");
	*(void **)&runtime.wait = dlsym(library, "cudaStreamSynchronize");
}

cudaError_t program_copy(void *to, const void *from, size_t size, cudaStream_t stream)
{
	pthread_once(&runtime.once, find);
	return runtime.copy ? runtime.copy(to, from, size, cudaMemcpyDefault, stream) : cudaErrorInitializationError;
}

cudaError_t program_wait(cudaStream_t stream)
{
	pthread_once(&runtime.once, find);
	return runtime.wait ? runtime.wait(stream) : cudaErrorInitializationError;
}
