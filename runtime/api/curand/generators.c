/* The generators, each from its published definition, and the distributions made of their words. */
#include "runtime/api/curand/generators.h"

#include <math.h>
#include <stdlib.h>

enum { STREAMS = 4096, MRG_STREAMS = 81920, PHILOX_STREAMS = 65536, MT_WORDS = 624, MT_MIDDLE = 397 };

/* A bijection of 64 bits whose results look random (the finalizer of S. Vigna's splitmix64). */
static uint64_t scramble(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* --- XORWOW --- */

struct xorwow {
	uint32_t d, v[5];
};

static uint32_t xorwow_next(void *state, uint64_t position)
{
	struct xorwow *s = (struct xorwow *)state + position % STREAMS;
	uint32_t t = s->v[0] ^ s->v[0] >> 2;

	for (int i = 0; i < 4; i++)
		s->v[i] = s->v[i + 1];
	s->v[4] = (s->v[4] ^ s->v[4] << 4) ^ (t ^ t << 1);
	s->d += 362437;
	return s->v[4] + s->d;
}

static void xorwow_start(void *state, uint64_t seed, uint64_t offset)
{
	for (uint32_t i = 0; i < STREAMS; i++) {
		uint64_t a = scramble(scramble(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ i);
		uint64_t b = scramble(a + UINT64_C(0x9e3779b97f4a7c15));

		((struct xorwow *)state)[i] =
		    (struct xorwow){6615241,
				    {123456789u ^ (uint32_t)a, 362436069u ^ (uint32_t)(a >> 32),
				     521288629u ^ (uint32_t)b, 88675123u ^ (uint32_t)(b >> 32), 5783321u}};
	}
	for (uint64_t i = 0; i < offset; i++)
		xorwow_next(state, i);
}

/* --- MRG32k3a --- */

#define MRG_M1 UINT64_C(4294967087)
#define MRG_M2 UINT64_C(4294944443)

/* The last three values of each of the two recurrences, the oldest first. */
struct mrg {
	uint64_t x[2][3];
};

static const uint64_t mrg_modulus[2] = {MRG_M1, MRG_M2};
static const uint64_t mrg_step[2][3][3] = {{{0, 1, 0}, {0, 0, 1}, {MRG_M1 - 810728, 1403580, 0}},
					   {{0, 1, 0}, {0, 0, 1}, {MRG_M2 - 1370589, 0, 527612}}};

static void mrg_multiply(const uint64_t a[3][3], const uint64_t b[3][3], uint64_t modulus, uint64_t out[3][3])
{
	uint64_t product[3][3] = {{0}};

	for (int i = 0; i < 9; i++)
		for (int k = 0; k < 3; k++)
			product[i / 3][i % 3] = (product[i / 3][i % 3] + a[i / 3][k] * b[k][i % 3] % modulus) % modulus;
	for (int i = 0; i < 9; i++)
		out[i / 3][i % 3] = product[i / 3][i % 3];
}

/* A jump of `steps` times 2^doublings numbers. */
static void mrg_jump(uint64_t steps, unsigned doublings, uint64_t out[2][3][3])
{
	for (int r = 0; r < 2; r++) {
		uint64_t power[3][3];

		for (int i = 0; i < 9; i++) {
			power[i / 3][i % 3] = mrg_step[r][i / 3][i % 3];
			out[r][i / 3][i % 3] = i % 4 == 0;
		}
		for (unsigned i = 0; i < doublings; i++)
			mrg_multiply(power, power, mrg_modulus[r], power);
		for (uint64_t rest = steps; rest; rest >>= 1) {
			if (rest & 1)
				mrg_multiply(out[r], power, mrg_modulus[r], out[r]);
			mrg_multiply(power, power, mrg_modulus[r], power);
		}
	}
}

static struct mrg mrg_moved(const struct mrg *s, uint64_t jump[2][3][3])
{
	struct mrg moved = {{{0}}};

	for (int r = 0; r < 2; r++)
		for (int i = 0; i < 9; i++)
			moved.x[r][i / 3] =
			    (moved.x[r][i / 3] + jump[r][i / 3][i % 3] * s->x[r][i % 3] % mrg_modulus[r]) %
			    mrg_modulus[r];
	return moved;
}

/* In [1, m1]. */
static uint32_t mrg_next(void *state, uint64_t position)
{
	struct mrg *s = (struct mrg *)state + position % MRG_STREAMS;
	uint64_t a = (1403580 * s->x[0][1] + (MRG_M1 - 810728) * s->x[0][0] % MRG_M1) % MRG_M1;
	uint64_t b = (527612 * s->x[1][2] + (MRG_M2 - 1370589) * s->x[1][0] % MRG_M2) % MRG_M2;

	*s = (struct mrg){{{s->x[0][1], s->x[0][2], a}, {s->x[1][1], s->x[1][2], b}}};
	return (uint32_t)(a > b ? a - b : a + MRG_M1 - b);
}

/* Starting values must not be all 0, and must be below the modulus. */
static void mrg_start(void *state, uint64_t seed, uint64_t offset)
{
	uint64_t between[2][3][3], whole[2][3][3];
	struct mrg first;

	for (int r = 0; r < 2; r++)
		for (int i = 0; i < 3; i++)
			first.x[r][i] =
			    seed ? 1 + scramble(seed + (uint64_t)(r * 3 + i)) % (mrg_modulus[r] - 1) : 12345;
	mrg_jump(1, 76, between);
	mrg_jump(offset / MRG_STREAMS, 0, whole);
	for (uint32_t i = 0; i < MRG_STREAMS; i++) {
		((struct mrg *)state)[i] = mrg_moved(&first, whole);
		first = mrg_moved(&first, between);
	}
	for (uint64_t i = 0; i < offset % MRG_STREAMS; i++)
		mrg_next(state, i);
}

/* --- MT19937 --- */

struct mt {
	uint32_t x[MT_WORDS], at;
};

static void mt_refill(struct mt *s)
{
	for (uint32_t i = 0; i < MT_WORDS; i++) {
		uint32_t y = (s->x[i] & 0x80000000u) | (s->x[(i + 1) % MT_WORDS] & 0x7fffffffu);

		s->x[i] = s->x[(i + MT_MIDDLE) % MT_WORDS] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
	}
	s->at = 0;
}

static uint32_t mt_next(void *state, uint64_t position)
{
	struct mt *s = state;
	uint32_t y;

	(void)position;
	if (s->at == MT_WORDS)
		mt_refill(s);
	y = s->x[s->at++];
	y ^= y >> 11;
	y ^= y << 7 & 0x9d2c5680u;
	y ^= y << 15 & 0xefc60000u;
	return y ^ y >> 18;
}

static void mt_start(void *state, uint64_t seed, uint64_t offset)
{
	struct mt *s = state;

	s->x[0] = (uint32_t)seed;
	for (uint32_t i = 1; i < MT_WORDS; i++)
		s->x[i] = 1812433253u * (s->x[i - 1] ^ s->x[i - 1] >> 30) + i;
	s->at = MT_WORDS;
	for (uint64_t i = 0; i < offset; i++)
		mt_next(state, i);
}

/* --- Philox4x32-10 --- */

struct philox {
	uint64_t seed, group; /* of the words in `out`, plus 1 */
	uint32_t out[4];
};

static void philox_block(const uint32_t counter[4], uint64_t seed, uint32_t out[4])
{
	uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]},
		 key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

	for (int round = 0; round < 10; round++) {
		uint64_t a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];
		const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ key[0], (uint32_t)b,
					  (uint32_t)(a >> 32) ^ c[3] ^ key[1], (uint32_t)a};

		for (int i = 0; i < 4; i++)
			c[i] = next[i];
		key[0] += 0x9E3779B9u;
		key[1] += 0xBB67AE85u;
	}
	for (int i = 0; i < 4; i++)
		out[i] = c[i];
}

