// Loops whose counters wrap around, step backwards or end in odd ways: the device computes what the host does.
#include "expect.h"

#include <climits>
#include <cmath>

enum { ENTRIES = 128, MIDDLE = ENTRIES / 2, THREADS = 96 };

struct data {
	int ints[ENTRIES];
	float floats[ENTRIES]; // some are no numbers
};

/* X(name, body): a thread's number is t, its result is r, the middles of the arrays are v and f. */
#define LOOPS(X)                                                                                                       \
	X(forwards, for (int i = 0; i < t; i++) r += i * v[i - 60];)                                                   \
	X(strided, for (int i = t % 7; i < 60; i += 1 + t % 5) r = 3 * r + v[i];)                                      \
	X(backwards, for (int i = 60; i >= -60; i -= 1 + t % 3) r = 3 * r + v[i];)                                     \
	X(to_unequal, for (int i = -t % 60; i != 60; i++) r = 5 * r + v[i];)                                           \
	X(inclusive, for (int i = t - 60; i <= t % 60; i++) r = 5 * r + v[i];)                                         \
	X(at_the_end, int i = t - 40; do r = 5 * r + v[i]; while (i++ < 7);)                                           \
	X(unsigned_wraps, for (unsigned i = 0u - t % 60; i != 20u; i++) r = 5 * r + v[(int)i];)                        \
	X(unsigned_sum_wraps, unsigned far = 0xfffffff0u - t; for (unsigned i = far; i < far + 10; i++)                \
	      r = 5 * r + v[i - far];)                                                                                 \
	X(index_wraps, unsigned base = 0xfffffff0u; for (unsigned i = 16; i < 60; i++) r = 5 * r + v[base + i];)       \
	X(index_wraps_by_product, for (unsigned i = 0; i < 50; i++) r = 5 * r + v[(i * 0x10000001u) & 63u];)           \
	X(index_changes_sign, for (unsigned i = 0; i < 40u + t; i++)                                                   \
	      r = 5 * r + v[(int)(i * 0x09000001u + t) >> 26];)                                                        \
	X(beyond_signed, for (unsigned i = 0x7fffffe0u; i != 0x80000010u; i++) r = 5 * r + v[i & 31u] + (i >> 30);)    \
	X(to_the_last, for (int i = INT_MAX - t % 50;; i++) { r = 5 * r + v[INT_MAX - i]; if (i == INT_MAX) break; })  \
	X(from_the_first, for (int i = INT_MIN + t % 50;; i--) { r = 5 * r + v[i - INT_MIN]; if (i == INT_MIN) break; }) \
	X(wide_step, for (unsigned i = t; i < 0xf0000000u; i += 0x07654321u) r = 5 * r + v[i >> 27];)                  \
	X(short_counter, for (unsigned short i = (unsigned short)(65530 + t % 6); i != 5; i++)                         \
	      r = 5 * r + v[(unsigned short)(i + 20) & 31];)                                                           \
	X(char_counter, for (signed char i = -60; i < 50; i += 3) r = 5 * r + v[i] + i;)                               \
	X(two_counters, for (int i = 0, j = t % 60; i < j; i++, j--) r = 5 * r + v[i] * v[j];)                         \
	X(nested, for (int i = 0; i < 8; i++) for (int j = i; j < 8; j++) r = 5 * r + v[i * 7 + j - t % 50];)          \
	X(nested_backwards, for (int i = 7; i >= 0; i--) for (int j = i * 2; j > -9; j -= 1 + i)                       \
	      r = 5 * r + v[j * 3 + i];)                                                                               \
	X(nested_wraps, for (unsigned i = 0; i < 6; i++) for (unsigned j = 0u - i; j != 4u; j++)                       \
	      r = 5 * r + v[(int)(j * 3u + i)];)                                                                       \
	X(row_and_column, int n = 5 + t % 3; for (int i = 0; i < n; i++) r = 5 * r + v[t % 8 * n + i] + v[i * n - 20];) \
	X(wide_and_narrow, for (int i = 0; i < 30; i++) r += v[i] ^ i ^ (i * i) ^ ((long long)i << 33);)               \
	X(wide_product, for (unsigned i = t; i < 90u + t; i++) r += (long long)i * (i * 0x1234567u);)                  \
	X(halved, for (unsigned i = 60u + t; i; i /= 2) r = 5 * r + v[i & 31u] + v[-(int)(i >> 4)];)                   \
	X(doubled, for (int i = 1; i < 60; i <<= 1) r = 5 * r + v[i] + v[-i];)                                         \
	X(exact_shift, for (int i = 0; i < 15; i++) r = 5 * r + v[i << 2] + v[-i * 4];)                                \
	X(found, int i = 0; while (i < 60 && v[i] != t) i++; r = i;)                                                   \
	X(guarded, for (int i = -t; i < t; i++) if (i >= -60 && i < 60 && v[i] > 3) r = 5 * r + v[i];)                 \
	X(either, for (int i = -60; i < 60; i++) if (i < t - 70 || v[i] > 9 || i > 50) r = 5 * r + i;)                 \
	X(below, for (int i = -60; i < 60; i++) if (f[i] < f[-i]) r = 5 * r + i;)                                      \
	X(not_below, for (int i = -60; i < 60; i++) if (!(f[i] < f[-i])) r = 5 * r + i;)                               \
	X(between, for (int i = -60; i < 60; i++) if (f[i] >= f[-i] && f[i] <= 9.0f) r = 5 * r + i;)                   \
	X(equal, for (int i = -60; i < 60; i++) if (f[i] == f[t % 60] || f[i] != f[i]) r = 5 * r + i;)                 \
	X(outside, for (int i = -60; i < 60; i++) if (!(f[i] > 0.0f && f[-i] > 1.0f)) r = 5 * r + i;)                  \
	X(kept_flag, bool on = t & 1; for (int i = 0; i < 60; i++) { if (on && v[i] > 4) r += i; on ^= v[i] & 1; })    \
	X(chosen, for (int i = 0; i < 60; i++) switch ((v[i] + t) & 3) {                                               \
	      case 0: r += 2; break; case 1: r *= 3; case 2: r ^= i; break; default: if (r > 1000) i += 2; })          \
	X(whole_guarded, for (int i = 0; i < 16; i++) if (t % 16 <= i) r = 5 * r + v[i - t % 16] + v[3 * (t % 16) - i];) \
	X(whole_rows, int base = t % 7, n = t % 4; for (int i = 0; i < 16; i++) r = 5 * r + v[base + n * i + t % 5];)  \
	X(whole_wraps, unsigned base = 0xfffffff8u; for (unsigned i = 0; i < 16; i++) if (t % 9 != 3)                  \
	      r = 5 * r + v[(base + i + t % 3) & 31u];)                                                                \
	X(whole_backwards, for (int i = 14; i >= 0; i--) if (t % 16 <= i) r = 5 * r + v[16 - i + t % 16];)             \
	X(two_exits, for (int i = 0;; i++) { if (i > t) { r += 7; break; } r = 5 * r + v[i % 60];                      \
	      if (v[i % 60] == 11) { r ^= 99; break; } })                                                              \
	X(into_the_middle, int i = t % 20; if (t & 1) goto inside; for (; i < 50; i += 3) { r = 5 * r + v[i];          \
	      inside: r ^= i; if (v[i] == 5) i++; })                                                                   \
	X(two_entries, int i = 0; if (t & 1) goto second; first: r = 5 * r + v[i]; i++; second: r ^= v[-i];            \
	      if (++i < 50) goto first; if (i < 57) goto second;)

