/*
 * Similarity of documents: the angle between the feature vectors of each two documents, then all pairs in falling order
 * of similarity, with the shape of Mars' SimilarityScore. A thread takes a pair, and reads four features of each
 * document at a time. Neighbouring lanes have the same first document and different second documents, so their loads
 * are a whole vector apart: a load touches 32 lines, and the next seven turns read the rest of them.
 *
 *   similarity [small|study|DOCUMENTS [FEATURES]]
 *
 * FEATURES is a multiple of 4. `study` has 192 documents of 256 features, 18,336 pairs (Mars 1,024 documents).
 */
#include "../common/mapreduce.h"

struct vectors {
	float *features;
};

struct two_documents {
	int first, second, features;
	float result; /* never written; makes the record as long as the original's */
};

struct scoring {
	static __device__ void count(char *, char *, counter &out)
	{
		out.emit(sizeof(float), sizeof(int2));
	}
	static __device__ void map(char *key, char *value, emitter &out)
	{
		float *features = ((vectors *)key)->features;
		two_documents *two = (two_documents *)value;
		float4 *a = (float4 *)(features + two->first * two->features);
		float4 *b = (float4 *)(features + two->second * two->features);
		float product = 0, a_square = 0, b_square = 0;

		for (int i = 0; i < two->features / 4; i++) {
			float4 x = a[i], y = b[i];

			product += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
			a_square += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
			b_square += y.x * y.x + y.y * y.y + y.z * y.z + y.w * y.w;
		}
		float *score = (float *)task_buffer();
		int *documents = (int *)(score + 1);

		*score = product / (sqrtf(a_square) * sqrtf(b_square));
		documents[0] = two->first;
		documents[1] = two->second;
		out.emit(score, documents, sizeof(float), sizeof(int2));
	}
	static __device__ int compare(const char *key, const char *other)
	{
		float a = *(const float *)key, b = *(const float *)other;

		if (fabsf(a - b) < 0.0000001f)
			return 0;
		return a < b ? 1 : -1;
	}
};

static double score_of(const std::vector<float> &features, int size, int first, int second)
{
	double product = 0, squares = 0, other_squares = 0;

	for (int i = 0; i < size; i++) {
		double a = features[(size_t)first * size + i], b = features[(size_t)second * size + i];

		product += a * b;
		squares += a * a;
		other_squares += b * b;
	}
	return product / std::sqrt(squares * other_squares);
}

/* Checks that each pair is there once, with its score, and that no pair follows one with a smaller score. */
static int check(const pairs &sorted, const std::vector<float> &features, int documents, int size)
{
	std::vector<bool> met((size_t)documents * documents);
	int wrong = 0;

	for (int i = 0; i < sorted.count(); i++) {
		int2 two = sorted.value<int2>(i);
		float score = sorted.key<float>(i);

		wrong += two.x >= two.y || met[(size_t)two.x * documents + two.y] ||
			 !(std::fabs(score - score_of(features, size, two.x, two.y)) < 1e-5) ||
			 (i > 0 && score > sorted.key<float>(i - 1) + 1e-6f);
		met[(size_t)two.x * documents + two.y] = true;
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static const char usage[] = "similarity [small|study|DOCUMENTS [FEATURES]], FEATURES a multiple of 4";
	int documents = chosen_number(argc, argv, 64, 192, usage);
	int size = argc > 2 ? positive(argv[2], usage) : 256, wrong;
	unsigned state = 37;

	if (size % 4 || documents < 2 || documents > 4096 || size > 4096) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	array<float> features((size_t)documents * size);
	for (float &feature : features.host)
		feature = (float)(int)(next_random(&state) * 100);
	features.upload();
	std::vector<two_documents> twos;
	for (int first = 0; first < documents; first++)
		for (int second = first + 1; second < documents; second++)
			twos.push_back({first, second, size, 0});
	std::vector<vectors> keys(twos.size(), {features.device});
	std::unique_ptr<pairs> given = make_pairs(keys, twos), scored = map_pairs<scoring>(*given);
	grouped ranked = group_pairs<scoring>(*scored);

	ranked.sorted->download();
	wrong = check(*ranked.sorted, features.host, documents, size) + (ranked.sorted->count() != (int)twos.size());
	printf("similarity: %d pairs of %d documents, %d wrong\n", ranked.sorted->count(), documents, wrong);
	return wrong != 0;
}
