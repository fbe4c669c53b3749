/*
 * How a program's own allocator tells romark about its pieces of memory. For C and C++; needs no other file of romark.
 *
 *   cudaMalloc(&arena, 1 << 30);
 *   ...
 *   void *tensor = arena + used;
 *   romark_region(tensor, bytes, stream);        // tensor is as separate now as memory of cudaMalloc
 *   kernel<<<grid, block, 0, stream>>>(tensor, ...);
 *   romark_region_end(tensor, stream);           // before its bytes are handed out again, or freed
 *
 * romark runs a kernel with read-only marks if no allocation that the kernel reads through them is also written. For
 * this check, each region counts as an allocation. A call of romark_region promises the same as cudaMalloc does: a
 * kernel uses a pointer into the region only for bytes of the region. `romark run --verify` reports a kernel that does
 * not.
 *
 * Both functions return 0, or the number of a cudaError_t, and then romark prints why. They do nothing and return 0 in
 * a program that runs without romark. Link with -ldl where the C library keeps dlsym in a separate library.
 */
#ifndef ROMARK_H
#define ROMARK_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * romark's runtime has these functions and NVIDIA's does not. So this looks by name in all that the process has loaded.
 */
static inline void *romark_find(const char *name)
{
#ifdef RTLD_DEFAULT
	return dlsym(RTLD_DEFAULT, name);
#else
	return dlsym(NULL, name); /* the same, where the C library hides the macro */
#endif
}

/*
 * Makes the `size` bytes at `ptr` a region, for all work that is submitted later. `stream`, a cudaStream_t or CUstream,
 * is the stream that will use the memory. `ptr` is a multiple of 256. The region must lie in a single allocation and
 * must not overlap a region that has not ended; else the call returns cudaErrorInvalidValue.
 *
 * If a kernel may read backwards from the end of a region, leave a byte before the next region. Without a gap the end
 * of the first is the start of the next.
 */
static inline int romark_region(void *ptr, size_t size, void *stream)
{
	int (*call)(void *, size_t, void *);
	void *found = romark_find("romark_runtime_region");

	memcpy(&call, &found, sizeof call);
	return found ? call(ptr, size, stream) : 0;
}

/* Ends the region that starts at `ptr`. Freeing an allocation ends its regions. */
static inline int romark_region_end(void *ptr, void *stream)
{
	int (*call)(void *, void *);
	void *found = romark_find("romark_runtime_region_end");

	memcpy(&call, &found, sizeof call);
	return found ? call(ptr, stream) : 0;
}

#ifdef __cplusplus
}
#endif

#endif
