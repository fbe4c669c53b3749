// Conversions of half, bfloat16 and 8-bit floats against the definition of the formats: every code to a value, and every
// value around a code or a halfway point back to the nearest one. On the host and on the device.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>
#include <cstring>

struct format {
	int mantissa, bias;
	unsigned largest; // code of the largest finite value
};

// The value of a code without its sign. Codes above the largest continue as if the format had more of them.
__host__ __device__ static double value_of(const format &f, unsigned code)
{
	unsigned exponent = code >> f.mantissa, fraction = code & ((1u << f.mantissa) - 1);
	int power = (exponent ? (int)exponent : 1) - f.bias - f.mantissa;

	return ldexp((double)(fraction + (exponent ? 1u << f.mantissa : 0)), power);
}

struct half_format {
	static __host__ __device__ format shape()
	{
		return {10, 15, 0x7bff};
	}
	static __host__ __device__ unsigned encode(double v)
	{
		return __half_as_ushort(__double2half(v));
	}
	static __host__ __device__ unsigned encode(float v)
	{
		return __half_as_ushort(__float2half(v));
	}
	static __host__ __device__ double decode(unsigned code)
	{
		return __half2float(__ushort_as_half((unsigned short)code));
	}
	static constexpr unsigned sign = 0x8000, beyond = 0x7c00;
};

struct bfloat16_format {
	static __host__ __device__ format shape()
	{
		return {7, 127, 0x7f7f};
	}
	static __host__ __device__ unsigned encode(double v)
	{
		return __bfloat16_as_ushort(__double2bfloat16(v));
	}
	static __host__ __device__ unsigned encode(float v)
	{
		return __bfloat16_as_ushort(__float2bfloat16(v));
	}
	static __host__ __device__ double decode(unsigned code)
	{
		return __bfloat162float(__ushort_as_bfloat16((unsigned short)code));
	}
	static constexpr unsigned sign = 0x8000, beyond = 0x7f80;
};

template <__nv_fp8_interpretation_t kind, __nv_saturation_t saturate>
struct fp8_format {
	static __host__ __device__ format shape()
	{
		return kind == __NV_E4M3 ? format{3, 7, 0x7e} : format{2, 15, 0x7b};
	}
	static __host__ __device__ unsigned encode(double v)
	{
		return __nv_cvt_double_to_fp8(v, saturate, kind);
	}
	static __host__ __device__ unsigned encode(float v)
	{
		return __nv_cvt_float_to_fp8(v, saturate, kind);
	}
	static __host__ __device__ double decode(unsigned code)
	{
		return __half2float(__half(__nv_cvt_fp8_to_halfraw((unsigned char)code, kind)));
	}
	static constexpr unsigned sign = 0x80;
	static constexpr unsigned beyond = saturate == __NV_SATFINITE ? (kind == __NV_E4M3 ? 0x7e : 0x7b)
								      : (kind == __NV_E4M3 ? 0x7f : 0x7c);
};

// `v` must become `code`, as a double and, where it is one, as a float; so must its negative.
template <class Format>
__host__ __device__ static int differs(double v, unsigned code)
{
	code = code > Format::shape().largest ? Format::beyond : code;
	return (Format::encode(v) != code) + (Format::encode(-v) != (code | Format::sign)) +
	       ((double)(float)v == v && Format::encode((float)v) != code);
}

template <class Format>
__host__ __device__ static int check_code(unsigned code)
{
	format f = Format::shape();
	double here = value_of(f, code), next = value_of(f, code + 1), middle = here + (next - here) / 2;
	double nudge = (next - here) / 1024;

	return (Format::decode(code) != here) + (Format::decode(code | Format::sign) != -here) +
	       differs<Format>(here, code) + differs<Format>(middle, code + (code & 1)) +
	       differs<Format>(middle - nudge, code) + differs<Format>(middle + nudge, code + 1) +
	       differs<Format>(nextafter(middle, 0.0), code) + differs<Format>(nextafter(middle, INFINITY), code + 1);
}

// NaN stays one, infinity does what is too large does, zero keeps its sign.
template <class Format>
__host__ __device__ static int check_special()
{
	double nan = Format::decode(Format::encode((double)NAN));

	return (nan == nan) + differs<Format>(INFINITY, Format::shape().largest + 1) + differs<Format>(0.0, 0) +
	       differs<Format>(1e-300, 0);
}

template <class Format>
__global__ void on_device(int *wrong)
{
	unsigned code = blockIdx.x * blockDim.x + threadIdx.x;

	if (code <= Format::shape().largest)
		atomicAdd(wrong, check_code<Format>(code));
	if (code == 0)
		atomicAdd(wrong, check_special<Format>());
}

static int *count;
static int failures;

template <class Format>
static void check(const char *name)
{
	int host = check_special<Format>();

	for (unsigned code = 0; code <= Format::shape().largest; code++)
		host += check_code<Format>(code);
	*count = 0;
	on_device<Format><<<Format::shape().largest / 256 + 1, 256>>>(count);
	if (cudaDeviceSynchronize() != cudaSuccess)
		host++;
	if (host || *count) {
		printf("%s: %d wrong on the host, %d on the device\n", name, host, *count);
		failures++;
	}
}

