/*
 * An arena behind RMM's interface, with the adaptor or without; and PyTorch's two functions from a library that is
 * loaded when the program runs. The argument says which: "arena", "adapted", or the library's path.
 */
#include "../runtime/gpu/programs/guarded.h"

#include <rmm_region_adaptor.hpp>

#include <dlfcn.h>
#include <string>
#include <sys/types.h>

class arena_resource final : public rmm::mr::device_memory_resource {
	void *do_allocate(std::size_t bytes, rmm::cuda_stream_view) override
	{
		if (!arena_)
			CHECK(cudaMalloc(&arena_, 1 << 20));
		used_ += (bytes + 255) / 256 * 256;
		return arena_ + used_ - (bytes + 255) / 256 * 256;
	}
	void do_deallocate(void *, std::size_t, rmm::cuda_stream_view) noexcept override
	{
	}
	char *arena_ = nullptr;
	std::size_t used_ = 0;
};

/* What the kernel reads begins where `first` says when it is read, so that byte ranges and scans do not tell it. */
__global__ void step(const int *in, const volatile int *first, int *out, int *sums)
{
	body(in + *first, out, sums);
}

template <class Take, class Give> static void run(Take take, Give give)
{
	int *a = (int *)take(N * sizeof(int)), *b = (int *)take(N * sizeof(int)), *first = (int *)take(sizeof(int));

	sums = (int *)take(N * sizeof(int));
	fill(a, 10);
	CHECK(cudaMemset(first, 0, sizeof *first));
	step<<<1, N>>>(a, first, b, sums);
	verify("apart", b, 10, false);
	give(first, sizeof(int));
	give(b, N * sizeof(int));
	give(a, N * sizeof(int));
	give(sums, N * sizeof(int));
}

int main(int, char **argv)
{
	std::string how = argv[1];
	arena_resource arena;
	romark::region_adaptor<arena_resource> adapted(&arena), twin(&arena);
	rmm::mr::device_memory_resource *resource = &arena;

	if (!adapted.is_equal(twin) || adapted.is_equal(arena))
		wrong++;
	if (how == "arena" || how == "adapted") {
		resource = how == "arena" ? resource : &adapted;
		run([&](size_t n) { return resource->allocate(n, cudaStream_t(0)); },
		    [&](void *p, size_t n) { resource->deallocate(p, n, cudaStream_t(0)); });
		return wrong != 0;
	}
	void *library = dlopen(argv[1], RTLD_NOW);
	if (!library) {
		puts(dlerror());
		return 1;
	}
	auto take = (void *(*)(ssize_t, int, cudaStream_t))dlsym(library, "romark_pytorch_malloc");
	auto give = (void (*)(void *, ssize_t, int, cudaStream_t))dlsym(library, "romark_pytorch_free");
	for (int round = 0; round < 2; round++)
		run([&](size_t n) { return take(n, 0, 0); }, [&](void *p, size_t n) { give(p, n, 0, 0); });
	return wrong != 0;
}