static uint32_t philox_next(void *state, uint64_t position)
{
	struct philox *s = state;
	uint64_t group = position / 4;

	if (s->group != group + 1) {
		const uint64_t counter = group / PHILOX_STREAMS;
		const uint32_t words[4] = {(uint32_t)counter, (uint32_t)(counter >> 32),
					   (uint32_t)(group % PHILOX_STREAMS), 0};

		philox_block(words, s->seed, s->out);
		s->group = group + 1;
	}
	return s->out[position % 4];
}

static void philox_start(void *state, uint64_t seed, uint64_t offset)
{
	(void)offset;
	*(struct philox *)state = (struct philox){.seed = seed};
}

/* --- All of them --- */

static const struct generator {
	size_t bytes;
	void (*start)(void *state, uint64_t seed, uint64_t offset);
	uint32_t (*next)(void *state, uint64_t position);
} generators[NUMBERS_KINDS] = {
    [NUMBERS_XORWOW] = {STREAMS * sizeof(struct xorwow), xorwow_start, xorwow_next},
    [NUMBERS_MRG32K3A] = {MRG_STREAMS * sizeof(struct mrg), mrg_start, mrg_next},
    [NUMBERS_MT19937] = {sizeof(struct mt), mt_start, mt_next},
    [NUMBERS_PHILOX] = {sizeof(struct philox), philox_start, philox_next},
};