// Integers round once: a float in between could create a tie.
__host__ __device__ static int check_integers()
{
	return (__bfloat16_as_ushort(__int2bfloat16_rn(0x01010001)) != 0x4b81) +
	       (__bfloat16_as_ushort(__int2bfloat16_rn(0x01010000)) != 0x4b80) +
	       (__bfloat16_as_ushort(__ll2bfloat16_rn(0x0101000000000001ll)) != 0x5b81) +
	       (__bfloat16_as_ushort(__ll2bfloat16_rn(-0x0101000000000000ll)) != 0xdb80) +
	       (__bfloat16_as_ushort(__ull2bfloat16_rn(0x8080000000000001ull)) != 0x5f01) +
	       (__half_as_ushort(__int2half_rn(2049)) != 0x6800) + (__half_as_ushort(__int2half_rn(65519)) != 0x7bff) +
	       (__half_as_ushort(__int2half_rn(65520)) != 0x7c00) +
	       (__bfloat16_as_ushort(__float2bfloat16_rz(1.00390625f)) != 0x3f80) +
	       (__bfloat16_as_ushort(__float2bfloat16_ru(1.00390625f)) != 0x3f81) +
	       (__bfloat16_as_ushort(__float2bfloat16_rd(-1.00390625f)) != 0xbf81) +
	       (__bfloat16_as_ushort(__float2bfloat16_rd(1.00390625f)) != 0x3f80);
}

// Comparisons with NaN, the variants of maximum and fused multiply-add, pairs.
template <class T, class T2>
__host__ __device__ static int check_operations()
{
	T one(1.0f), two(2.0f), nan(NAN);
	T2 a(one, nan), b(one, one), c(two, T(-3.0f));

	return (__hne(one, nan)) + (!__hneu(one, nan)) + (!(one != nan)) + (__heq(nan, nan)) + (!__hequ(one, nan)) +
	       (__heq2_mask(a, b) != 0xffffu) + (__hne2_mask(a, b) != 0) + (__hneu2_mask(a, b) != 0xffff0000u) +
	       (float(__hmax(one, nan)) != 1.0f) + (!__hisnan(__hmax_nan(one, nan))) + (float(__hmax_nan(one, two)) != 2.0f) +
	       (float(__hfma_relu(two, T(-3.0f), one)) != 0.0f) + (float(__hfma_sat(two, two, one)) != 1.0f) +
	       (float(__hcmadd(c, c, b).x) != -4.0f) + (float(__hcmadd(c, c, b).y) != -11.0f) +
	       (float(__hisnan2(a).x) != 0.0f) + (float(__hisnan2(a).y) != 1.0f) + (float(__hadd2_sat(b, c).y) != 0.0f) +
	       (float(__hadd2_sat(b, c).x) != 1.0f) + (__builtin_signbit(float(__habs(T(-0.0f)))) != 0);
}

// The classes of 8-bit floats.
__host__ __device__ static int check_classes()
{
	__nv_fp8x4_e4m3 four(make_float4(1.0f, -2.0f, 3.3f, 1000.0f));
	__nv_fp8x4_e4m3 pairs(__floats2bfloat162_rn(1.0f, -2.0f), __floats2bfloat162_rn(3.25f, 448.0f));
	__nv_fp8x2_e5m2 two(make_float2(0.1f, -7.0f));
	float4 back = (float4)four;
	float2 less = (float2)two;

	return (back.x != 1.0f) + (back.y != -2.0f) + (back.z != 3.25f) + (back.w != 448.0f) + (four.__x != pairs.__x) +
	       (less.x != 0.09375f) + (less.y != -7.0f) + ((int)__nv_fp8_e4m3(17) != 16) +
	       ((float)__nv_fp8_e5m2(__float2half(-1.0f)) != -1.0f) + ((bool)__nv_fp8_e5m2(-0.0f)) +
	       (!(bool)__nv_fp8_e4m3(0.5f));
}

__host__ __device__ static int check_rest()
{
	return check_integers() + check_operations<__half, __half2>() +
	       check_operations<__nv_bfloat16, __nv_bfloat162>() + check_classes();
}

__global__ void rest_on_device(int *wrong)
{
	*wrong = check_rest();
}

int main()
{
	int host;

	cudaMallocManaged(&count, sizeof *count);
	check<half_format>("half");
	check<bfloat16_format>("bfloat16");
	check<fp8_format<__NV_E4M3, __NV_NOSAT>>("E4M3");
	check<fp8_format<__NV_E4M3, __NV_SATFINITE>>("E4M3, saturating");
	check<fp8_format<__NV_E5M2, __NV_NOSAT>>("E5M2");
	check<fp8_format<__NV_E5M2, __NV_SATFINITE>>("E5M2, saturating");
	host = check_rest();
	rest_on_device<<<1, 1>>>(count);
	if (cudaDeviceSynchronize() != cudaSuccess || host || *count) {
		printf("the rest: %d wrong on the host, %d on the device\n", host, *count);
		failures++;
	}
	if (failures)
		return 1;
	puts("ok");
	return 0;
}
