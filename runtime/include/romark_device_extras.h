/* Device intrinsics that Clang's wrapper headers do not define: cache hints, address spaces, dot products, timers. */
#ifndef ROMARK_DEVICE_EXTRAS_H
#define ROMARK_DEVICE_EXTRAS_H

#define ROMARK_DEVICE static __device__ __forceinline__

/* --- Loads and stores with a cache hint --- */

/* Scalars by PTX type and register constraint; `reg` is the C type of the register. */
#define ROMARK_LOAD_HINT(hint, type, ptx, constraint, reg)                                                             \
	ROMARK_DEVICE type __ld##hint(const type *ptr)                                                                 \
	{                                                                                                              \
		reg value;                                                                                             \
		__asm__ volatile("ld.global." #hint "." ptx " %0, [%1];"                                               \
				 : "=" constraint(value)                                                               \
				 : "l"(ptr)                                                                            \
				 : "memory");                                                                          \
		return (type)value;                                                                                    \
	}
#define ROMARK_STORE_HINT(hint, type, ptx, constraint, reg)                                                            \
	ROMARK_DEVICE void __st##hint(type *ptr, type value)                                                           \
	{                                                                                                              \
		__asm__ volatile("st.global." #hint "." ptx " [%0], %1;"                                               \
				 :                                                                                     \
				 : "l"(ptr), constraint((reg)value)                                                    \
				 : "memory");                                                                          \
	}
#define ROMARK_LOAD_HINT2(hint, type, ptx, constraint, reg)                                                            \
	ROMARK_DEVICE type __ld##hint(const type *ptr)                                                                 \
	{                                                                                                              \
		reg x, y;                                                                                              \
		__asm__ volatile("ld.global." #hint ".v2." ptx " {%0,%1}, [%2];"                                       \
				 : "=" constraint(x), "=" constraint(y)                                                \
				 : "l"(ptr)                                                                            \
				 : "memory");                                                                          \
		return {(decltype(type::x))x, (decltype(type::x))y};                                                   \
	}
#define ROMARK_LOAD_HINT4(hint, type, ptx, constraint, reg)                                                            \
	ROMARK_DEVICE type __ld##hint(const type *ptr)                                                                 \
	{                                                                                                              \
		reg x, y, z, w;                                                                                        \
		__asm__ volatile("ld.global." #hint ".v4." ptx " {%0,%1,%2,%3}, [%4];"                                 \
				 : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w)          \
				 : "l"(ptr)                                                                            \
				 : "memory");                                                                          \
		return {(decltype(type::x))x, (decltype(type::x))y, (decltype(type::x))z, (decltype(type::x))w};       \
	}
#define ROMARK_STORE_HINT2(hint, type, ptx, constraint, reg)                                                           \
	ROMARK_DEVICE void __st##hint(type *ptr, type value)                                                           \
	{                                                                                                              \
		__asm__ volatile("st.global." #hint ".v2." ptx " [%0], {%1,%2};"                                       \
				 :                                                                                     \
				 : "l"(ptr), constraint((reg)value.x), constraint((reg)value.y)                        \
				 : "memory");                                                                          \
	}
#define ROMARK_STORE_HINT4(hint, type, ptx, constraint, reg)                                                           \
	ROMARK_DEVICE void __st##hint(type *ptr, type value)                                                           \
	{                                                                                                              \
		__asm__ volatile("st.global." #hint ".v4." ptx " [%0], {%1,%2,%3,%4};"                                 \
				 :                                                                                     \
				 : "l"(ptr), constraint((reg)value.x), constraint((reg)value.y),                       \
				   constraint((reg)value.z), constraint((reg)value.w)                                  \
				 : "memory");                                                                          \
	}

/* The types that a hinted access exists for. `scalar`, `two` and `four` are one of the groups above. */
/* clang-format off */
#define ROMARK_HINTED(hint, scalar, two, four)                                                                         \
	scalar(hint, char, "s8", "h", short)                                                                           \
	scalar(hint, signed char, "s8", "h", short)                                                                    \
	scalar(hint, unsigned char, "u8", "h", unsigned short)                                                         \
	scalar(hint, short, "s16", "h", short)                                                                         \
	scalar(hint, unsigned short, "u16", "h", unsigned short)                                                       \
	scalar(hint, int, "s32", "r", int)                                                                             \
	scalar(hint, unsigned, "u32", "r", unsigned)                                                                   \
	scalar(hint, long, "s64", "l", long)                                                                           \
	scalar(hint, unsigned long, "u64", "l", unsigned long)                                                         \
	scalar(hint, long long, "s64", "l", long long)                                                                 \
	scalar(hint, unsigned long long, "u64", "l", unsigned long long)                                               \
	scalar(hint, float, "f32", "f", float)                                                                         \
	scalar(hint, double, "f64", "d", double)                                                                       \
	two(hint, char2, "s8", "h", short)                                                                             \
	two(hint, uchar2, "u8", "h", unsigned short)                                                                   \
	two(hint, short2, "s16", "h", short)                                                                           \
	two(hint, ushort2, "u16", "h", unsigned short)                                                                 \
	two(hint, int2, "s32", "r", int)                                                                               \
	two(hint, uint2, "u32", "r", unsigned)                                                                         \
	two(hint, longlong2, "s64", "l", long long)                                                                    \
	two(hint, ulonglong2, "u64", "l", unsigned long long)                                                          \
	two(hint, float2, "f32", "f", float)                                                                           \
	two(hint, double2, "f64", "d", double)                                                                         \
	four(hint, char4, "s8", "h", short)                                                                            \
	four(hint, uchar4, "u8", "h", unsigned short)                                                                  \
	four(hint, short4, "s16", "h", short)                                                                          \
	four(hint, ushort4, "u16", "h", unsigned short)                                                                \
	four(hint, int4, "s32", "r", int)                                                                              \
	four(hint, uint4, "u32", "r", unsigned)                                                                        \
	four(hint, float4, "f32", "f", float)
