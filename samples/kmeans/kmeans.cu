/*
 * Clustering by k-means, with the shape of Rodinia's kmeans. A thread looks for the nearest of five centres to its
 * point of 34 features, and the host moves the centres. The centres are in constant memory. The features are plain
 * loads, not texture fetches. `strided` reads them in their given order, a point's 34 side by side: each load of a warp
 * touches 32 lines or more, and the next 31 turns of the loop read the same lines again. `transposed` first transposes
 * the array, then reads it coalesced. Both read it once for each centre.
 *
 *   kmeans [strided|transposed [small|study|POINTS [ROUNDS]]]
 *
 * The suite's input has 494,020 points. The size `study` is a sixteenth of it and a single round, since all rounds cost
 * the same. The small size has three rounds.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <cfloat>

enum { FEATURES = 34, CENTRES = 5, BLOCK = 256, SMALL = 2000 };

__constant__ float centres[CENTRES * FEATURES];

__global__ void transpose(float *points, float *features, int count, int width)
{
	int point = blockIdx.x * blockDim.x + threadIdx.x;

	if (point < count)
		for (int feature = 0; feature < width; feature++)
			features[point + count * feature] = points[point * width + feature];
}

/* In `features` is_strided ? [point][feature] : [feature][point]. The grid is a square. */
template <bool is_strided>
__global__ void assign(float *features, int width, int count, int centre_count, int *nearest)
{
	int point = (gridDim.x * blockIdx.y + blockIdx.x) * blockDim.x + threadIdx.x, best = -1;
	float least = FLT_MAX;

	if (point >= count)
		return;
	for (int centre = 0; centre < centre_count; centre++) {
		float distance = 0;

		for (int feature = 0; feature < width; feature++) {
			int at = is_strided ? point * width + feature : point + feature * count;
			float apart = features[at] - centres[centre * width + feature];

			distance += apart * apart;
		}
		if (distance < least) {
			least = distance;
			best = centre;
		}
	}
	nearest[point] = best;
}

struct problem {
	int count;
	array<float> points, features; /* [point][feature], [feature][point] */
	array<int> nearest;
	std::vector<float> centres;

	explicit problem(int points_count)
	    : count(points_count), points((size_t)count * FEATURES), features(points.host.size()), nearest(count),
	      centres(CENTRES * FEATURES)
	{
		fill(points, 1, 1);
		for (int centre = 0; centre < CENTRES; centre++) /* the first points, wherever they are */
			for (int feature = 0; feature < FEATURES; feature++)
				centres[centre * FEATURES + feature] = points.host[centre * FEATURES + feature];
	}
};

static void assign_on_device(const problem &p, bool is_strided)
{
	int blocks = (p.count + BLOCK - 1) / BLOCK, side = (int)std::ceil(std::sqrt((double)blocks));
	dim3 grid(side, side);

	CHECK(cudaMemcpyToSymbol(centres, p.centres.data(), p.centres.size() * sizeof(float)));
	if (is_strided)
		assign<true><<<grid, BLOCK>>>(p.points.device, FEATURES, p.count, CENTRES, p.nearest.device);
	else
		assign<false><<<grid, BLOCK>>>(p.features.device, FEATURES, p.count, CENTRES, p.nearest.device);
	CHECK(cudaGetLastError());
}

static double distance_on_cpu(const problem &p, int point, int centre)
{
	const float *a = &p.points.host[(size_t)point * FEATURES], *b = &p.centres[(size_t)centre * FEATURES];
	double sum = 0;

	for (int feature = 0; feature < FEATURES; feature++)
		sum += ((double)a[feature] - b[feature]) * ((double)a[feature] - b[feature]);
	return sum;
}

/* The number of points that are not at their nearest centre. If two centres are equally far, either is right. */
static int wrong_points(problem &p)
{
	int wrong = 0;

	p.nearest.host = p.nearest.download();
	for (int point = 0; point < p.count; point++) {
		int chosen = p.nearest.host[point];
		double least = DBL_MAX;

		for (int centre = 0; centre < CENTRES; centre++)
			least = std::fmin(least, distance_on_cpu(p, point, centre));
		wrong += chosen < 0 || chosen >= CENTRES || distance_on_cpu(p, point, chosen) > least * (1 + 1e-5);
	}
	return wrong;
}

/* Moves each centre to the middle of its points; a centre without points stays. */
static void move_centres(problem &p)
{
	std::vector<double> sums(p.centres.size());
	std::vector<int> members(CENTRES);

	for (int point = 0; point < p.count; point++) {
		int centre = p.nearest.host[point];

		members[centre]++;
		for (int feature = 0; feature < FEATURES; feature++)
			sums[centre * FEATURES + feature] += p.points.host[(size_t)point * FEATURES + feature];
	}
	for (size_t i = 0; i < sums.size(); i++)
		if (members[i / FEATURES] > 0)
			p.centres[i] = (float)(sums[i] / members[i / FEATURES]);
}

int main(int argc, char **argv)
{
	static const char usage[] = "kmeans [strided|transposed [small|study|POINTS [ROUNDS]]], at least 5 points";
	bool is_strided = argc < 2 || strcmp(argv[1], "strided") == 0;
	int count = small_or_study(argc - 1, argv + 1, SMALL, 30876, usage), wrong = 0;
	int rounds = argc > 3 ? positive(argv[3], usage) : count == SMALL ? 3 : 1;

	if ((!is_strided && strcmp(argv[1], "transposed") != 0) || count < CENTRES || count > 1 << 24) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	problem p(count);

	if (!is_strided)
		transpose<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(p.points.device, p.features.device, count, FEATURES);
	for (int round = 0; round < rounds && wrong == 0; round++) {
		assign_on_device(p, is_strided);
		wrong = wrong_points(p);
		if (wrong == 0)
			move_centres(p);
	}
	printf("kmeans: %d points, %d rounds, %d wrong\n", count, rounds, wrong);
	return wrong != 0;
}
