/*
 * What a program's own allocator tells romark. C and C++; needs no other file of romark.
 *
 *   cudaMalloc(&arena, 1 << 30);
 *   ...
 *   void *tensor = arena + used;
 *   romark_region(tensor, bytes, stream);        // tensor is as separate now as memory of cudaMalloc
 *   kernel<<<grid, block, 0, stream>>>(tensor, ...);
 *   romark_region_end(tensor, stream);           // before its bytes are handed out again, or freed
 *
 * romark runs a kernel with read-only marks if no allocation that the kernel reads through them is also written.
 * Regions divide an allocation for this question. Who says romark_region promises what holds for allocations: a kernel
 * uses a pointer into the region for the bytes of the region only. `romark run --verify` reports a kernel that does
 * not.
 *
 * Both functions return 0, or the number of a cudaError_t, and then romark prints why. They do nothing and return 0 in
 * a program that runs without romark. A library of C code that includes this file is linked with -ldl where the C
 * library has dlsym in a library of its own.
 */
#ifndef ROMARK_H
#define ROMARK_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* romark's runtime has them, NVIDIA's has not; so they are looked for by name, in whatever the process has loaded. */
static inline void *romark_find(const char *name)
{
#ifdef RTLD_DEFAULT
	return dlsym(RTLD_DEFAULT, name);
#else
	return dlsym(NULL, name); /* the same, where the C library hides the macro */
#endif
}

/*
 * The `size` bytes at `ptr` are a region from now on, for all work that is submitted later. `stream` is a cudaStream_t
 * or CUstream: the one in whose order the memory is handed out. `ptr` is a multiple of 256 and lies in an allocation
 * that has the whole region. cudaErrorInvalidValue if it does not, or if a region is there that has not ended.
 *
 * Leave a byte between two regions if a kernel may read backwards from the end of one: the end of a region is the
 * start of the next one, if that follows without a gap.
 */
static inline int romark_region(void *ptr, size_t size, void *stream)
{
	int (*call)(void *, size_t, void *);
	void *found = romark_find("romark_runtime_region");

	memcpy(&call, &found, sizeof call);
	return found ? call(ptr, size, stream) : 0;
}

/* The region that starts at `ptr` is no more. Those of an allocation that is freed end with it. */
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
