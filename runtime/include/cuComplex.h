/* Complex numbers as CUDA's C interface has them: cuFloatComplex and cuDoubleComplex with their arithmetic. */
#ifndef ROMARK_CUCOMPLEX_H
#define ROMARK_CUCOMPLEX_H

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* One precision: `suffix` is what the names end with, `m` what the C library's functions end with. */
#define ROMARK_COMPLEX(type, real, suffix, infix, m)                                                                   \
	static __inline__ __host__ __device__ real cuCreal##suffix(type x)                                             \
	{                                                                                                              \
		return x.x;                                                                                            \
	}                                                                                                              \
	static __inline__ __host__ __device__ real cuCimag##suffix(type x)                                             \
	{                                                                                                              \
		return x.y;                                                                                            \
	}                                                                                                              \
	static __inline__ __host__ __device__ type make_cu##infix##Complex(real r, real i)                             \
	{                                                                                                              \
		type z;                                                                                                \
		z.x = r;                                                                                               \
		z.y = i;                                                                                               \
		return z;                                                                                              \
	}                                                                                                              \
	static __inline__ __host__ __device__ type cuConj##suffix(type x)                                              \
	{                                                                                                              \
		return make_cu##infix##Complex(x.x, -x.y);                                                             \
	}                                                                                                              \
	static __inline__ __host__ __device__ type cuCadd##suffix(type x, type y)                                      \
	{                                                                                                              \
		return make_cu##infix##Complex(x.x + y.x, x.y + y.y);                                                  \
	}                                                                                                              \
	static __inline__ __host__ __device__ type cuCsub##suffix(type x, type y)                                      \
	{                                                                                                              \
		return make_cu##infix##Complex(x.x - y.x, x.y - y.y);                                                  \
	}                                                                                                              \
	static __inline__ __host__ __device__ type cuCmul##suffix(type x, type y)                                      \
	{                                                                                                              \
		return make_cu##infix##Complex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                          \
	}                                                                                                              \
	static __inline__ __host__ __device__ type cuCdiv##suffix(type x, type y)                                      \
	{                                                                                                              \
		real scale = 1 / (fabs##m(y.x) + fabs##m(y.y));                                                        \
		real xr = x.x * scale, xi = x.y * scale, yr = y.x * scale, yi = y.y * scale;                           \
		real inverse = 1 / (yr * yr + yi * yi);                                                                \
		return make_cu##infix##Complex((xr * yr + xi * yi) * inverse, (xi * yr - xr * yi) * inverse);          \
	}                                                                                                              \
	static __inline__ __host__ __device__ real cuCabs##suffix(type x)                                              \
	{                                                                                                              \
		return hypot##m(x.x, x.y);                                                                             \
	}                                                                                                              \
	static __inline__ __host__ __device__ type cuCfma##suffix(type x, type y, type d)                              \
	{                                                                                                              \
		return cuCadd##suffix(cuCmul##suffix(x, y), d);                                                        \
	}

ROMARK_COMPLEX(cuFloatComplex, float, f, Float, f)
ROMARK_COMPLEX(cuDoubleComplex, double, , Double, )
#undef ROMARK_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y)
{
	return make_cuFloatComplex(x, y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
	return make_cuDoubleComplex((double)c.x, (double)c.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
	return make_cuFloatComplex((float)c.x, (float)c.y);
}

#endif
