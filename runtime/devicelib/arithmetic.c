/* Basic arithmetic: rounding modes, conversions, bits, integers. Each function is one or two instructions. */

typedef long long ll;
typedef unsigned long long ull;
typedef unsigned int uint;

/* One function per rounding mode: CUDA's rn, rz, ru, rd are PTX's rn, rz, rp, rm. */
#define ROUNDED(MODE)                                                                                                  \
	MODE(rn, rn)                                                                                                   \
	MODE(rz, rz)                                                                                                   \
	MODE(ru, rp)                                                                                                   \
	MODE(rd, rm)

/* --- Arithmetic with a rounding mode --- */

#define ARITHMETIC(cuda, ptx)                                                                                          \
	double __nv_dadd_##cuda(double a, double b)                                                                    \
	{                                                                                                              \
		return __nvvm_add_##ptx##_d(a, b);                                                                     \
	}                                                                                                              \
	double __nv_dsub_##cuda(double a, double b)                                                                    \
	{                                                                                                              \
		return __nvvm_add_##ptx##_d(a, -b);                                                                    \
	}                                                                                                              \
	double __nv_dmul_##cuda(double a, double b)                                                                    \
	{                                                                                                              \
		return __nvvm_mul_##ptx##_d(a, b);                                                                     \
	}                                                                                                              \
	double __nv_ddiv_##cuda(double a, double b)                                                                    \
	{                                                                                                              \
		return __nvvm_div_##ptx##_d(a, b);                                                                     \
	}                                                                                                              \
	double __nv_drcp_##cuda(double a)                                                                              \
	{                                                                                                              \
		return __nvvm_rcp_##ptx##_d(a);                                                                        \
	}                                                                                                              \
	double __nv_dsqrt_##cuda(double a)                                                                             \
	{                                                                                                              \
		return __nvvm_sqrt_##ptx##_d(a);                                                                       \
	}                                                                                                              \
	double __nv_fma_##cuda(double a, double b, double c)                                                           \
	{                                                                                                              \
		return __nvvm_fma_##ptx##_d(a, b, c);                                                                  \
	}                                                                                                              \
	float __nv_fadd_##cuda(float a, float b)                                                                       \
	{                                                                                                              \
		return __nvvm_add_##ptx##_f(a, b);                                                                     \
	}                                                                                                              \
	float __nv_fsub_##cuda(float a, float b)                                                                       \
	{                                                                                                              \
		return __nvvm_add_##ptx##_f(a, -b);                                                                    \
	}                                                                                                              \
	float __nv_fmul_##cuda(float a, float b)                                                                       \
	{                                                                                                              \
		return __nvvm_mul_##ptx##_f(a, b);                                                                     \
	}                                                                                                              \
	float __nv_fdiv_##cuda(float a, float b)                                                                       \
	{                                                                                                              \
		return __nvvm_div_##ptx##_f(a, b);                                                                     \
	}                                                                                                              \
	float __nv_frcp_##cuda(float a)                                                                                \
	{                                                                                                              \
		return __nvvm_rcp_##ptx##_f(a);                                                                        \
	}                                                                                                              \
	float __nv_fsqrt_##cuda(float a)                                                                               \
	{                                                                                                              \
		return __nvvm_sqrt_##ptx##_f(a);                                                                       \
	}                                                                                                              \
	float __nv_fmaf_##cuda(float a, float b, float c)                                                              \
	{                                                                                                              \
		return __nvvm_fma_##ptx##_f(a, b, c);                                                                  \
	}                                                                                                              \
	float __nv_fmaf_ieee_##cuda(float a, float b, float c)                                                         \
	{                                                                                                              \
		return __nvvm_fma_##ptx##_f(a, b, c);                                                                  \
	}
ROUNDED(ARITHMETIC)

/* --- Conversions --- */

#define CONVERSIONS(cuda, ptx)                                                                                         \
	float __nv_double2float_##cuda(double a)                                                                       \
	{                                                                                                              \
		return __nvvm_d2f_##ptx(a);                                                                            \
	}                                                                                                              \
	int __nv_double2int_##cuda(double a)                                                                           \
	{                                                                                                              \
		return __nvvm_d2i_##ptx(a);                                                                            \
	}                                                                                                              \
	uint __nv_double2uint_##cuda(double a)                                                                         \
	{                                                                                                              \
		return __nvvm_d2ui_##ptx(a);                                                                           \
	}                                                                                                              \
	ll __nv_double2ll_##cuda(double a)                                                                             \
	{                                                                                                              \
		return __nvvm_d2ll_##ptx(a);                                                                           \
	}                                                                                                              \
	ull __nv_double2ull_##cuda(double a)                                                                           \
	{                                                                                                              \
		return __nvvm_d2ull_##ptx(a);                                                                          \
	}                                                                                                              \
	int __nv_float2int_##cuda(float a)                                                                             \
	{                                                                                                              \
		return __nvvm_f2i_##ptx(a);                                                                            \
	}                                                                                                              \
	uint __nv_float2uint_##cuda(float a)                                                                           \
	{                                                                                                              \
		return __nvvm_f2ui_##ptx(a);                                                                           \
	}                                                                                                              \
	ll __nv_float2ll_##cuda(float a)                                                                               \
	{                                                                                                              \
		return __nvvm_f2ll_##ptx(a);                                                                           \
	}                                                                                                              \
	ull __nv_float2ull_##cuda(float a)                                                                             \
	{                                                                                                              \
		return __nvvm_f2ull_##ptx(a);                                                                          \
	}
