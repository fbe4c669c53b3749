// Minimum and maximum of sums and of three, on the host and on the device, against 64-bit arithmetic on each part.
#include <cstdio>

__host__ __device__ static long long part(unsigned word, int which, bool is_signed, int bits)
{
	unsigned long long v = bits == 32 ? word : word >> 16 * which & 0xffff;

	return is_signed && v >> (bits - 1) ? (long long)v - (1ll << bits) : (long long)v;
}

__host__ __device__ static long long better(bool max, long long a, long long b)
{
	return (max ? b > a : b < a) ? b : a;
}

enum kind { TWO_RELU, THREE, THREE_RELU, SUM, SUM_RELU, PICK };

// The result that this kind of function should give, computed part by part.
__host__ __device__ static unsigned expected(kind k, bool max, bool is_signed, int bits, unsigned a, unsigned b, unsigned c)
{
	unsigned result = 0;

	for (int i = 0; i < 32 / bits; i++) {
		long long x = part(a, i, is_signed, bits), y = part(b, i, is_signed, bits), z = part(c, i, is_signed, bits);
		long long sum = part((unsigned)(x + y) << (bits == 16 ? 16 * i : 0), i, is_signed, bits);
		long long r = k == SUM || k == SUM_RELU ? better(max, sum, z) : better(max, x, y);

		if (k == THREE || k == THREE_RELU)
			r = better(max, r, z);
		if ((k == TWO_RELU || k == THREE_RELU || k == SUM_RELU) && r < 0)
			r = 0;
		result |= (unsigned)(r & (bits == 32 ? 0xffffffffll : 0xffffll)) << (bits == 16 ? 16 * i : 0);
	}
	return result;
}

// `high` and `low` for pairs, `low` for 32 bits: true if the first operand wins or is equal.
__host__ __device__ static bool first_wins(bool max, bool is_signed, int bits, int which, unsigned a, unsigned b)
{
	long long x = part(a, which, is_signed, bits), y = part(b, which, is_signed, bits);

	return max ? x >= y : x <= y;
}

#define THREE_OF(name, max, suffix, is_signed, bits)                                                                   \
	wrong += (unsigned)__vi##name##3_##suffix(a, b, c) != expected(THREE, max, is_signed, bits, a, b, c);          \
	wrong += (unsigned)__viadd##name##_##suffix(a, b, c) != expected(SUM, max, is_signed, bits, a, b, c);
#define RELU_OF(name, max, suffix, bits)                                                                               \
	wrong += (unsigned)__vi##name##_##suffix##_relu(a, b) != expected(TWO_RELU, max, true, bits, a, b, c);         \
	wrong += (unsigned)__vi##name##3_##suffix##_relu(a, b, c) != expected(THREE_RELU, max, true, bits, a, b, c);   \
	wrong += (unsigned)__viadd##name##_##suffix##_relu(a, b, c) != expected(SUM_RELU, max, true, bits, a, b, c);
#define PICK_OF(name, max, suffix, is_signed)                                                                          \
	wrong += (unsigned)__vib##name##_##suffix(a, b, &low) != expected(PICK, max, is_signed, 32, a, b, c);          \
	wrong += low != first_wins(max, is_signed, 32, 0, a, b);
#define PICK_PAIR_OF(name, max, suffix, is_signed)                                                                     \
	wrong += __vib##name##_##suffix(a, b, &high, &low) != expected(PICK, max, is_signed, 16, a, b, c);             \
	wrong += low != first_wins(max, is_signed, 16, 0, a, b);                                                       \
	wrong += high != first_wins(max, is_signed, 16, 1, a, b);
#define ALL_OF(name, max)                                                                                              \
	THREE_OF(name, max, s32, true, 32)                                                                             \
	THREE_OF(name, max, u32, false, 32)                                                                            \
	THREE_OF(name, max, s16x2, true, 16)                                                                           \
	THREE_OF(name, max, u16x2, false, 16)                                                                          \
	RELU_OF(name, max, s32, 32)                                                                                    \
	RELU_OF(name, max, s16x2, 16)                                                                                  \
	PICK_OF(name, max, s32, true)                                                                                  \
	PICK_OF(name, max, u32, false)                                                                                 \
	PICK_PAIR_OF(name, max, s16x2, true)                                                                           \
	PICK_PAIR_OF(name, max, u16x2, false)

__host__ __device__ static int check(unsigned a, unsigned b, unsigned c)
{
	bool high, low;
	int wrong = 0;

	ALL_OF(max, true)
	ALL_OF(min, false)
	return wrong;
}

// Values at the ends of both widths, and mixed ones.
__host__ __device__ static unsigned value(int i)
{
	unsigned ends[8] = {0, 1, 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7fff8000u, 0x80007fffu, 0xffff0001u};

	return i < 8 ? ends[i] : (unsigned)i * 2654435761u;
}

__global__ void on_device(int *wrong)
{
	for (int c = 0; c < 16; c++)
		atomicAdd(wrong, check(value(threadIdx.x / 16), value(threadIdx.x % 16), value(c)));
}

int main()
{
	int *wrong, host = 0;

	for (int i = 0; i < 16 * 16 * 16; i++)
		host += check(value(i / 256), value(i / 16 % 16), value(i % 16));
	cudaMallocManaged(&wrong, sizeof *wrong);
	*wrong = 0;
	on_device<<<1, 256>>>(wrong);
	if (cudaDeviceSynchronize() != cudaSuccess || host || *wrong) {
		printf("%d wrong on the host, %d on the device\n", host, *wrong);
		return 1;
	}
	puts("ok");
	return 0;
}
