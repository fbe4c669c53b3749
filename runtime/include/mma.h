/*
 * nvcuda::wmma: products of small matrices by a whole warp. A fragment object holds a thread's share of a matrix. Which
 * element of the matrix is x[i] is not promised, but it is the same for all fragments of a kind.
 *
 * Element types, shapes (m x n x k), and the types to accumulate in:
 *
 *   half, bfloat16, char, unsigned char   16x16x16, 32x8x16, 8x32x16   half or float; float; int; int
 *   precision::tf32 (stored as float)     16x16x8                      float
 *   double                                8x8x4                        double
 *   experimental::precision s4, u4        8x8x32                       int
 *   experimental::precision b1            8x8x128                      int; no device here executes it
 *
 * half needs sm_70, char sm_72, the others sm_80. For an older GPU Clang reports the use as an error.
 */
#ifndef ROMARK_MMA_H
#define ROMARK_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

enum layout_t { mem_row_major, mem_col_major };

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;

namespace precision
{
struct tf32;
}

namespace experimental
{
namespace precision
{
struct s4;
struct u4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

/* --- Operands of the instructions: a row for each --- */

namespace details
{

/* The type of an element in a fragment and in memory, and of a register that holds elements. */
template <class T>
struct element {
	typedef T stored, memory;
	typedef int reg;
};
template <>
struct element<precision::tf32> {
	typedef float stored, memory;
	typedef int reg;
};
template <>
struct element<float> {
	typedef float stored, memory;
	typedef float reg;
};
template <>
struct element<double> {
	typedef double stored, memory;
	typedef double reg;
};

/* Less than a byte: several in an int. */
struct packed {
	typedef int stored;
	typedef void memory;
	typedef int reg;
};
template <>
struct element<experimental::precision::s4> : packed {
};
template <>
struct element<experimental::precision::u4> : packed {
};
template <>
struct element<experimental::precision::b1> : packed {
};

template <class Use, int m, int n, int k, class T>
struct move; /* count: elements in each lane; load, store */
template <int m, int n, int k, class T, class C, class D>
struct product;

#define ROMARK_WMMA_MOVE(use, m, n, k, T, elements, load_name, more)                                                   \
	template <>                                                                                                    \
	struct move<use, m, n, k, T> {                                                                                 \
		typedef element<T>::reg reg;                                                                           \
		static constexpr int count = elements;                                                                 \
		template <int layout>                                                                                  \
		static __device__ __forceinline__ void load(reg *to, const reg *from, unsigned stride)                 \
		{                                                                                                      \
			load_name(to, from, stride, layout);                                                           \
		}                                                                                                      \
		more                                                                                                   \
	};
/* In Clang 16 the pointer to the registers to store is not const. */
#define ROMARK_WMMA_STORE(store_name)                                                                                  \
	template <int layout>                                                                                          \
	static __device__ __forceinline__ void store(reg *to, const reg *from, unsigned stride)                        \
	{                                                                                                              \
		store_name(to, const_cast<reg *>(from), stride, layout);                                               \
	}
#define ROMARK_WMMA_PRODUCT(m, n, k, T, C, D, name)                                                                    \
	template <>                                                                                                    \
	struct product<m, n, k, T, C, D> {                                                                             \
		typedef element<T>::reg reg;                                                                           \
		template <int layouts, int saturate>                                                                   \
		static __device__ __forceinline__ void run(element<D>::reg *d, const reg *a, const reg *b,             \
							   const element<C>::reg *c)                                   \
		{                                                                                                      \
			name(d, a, b, c, layouts, saturate);                                                           \
		}                                                                                                      \
	};
#define ROMARK_WMMA_ACCUMULATOR(m, n, k, T, elements, load_name, store_name)                                           \
	ROMARK_WMMA_MOVE(accumulator, m, n, k, T, elements, load_name, ROMARK_WMMA_STORE(store_name))
#define ROMARK_WMMA_OPERANDS(m, n, k, T, in_a, in_b, load_a, load_b)                                                   \
	ROMARK_WMMA_MOVE(matrix_a, m, n, k, T, in_a, load_a, )                                                         \
	ROMARK_WMMA_MOVE(matrix_b, m, n, k, T, in_b, load_b, )

/* `char_a`, `char_b`: elements of char in each lane; half has every element of a and b twice. */
#define ROMARK_WMMA_SHAPE(m, n, shape, char_a, char_b)                                                                 \
	ROMARK_WMMA_OPERANDS(m, n, 16, __half, 16, 16, __hmma_##shape##_ld_a, __hmma_##shape##_ld_b)                   \
	ROMARK_WMMA_OPERANDS(m, n, 16, __nv_bfloat16, char_a, char_b, __mma_bf16_##shape##_ld_a,                       \
			     __mma_bf16_##shape##_ld_b)                                                                \
	ROMARK_WMMA_OPERANDS(m, n, 16, signed char, char_a, char_b, __imma_##shape##_ld_a_s8,                          \
			     __imma_##shape##_ld_b_s8)                                                                 \
	ROMARK_WMMA_OPERANDS(m, n, 16, unsigned char, char_a, char_b, __imma_##shape##_ld_a_u8,                        \
			     __imma_##shape##_ld_b_u8)                                                                 \
	ROMARK_WMMA_ACCUMULATOR(m, n, 16, __half, 8, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)             \
	ROMARK_WMMA_ACCUMULATOR(m, n, 16, float, 8, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)              \
	ROMARK_WMMA_ACCUMULATOR(m, n, 16, int, 8, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)                    \
	ROMARK_WMMA_PRODUCT(m, n, 16, __half, __half, __half, __hmma_##shape##_mma_f16f16)                             \
	ROMARK_WMMA_PRODUCT(m, n, 16, __half, __half, float, __hmma_##shape##_mma_f32f16)                              \
	ROMARK_WMMA_PRODUCT(m, n, 16, __half, float, __half, __hmma_##shape##_mma_f16f32)                              \
	ROMARK_WMMA_PRODUCT(m, n, 16, __half, float, float, __hmma_##shape##_mma_f32f32)                               \
	ROMARK_WMMA_PRODUCT(m, n, 16, __nv_bfloat16, float, float, __mma_bf16_##shape##_mma_f32)                       \
	ROMARK_WMMA_PRODUCT(m, n, 16, signed char, int, int, __imma_##shape##_mma_s8)                                  \
	ROMARK_WMMA_PRODUCT(m, n, 16, unsigned char, int, int, __imma_##shape##_mma_u8)

ROMARK_WMMA_SHAPE(16, 16, m16n16k16, 8, 8)
ROMARK_WMMA_SHAPE(32, 8, m32n8k16, 16, 4)
ROMARK_WMMA_SHAPE(8, 32, m8n32k16, 4, 16)

ROMARK_WMMA_OPERANDS(16, 16, 8, precision::tf32, 4, 4, __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b)
ROMARK_WMMA_ACCUMULATOR(16, 16, 8, float, 8, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
ROMARK_WMMA_PRODUCT(16, 16, 8, precision::tf32, float, float, __mma_tf32_m16n16k8_mma_f32)

ROMARK_WMMA_OPERANDS(8, 8, 4, double, 1, 1, __dmma_m8n8k4_ld_a, __dmma_m8n8k4_ld_b)
ROMARK_WMMA_ACCUMULATOR(8, 8, 4, double, 2, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
ROMARK_WMMA_PRODUCT(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64)

ROMARK_WMMA_OPERANDS(8, 8, 32, experimental::precision::s4, 1, 1, __imma_m8n8k32_ld_a_s4, __imma_m8n8k32_ld_b_s4)
ROMARK_WMMA_OPERANDS(8, 8, 32, experimental::precision::u4, 1, 1, __imma_m8n8k32_ld_a_u4, __imma_m8n8k32_ld_b_u4)
ROMARK_WMMA_ACCUMULATOR(8, 8, 32, int, 2, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
ROMARK_WMMA_PRODUCT(8, 8, 32, experimental::precision::s4, int, int, __imma_m8n8k32_mma_s4)
ROMARK_WMMA_PRODUCT(8, 8, 32, experimental::precision::u4, int, int, __imma_m8n8k32_mma_u4)

ROMARK_WMMA_OPERANDS(8, 8, 128, experimental::precision::b1, 1, 1, __bmma_m8n8k128_ld_a_b1, __bmma_m8n8k128_ld_b_b1)
ROMARK_WMMA_ACCUMULATOR(8, 8, 128, int, 2, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)

#undef ROMARK_WMMA_SHAPE
#undef ROMARK_WMMA_OPERANDS
#undef ROMARK_WMMA_ACCUMULATOR
#undef ROMARK_WMMA_PRODUCT
#undef ROMARK_WMMA_STORE
#undef ROMARK_WMMA_MOVE

template <class Layout>
struct layout_number;
template <>
struct layout_number<row_major> {
	static constexpr int value = 0;
};
template <>
struct layout_number<col_major> {
	static constexpr int value = 1;
};

} // namespace details

/* --- Fragments --- */

/* Programs may change the elements of x, if they treat all alike. */
template <class Use, int m, int n, int k, class T, class Layout = void>
class __align__(8) fragment
{
	typedef details::move<Use, m, n, k, T> move;

public:
	typedef typename details::element<T>::stored element_type;
	typedef typename details::element<T>::stored storage_element_type;
	static constexpr int num_elements = move::count;
	static constexpr int num_storage_elements = move::count;

	element_type x[move::count];

	__device__ typename move::reg *registers()
	{
		return reinterpret_cast<typename move::reg *>(x);
	}
	__device__ const typename move::reg *registers() const
	{
		return reinterpret_cast<const typename move::reg *>(x);
	}
};

template <class Use, int m, int n, int k, class T, class Layout>
static __device__ __forceinline__ void
fill_fragment(fragment<Use, m, n, k, T, Layout> &f,
	      const typename fragment<Use, m, n, k, T, Layout>::element_type &value)
{
#pragma unroll
	for (int i = 0; i < f.num_elements; i++)
		f.x[i] = value;
}

/* `stride`: elements from one row (or column) to the next. */
template <class Use, int m, int n, int k, class T, class Layout>
static __device__ __forceinline__ void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f,
							const typename details::element<T>::memory *from,
							unsigned stride)
{
	typedef details::move<Use, m, n, k, T> move;

	move::template load<details::layout_number<Layout>::value>(
	    f.registers(), reinterpret_cast<const typename move::reg *>(from), stride);
}

template <int m, int n, int k, class T>
static __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from,
							unsigned stride, layout_t layout)
{
	typedef details::move<accumulator, m, n, k, T> move;
	const typename move::reg *at = reinterpret_cast<const typename move::reg *>(from);

	if (layout == mem_row_major)
		move::template load<0>(f.registers(), at, stride);
	else
		move::template load<1>(f.registers(), at, stride);
}

template <int m, int n, int k, class T>
static __device__ __forceinline__ void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f,
							 unsigned stride, layout_t layout)
{
	typedef details::move<accumulator, m, n, k, T> move;
	typename move::reg *at = reinterpret_cast<typename move::reg *>(to);

	if (layout == mem_row_major)
		move::template store<0>(at, f.registers(), stride);
	else
		move::template store<1>(at, f.registers(), stride);
}

namespace details
{
template <int saturate, int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
static __device__ __forceinline__ void
multiply(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
	 const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, C> &c)
{
	constexpr int layouts = 2 * layout_number<LayoutA>::value + layout_number<LayoutB>::value;

	product<m, n, k, T, C, D>::template run<layouts, saturate>(d.registers(), a.registers(), b.registers(),
								   c.registers());
}
} // namespace details

/* d = a b + c */
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
static __device__ __forceinline__ void
mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
	 const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, C> &c)
{
	details::multiply<0>(d, a, b, c);
}

/* The same. With `saturate` sums are clamped to the range of int. */
template <int m, int n, int k, class T, class LayoutA, class LayoutB>
static __device__ __forceinline__ void
mma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
	 const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, int> &c, bool saturate)
{
	if (saturate)
		details::multiply<1>(d, a, b, c);
	else
		details::multiply<0>(d, a, b, c);
}

/* Adds to c the number of positions where a row of a and a column of b differ, or, from sm_80 on, are both 1. */
template <int m, int n, int k, class T, class LayoutA, class LayoutB>
static __device__ __forceinline__ void
bmma_sync(fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
	  const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, int> &c,
	  experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
	  experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
	if (operation == experimental::bmmaBitOpXOR)
		__bmma_m8n8k128_mma_xor_popc_b1(d.registers(), a.registers(), b.registers(), c.registers(), 1);
	else
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
		__bmma_m8n8k128_mma_and_popc_b1(d.registers(), a.registers(), b.registers(), c.registers(), 1);
#else
		__trap();
#endif
}

static __device__ __forceinline__ float __float_to_tf32(float value)
{
	unsigned bits;

	__asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
	return __uint_as_float(bits);
}

} // namespace wmma
} // namespace nvcuda

#endif
