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
#define ROMARK_LOAD_HINT2(hint, type, ptx, constraint)                                                                 \
	ROMARK_DEVICE type __ld##hint(const type *ptr)                                                                 \
	{                                                                                                              \
		type value;                                                                                            \
		__asm__ volatile("ld.global." #hint ".v2." ptx " {%0,%1}, [%2];"                                       \
				 : "=" constraint(value.x), "=" constraint(value.y)                                    \
				 : "l"(ptr)                                                                            \
				 : "memory");                                                                          \
		return value;                                                                                          \
	}
#define ROMARK_LOAD_HINT4(hint, type, ptx, constraint)                                                                 \
	ROMARK_DEVICE type __ld##hint(const type *ptr)                                                                 \
	{                                                                                                              \
		type value;                                                                                            \
		__asm__ volatile("ld.global." #hint ".v4." ptx " {%0,%1,%2,%3}, [%4];"                                 \
				 : "=" constraint(value.x), "=" constraint(value.y), "=" constraint(value.z),          \
				   "=" constraint(value.w)                                                             \
				 : "l"(ptr)                                                                            \
				 : "memory");                                                                          \
		return value;                                                                                          \
	}
#define ROMARK_STORE_HINT2(hint, type, ptx, constraint)                                                                \
	ROMARK_DEVICE void __st##hint(type *ptr, type value)                                                           \
	{                                                                                                              \
		__asm__ volatile("st.global." #hint ".v2." ptx " [%0], {%1,%2};"                                       \
				 :                                                                                     \
				 : "l"(ptr), constraint(value.x), constraint(value.y)                                  \
				 : "memory");                                                                          \
	}
#define ROMARK_STORE_HINT4(hint, type, ptx, constraint)                                                                \
	ROMARK_DEVICE void __st##hint(type *ptr, type value)                                                           \
	{                                                                                                              \
		__asm__ volatile("st.global." #hint ".v4." ptx " [%0], {%1,%2,%3,%4};"                                 \
				 :                                                                                     \
				 : "l"(ptr), constraint(value.x), constraint(value.y), constraint(value.z),            \
				   constraint(value.w)                                                                 \
				 : "memory");                                                                          \
	}

/* The types that a hinted access exists for. `scalar`, `two` and `four` are one of the groups above. */
#define ROMARK_HINTED(hint, scalar, two, four)                                                                         \
	scalar(hint, char, "s8", "h", short) scalar(hint, signed char, "s8", "h", short)                               \
	    scalar(hint, unsigned char, "u8", "h", unsigned short) scalar(hint, short, "s16", "h", short)              \
		scalar(hint, unsigned short, "u16", "h", unsigned short) scalar(hint, int, "s32", "r", int)            \
		    scalar(hint, unsigned, "u32", "r", unsigned) scalar(hint, long, "s64", "l", long)                  \
			scalar(hint, unsigned long, "u64", "l", unsigned long)                                         \
			    scalar(hint, long long, "s64", "l", long long)                                             \
				scalar(hint, unsigned long long, "u64", "l", unsigned long long)                       \
				    scalar(hint, float, "f32", "f", float) scalar(hint, double, "f64", "d", double)    \
					two(hint, int2, "s32", "r") two(hint, uint2, "u32", "r")                       \
					    two(hint, float2, "f32", "f") two(hint, double2, "f64", "d")               \
						two(hint, longlong2, "s64", "l") two(hint, ulonglong2, "u64", "l")     \
						    four(hint, int4, "s32", "r") four(hint, uint4, "u32", "r")         \
							four(hint, float4, "f32", "f")

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
ROMARK_DEVICE int __dp2a_lo(int a, int b, int c)
{
	int d;
	__asm__("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}
ROMARK_DEVICE int __dp2a_hi(int a, int b, int c)
{
	int d;
	__asm__("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}

/* --- Time --- */

ROMARK_DEVICE void __nanosleep(unsigned int nanoseconds)
{
	__asm__ volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory");
}

#undef ROMARK_DEVICE

#endif