#define BODY(name, ...)                                                                                                \
	__host__ __device__ long long name(const int *v, const float *f, int t)                                        \
	{                                                                                                              \
		unsigned long long r = 1;                                                                              \
                                                                                                                       \
		(void)v, (void)f;                                                                                      \
		__VA_ARGS__                                                                                            \
		return (long long)r;                                                                                   \
	}                                                                                                              \
	__global__ void name##_kernel(const data *d, long long *out)                                                   \
	{                                                                                                              \
		out[threadIdx.x] = name(d->ints + MIDDLE, d->floats + MIDDLE, (int)threadIdx.x);                       \
	}
LOOPS(BODY)

static void fill(data *d)
{
	unsigned state = 1;

	for (int i = 0; i < ENTRIES; i++) {
		state = state * 1664525u + 1013904223u;
		d->ints[i] = (int)(state >> 28) - 2;
		d->floats[i] = i % 11 == 0 ? NAN : (float)(state >> 27) - 8.0f;
	}
}

typedef void kernel(const data *, long long *);
typedef long long body(const int *, const float *, int);

static void check(const char *name, kernel *k, body *on_host, const data *d, const data *on_device, long long *out)
{
	long long results[THREADS];

	k<<<1, THREADS>>>(on_device, out);
	EXPECT(cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost) == cudaSuccess);
	for (int t = 0; t < THREADS; t++) {
		long long expected = on_host(d->ints + MIDDLE, d->floats + MIDDLE, t);

		if (results[t] != expected) {
			printf("%s: thread %d has %lld instead of %lld\n", name, t, results[t], expected);
			wrong++;
			break;
		}
	}
}

int main()
{
	data d, *on_device;
	long long *out;

	fill(&d);
	EXPECT(cudaMalloc(&on_device, sizeof d) == cudaSuccess);
	EXPECT(cudaMalloc(&out, THREADS * sizeof *out) == cudaSuccess);
	EXPECT(cudaMemcpy(on_device, &d, sizeof d, cudaMemcpyHostToDevice) == cudaSuccess);
#define CHECK(name, ...) check(#name, name##_kernel, name, &d, on_device, out);
	LOOPS(CHECK)
	puts(wrong ? "wrong" : "ok");
	return wrong;
}
