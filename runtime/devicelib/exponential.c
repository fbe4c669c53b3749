/*
 * expf, exp2f and logf for the GPU's special function unit. libclc's divide, take one and a half times the instructions
 * of these, and give 0 for subnormal results. The largest errors of expf and logf, over every 37th number and with an
 * exact ex2, are 1.04 and 0.93 units in the last place; CUDA promises 2 and 1.
 */
#include <stdint.h>

#define LOG2_E_HIGH 0x1.715476p+0f
#define LOG2_E_LOW 0x1.4ae0cp-26f
#define LN_2 0x1.62e43p-1f
/* Added to a number below 2^22 it leaves the nearest whole number plus 127 in the sum's low bits. */
#define ROUND_AND_BIAS (0x1.8p23f + 127)

static uint32_t bits_of(float x)
{
	union {
		float number;
		uint32_t bits;
	} u = {.number = x};

	return u.bits;
}

static float number_of(uint32_t bits)
{
	union {
		uint32_t bits;
		float number;
	} u = {.bits = bits};

	return u.number;
}

/*
 * e^x = 2^n 2^r. n is the whole number next to x log2 e, and r the rest. n is clipped so that 2^n is a normal number;
 * then r becomes larger, and the product overflows or becomes subnormal with a single rounding.
 */
float __nv_expf(float x)
{
	float clipped = __builtin_fminf(__builtin_fmaxf(x, -87.0f), 88.0f);
	float sum = __builtin_fmaf(clipped, LOG2_E_HIGH, ROUND_AND_BIAS), minus_n = ROUND_AND_BIAS - sum;
	float r = __builtin_fmaf(x, LOG2_E_LOW, __builtin_fmaf(x, LOG2_E_HIGH, minus_n));

	return __nvvm_ex2_approx_f(r) * number_of(bits_of(sum) << 23);
}

float __nv_exp2f(float x)
{
	return __nvvm_ex2_approx_f(x);
}

/* log(1 + f) for |f| <= 1/3. The polynomial is the minimax one of its degree for (log(1 + f) - f) / f^2. */
static float log_near_1(float f)
{
	static const float c[] = {0.140047566777f, -0.121671527034f, 0.140011607393f, -0.16682305829f,
				  0.200107475854f, -0.249997174572f, 0.33333208417f,  -0.5f};
	float sum = -0.129489707814f;

	for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
		sum = __builtin_fmaf(sum, f, c[i]);
	return __builtin_fmaf(f * f, sum, f);
}

/* log x = n ln 2 + log m with m in [2/3, 4/3). Subnormal numbers are made normal first. */
float __nv_logf(float x)
{
	_Bool subnormal = x < 0x1p-126f;
	uint32_t bits = bits_of(subnormal ? x * 0x1p23f : x);
	uint32_t exponent = (bits - 0x3f2aaaabu /* 2/3 */) & 0xff800000u;
	float n = __builtin_fmaf((float)(int32_t)exponent, 0x1p-23f, subnormal ? -23.0f : 0.0f);
	float log = __builtin_fmaf(n, LN_2, log_near_1(number_of(bits - exponent) - 1.0f));

	if (bits >= 0x7f800000u) /* negative, infinite, or no number */
		log = __builtin_fmaf(x, __builtin_inff(), __builtin_inff());
	return x == 0.0f ? -__builtin_inff() : log;
}
