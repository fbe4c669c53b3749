// Intrinsics on the halves and bytes of a word, against plain C++ of each element.
#include <cstdio>
#include <cstdlib>

enum { CASES = 512 };

/* X(intrinsic, bits of an element, its type, result of elements a and b) */
#define COMPARISONS(X, bits, s, u)                                                                                     \
	X(eq, bits, u, ==) X(ne, bits, u, !=) X(ges, bits, s, >=) X(geu, bits, u, >=) X(gts, bits, s, >)               \
	X(gtu, bits, u, >) X(les, bits, s, <=) X(leu, bits, u, <=) X(lts, bits, s, <) X(ltu, bits, u, <)
#define ALL(X)                                                                                                         \
	COMPARISONS(X, 2, short, unsigned short)                                                                       \
	COMPARISONS(X, 4, signed char, unsigned char)

struct results {
	unsigned words[60];
};

__global__ void compute(const unsigned *a, const unsigned *b, results *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i], y = b[i], n = 0;
	unsigned *to = out[i].words;

#define COMPARE(name, count, type, operator)                                                                           \
	to[n++] = __vset##name##count(x, y);                                                                           \
	to[n++] = __vcmp##name##count(x, y);
	ALL(COMPARE)
#undef COMPARE
	asm("vset4.u32.u32.lt.add %0, %1, %2, %3;" : "=r"(to[n++]) : "r"(x), "r"(y), "r"(1000));
	to[n++] = __vaddss2(x, y);
	to[n++] = __vsubus4(x, y);
	to[n++] = __vabsdiffu4(x, y);
	to[n++] = __vmaxs2(x, y);
	to[n++] = __vavgu4(x, y);
}

/* Puts op(a, b) of every element into a word. */
template <class T, class F> static unsigned elements(unsigned x, unsigned y, F op)
{
	const unsigned bits = 8 * sizeof(T), ones = (1u << bits) - 1;
	unsigned word = 0;

	for (unsigned at = 0; at < 32; at += bits)
		word |= ((unsigned)op((int)(T)(x >> at), (int)(T)(y >> at)) & ones) << at;
	return word;
}

static int clamp(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

static results expected(unsigned x, unsigned y)
{
	unsigned n = 0, below = 1000;
	results r;

#define COMPARE(name, count, type, operator)                                                                           \
	r.words[n++] = elements<type>(x, y, [](int a, int b) { return a operator b; });                                \
	r.words[n++] = elements<type>(x, y, [](int a, int b) { return a operator b ? -1 : 0; });
	ALL(COMPARE)
#undef COMPARE
	for (unsigned at = 0; at < 32; at += 8)
		below += (x >> at & 255) < (y >> at & 255);
	r.words[n++] = below;
	r.words[n++] = elements<short>(x, y, [](int a, int b) { return clamp(a + b, -32768, 32767); });
	r.words[n++] = elements<unsigned char>(x, y, [](int a, int b) { return clamp(a - b, 0, 255); });
	r.words[n++] = elements<unsigned char>(x, y, [](int a, int b) { return abs(a - b); });
	r.words[n++] = elements<short>(x, y, [](int a, int b) { return a > b ? a : b; });
	r.words[n++] = elements<unsigned char>(x, y, [](int a, int b) { return (a + b + 1) / 2; });
	while (n < sizeof r.words / sizeof *r.words)
		r.words[n++] = 0;
	return r;
}

int main()
{
	unsigned *a, *b;
	results *out;
	int wrong = 0;

	cudaMallocManaged(&a, CASES * sizeof *a);
	cudaMallocManaged(&b, CASES * sizeof *b);
	cudaMallocManaged(&out, CASES * sizeof *out);
	cudaMemset(out, 0, CASES * sizeof *out);
	srand(1);
	for (int i = 0; i < CASES; i++) {
		a[i] = (unsigned)rand() << 16 ^ (unsigned)rand();
		/* Some elements are equal, some differ by one. */
		b[i] = i % 2 ? a[i] ^ (rand() & 0x01010101) : (unsigned)rand() << 16 ^ (unsigned)rand();
	}
	compute<<<CASES / 64, 64>>>(a, b, out);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int i = 0; i < CASES; i++) {
		const results r = expected(a[i], b[i]);

		for (unsigned n = 0; n < sizeof r.words / sizeof *r.words; n++)
			if (out[i].words[n] != r.words[n] && wrong++ < 5)
				printf("result %u of %08x, %08x: %08x instead of %08x\n", n, a[i], b[i], out[i].words[n],
				       r.words[n]);
	}
	if (wrong)
		return 1;
	puts("ok");
	return 0;
}
