/*
 * Random numbers in kernels: XORWOW (G. Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (J. Salmon et al.,
 * "Parallel random numbers: as easy as 1, 2, 3", 2011), with uniform, normal, log-normal and Poisson distributions.
 *
 * Philox's numbers follow its definition, with key = seed and counter = (offset / 4, subsequence). XORWOW's
 * subsequences begin at scrambled states, so its numbers differ from NVIDIA's library.
 */
#ifndef ROMARK_CURAND_KERNEL_H
#define ROMARK_CURAND_KERNEL_H

#include "cuda_runtime.h"
#include "curand.h"

#define ROMARK_RANDOM static __inline__ __device__

struct curandStateXORWOW {
	unsigned int d, v[5];
	float saved; /* the second number of a pair of normals */
	double saved_double;
	int has_saved, has_saved_double;
};

struct curandStatePhilox4_32_10 {
	uint4 counter, output;
	uint2 key;
	unsigned int used; /* numbers taken from `output` */
	float saved;
	double saved_double;
	int has_saved, has_saved_double;
};

typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

/* --- XORWOW --- */

ROMARK_RANDOM void romark_xorshift(unsigned int v[5])
{
	unsigned int t = v[0] ^ v[0] >> 2;

	v[0] = v[1];
	v[1] = v[2];
	v[2] = v[3];
	v[3] = v[4];
	v[4] = (v[4] ^ v[4] << 4) ^ (t ^ t << 1);
}

ROMARK_RANDOM unsigned int curand(curandStateXORWOW *state)
{
	romark_xorshift(state->v);
	state->d += 362437;
	return state->v[4] + state->d;
}

/*
 * One step of XORWOW without its counter is a linear map of 160 bits, so that n steps are the polynomial x^n in that
 * map, reduced by the map's characteristic polynomial. Polynomials have the coefficient of x^i in bit i % 32 of word
 * i / 32.
 */
ROMARK_RANDOM void romark_times_x(unsigned int p[5])
{
	/* of the characteristic polynomial without x^160 */
	const unsigned int rest[5] = {0x60001, 0x8610030, 0x62121, 0xf3c0035, 0xf0e};
	unsigned int carry = p[4] >> 31 ? ~0u : 0;

	for (int i = 4; i > 0; i--)
		p[i] = (p[i] << 1 | p[i - 1] >> 31) ^ (rest[i] & carry);
	p[0] = p[0] << 1 ^ (rest[0] & carry);
}

ROMARK_RANDOM void romark_square(unsigned int p[5])
{
	unsigned int result[5] = {0};

	for (int bit = 159; bit >= 0; bit--) {
		romark_times_x(result);
		if (p[bit / 32] >> bit % 32 & 1)
			for (int i = 0; i < 5; i++)
				result[i] ^= p[i];
	}
	for (int i = 0; i < 5; i++)
		p[i] = result[i];
}

/* n * 2^squarings steps */
ROMARK_RANDOM void romark_jump(unsigned long long n, int squarings, unsigned int v[5])
{
	unsigned int p[5] = {1}, result[5] = {0};

	for (int bit = 63 - __clzll((long long)n); bit >= 0; bit--) {
		romark_square(p);
		if (n >> bit & 1)
			romark_times_x(p);
	}
	while (squarings-- > 0)
		romark_square(p);
	for (int bit = 0; bit < 160; bit++) {
		if (p[bit / 32] >> bit % 32 & 1)
			for (int i = 0; i < 5; i++)
				result[i] ^= v[i];
		romark_xorshift(v);
	}
	for (int i = 0; i < 5; i++)
		v[i] = result[i];
}

/* A bijection of 64 bits whose results look random (the finalizer of S. Vigna's splitmix64). */
ROMARK_RANDOM unsigned long long romark_scramble(unsigned long long x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

ROMARK_RANDOM void skipahead(unsigned long long n, curandStateXORWOW *state)
{
	state->d += 362437 * (unsigned)n;
	if (n > 4096)
		romark_jump(n, 0, state->v);
	else
		while (n--)
			romark_xorshift(state->v);
}

/* Skips n times 2^67 numbers. The counter makes whole turns meanwhile, so it stays. */
ROMARK_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW *state)
{
	romark_jump(n, 67, state->v);
}

ROMARK_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
			       curandStateXORWOW *state)
{
	unsigned long long a = romark_scramble(romark_scramble(seed + 0x9e3779b97f4a7c15ull) ^ subsequence);
	unsigned long long b = romark_scramble(a + 0x9e3779b97f4a7c15ull);

	state->v[0] = 123456789u ^ (unsigned)a;
	state->v[1] = 362436069u ^ (unsigned)(a >> 32);
	state->v[2] = 521288629u ^ (unsigned)b;
	state->v[3] = 88675123u ^ (unsigned)(b >> 32);
	state->v[4] = 5783321u;
	state->d = 6615241u;
	state->has_saved = state->has_saved_double = 0;
	skipahead(offset, state);
}

/* --- Philox4x32-10 --- */

ROMARK_RANDOM uint4 romark_philox(uint4 counter, uint2 key)
{
	for (int round = 0; round < 10; round++) {
		unsigned int low0 = 0xD2511F53u * counter.x, high0 = __umulhi(0xD2511F53u, counter.x);
		unsigned int low1 = 0xCD9E8D57u * counter.z, high1 = __umulhi(0xCD9E8D57u, counter.z);

		counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
		key.x += 0x9E3779B9u;
		key.y += 0xBB67AE85u;
	}
	return counter;
}

