/*
 * atomicAdd and its family, for the types that CUDA documents, with device, _block and _system scope. Not for other
 * types such as `long`: programs define these themselves.
 */
#ifndef ROMARK_DEVICE_ATOMIC_FUNCTIONS_H
#define ROMARK_DEVICE_ATOMIC_FUNCTIONS_H

#if defined(ROMARK_CUDA)

#define ROMARK_DEVICE static __device__ __forceinline__

/* One operation at its three scopes. `call` is Clang's primitive, which takes `as *`. */
#define ROMARK_ATOMIC(type, name, call, as)                                                                            \
	ROMARK_DEVICE type name(type *address, type value)                                                             \
	{                                                                                                              \
		return (type)call((as *)address, (as)value);                                                           \
	}                                                                                                              \
	ROMARK_DEVICE type name##_block(type *address, type value)                                                     \
	{                                                                                                              \
		return (type)call##_block((as *)address, (as)value);                                                   \
	}                                                                                                              \
	ROMARK_DEVICE type name##_system(type *address, type value)                                                    \
	{                                                                                                              \
		return (type)call##_system((as *)address, (as)value);                                                  \
	}

#define ROMARK_ATOMIC_CAS(type, call, as)                                                                              \
	ROMARK_DEVICE type atomicCAS(type *address, type compare, type value)                                          \
	{                                                                                                              \
		return (type)call((as *)address, (as)compare, (as)value);                                              \
	}                                                                                                              \
	ROMARK_DEVICE type atomicCAS_block(type *address, type compare, type value)                                    \
	{                                                                                                              \
		return (type)call##_block((as *)address, (as)compare, (as)value);                                      \
	}                                                                                                              \
	ROMARK_DEVICE type atomicCAS_system(type *address, type compare, type value)                                   \
	{                                                                                                              \
		return (type)call##_system((as *)address, (as)compare, (as)value);                                     \
	}

/* The operations that 32-bit and 64-bit integers share. */
#define ROMARK_ATOMIC_BITS(type, prefix, as)                                                                           \
	ROMARK_ATOMIC(type, atomicAnd, prefix##AtomicAnd, as)                                                          \
	ROMARK_ATOMIC(type, atomicOr, prefix##AtomicOr, as)                                                            \
	ROMARK_ATOMIC(type, atomicXor, prefix##AtomicXor, as)

/* Written in PTX: Clang compiles the scoped unsigned minima and maxima as signed. */
#define ROMARK_ATOMIC_EXTREME(name, op, type, ptx, constraint, scope, ptx_scope)                                       \
	ROMARK_DEVICE type name##scope(type *address, type value)                                                      \
	{                                                                                                              \
		type old;                                                                                              \
		__asm__ volatile("atom." ptx_scope "." op "." ptx " %0, [%1], %2;"                                     \
				 : "=" constraint(old)                                                                 \
				 : "l"(address), constraint(value)                                                     \
				 : "memory");                                                                          \
		return old;                                                                                            \
	}
#define ROMARK_ATOMIC_EXTREMES(name, op, type, ptx, constraint, call)                                                  \
	ROMARK_DEVICE type name(type *address, type value)                                                             \
	{                                                                                                              \
		return call(address, value);                                                                           \
	}                                                                                                              \
	ROMARK_ATOMIC_EXTREME(name, op, type, ptx, constraint, _block, "cta")                                          \
	ROMARK_ATOMIC_EXTREME(name, op, type, ptx, constraint, _system, "sys")

typedef long long romark_ll;
typedef unsigned long long romark_ull;

ROMARK_ATOMIC(int, atomicAdd, __iAtomicAdd, int)
ROMARK_ATOMIC(unsigned, atomicAdd, __uAtomicAdd, unsigned)
ROMARK_ATOMIC(romark_ull, atomicAdd, __ullAtomicAdd, romark_ull)
ROMARK_ATOMIC(float, atomicAdd, __fAtomicAdd, float)
ROMARK_ATOMIC(double, atomicAdd, __dAtomicAdd, double)

ROMARK_ATOMIC(int, atomicExch, __iAtomicExch, int)
ROMARK_ATOMIC(unsigned, atomicExch, __uAtomicExch, unsigned)
ROMARK_ATOMIC(romark_ull, atomicExch, __ullAtomicExch, romark_ull)
ROMARK_ATOMIC(float, atomicExch, __fAtomicExch, float)

ROMARK_ATOMIC(int, atomicMin, __iAtomicMin, int)
ROMARK_ATOMIC_EXTREMES(atomicMin, "min", unsigned, "u32", "r", __uAtomicMin)
ROMARK_ATOMIC(romark_ll, atomicMin, __illAtomicMin, romark_ll)
ROMARK_ATOMIC_EXTREMES(atomicMin, "min", romark_ull, "u64", "l", __ullAtomicMin)
ROMARK_ATOMIC(int, atomicMax, __iAtomicMax, int)
ROMARK_ATOMIC_EXTREMES(atomicMax, "max", unsigned, "u32", "r", __uAtomicMax)
ROMARK_ATOMIC(romark_ll, atomicMax, __illAtomicMax, romark_ll)
ROMARK_ATOMIC_EXTREMES(atomicMax, "max", romark_ull, "u64", "l", __ullAtomicMax)

ROMARK_ATOMIC(unsigned, atomicInc, __uAtomicInc, unsigned)
ROMARK_ATOMIC(unsigned, atomicDec, __uAtomicDec, unsigned)

ROMARK_ATOMIC_BITS(int, __i, int)
ROMARK_ATOMIC_BITS(unsigned, __u, unsigned)
ROMARK_ATOMIC_BITS(romark_ull, __ull, romark_ull)
ROMARK_ATOMIC_BITS(romark_ll, __ll, romark_ll)

ROMARK_ATOMIC_CAS(int, __iAtomicCAS, int)
ROMARK_ATOMIC_CAS(unsigned, __uAtomicCAS, unsigned)
ROMARK_ATOMIC_CAS(romark_ull, __ullAtomicCAS, romark_ull)

/* Subtraction is addition of the negative. */
#define ROMARK_ATOMIC_SUB(type, scope)                                                                                 \
	ROMARK_DEVICE type atomicSub##scope(type *address, type value)                                                 \
	{                                                                                                              \
		return atomicAdd##scope(address, (type)(0u - (unsigned)value));                                        \
	}
ROMARK_ATOMIC_SUB(int, )
ROMARK_ATOMIC_SUB(int, _block)
ROMARK_ATOMIC_SUB(int, _system)
ROMARK_ATOMIC_SUB(unsigned, )
ROMARK_ATOMIC_SUB(unsigned, _block)
ROMARK_ATOMIC_SUB(unsigned, _system)

ROMARK_DEVICE unsigned short atomicCAS(unsigned short *address, unsigned short compare, unsigned short value)
{
	unsigned short old;
	__asm__ volatile("atom.cas.b16 %0, [%1], %2, %3;"
			 : "=h"(old)
			 : "l"(address), "h"(compare), "h"(value)
			 : "memory");
	return old;
}

#undef ROMARK_ATOMIC_SUB
#undef ROMARK_ATOMIC_EXTREMES
#undef ROMARK_ATOMIC_EXTREME
#undef ROMARK_ATOMIC_CAS
#undef ROMARK_ATOMIC_BITS
#undef ROMARK_ATOMIC
#undef ROMARK_DEVICE

#endif
#endif
