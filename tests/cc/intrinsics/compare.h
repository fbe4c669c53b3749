/*
 * Calls of device functions over special and random arguments, whose results are compared, bit by bit, with the results
 * of the same program from another compiler. `program FILE` writes results, `program FILE compare` compares them. Any
 * NaN equals any other of its type.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

/* Parameters of warp functions: all lanes, and the size of the groups within a warp. */
struct mask {
	unsigned bits;
};
struct width {
	int lanes;
};

/* --- Arguments --- */

enum { VALUES = 64, PAIRS = VALUES * VALUES, COUNT = 2 * PAIRS, ALL_OF_16_BITS = 1 << 16 };

/* For each kind of number its special bit patterns, repeated as often as fits. */
struct pools {
	uint64_t integer[VALUES];
	uint32_t single[VALUES];
	uint64_t real[VALUES];
	uint16_t half[VALUES], bfloat[VALUES];
};

__host__ __device__ inline uint32_t mixed(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

/* 64 bits for argument `k` of call `i`. */
__device__ inline uint64_t random_bits(unsigned i, unsigned k)
{
	return (uint64_t)mixed(i * 8 + k) << 32 | mixed(~(i * 8 + k));
}

/* The first two arguments of the first calls are all pairs of special values. */
__device__ inline unsigned place(unsigned i, unsigned k)
{
	return k == 0 ? i % VALUES : k == 1 ? i / VALUES % VALUES : mixed(i * 8 + k) % VALUES;
}

/* Exponent bits near 1 for half of the random numbers. */
template <class T>
__device__ T real_bits(const T *pool, unsigned i, unsigned k, int mantissa, int exponent)
{
	T bits;

	if (i < PAIRS)
		return pool[place(i, k)];
	bits = (T)random_bits(i, k);
	if (mixed(i + k) & 1) {
		T near_1 = (T)(((T)1 << (exponent - 1)) - 9 + mixed(i ^ k << 20) % 18);

		bits = (T)((bits & ~((((T)1 << exponent) - 1) << mantissa)) | near_1 << mantissa);
	}
	return bits;
}

template <class T>
struct kind {
	static __device__ uint64_t bits(const pools &p, unsigned i, unsigned k)
	{
		return i < PAIRS ? p.integer[place(i, k)] : random_bits(i, k) >> mixed(i + k) % 64;
	}
};
template <>
struct kind<float> {
	static __device__ uint64_t bits(const pools &p, unsigned i, unsigned k)
	{
		return real_bits(p.single, i, k, 23, 8);
	}
};
template <>
struct kind<double> {
	static __device__ uint64_t bits(const pools &p, unsigned i, unsigned k)
	{
		return real_bits(p.real, i, k, 52, 11);
	}
};
/* Single arguments of 16 bits take all values. */
template <>
struct kind<__half> {
	static __device__ uint64_t bits(const pools &p, unsigned i, unsigned k)
	{
		return k == 0 && i >= PAIRS ? i : real_bits(p.half, i, k, 10, 5);
	}
};
template <>
struct kind<__nv_bfloat16> {
	static __device__ uint64_t bits(const pools &p, unsigned i, unsigned k)
	{
		return k == 0 && i >= PAIRS ? i : real_bits(p.bfloat, i, k, 7, 8);
	}
};

/* A number, or a vector of them: `part` and how many. */
template <class T>
struct parts {
	using part = T;
	enum { count = 1 };
};
#define PARTS(type, one, n)                                                                                            \
	template <>                                                                                                    \
	struct parts<type> {                                                                                           \
		using part = one;                                                                                      \
		enum { count = n };                                                                                    \
	};
#define VECTORS(prefix, one) PARTS(prefix##2, one, 2) PARTS(prefix##4, one, 4)
VECTORS(char, char)
VECTORS(uchar, unsigned char)
VECTORS(short, short)
VECTORS(ushort, unsigned short)
VECTORS(int, int)
VECTORS(uint, unsigned)
VECTORS(long, long)
VECTORS(ulong, unsigned long)
VECTORS(longlong, long long)
VECTORS(ulonglong, unsigned long long)
VECTORS(float, float)
VECTORS(double, double)
PARTS(__half2, __half, 2)
PARTS(__nv_bfloat162, __nv_bfloat16, 2)
PARTS(__half_raw, __half, 1)
PARTS(__half2_raw, __half, 2)
PARTS(__nv_bfloat16_raw, __nv_bfloat16, 1)
PARTS(__nv_bfloat162_raw, __nv_bfloat16, 2)

template <class T>
struct argument {
	static __device__ T make(const pools &p, unsigned i, unsigned k, unsigned char *)
	{
		using part = typename parts<T>::part;
		T value;

		for (unsigned n = 0; n < parts<T>::count; n++) {
			uint64_t bits = kind<part>::bits(p, n ? mixed(i) % COUNT : i, k + n);

			if (sizeof(T) == 1 && std::is_same<T, bool>::value)
				bits &= 1;
			memcpy((char *)&value + n * sizeof(part), &bits, sizeof(part));
		}
		return value;
	}
};
/* Such a value behind a pointer belongs to the results. */
template <class T>
struct argument<T *> {
	static __device__ T *make(const pools &p, unsigned i, unsigned k, unsigned char *cell)
	{
		*(T *)cell = argument<T>::make(p, i, k, cell);
		return (T *)cell;
	}
};
template <>
struct argument<mask> {
	static __device__ mask make(const pools &, unsigned, unsigned, unsigned char *)
	{
		return {~0u};
	}
};
template <>
struct argument<width> {
	static __device__ width make(const pools &, unsigned i, unsigned, unsigned char *)
	{
		return {1 << i / 32 % 6};
	}
};
template <>
struct argument<__nv_saturation_t> {
	static __device__ __nv_saturation_t make(const pools &, unsigned i, unsigned, unsigned char *)
	{
		return i & 1 ? __NV_NOSAT : __NV_SATFINITE;
	}
};
template <>
struct argument<__nv_fp8_interpretation_t> {
	static __device__ __nv_fp8_interpretation_t make(const pools &, unsigned i, unsigned, unsigned char *)
	{
		return i & 2 ? __NV_E4M3 : __NV_E5M2;
	}
};

/* --- Calls --- */

/*
 * A call's result is in the first CELL bytes of its row. The next cells have its arguments, or the values that they
 * point to.
 */
enum { CELL = 32, CELLS = 5, ROW = CELL * CELLS };

template <class R, class F, class... A>
__device__ void store_result(unsigned char *cell, A... arguments)
{
	if constexpr (std::is_void<R>::value)
		F::call(arguments...);
	else
		*(R *)cell = F::call(arguments...);
}

/* The argument itself, kept in its cell before the call. */
template <class T>
__device__ T kept(T value, unsigned char *cell)
{
	*(T *)cell = value;
	return value;
}
template <class T>
__device__ T *kept(T *value, unsigned char *)
{
	return value;
}

template <class F, class R, class... A, size_t... K>
__device__ void call_one(const pools &p, unsigned i, unsigned char *row, R (*)(A...), std::index_sequence<K...>)
{
	store_result<R, F>(row, kept(argument<A>::make(p, i, K, row + CELL * (K + 1)), row + CELL * (K + 1))...);
}

template <class F>
__global__ void call_all(const pools *p, unsigned char *rows)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	call_one<F>(*p, i, rows + (size_t)i * ROW, (typename F::type *)nullptr, typename F::indices());
}

