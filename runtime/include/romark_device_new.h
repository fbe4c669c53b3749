/*
 * new and delete in device code, for sources that include no header for them, too. The device's heap aligns memory to
 * 16 bytes. For a type with a larger alignment, more is taken, and the heap's address is kept in front of the object.
 */
#ifndef ROMARK_DEVICE_NEW_H
#define ROMARK_DEVICE_NEW_H

#include <new>

#if defined(__cpp_aligned_new)
static __device__ inline void *romark_new_aligned(size_t size, size_t alignment)
{
	char *memory = (char *)::malloc(size + alignment + sizeof(void *)), *object;

	if (!memory)
		return 0;
	object = (char *)(((size_t)memory + sizeof(void *) + alignment - 1) & ~(alignment - 1));
	((void **)(void *)object)[-1] = memory;
	return object;
}

static __device__ inline void romark_delete_aligned(void *object)
{
	if (object)
		::free(((void **)object)[-1]);
}

__device__ inline void *operator new(size_t size, std::align_val_t alignment)
{
	return romark_new_aligned(size, (size_t)alignment);
}

__device__ inline void *operator new[](size_t size, std::align_val_t alignment)
{
	return romark_new_aligned(size, (size_t)alignment);
}

__device__ inline void operator delete(void *object, std::align_val_t) noexcept
{
	romark_delete_aligned(object);
}

__device__ inline void operator delete[](void *object, std::align_val_t) noexcept
{
	romark_delete_aligned(object);
}

__device__ inline void operator delete(void *object, size_t, std::align_val_t) noexcept
{
	romark_delete_aligned(object);
}

__device__ inline void operator delete[](void *object, size_t, std::align_val_t) noexcept
{
	romark_delete_aligned(object);
}
#endif

#endif
