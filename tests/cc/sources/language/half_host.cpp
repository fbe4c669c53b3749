// Small floats in a C++ source: values, conversions and arithmetic without device code.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdio>

int main()
{
	__half half = __float2half(1.5f);
	__nv_bfloat16 brain = __float2bfloat16(2.5f);
	__half2 pair = __floats2half2_rn(1.0f, -2.0f);
	__nv_fp8_e4m3 eight(3.0f);
	int failures = 0;

	failures += __half2float(half + half) != 3.0f || __half_as_ushort(half) != 0x3e00;
	failures += __bfloat162float(brain * brain) != 6.25f || __bfloat16_as_ushort(brain) != 0x4020;
	failures += __high2float(__hmul2(pair, pair)) != 4.0f || !(half < __half(2.0f));
	failures += (float)eight != 3.0f || __half2float(__int2half_rn(2049)) != 2048.0f;
	for (unsigned code = 0; code < 0x7c00; code++) {
		__half h = __ushort_as_half((unsigned short)code);
		failures += __half_as_ushort(__float2half(__half2float(h))) != code;
	}
	if (failures) {
		printf("%d wrong\n", failures);
		return 1;
	}
	puts("ok");
	return 0;
}