/* clang-format on */

ROMARK_HINTED(ca, ROMARK_LOAD_HINT, ROMARK_LOAD_HINT2, ROMARK_LOAD_HINT4)
ROMARK_HINTED(cg, ROMARK_LOAD_HINT, ROMARK_LOAD_HINT2, ROMARK_LOAD_HINT4)
ROMARK_HINTED(cs, ROMARK_LOAD_HINT, ROMARK_LOAD_HINT2, ROMARK_LOAD_HINT4)
ROMARK_HINTED(cv, ROMARK_LOAD_HINT, ROMARK_LOAD_HINT2, ROMARK_LOAD_HINT4)
ROMARK_HINTED(lu, ROMARK_LOAD_HINT, ROMARK_LOAD_HINT2, ROMARK_LOAD_HINT4)
ROMARK_HINTED(wb, ROMARK_STORE_HINT, ROMARK_STORE_HINT2, ROMARK_STORE_HINT4)
ROMARK_HINTED(cg, ROMARK_STORE_HINT, ROMARK_STORE_HINT2, ROMARK_STORE_HINT4)
ROMARK_HINTED(cs, ROMARK_STORE_HINT, ROMARK_STORE_HINT2, ROMARK_STORE_HINT4)
ROMARK_HINTED(wt, ROMARK_STORE_HINT, ROMARK_STORE_HINT2, ROMARK_STORE_HINT4)

#undef ROMARK_HINTED
#undef ROMARK_LOAD_HINT
#undef ROMARK_LOAD_HINT2
#undef ROMARK_LOAD_HINT4
#undef ROMARK_STORE_HINT
#undef ROMARK_STORE_HINT2
#undef ROMARK_STORE_HINT4

/* --- Dot products of packed integers --- */

ROMARK_DEVICE int __dp4a(int a, int b, int c)
{
	int d;
	__asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}
ROMARK_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
	unsigned d;
	__asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}
ROMARK_DEVICE int __dp4a(char4 a, char4 b, int c)
{
	return __dp4a(*(int *)&a, *(int *)&b, c);
}
ROMARK_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
	return __dp4a(*(unsigned *)&a, *(unsigned *)&b, c);
}
#define ROMARK_DP2A(half, type, ptx, two, four)                                                                        \
	ROMARK_DEVICE type __dp2a_##half(type a, type b, type c)                                                       \
	{                                                                                                              \
		type d;                                                                                                \
		__asm__("dp2a." #half "." ptx " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                  \
		return d;                                                                                              \
	}                                                                                                              \
	ROMARK_DEVICE type __dp2a_##half(two a, four b, type c)                                                        \
	{                                                                                                              \
		type first, second;                                                                                    \
		__builtin_memcpy(&first, &a, sizeof first);                                                            \
		__builtin_memcpy(&second, &b, sizeof second);                                                          \
		return __dp2a_##half(first, second, c);                                                                \
	}
ROMARK_DP2A(lo, int, "s32.s32", short2, char4)
ROMARK_DP2A(lo, unsigned, "u32.u32", ushort2, uchar4)
ROMARK_DP2A(hi, int, "s32.s32", short2, char4)
ROMARK_DP2A(hi, unsigned, "u32.u32", ushort2, uchar4)
#undef ROMARK_DP2A

/* --- Reductions of a warp --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define ROMARK_REDUCE(type, name, op)                                                                                  \
	ROMARK_DEVICE type __reduce_##name##_sync(unsigned mask, type value)                                           \
	{                                                                                                              \
		return (type)__nvvm_redux_sync_##op((int)value, (int)mask);                                            \
	}
ROMARK_REDUCE(unsigned, add, add)
ROMARK_REDUCE(int, add, add)
ROMARK_REDUCE(unsigned, min, umin)
ROMARK_REDUCE(int, min, min)
ROMARK_REDUCE(unsigned, max, umax)
ROMARK_REDUCE(int, max, max)
ROMARK_REDUCE(unsigned, and, and)
ROMARK_REDUCE(unsigned, or, or)
ROMARK_REDUCE(unsigned, xor, xor)
#undef ROMARK_REDUCE
#endif

/* --- Reversing the bytes of a word --- */

#define ROMARK_SWAP(type, bits)                                                                                        \
	static __host__ __device__ __forceinline__ type __nv_bswap##bits(type x)                                       \
	{                                                                                                              \
		return __builtin_bswap##bits(x);                                                                       \
	}
ROMARK_SWAP(unsigned short, 16)
ROMARK_SWAP(unsigned, 32)
ROMARK_SWAP(unsigned long long, 64)
#undef ROMARK_SWAP

/* --- One instruction of the special function unit --- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
ROMARK_DEVICE float __tanhf(float x)
{
	float y;
	__asm__("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}
#endif

/* --- Time --- */

ROMARK_DEVICE void __nanosleep(unsigned int nanoseconds)
{
	__asm__ volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory");
}

#undef ROMARK_DEVICE

#endif
