/* Warp matching over the typed primitives that Clang's intrinsics header has just defined (it includes this file). */
#ifndef ROMARK_SM_70_RT_HPP
#define ROMARK_SM_70_RT_HPP

#define ROMARK_MATCH(type, bits, as)                                                                                   \
	static __device__ __forceinline__ unsigned int __match_any_sync(unsigned mask, type value)                     \
	{                                                                                                              \
		as key;                                                                                                \
		__builtin_memcpy(&key, &value, sizeof(key));                                                           \
		return __match##bits##_any_sync(mask, key);                                                            \
	}                                                                                                              \
	static __device__ __forceinline__ unsigned int __match_all_sync(unsigned mask, type value, int *all)           \
	{                                                                                                              \
		as key;                                                                                                \
		__builtin_memcpy(&key, &value, sizeof(key));                                                           \
		return __match##bits##_all_sync(mask, key, all);                                                       \
	}
ROMARK_MATCH(int, 32, unsigned)
ROMARK_MATCH(unsigned, 32, unsigned)
ROMARK_MATCH(float, 32, unsigned)
ROMARK_MATCH(long, 64, unsigned long long)
ROMARK_MATCH(unsigned long, 64, unsigned long long)
ROMARK_MATCH(long long, 64, unsigned long long)
ROMARK_MATCH(unsigned long long, 64, unsigned long long)
ROMARK_MATCH(double, 64, unsigned long long)
#undef ROMARK_MATCH

#endif
