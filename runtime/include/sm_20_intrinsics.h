/* Tests for a pointer's address space, and conversion between generic and specific addresses. */
#ifndef ROMARK_SM_20_INTRINSICS_H
#define ROMARK_SM_20_INTRINSICS_H

#define ROMARK_DEVICE static __device__ __forceinline__

ROMARK_DEVICE unsigned int __isGlobal(const void *ptr)
{
	return __nvvm_isspacep_global(ptr);
}
ROMARK_DEVICE unsigned int __isShared(const void *ptr)
{
	return __nvvm_isspacep_shared(ptr);
}
ROMARK_DEVICE unsigned int __isConstant(const void *ptr)
{
	return __nvvm_isspacep_const(ptr);
}
ROMARK_DEVICE unsigned int __isLocal(const void *ptr)
{
	return __nvvm_isspacep_local(ptr);
}

#define ROMARK_CVTA(space, number)                                                                                     \
	ROMARK_DEVICE size_t __cvta_generic_to_##space(const void *ptr)                                                \
	{                                                                                                              \
		return (size_t)(void __attribute__((address_space(number))) *)ptr;                                     \
	}                                                                                                              \
	ROMARK_DEVICE void *__cvta_##space##_to_generic(size_t address)                                                \
	{                                                                                                              \
		return (void *)(void __attribute__((address_space(number))) *)address;                                 \
	}
ROMARK_CVTA(global, 1)
ROMARK_CVTA(shared, 3)
ROMARK_CVTA(constant, 4)
ROMARK_CVTA(local, 5)
#undef ROMARK_CVTA
#undef ROMARK_DEVICE

#endif
