// curand.h: known words, offsets, the shape of the distributions, both kinds of memory, refusals.
// options: -lcurand
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <vector>

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			printf("line %d: %s\n", __LINE__, #condition);                                                 \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)
#define OK(call) CHECK((call) == CURAND_STATUS_SUCCESS)

static const size_t N = 100000;

/* First words from the definitions; `later` is at position `at`. */
struct known {
	curandRngType_t type;
	unsigned long long seed;
	unsigned int words[3];
	size_t at;
	unsigned int later;
};
static const known sequences[] = {
	{CURAND_RNG_PSEUDO_PHILOX4_32_10, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c}, 3, 0x9b00dbd8},
	{CURAND_RNG_PSEUDO_MT19937, 5489, {3499211612u, 581869302u, 3890346734u}, 9999, 4123659995u},
	{CURAND_RNG_PSEUDO_MRG32K3A, 0, {545508615u, 341016064u, 1125210161u}, 81920, 1368065476u},
};

static int check_words(const known &k)
{
	std::vector<unsigned int> all(N), some(10);
	curandGenerator_t g;

	OK(curandCreateGeneratorHost(&g, k.type));
	OK(curandSetPseudoRandomGeneratorSeed(g, k.seed));
	OK(curandGenerate(g, all.data(), N));
	for (int i = 0; i < 3; i++)
		CHECK(all[i] == k.words[i]);
	CHECK(all[k.at] == k.later);
	OK(curandSetGeneratorOffset(g, 90001));
	OK(curandGenerate(g, some.data(), 5));
	OK(curandGenerate(g, some.data() + 5, 5));
	for (int i = 0; i < 10; i++)
		CHECK(some[i] == all[90001 + i]);
	OK(curandDestroyGenerator(g));
	return 0;
}

template <class T> static int check_moments(const T *data, double mean, double variance)
{
	double sum = 0, squares = 0, m;

	for (size_t i = 0; i < N; i++) {
		sum += data[i];
		squares += (double)data[i] * data[i];
	}
	m = sum / N;
	if (fabs(m - mean) < 0.02 * (1 + sqrt(variance)) && fabs(squares / N - m * m - variance) < 0.05 * (variance + 0.01))
		return 0;
	printf("mean %g instead of %g, variance %g instead of %g\n", m, mean, squares / N - m * m, variance);
	return 1;
}

static int check_distributions(curandRngType_t type)
{
	float *single;
	double *twice;
	unsigned int *words;
	curandGenerator_t g;
	cudaStream_t stream;

	cudaMallocManaged(&single, N * sizeof *single);
	cudaMallocManaged(&twice, N * sizeof *twice);
	cudaMallocManaged(&words, N * sizeof *words);
	cudaStreamCreate(&stream);
	OK(curandCreateGenerator(&g, type));
	OK(curandSetStream(g, stream));
	OK(curandSetPseudoRandomGeneratorSeed(g, 42));
	OK(curandGenerateUniform(g, single, N));
	for (size_t i = 0; i < N; i++)
		CHECK(single[i] > 0 && single[i] <= 1);
	CHECK(!check_moments(single, 0.5, 1 / 12.0));
	OK(curandGenerateUniformDouble(g, twice, N));
	CHECK(!check_moments(twice, 0.5, 1 / 12.0));
	OK(curandGenerateNormal(g, single, N, 3, 2));
	CHECK(!check_moments(single, 3, 4));
	OK(curandGenerateNormalDouble(g, twice, N, -1, 0.5));
	CHECK(!check_moments(twice, -1, 0.25));
	OK(curandGenerateLogNormal(g, single, N, 0, 0.25f));
	CHECK(!check_moments(single, exp(0.03125), (exp(0.0625) - 1) * exp(0.0625)));
	OK(curandGenerateLogNormalDouble(g, twice, N, 0, 0.25));
	CHECK(!check_moments(twice, exp(0.03125), (exp(0.0625) - 1) * exp(0.0625)));
	OK(curandGeneratePoisson(g, words, N, 4));
	CHECK(!check_moments(words, 4, 4));
	OK(curandGeneratePoisson(g, words, N, 400));
	CHECK(!check_moments(words, 400, 400));
	CHECK(curandGenerateNormal(g, single, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
	CHECK(curandGeneratePoisson(g, words, N, 0) == CURAND_STATUS_OUT_OF_RANGE);
	CHECK(curandGenerateUniform(g, single + 10, N) == CURAND_STATUS_LAUNCH_FAILURE);
	OK(curandDestroyGenerator(g));
	return 0;
}

int main()
{
	curandGenerator_t g;
	int version;

	for (const known &k : sequences)
		CHECK(!check_words(k));
	for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MT19937,
				     CURAND_RNG_PSEUDO_PHILOX4_32_10})
		CHECK(!check_distributions(type));
	CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);
	CHECK(curandDestroyGenerator(nullptr) == CURAND_STATUS_NOT_INITIALIZED);
	OK(curandGetVersion(&version));
	CHECK(version == CURAND_VERSION);
	puts("ok");
	return 0;
}