/* --- Comparison --- */

static pools *given;
static unsigned char *rows;
static FILE *file;
static bool comparing;
static unsigned functions, differing;

/* The bits of a number, and of a floating-point one how many are the stored significand's. */
struct number {
	uint64_t bits;
	int mantissa, size;
};

template <class T>
static number number_at(const unsigned char *bytes)
{
	number n = {0,
		    std::is_same<T, float>::value           ? 23
		    : std::is_same<T, double>::value        ? 52
		    : std::is_same<T, __half>::value        ? 10
		    : std::is_same<T, __nv_bfloat16>::value ? 7
							    : 0,
		    8 * sizeof(T)};

	memcpy(&n.bits, bytes, sizeof(T));
	return n;
}

static uint64_t magnitude_of(const number &n, uint64_t bits)
{
	return bits & ~0ull >> (65 - n.size);
}
static bool is_nan(const number &n, uint64_t bits)
{
	uint64_t most = ~0ull >> (65 - n.size);

	return n.mantissa && magnitude_of(n, bits) > most >> n.mantissa << n.mantissa;
}
/* Numbers of one sign are as far apart as their bits. A zero has its sign. */
static bool equal(const number &n, uint64_t other, unsigned units)
{
	uint64_t a = magnitude_of(n, n.bits), b = magnitude_of(n, other);

	if (n.bits == other || is_nan(n, n.bits) || is_nan(n, other))
		return n.bits == other || (is_nan(n, n.bits) && is_nan(n, other));
	return units && n.mantissa && (n.bits ^ a) == (other ^ b) && (a > b ? a - b : b - a) <= units;
}