/* Adds n to the low half of the counter, with carry into the high half. */
ROMARK_RANDOM void romark_advance(uint4 *counter, unsigned long long n)
{
	unsigned long long low = (unsigned long long)counter->y << 32 | counter->x, sum = low + n;

	counter->x = (unsigned)sum;
	counter->y = (unsigned)(sum >> 32);
	if (sum < low && !++counter->z)
		++counter->w;
}

ROMARK_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state)
{
	unsigned long long position = state->used + (n & 3);

	romark_advance(&state->counter, n / 4 + position / 4);
	state->used = position & 3;
	state->output = romark_philox(state->counter, state->key);
}

/* By n times 2^66 numbers: to as many subsequences further. */
ROMARK_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state)
{
	unsigned long long sum = ((unsigned long long)state->counter.w << 32 | state->counter.z) + n;

	state->counter.z = (unsigned)sum;
	state->counter.w = (unsigned)(sum >> 32);
	state->output = romark_philox(state->counter, state->key);
}

ROMARK_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
			       curandStatePhilox4_32_10 *state)
{
	state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
	state->counter = make_uint4(0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32));
	state->used = 0;
	state->has_saved = state->has_saved_double = 0;
	skipahead(offset, state);
}

ROMARK_RANDOM unsigned int curand(curandStatePhilox4_32_10 *state)
{
	unsigned int number = state->used == 0   ? state->output.x
			      : state->used == 1 ? state->output.y
			      : state->used == 2 ? state->output.z
						 : state->output.w;

	skipahead(1, state);
	return number;
}

ROMARK_RANDOM uint4 curand4(curandStatePhilox4_32_10 *state)
{
	unsigned int x = curand(state), y = curand(state), z = curand(state);

	return make_uint4(x, y, z, curand(state));
}

/* --- Distributions --- */

ROMARK_RANDOM float romark_uniform(unsigned int x)
{
	return x * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}
ROMARK_RANDOM double romark_uniform_double(unsigned int x, unsigned int y)
{
	return (x ^ (unsigned long long)y << 21) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}

/* A number in (0, 1]. */
template <class State>
ROMARK_RANDOM float curand_uniform(State *state)
{
	return romark_uniform(curand(state));
}
template <class State>
ROMARK_RANDOM double curand_uniform_double(State *state)
{
	unsigned int x = curand(state);

	return romark_uniform_double(x, curand(state));
}

/* Two normal numbers by the method of Box and Muller. */
template <class State>
ROMARK_RANDOM float2 curand_normal2(State *state)
{
	float radius = sqrtf(-2.0f * logf(curand_uniform(state))), sine, cosine;

	sincospif(2.0f * curand_uniform(state), &sine, &cosine);
	return make_float2(sine * radius, cosine * radius);
}
template <class State>
ROMARK_RANDOM double2 curand_normal2_double(State *state)
{
	double radius = sqrt(-2.0 * log(curand_uniform_double(state))), sine, cosine;

	sincospi(2.0 * curand_uniform_double(state), &sine, &cosine);
	return make_double2(sine * radius, cosine * radius);
}
template <class State>
ROMARK_RANDOM float curand_normal(State *state)
{
	state->has_saved = !state->has_saved;
	if (!state->has_saved)
		return state->saved;
	float2 pair = curand_normal2(state);
	state->saved = pair.y;
	return pair.x;
}
template <class State>
ROMARK_RANDOM double curand_normal_double(State *state)
{
	state->has_saved_double = !state->has_saved_double;
	if (!state->has_saved_double)
		return state->saved_double;
	double2 pair = curand_normal2_double(state);
	state->saved_double = pair.y;
	return pair.x;
}
template <class State>
ROMARK_RANDOM float curand_log_normal(State *state, float mean, float deviation)
{
	return expf(mean + deviation * curand_normal(state));
}
template <class State>
ROMARK_RANDOM double curand_log_normal_double(State *state, double mean, double deviation)
{
	return exp(mean + deviation * curand_normal_double(state));
}

ROMARK_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *state)
{
	uint4 x = curand4(state);

	return make_float4(romark_uniform(x.x), romark_uniform(x.y), romark_uniform(x.z), romark_uniform(x.w));
}
ROMARK_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10 *state)
{
	uint4 x = curand4(state);

	return make_double2(romark_uniform_double(x.x, x.y), romark_uniform_double(x.z, x.w));
}
ROMARK_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *state)
{
	float2 a = curand_normal2(state), b = curand_normal2(state);

	return make_float4(a.x, a.y, b.x, b.y);
}

/* Poisson numbers: arrivals are counted up to a mean of 64; beyond that a normal number is rounded. */
template <class State>
ROMARK_RANDOM unsigned int curand_poisson(State *state, double mean)
{
	unsigned int count = 0;

	if (mean > 64) {
		double value = mean + sqrt(mean) * curand_normal_double(state);

		return value > 0 ? (unsigned int)(value + 0.5) : 0;
	}
	for (double rest = exp(-mean), product = curand_uniform_double(state); product > rest; count++)
		product *= curand_uniform_double(state);
	return count;
}

#undef ROMARK_RANDOM

#endif
