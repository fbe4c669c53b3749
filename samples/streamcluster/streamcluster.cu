/*
 * A step of online clustering, with the shape of Rodinia's streamcluster. Each launch computes what it would save to
 * open a centre at a further point, the candidate. A thread computes the distance of its point to the candidate, whose
 * coordinates all threads read. It adds the saving to its own row, which has a number for each centre. The coordinates
 * are stored dimension by dimension, so their loads are coalesced; the loads of points' records and rows are strided.
 *
 *   streamcluster [small|study|POINTS [DIMENSIONS [CANDIDATES]]]
 *
 * The suite runs it with 65,536 points of 256 dimensions and 10 to 20 centres, in thousands of launches. The size
 * `study` has a quarter of the points and of the dimensions, and 16 launches.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <cfloat>

enum { BLOCK = 512, FEWEST_CENTRES = 10, MOST_CENTRES = 20, SMALL = 1024 };

struct point {
	float weight;
	float *coordinates; /* of the host, as in the original; here none */
	long centre;
	float cost; /* the distance to its centre */
};

__device__ float distance(int a, int b, int count, int dimensions, float *coordinates)
{
	float sum = 0;

	for (int i = 0; i < dimensions; i++) {
		float apart = coordinates[i * count + a] - coordinates[i * count + b];

		sum += apart * apart;
	}
	return sum;
}

/*
 * A row has a number for each centre, what its points would lose without it, and a last number for what moving points
 * gain.
 */
__global__ void consider(int count, int dimensions, long candidate, point *points, int centres, float *coordinates,
			 float *changes, int *rank_of_centre, char *moves)
{
	int me = blockIdx.x * blockDim.x + threadIdx.x;

	if (me >= count)
		return;
	float *row = &changes[me * (centres + 1)];
	float cost = distance(me, candidate, count, dimensions, coordinates) * points[me].weight;

	if (cost < points[me].cost) {
		moves[me] = 1;
		row[centres] += cost - points[me].cost;
	} else {
		row[rank_of_centre[points[me].centre]] += points[me].cost - cost;
	}
}

struct problem {
	int count, dimensions;
	std::vector<long> centres;
	double price = 0; /* of a centre */
	array<point> points;
	array<float> coordinates; /* [dimension][point] */
	array<float> changes;
	array<int> ranks; /* of those points that are centres */
	array<char> moves;

	problem(int points_count, int dimension_count)
	    : count(points_count), dimensions(dimension_count), points(count), coordinates((size_t)count * dimensions),
	      changes((size_t)count * (MOST_CENTRES + 1)), ranks(count), moves(count)
	{
		fill(coordinates, 1, 1);
		for (int i = 0; i < count; i++)
			points.host[i] = {1 + (float)(i % 3), nullptr, 0, FLT_MAX};
		for (int i = 0; i < FEWEST_CENTRES; i++)
			add((long)i * count / FEWEST_CENTRES);
		for (const point &p : points.host)
			price += p.cost / (2 * FEWEST_CENTRES);
	}

	double cost(int a, long b) const
	{
		double sum = 0;

		for (int i = 0; i < dimensions; i++) {
			const float *plane = &coordinates.host[(size_t)i * count];

			sum += ((double)plane[a] - plane[b]) * ((double)plane[a] - plane[b]);
		}
		return sum * points.host[a].weight;
	}

	void add(long centre)
	{
		centres.push_back(centre);
		rank_centres();
		for (int i = 0; i < count; i++)
			if (cost(i, centre) < points.host[i].cost)
				assign(i, centre);
	}
	void assign(int i, long centre)
	{
		points.host[i].centre = centre;
		points.host[i].cost = (float)cost(i, centre);
	}
	void rank_centres()
	{
		for (size_t rank = 0; rank < centres.size(); rank++)
			ranks.host[centres[rank]] = (int)rank;
	}
};

static void consider_on_device(const problem &p, long candidate)
{
	size_t used = (size_t)p.count * (p.centres.size() + 1);

	p.points.upload();
	p.ranks.upload();
	CHECK(cudaMemset(p.changes.device, 0, used * sizeof(float)));
	CHECK(cudaMemset(p.moves.device, 0, p.count * sizeof(bool)));
	consider<<<(p.count + BLOCK - 1) / BLOCK, BLOCK>>>(p.count, p.dimensions, candidate, p.points.device,
							   (int)p.centres.size(), p.coordinates.device,
							   p.changes.device, p.ranks.device, p.moves.device);
	CHECK(cudaGetLastError());
}

/* The number of points with a wrong row or flag. If both centres are equally far, either flag is right. */
static int wrong_points(problem &p, long candidate)
{
	size_t row = p.centres.size() + 1;
	int wrong = 0;

	p.changes.host = p.changes.download();
	p.moves.host = p.moves.download();
	for (int i = 0; i < p.count; i++) {
		double saved = p.points.host[i].cost - p.cost(i, candidate), least = 1e-4 * (1 + p.points.host[i].cost);
		size_t place = saved > 0 ? row - 1 : p.ranks.host[p.points.host[i].centre];
		bool is_wrong = p.moves.host[i] != (saved > 0) && std::fabs(saved) > least;

		for (size_t k = 0; k < row; k++) {
			double expected = k == place ? -std::fabs(saved) : 0;

			is_wrong |= std::fabs(p.changes.host[i * row + k] - expected) > least;
		}
		wrong += is_wrong;
	}
	return wrong;
}

/* Opens a centre at the candidate where that brings more than its price, and closes those that it makes too dear. */
static void decide(problem &p, long candidate)
{
	size_t row = p.centres.size() + 1;
	std::vector<double> totals(row);
	std::vector<long> kept;
	double change = p.price;

	for (size_t i = 0; i < p.count * row; i++)
		totals[i % row] += p.changes.host[i];
	for (size_t rank = 0; rank < p.centres.size(); rank++)
		if (p.price + totals[rank] > 0)
			change -= p.price + totals[rank];
		else
			kept.push_back(p.centres[rank]);
	if (change + totals[row - 1] >= 0 || kept.size() == MOST_CENTRES)
		return;
	for (int i = 0; i < p.count; i++)
		if (p.moves.host[i] || p.price + totals[p.ranks.host[p.points.host[i].centre]] > 0)
			p.assign(i, candidate);
	kept.push_back(candidate);
	p.centres = kept;
	p.rank_centres();
}

int main(int argc, char **argv)
{
	static const char usage[] = "streamcluster [small|study|POINTS [DIMENSIONS [CANDIDATES]]], at least 10 points";
	int count = small_or_study(argc, argv, SMALL, 16384, usage), wrong = 0;
	int dimensions = argc > 2 ? positive(argv[2], usage) : count == SMALL ? 16 : 64;
	int candidates = argc > 3 ? positive(argv[3], usage) : count == SMALL ? 4 : 16;
	unsigned state = 3;

	if (count < FEWEST_CENTRES || (size_t)count * dimensions > 1 << 28) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	problem p(count, dimensions);

	for (int i = 0; i < candidates && wrong == 0; i++) {
		long candidate = (long)(next_random(&state) * (float)count) % count;

		consider_on_device(p, candidate);
		wrong = wrong_points(p, candidate);
		decide(p, candidate);
	}
	printf("streamcluster: %d points, %d candidates, %d wrong\n", count, candidates, wrong);
	return wrong != 0;
}
