/*
 * curand's host interface: numbers are made on the host and copied to where they are wanted, in the generator's stream.
 * The library calls the CUDA runtime that the program has, whatever its name.
 */
#include "runtime/api/curand/generators.h"
#include "runtime/api/curand/program_runtime.h"
#include "runtime/include/curand.h"

#include <math.h>
#include <stdlib.h>

struct curandGenerator_st {
	struct numbers numbers;
	bool on_host, stale; /* stale: seed or offset have changed since the numbers were opened */
	uint64_t offset;
	cudaStream_t stream;
};

enum { CHUNK = 1 << 16 };

/* How a number of a distribution is made, and the distribution's parameters. */
struct distribution {
	void (*make)(struct numbers *n, const struct distribution *d, void *out, size_t count);
	size_t bytes;
	double mean, deviation;
};

static bool kind_of(curandRngType_t type, enum numbers_kind *kind)
{
	switch (type) {
	case CURAND_RNG_PSEUDO_DEFAULT:
	case CURAND_RNG_PSEUDO_XORWOW: *kind = NUMBERS_XORWOW; return true;
	case CURAND_RNG_PSEUDO_MRG32K3A: *kind = NUMBERS_MRG32K3A; return true;
	case CURAND_RNG_PSEUDO_MT19937: *kind = NUMBERS_MT19937; return true;
	case CURAND_RNG_PSEUDO_PHILOX4_32_10: *kind = NUMBERS_PHILOX; return true;
	default: return false;
	}
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host)
{
	struct curandGenerator_st *g;
	enum numbers_kind kind;

	if (!generator || !kind_of(type, &kind))
		return CURAND_STATUS_TYPE_ERROR;
	g = calloc(1, sizeof *g);
	if (!g || !numbers_open(&g->numbers, kind, 0, 0)) {
		free(g);
		return CURAND_STATUS_ALLOCATION_FAILED;
	}
	g->on_host = on_host;
	*generator = g;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
	return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
	return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	numbers_close(&generator->numbers);
	free(generator);
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
	*version = CURAND_VERSION;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
	static const int values[] = {
	    [MAJOR_VERSION] = CURAND_VER_MAJOR, [MINOR_VERSION] = CURAND_VER_MINOR, [PATCH_LEVEL] = CURAND_VER_PATCH};

	if ((unsigned)type >= sizeof values / sizeof *values)
		return CURAND_STATUS_OUT_OF_RANGE;
	*value = values[type];
	return CURAND_STATUS_SUCCESS;
}

/* --- Settings --- */

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->stream = stream;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->numbers.seed = seed;
	generator->stale = true;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	generator->offset = offset;
	generator->stale = true;
	return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
	if (!generator)
		return CURAND_STATUS_NOT_INITIALIZED;
	return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC
		   ? CURAND_STATUS_SUCCESS
		   : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions)
{
	(void)dimensions;
	return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

static curandStatus_t refresh(curandGenerator_t g)
{
	if (!g->stale)
		return CURAND_STATUS_SUCCESS;
	numbers_close(&g->numbers);
	g->stale = !numbers_open(&g->numbers, g->numbers.kind, g->numbers.seed, g->offset);
	return g->stale ? CURAND_STATUS_ALLOCATION_FAILED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
	return generator ? refresh(generator) : CURAND_STATUS_NOT_INITIALIZED;
}

/* --- Numbers --- */

#define MAKER(name, type, number)                                                                                      \
	static void make_##name(struct numbers *n, const struct distribution *d, void *out, size_t count)              \
	{                                                                                                              \
		type *to = out;                                                                                        \
                                                                                                                       \
		(void)d;                                                                                               \
		for (size_t i = 0; i < count; i++)                                                                     \
			to[i] = number;                                                                                \
	}
MAKER(word, uint32_t, numbers_word(n))
MAKER(uniform, float, numbers_uniform(n))
MAKER(uniform_double, double, numbers_uniform_double(n))
MAKER(normal, float, (float)d->mean + (float)d->deviation * numbers_normal(n))
MAKER(normal_double, double, d->mean + d->deviation * numbers_normal_double(n))
MAKER(log_normal, float, expf((float)d->mean + (float)d->deviation * numbers_normal(n)))
MAKER(log_normal_double, double, exp(d->mean + d->deviation * numbers_normal_double(n)))
MAKER(poisson, uint32_t, numbers_poisson(n, d->mean))

static curandStatus_t copy(curandGenerator_t g, const struct distribution *d, char *output, size_t count)
{
	char *chunk = malloc(CHUNK * d->bytes);
	cudaError_t error = cudaSuccess;

	if (!chunk)
		return CURAND_STATUS_ALLOCATION_FAILED;
	for (size_t at = 0; at < count && !error; at += CHUNK) {
		size_t some = count - at < CHUNK ? count - at : CHUNK;

		d->make(&g->numbers, d, chunk, some);
		error = program_copy(output + at * d->bytes, chunk, some * d->bytes, g->stream);
		if (!error)
			error = program_wait(g->stream);
	}
	free(chunk);
	return error ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

static curandStatus_t generate(curandGenerator_t g, const struct distribution *d, void *output, size_t count)
{
	curandStatus_t status = g ? refresh(g) : CURAND_STATUS_NOT_INITIALIZED;

	if (status)
		return status;
	g->numbers.has_saved = false;
	if (!g->on_host)
		return copy(g, d, output, count);
	d->make(&g->numbers, d, output, count);
	return CURAND_STATUS_SUCCESS;
}

static curandStatus_t generate_pairs(curandGenerator_t g, const struct distribution *d, void *output, size_t count)
{
	return count % 2 ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : generate(g, d, output, count);
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output, size_t count)
{
	const struct distribution d = {make_word, sizeof *output, 0, 0};

	return generate(generator, &d, output, count);
}

/* Only the 64-bit quasi-random generators give these. */
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *output, size_t count)
{
	(void)output, (void)count;
	return generator ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t count)
{
	const struct distribution d = {make_uniform, sizeof *output, 0, 0};

	return generate(generator, &d, output, count);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, size_t count)
{
	const struct distribution d = {make_uniform_double, sizeof *output, 0, 0};

	return generate(generator, &d, output, count);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t count, float mean,
				    float deviation)
{
	const struct distribution d = {make_normal, sizeof *output, mean, deviation};

	return generate_pairs(generator, &d, output, count);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t count, double mean,
					  double deviation)
{
	const struct distribution d = {make_normal_double, sizeof *output, mean, deviation};

	return generate_pairs(generator, &d, output, count);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t count, float mean,
				       float deviation)
{
	const struct distribution d = {make_log_normal, sizeof *output, mean, deviation};

	return generate_pairs(generator, &d, output, count);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output, size_t count, double mean,
					     double deviation)
{
	const struct distribution d = {make_log_normal_double, sizeof *output, mean, deviation};

	return generate_pairs(generator, &d, output, count);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *output, size_t count, double mean)
{
	const struct distribution d = {make_poisson, sizeof *output, mean, 0};

	return mean > 0 ? generate(generator, &d, output, count) : CURAND_STATUS_OUT_OF_RANGE;
}