ROUNDED(CONVERSIONS)

/* LLVM takes the intrinsics that round towards zero for those that round to nearest. */
#define FROM_INTEGER(cuda, ptx, name, to, to_ptx, to_constraint, from, from_ptx, from_constraint)                      \
	to __nv_##name##_##cuda(from a)                                                                                \
	{                                                                                                              \
		to b;                                                                                                  \
		__asm__("cvt." #ptx "." to_ptx "." from_ptx " %0, %1;" : "=" to_constraint(b) : from_constraint(a));   \
		return b;                                                                                              \
	}
#define FROM_INTEGERS(cuda, ptx)                                                                                       \
	FROM_INTEGER(cuda, ptx, int2float, float, "f32", "f", int, "s32", "r")                                         \
	FROM_INTEGER(cuda, ptx, uint2float, float, "f32", "f", uint, "u32", "r")                                       \
	FROM_INTEGER(cuda, ptx, ll2float, float, "f32", "f", ll, "s64", "l")                                           \
	FROM_INTEGER(cuda, ptx, ull2float, float, "f32", "f", ull, "u64", "l")                                         \
	FROM_INTEGER(cuda, ptx, ll2double, double, "f64", "d", ll, "s64", "l")                                         \
	FROM_INTEGER(cuda, ptx, ull2double, double, "f64", "d", ull, "u64", "l")
ROUNDED(FROM_INTEGERS)

double __nv_int2double_rn(int a)
{
	return a;
}

double __nv_uint2double_rn(uint a)
{
	return a;
}

unsigned short __nv_float2half_rn(float a)
{
	unsigned short half;

	__asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
	return half;
}

float __nv_half2float(unsigned short a)
{
	float value;

	__asm__("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a));
	return value;
}

/* --- The same bits as another type --- */

#define BITS(name, to, from)                                                                                           \
	to __nv_##name(from a)                                                                                         \
	{                                                                                                              \
		to b;                                                                                                  \
		_Static_assert(sizeof a == sizeof b, "same size");                                                     \
		__builtin_memcpy(&b, &a, sizeof b);                                                                    \
		return b;                                                                                              \
	}
BITS(float_as_int, int, float)
BITS(float_as_uint, uint, float)
BITS(int_as_float, float, int)
BITS(uint_as_float, float, uint)
BITS(double_as_longlong, ull, double)
BITS(longlong_as_double, double, ll)

int __nv_double2hiint(double a)
{
	return (int)(__nv_double_as_longlong(a) >> 32);
}

int __nv_double2loint(double a)
{
	return (int)__nv_double_as_longlong(a);
}

double __nv_hiloint2double(int high, int low)
{
	return __nv_longlong_as_double((ll)((ull)(uint)high << 32 | (uint)low));
}

/* --- Whole numbers of floating-point type --- */

#define ROUND_TO_WHOLE(name)                                                                                           \
	double __nv_##name(double a)                                                                                   \
	{                                                                                                              \
		return __builtin_##name(a);                                                                            \
	}                                                                                                              \
	float __nv_##name##f(float a)                                                                                  \
	{                                                                                                              \
		return __builtin_##name##f(a);                                                                         \
	}
ROUND_TO_WHOLE(ceil)
ROUND_TO_WHOLE(floor)
ROUND_TO_WHOLE(trunc)
ROUND_TO_WHOLE(rint)
ROUND_TO_WHOLE(nearbyint)
ROUND_TO_WHOLE(fabs)

double __nv_round(double a)
{
	double whole = __builtin_trunc(a);

	return __builtin_fabs(a - whole) >= 0.5 ? whole + __builtin_copysign(1.0, a) : whole;
}

float __nv_roundf(float a)
{
	float whole = __builtin_truncf(a);

	return __builtin_fabsf(a - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, a) : whole;
}

ll __nv_llrint(double a)
{
	return __nvvm_d2ll_rn(a);
}

ll __nv_llrintf(float a)
{
	return __nvvm_f2ll_rn(a);
}

ll __nv_llround(double a)
{
	return __nvvm_d2ll_rz(__nv_round(a));
}

ll __nv_llroundf(float a)
{
	return __nvvm_d2ll_rz(__nv_roundf(a)); /* which of the two differ in what a NaN gives */
}

/* --- Floating point: square roots, extremes, tests --- */

double __nv_sqrt(double a)
{
	return __nvvm_sqrt_rn_d(a);
}

float __nv_sqrtf(float a)
{
	return __builtin_sqrtf(a);
}

float __nv_frsqrt_rn(float a)
{
	return (float)(1.0 / __nvvm_sqrt_rn_d(a));
}

double __nv_fma(double a, double b, double c)
{
	return __nvvm_fma_rn_d(a, b, c);
}

float __nv_fmaf(float a, float b, float c)
{
	return __nvvm_fma_rn_f(a, b, c);
}

double __nv_rcp64h(double a)
{
	return __nvvm_rcp_approx_ftz_d(a);
}

#define PAIR(name)                                                                                                     \
	double __nv_##name(double a, double b)                                                                         \
	{                                                                                                              \
		return __builtin_##name(a, b);                                                                         \
	}                                                                                                              \
	float __nv_##name##f(float a, float b)                                                                         \
	{                                                                                                              \
		return __builtin_##name##f(a, b);                                                                      \
	}
PAIR(fmax)
PAIR(fmin)
PAIR(copysign)

float __nv_saturatef(float a)
{
	return __nvvm_saturate_f(a);
}

int __nv_isinfd(double a)
{
	return __builtin_isinf(a);
}

int __nv_isinff(float a)
{
	return __builtin_isinf(a);
}

int __nv_isnand(double a)
{
	return a != a;
}

int __nv_isnanf(float a)
{
	return a != a;
}

int __nv_isfinited(double a)
{
	return __builtin_isfinite(a);
}

int __nv_finitef(float a)
{
	return __builtin_isfinite(a);
}

int __nv_signbitd(double a)
{
	return __nv_double_as_longlong(a) >> 63;
}

int __nv_signbitf(float a)
{
	return __nv_float_as_uint(a) >> 31;
}

double __nv_nan(const signed char *tag)
{
	(void)tag;
	return __builtin_nan("");
}

float __nv_nanf(const signed char *tag)
{
	(void)tag;
	return __builtin_nanf("");
}

/* --- Integers --- */

int __nv_abs(int a)
{
	return a < 0 ? -a : a;
}

ll __nv_llabs(ll a)
{
	return a < 0 ? -a : a;
}

#define EXTREMES(prefix, type)                                                                                         \
	type __nv_##prefix##max(type a, type b)                                                                        \
	{                                                                                                              \
		return a < b ? b : a;                                                                                  \
	}                                                                                                              \
	type __nv_##prefix##min(type a, type b)                                                                        \
	{                                                                                                              \
		return b < a ? b : a;                                                                                  \
	}
EXTREMES(, int)
EXTREMES(u, uint)
EXTREMES(ll, ll)
EXTREMES(ull, ull)

int __nv_mulhi(int a, int b)
{
	return (int)((ll)a * b >> 32);
}

uint __nv_umulhi(uint a, uint b)
{
	return (uint)((ull)a * b >> 32);
}

ll __nv_mul64hi(ll a, ll b)
{
	return __nvvm_mulhi_ll(a, b);
}

ull __nv_umul64hi(ull a, ull b)
{
	return __nvvm_mulhi_ull(a, b);
}

int __nv_mul24(int a, int b)
{
	return __nvvm_mul24_i(a, b);
}

uint __nv_umul24(uint a, uint b)
{
	return __nvvm_mul24_ui(a, b);
}

int __nv_sad(int a, int b, int c)
{
	return (int)((uint)c + (a < b ? (uint)b - (uint)a : (uint)a - (uint)b));
}

uint __nv_usad(uint a, uint b, uint c)
{
	return c + (a < b ? b - a : a - b);
}

int __nv_hadd(int a, int b)
{
	return (int)(((ll)a + b) >> 1);
}

int __nv_rhadd(int a, int b)
{
	return (int)(((ll)a + b + 1) >> 1);
}

int __nv_uhadd(uint a, uint b)
{
	return (int)(uint)(((ull)a + b) >> 1);
}

uint __nv_urhadd(uint a, uint b)
{
	return (uint)(((ull)a + b + 1) >> 1);
}

/* --- Bits --- */

int __nv_brev(int a)
{
	return (int)__builtin_bitreverse32((uint)a);
}

ll __nv_brevll(ll a)
{
	return (ll)__builtin_bitreverse64((ull)a);
}

int __nv_byte_perm(int a, int b, int selector)
{
	return (int)__nvvm_prmt((uint)a, (uint)b, (uint)selector & 0x7777); /* prmt has a use for the fourth bits */
}

int __nv_clz(int a)
{
	return a ? __builtin_clz((uint)a) : 32;
}

int __nv_clzll(ll a)
{
	return a ? __builtin_clzll((ull)a) : 64;
}

int __nv_ffs(int a)
{
	return a ? __builtin_ctz((uint)a) + 1 : 0;
}

int __nv_ffsll(ll a)
{
	return a ? __builtin_ctzll((ull)a) + 1 : 0;
}

int __nv_popc(uint a)
{
	return __builtin_popcount(a);
}

int __nv_popcll(ull a)
{
	return __builtin_popcountll(a);
}