bool numbers_open(struct numbers *n, enum numbers_kind kind, uint64_t seed, uint64_t offset)
{
	*n = (struct numbers){
	    .kind = kind, .seed = seed, .position = offset, .state = calloc(1, generators[kind].bytes)};
	if (n->state)
		generators[kind].start(n->state, seed, offset);
	return n->state;
}

void numbers_close(struct numbers *n)
{
	free(n->state);
	n->state = NULL;
}

static uint32_t next(struct numbers *n)
{
	return generators[n->kind].next(n->state, n->position++);
}

/* MRG32k3a's numbers are stretched to 32 bits: by 2^32 / m1, to the digits that NVIDIA's library shows. */
uint32_t numbers_word(struct numbers *n)
{
	uint32_t x = next(n);

	return n->kind == NUMBERS_MRG32K3A ? (uint32_t)(x * 1.000000048662) : x;
}

float numbers_uniform(struct numbers *n)
{
	uint32_t x = next(n);

	if (n->kind == NUMBERS_MRG32K3A)
		return (float)(x / (double)(MRG_M1 + 1));
	return (float)x * 0x1p-32f + 0x1p-33f;
}

double numbers_uniform_double(struct numbers *n)
{
	uint64_t x = next(n);

	if (n->kind == NUMBERS_MRG32K3A)
		return (double)x / (double)(MRG_M1 + 1);
	x ^= (uint64_t)next(n) << 21;
	return (double)x * 0x1p-53 + 0x1p-54;
}

/* --- Distributions --- */

static const double two_pi = 6.283185307179586476925;

static double pair(struct numbers *n, double radius_from, double angle_from)
{
	double radius = sqrt(-2 * log(radius_from));

	n->saved = radius * cos(two_pi * angle_from);
	n->has_saved = true;
	return radius * sin(two_pi * angle_from);
}

static bool take_saved(struct numbers *n)
{
	bool had = n->has_saved;

	n->has_saved = false;
	return had;
}

float numbers_normal(struct numbers *n)
{
	float u;

	if (take_saved(n))
		return (float)n->saved;
	u = numbers_uniform(n);
	return (float)pair(n, u, numbers_uniform(n));
}

double numbers_normal_double(struct numbers *n)
{
	double u;

	if (take_saved(n))
		return n->saved;
	u = numbers_uniform_double(n);
	return pair(n, u, numbers_uniform_double(n));
}

uint32_t numbers_poisson(struct numbers *n, double mean)
{
	uint32_t count = 0;

	if (mean > 64) {
		double value = mean + sqrt(mean) * numbers_normal_double(n);

		return value > 0 ? (uint32_t)(value + 0.5) : 0;
	}
	for (double rest = exp(-mean), product = numbers_uniform_double(n); product > rest; count++)
		product *= numbers_uniform_double(n);
	return count;
}