/* One cell as numbers, appended to `out`. */
template <class T>
struct cell {
	static void take(const unsigned char *bytes, std::vector<number> *out)
	{
		using part = typename parts<T>::part;

		for (unsigned n = 0; n < parts<T>::count; n++)
			out->push_back(number_at<part>(bytes + n * sizeof(part)));
	}
};
template <class T>
struct cell<T *> : cell<T> {
};
template <>
struct cell<void> {
	static void take(const unsigned char *, std::vector<number> *)
	{
	}
};

template <class R, class... A, size_t... K>
static void take_row(const unsigned char *row, std::vector<number> *out, R (*)(A...), std::index_sequence<K...>)
{
	cell<R>::take(row, out);
	(cell<A>::take(row + CELL * (K + 1), out), ...);
}

static void print_row(const std::vector<number> &own, const std::vector<uint64_t> &other)
{
	printf(" bits of result and arguments");
	for (uint64_t bits : other)
		printf(" %llx", (unsigned long long)bits);
	printf("; here");
	for (const number &n : own)
		printf(" %llx", (unsigned long long)n.bits);
	puts("");
}

/* The calls' rows are in the file, or are compared with those there. */
template <class F>
static void exchange_rows(unsigned count)
{
	std::vector<number> own;
	std::vector<uint64_t> other;
	unsigned wrong = 0;

	for (unsigned i = 0; i < count; i++) {
		bool same = true;

		own.clear();
		take_row(rows + (size_t)i * ROW, &own, (typename F::type *)nullptr, typename F::indices());
		other.resize(own.size());
		if (!comparing) {
			for (size_t n = 0; n < own.size(); n++)
				other[n] = own[n].bits;
			fwrite(other.data(), sizeof other[0], other.size(), file);
			continue;
		}
		if (fread(other.data(), sizeof other[0], other.size(), file) != other.size()) {
			printf("the file ends at %s\n", F::name());
			exit(2);
		}
		for (size_t n = 0; n < own.size(); n++)
			same &= equal(own[n], other[n], F::units());
		if (same)
			continue;
		if (wrong++ == 0)
			printf("%s\n", F::name());
		if (wrong <= 3)
			print_row(own, other);
	}
	if (wrong)
		printf(" %u of %u calls differ\n", wrong, count);
	differing += wrong != 0;
}

