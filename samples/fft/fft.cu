/*
 * Fourier transforms, with the shape of Parboil's basic fft. A block takes a sequence, and a thread a pair of its
 * elements. A launch computes a level of radix 2, from one array in global memory into another; then the arrays change
 * roles. Loads are coalesced. The distance between the stores of a pair grows from level to level, so the stores of the
 * first levels leave gaps.
 *
 *   fft [small|study|SEQUENCES [N]], N a power of two up to 2048
 *
 * The size `study` is 1024 sequences of 256 elements: two arrays of 2 MiB. The small size is 32 sequences.
 */
#include "../common/arrays.h"
#include "../common/size.h"

enum { RADIX = 2 };

__device__ float2 turn(float2 v, float angle)
{
	float x = cosf(angle), y = sinf(angle);

	return make_float2(v.x * x - v.y * y, v.x * y + v.y * x);
}

/* `done` elements are transformed among themselves. */
__global__ void level(int done, float2 *in, float2 *out, int n)
{
	int me = threadIdx.x, to = me / done * done * RADIX + me % done;
	float angle = (float)(-2 * M_PI * (me % done) / (done * RADIX));
	float2 a, b;

	in += blockIdx.x * n;
	out += blockIdx.x * n;
	a = turn(in[me], 0 * angle);
	b = turn(in[me + n / RADIX], angle);
	out[to] = make_float2(a.x + b.x, a.y + b.y);
	out[to + done] = make_float2(a.x - b.x, a.y - b.y);
}

/* Returns which array has the result. */
static int transform(const array<float2> *arrays, int sequences, int n)
{
	int from = 0;

	for (int done = 1; done < n; done *= RADIX, from = 1 - from)
		level<<<sequences, n / RADIX>>>(done, arrays[from].device, arrays[1 - from].device, n);
	CHECK(cudaGetLastError());
	return from;
}

/* The number of elements that differ from the sums that define the transform. */
static int wrong_elements(const float2 *in, const float2 *out, int n)
{
	std::vector<double> cosine(n), sine(n);
	int wrong = 0;

	for (int i = 0; i < n; i++) {
		cosine[i] = std::cos(-2 * M_PI * i / n);
		sine[i] = std::sin(-2 * M_PI * i / n);
	}
	for (int k = 0; k < n; k++) {
		double x = 0, y = 0;

		for (int i = 0; i < n; i++) {
			int turns = (int)((long)i * k % n);

			x += in[i].x * cosine[turns] - in[i].y * sine[turns];
			y += in[i].x * sine[turns] + in[i].y * cosine[turns];
		}
		wrong += !(std::fabs(x - out[k].x) + std::fabs(y - out[k].y) < 1e-5 * n);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const char usage[] = "fft [small|study|SEQUENCES [N]], N a power of two up to 2048";
	int sequences = small_or_study(argc, argv, 32, 1024, usage), n = argc > 2 ? positive(argv[2], usage) : 256;
	unsigned state = 1;
	int wrong = 0;

	if (n < RADIX || n > 2048 || (n & (n - 1)) || sequences > 1 << 16) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float2> arrays[2] = {array<float2>((size_t)sequences * n), array<float2>((size_t)sequences * n)};

	for (float2 &value : arrays[0].host)
		value = make_float2(next_random(&state) - 0.5f, next_random(&state) - 0.5f);
	arrays[0].upload();
	std::vector<float2> result = arrays[transform(arrays, sequences, n)].download();

	for (int i = 0; i < sequences; i++)
		wrong += wrong_elements(&arrays[0].host[(size_t)i * n], &result[(size_t)i * n], n);
	printf("fft: %zu elements, %d wrong\n", result.size(), wrong);
	return wrong != 0;
}
