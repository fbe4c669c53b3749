/*
 * All that device code can use without a further header: built-in variables, math, intrinsics, warp functions, atomics,
 * printf, assert, malloc. Clang's own CUDA wrapper headers, which come with the compiler, define most of it over a
 * device library. This file adds the rest.
 */
#ifndef ROMARK_DEVICE_RUNTIME_H
#define ROMARK_DEVICE_RUNTIME_H

#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__
#include <cstddef>
#if __clang_major__ < 19 && defined(__CUDA_ARCH__)
/*
 * In device code, Clang before 19 rejects even the name of the 128-bit floating-point type, and glibc 2.41 and
 * libstdc++ 14 declare functions with it. These macros tell the libraries that the type does not exist.
 */
#undef _GLIBCXX_USE_FLOAT128
#define _BITS_FLOATN_H
#define __HAVE_FLOAT128 0
#define __HAVE_DISTINCT_FLOAT128 0
#define __HAVE_FLOAT64X 1
#define __HAVE_FLOAT64X_LONG_DOUBLE 1
#include <bits/floatn-common.h>
#endif
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef __CUDACC__

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#include <__clang_cuda_builtin_vars.h>
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <__clang_cuda_libdevice_declares.h>
/*
 * The shuffles and votes without a mask are of GPUs before Volta, and Clang has no instructions for them on others.
 * Here they work among the threads that come to them together, as they did there.
 */
#define __nvvm_vote_all(predicate) __nvvm_vote_all_sync(__nvvm_activemask(), predicate)
#define __nvvm_vote_any(predicate) __nvvm_vote_any_sync(__nvvm_activemask(), predicate)
#define __nvvm_vote_ballot(predicate) __nvvm_vote_ballot_sync(__nvvm_activemask(), predicate)
#include <__clang_cuda_device_functions.h>
#undef __nvvm_vote_all
#undef __nvvm_vote_any
#undef __nvvm_vote_ballot
/* Clang's give an infinity for a large exponent, whatever the number is; math_functions.h has these, too. */
#define scalbln romark_clang_scalbln
#define scalblnf romark_clang_scalblnf
#include <__clang_cuda_math.h>
#undef scalbln
#undef scalblnf

#define __CUDACC__ 1
#define __NVCC__ 1

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void free(void *ptr) __attribute__((nothrow));
__device__ void *malloc(size_t size) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
			     size_t charSize);

static __device__ __inline__ void __assert_fail(const char *message, const char *file, unsigned line,
						const char *function)
{
	__assertfail(message, file, line, function, sizeof(char));
}
}

namespace std
{
static __device__ inline void free(void *ptr)
{
	::free(ptr);
}
static __device__ inline void *malloc(size_t size)
{
	return ::malloc(size);
}
} // namespace std

#include "romark_device_new.h"

#define ROMARK_BUILTIN_CONVERSIONS(variable)                                                                           \
	__device__ inline __cuda_builtin_##variable##_t::operator dim3() const                                         \
	{                                                                                                              \
		return dim3(x, y, z);                                                                                  \
	}                                                                                                              \
	__device__ inline __cuda_builtin_##variable##_t::operator uint3() const                                        \
	{                                                                                                              \
		return {x, y, z};                                                                                      \
	}
ROMARK_BUILTIN_CONVERSIONS(threadIdx)
ROMARK_BUILTIN_CONVERSIONS(blockIdx)
ROMARK_BUILTIN_CONVERSIONS(blockDim)
ROMARK_BUILTIN_CONVERSIONS(gridDim)
#undef ROMARK_BUILTIN_CONVERSIONS

#include "device_atomic_functions.h"
#include "math_functions.h"
#include "sm_20_intrinsics.h"
#include <__clang_cuda_cmath.h>
/*
 * Clang 21 and 22 define some accesses with a cache hint so that they may move across stores and out of loops. These
 * names are moved away; romark_device_extras.h has all of them, and there they keep their place.
 */
#define __ldca romark_clang_ldca
#define __ldcg romark_clang_ldcg
#define __ldcs romark_clang_ldcs
#define __ldcv romark_clang_ldcv
#define __ldlu romark_clang_ldlu
#define __stcg romark_clang_stcg
#define __stcs romark_clang_stcs
#define __stwb romark_clang_stwb
#define __stwt romark_clang_stwt
/* Clang 19 exchanges the mask and the value; romark_device_extras.h has these, too. */
#define __reduce_add_sync romark_clang_reduce_add_sync
#define __reduce_min_sync romark_clang_reduce_min_sync
#define __reduce_max_sync romark_clang_reduce_max_sync
#define __reduce_and_sync romark_clang_reduce_and_sync
#define __reduce_or_sync romark_clang_reduce_or_sync
#define __reduce_xor_sync romark_clang_reduce_xor_sync
#define __nvvm_shfl_idx_i32(value, lane, limits) __nvvm_shfl_sync_idx_i32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_idx_f32(value, lane, limits) __nvvm_shfl_sync_idx_f32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_up_i32(value, lane, limits) __nvvm_shfl_sync_up_i32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_up_f32(value, lane, limits) __nvvm_shfl_sync_up_f32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_down_i32(value, lane, limits) __nvvm_shfl_sync_down_i32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_down_f32(value, lane, limits) __nvvm_shfl_sync_down_f32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_bfly_i32(value, lane, limits) __nvvm_shfl_sync_bfly_i32(__nvvm_activemask(), value, lane, limits)
#define __nvvm_shfl_bfly_f32(value, lane, limits) __nvvm_shfl_sync_bfly_f32(__nvvm_activemask(), value, lane, limits)
#include <__clang_cuda_intrinsics.h>
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#undef __nvvm_shfl_idx_i32
#undef __nvvm_shfl_idx_f32
#undef __nvvm_shfl_up_i32
#undef __nvvm_shfl_up_f32
#undef __nvvm_shfl_down_i32
#undef __nvvm_shfl_down_f32
#undef __nvvm_shfl_bfly_i32
#undef __nvvm_shfl_bfly_f32
#undef __ldca
#undef __ldcg
#undef __ldcs
#undef __ldcv
#undef __ldlu
#undef __stcg
#undef __stcs
#undef __stwb
#undef __stwt
#include <__clang_cuda_complex_builtins.h>
#include "romark_device_extras.h"
#include "cuda_device_runtime_api.h"
/* nvcc's sources need not name it for isnan and its kin on the host; it must see Clang's overloads. */
#include <math.h>

#endif