template <class R, class... A>
static std::index_sequence_for<A...> indices_of(R (*)(A...));
template <class R>
static bool takes_16_bits(R (*)(__half))
{
	return true;
}
template <class R>
static bool takes_16_bits(R (*)(__nv_bfloat16))
{
	return true;
}
template <class R, class... A>
static bool takes_16_bits(R (*)(A...))
{
	return false;
}
template <class F>
struct indexed : F {
	using indices = decltype(indices_of((typename F::type *)nullptr));
};

template <class F>
static void check()
{
	unsigned count = takes_16_bits((typename F::type *)nullptr) ? ALL_OF_16_BITS : COUNT;

	memset(rows, 0, (size_t)count * ROW);
	call_all<indexed<F>><<<count / 128, 128>>>(given, rows);
	if (cudaDeviceSynchronize() != cudaSuccess) {
		printf("%s: the kernel failed\n", F::name());
		exit(2);
	}
	exchange_rows<indexed<F>>(count);
	functions++;
}

/* --- Special values --- */

/* Values of a format with `mantissa` stored bits and `exponent` bits: both signs of 32 magnitudes. */
template <class T>
static void fill_real(T *pool, int mantissa, int exponent)
{
	T one = (T)(((T)1 << (exponent - 1)) - 1) << mantissa, step = (T)1 << mantissa, infinity;
	T magnitudes[VALUES / 2];
	unsigned n = 0;

	infinity = (T)((((T)1 << exponent) - 1) << mantissa);
	for (T bits : {(T)0,
		       (T)1,
		       (T)2,
		       (T)(step / 2),
		       (T)(step - 1),
		       step,
		       (T)(step + 1),
		       (T)(one - step),
		       one,
		       (T)(one + 1),
		       (T)(one - 1),
		       (T)(one + step / 2),
		       (T)(one + step),
		       (T)(one + step + step / 4),
		       (T)(one + step + step / 2),
		       (T)(one + 2 * step),
		       (T)(one - step / 2),
		       (T)(one - 2 * step),
		       (T)(infinity - 1),
		       infinity,
		       (T)(infinity + step / 2),
		       (T)(infinity - step),
		       (T)(one + step - 1),
		       (T)(one + step / 4)})
		magnitudes[n++] = bits;
	/* Powers of two where integers end, and next to them. */
	for (int power : {7, 8, 15, 16, 31, 32, 63, 64}) {
		T bits = (T)(one + (T)power * step);

		magnitudes[n++] = bits >= infinity ? (T)(infinity - 2 * step + (T)power)
				  : power & 1      ? bits
						   : (T)(bits - 1);
	}
	for (unsigned i = 0; i < VALUES; i++)
		pool[i] = (T)(magnitudes[i / 2] | (T)(i & 1) << (mantissa + exponent));
}

static void fill_integers(uint64_t *pool)
{
	unsigned n = 0;

	for (int bits : {0, 1, 2, 4, 5, 7, 8, 12, 15, 16, 24, 25, 31, 32, 53, 63})
		for (int beside : {-1, 0, 1, 2})
			pool[n++] = (beside == 2 ? ~(1ull << bits) : (1ull << bits) + (uint64_t)beside) ^
				    (bits == 12  ? 0x8899aabbccddeeffull
				     : bits == 4 ? 0x80ff7f0180ff7f01ull
						 : 0);
}

static bool begin(int argc, char **argv)
{
	comparing = argc > 2;
	file = argc > 1 ? fopen(argv[1], comparing ? "rb" : "wb") : nullptr;
	if (!file || cudaMallocManaged(&given, sizeof *given) || cudaMallocManaged(&rows, (size_t)ALL_OF_16_BITS * ROW))
		return false;
	fill_integers(given->integer);
	fill_real(given->single, 23, 8);
	fill_real(given->real, 52, 11);
	fill_real(given->half, 10, 5);
	fill_real(given->bfloat, 7, 8);
	return true;
}

static int end()
{
	printf("%u functions, %u differ\n", functions, differing);
	return fclose(file) != 0 || differing;
}
