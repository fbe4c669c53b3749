/*
 * Tracking of a bright disk through the frames of a film by a particle filter, with the shapes of Rodinia's two
 * programs. Each particle is a guess of where the disk is, weighed by the pixels around it; then each is replaced by
 * the first whose share of the running sum of weights reaches its own mark, which a thread looks for from the start on.
 * `naive` does this last search alone on the device, in blocks of 128; the lanes read one and the same sum until they
 * are through. `float` does all there, in blocks of 512: a thread writes the indices of its 69 pixels into a row of its
 * own, reads them back, and with them the pixels. Both compute in double precision.
 *
 *   particlefilter [naive|float [small|study|PARTICLES [FRAMES]]]
 *
 * The suite runs 1000 particles over ten frames of 128 x 128; the size `study` is 4096 over four. One launch of the
 * original's is two here: in it, one thread sums weights that other blocks may not have written yet.
 */
#include "../common/arrays.h"
#include "../common/size.h"

#include <algorithm>

enum { SIDE = 128, RADIUS = 5, NAIVE_BLOCK = 128, BLOCK = 512, SMALL = 1000 };

#define DARK 100
#define BRIGHT 228

/* Also for the host: a repeatable sequence of numbers in (0, 1). */
__host__ __device__ double uniform(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return ((*seed >> 8) + 0.5) / (1 << 24);
}

/* The same with a normal distribution. */
__host__ __device__ double normal(unsigned *seed)
{
	double u = uniform(seed), v = uniform(seed);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* The index of the film's pixel `row` and `column` away from a particle; 0 if it is outside the film. */
__host__ __device__ int pixel_of(double x, double y, int row, int column, int frame, int frames)
{
	int at = abs(((int)x + row) * SIDE * frames + ((int)y + column) * frames + frame);

	return at < SIDE * SIDE * frames ? at : 0;
}

/*
 * How much more likely the pixel is bright than dark. Most of the original's arithmetic is pow(), so it is used here.
 */
__host__ __device__ double evidence(int pixel)
{
	double from_dark = pixel - DARK, from_bright = pixel - BRIGHT;

	return (pow(from_dark, 2) - pow(from_bright, 2)) / 50.0;
}

/* Each particle moves to the first particle whose running sum reaches the mark of the former. */
__global__ void resample(double *x, double *y, double *sums, double *marks, double *new_x, double *new_y, int count)
{
	int me = blockIdx.x * blockDim.x + threadIdx.x, found = count - 1;

	if (me >= count)
		return;
	for (int i = 0; i < count; i++)
		if (sums[i] >= marks[me]) {
			found = i;
			break;
		}
	new_x[me] = x[found];
	new_y[me] = y[found];
}

struct film {
	int frame, frames, points; /* points: of the disk */
	unsigned char *pixels;     /* [row][column][frame] */
	int *offsets;              /* of the disk's points, [point][column, row] */
};

/* Moves each particle with some noise, and weighs it. */
__global__ void weigh(double *x, double *y, double *old_x, double *old_y, unsigned *seeds, film f, int *indices,
		      double *likelihoods, double *weights, double *block_sums, int count)
{
	__shared__ double sums[BLOCK];
	int me = blockIdx.x * blockDim.x + threadIdx.x;

	if (me < count) {
		x[me] = old_x[me] + 1 + 5 * normal(&seeds[me]);
		y[me] = old_y[me] - 2 + 2 * normal(&seeds[me]);
		weights[me] = 1 / (double)count;
	}
	__syncthreads();
	if (me < count) {
		int *row = &indices[me * f.points];
		double sum = 0;

		for (int i = 0; i < f.points; i++)
			row[i] = pixel_of(x[me], y[me], f.offsets[2 * i + 1], f.offsets[2 * i], f.frame, f.frames);
		for (int i = 0; i < f.points; i++)
			sum += evidence(f.pixels[row[i]]);
		likelihoods[me] = sum / f.points;
		weights[me] = weights[me] * exp(likelihoods[me]);
	}
	sums[threadIdx.x] = me < count ? weights[me] : 0;
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		block_sums[blockIdx.x] = sums[0];
}

/* The first thread has all to do, here and in `accumulate`. */
__global__ void total(double *block_sums, double *marks, unsigned *seeds, int count)
{
	if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
		double sum = 0;

		for (unsigned i = 0; i < gridDim.x; i++)
			sum += block_sums[i];
		block_sums[0] = sum;
		marks[count] = uniform(&seeds[0]) / count;
	}
}

/* Each mark is the same distance after the last. The first is what `total` has left behind them. */
__global__ void normalize(double *weights, double *block_sums, double *marks, int count)
{
	__shared__ double sum, first_mark;
	int me = blockIdx.x * blockDim.x + threadIdx.x;

	if (threadIdx.x == 0) {
		sum = block_sums[0];
		first_mark = marks[count];
	}
	__syncthreads();
	if (me < count) {
		weights[me] = weights[me] / sum;
		marks[me] = first_mark + me / (double)count;
	}
}

__global__ void accumulate(double *sums, double *weights, int count)
{
	if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
		sums[0] = weights[0];
		for (int i = 1; i < count; i++)
			sums[i] = weights[i] + sums[i - 1];
	}
}

struct filter {
	int count, frames, blocks;
	array<double> x, y, new_x, new_y, sums, marks, weights, likelihoods, block_sums;
	array<unsigned> seeds;
	array<unsigned char> pixels;
	std::vector<int> disk;
	array<int> offsets, indices;

	filter(int particles, int frame_count)
	    : count(particles), frames(frame_count), blocks((count + BLOCK - 1) / BLOCK), x(count), y(count),
	      new_x(count), new_y(count), sums(count), marks(count + 1), weights(count), likelihoods(count),
	      block_sums(blocks), seeds(count), pixels((size_t)SIDE * SIDE * frames), disk(points_of_disk()),
	      offsets(disk.size()), indices((size_t)count * disk.size() / 2)
	{
		for (int i = 0; i < count; i++)
			seeds.host[i] = (unsigned)i * 7919u + 1;
		new_x.host.assign(count, SIDE / 2.0);
		new_y.host.assign(count, SIDE / 2.0);
		offsets.host = disk;
		film_disk();
		for (const array<double> *a : {&new_x, &new_y})
			a->upload();
		seeds.upload();
		pixels.upload();
		offsets.upload();
	}
	int points() const
	{
		return (int)disk.size() / 2;
	}

private:
	static std::vector<int> points_of_disk()
	{
		std::vector<int> points;

		for (int row = -RADIUS; row <= RADIUS; row++)
			for (int column = -RADIUS; column <= RADIUS; column++)
				if (row * row + column * column < RADIUS * RADIUS) {
					points.push_back(column);
					points.push_back(row);
				}
		return points;
	}
	/* The disk goes one row down and two columns to the left in each frame. */
	void film_disk()
	{
		unsigned seed = 5;

		for (unsigned char &pixel : pixels.host)
			pixel = (unsigned char)(DARK + 5 * normal(&seed));
		for (int frame = 0; frame < frames; frame++)
			for (size_t i = 0; i < disk.size(); i += 2) {
				double row = SIDE / 2 + frame, column = SIDE / 2 - 2 * frame;
				int at = pixel_of(row, column, disk[i + 1], disk[i], frame, frames);

				pixels.host[at] = (unsigned char)(BRIGHT + 5 * normal(&seed));
			}
	}
};

static double likelihood_on_cpu(const filter &f, int particle, int frame)
{
	double sum = 0;

	for (size_t i = 0; i < f.disk.size(); i += 2)
		sum += evidence(f.pixels.host[pixel_of(f.x.host[particle], f.y.host[particle], f.disk[i + 1], f.disk[i],
						       frame, f.frames)]);
	return sum / f.points();
}

static void move_on_cpu(filter &f)
{
	for (int i = 0; i < f.count; i++) {
		f.x.host[i] = f.new_x.host[i] + 1 + 5 * normal(&f.seeds.host[i]);
		f.y.host[i] = f.new_y.host[i] - 2 + 2 * normal(&f.seeds.host[i]);
	}
}

/* The weights' shares of their sum, and the running sums of these. */
static void normalize_on_cpu(filter &f)
{
	double sum = 0, running = 0;

	for (double weight : f.weights.host)
		sum += weight;
	for (int i = 0; i < f.count; i++)
		f.sums.host[i] = running += f.weights.host[i] / sum;
}

/* The number of particles whose place differs from a binary search's. Leaves the device's places in new_x and new_y. */
static int wrong_places(filter &f)
{
	int wrong = 0;

	f.new_x.host = f.new_x.download();
	f.new_y.host = f.new_y.download();
	for (int i = 0; i < f.count; i++) {
		auto found = std::lower_bound(f.sums.host.begin(), f.sums.host.end(), f.marks.host[i]);
		size_t from = std::min<size_t>(found - f.sums.host.begin(), f.count - 1);

		wrong += f.new_x.host[i] != f.x.host[from] || f.new_y.host[i] != f.y.host[from];
	}
	return wrong;
}

static int naive_frame(filter &f, int frame)
{
	double first;

	move_on_cpu(f);
	for (int i = 0; i < f.count; i++)
		f.weights.host[i] = std::exp(likelihood_on_cpu(f, i, frame));
	normalize_on_cpu(f);
	first = uniform(&f.seeds.host[0]) / f.count;
	for (int i = 0; i < f.count; i++)
		f.marks.host[i] = first + i / (double)f.count;
	for (const array<double> *a : {&f.x, &f.y, &f.sums, &f.marks})
		a->upload();
	resample<<<(f.count + NAIVE_BLOCK - 1) / NAIVE_BLOCK, NAIVE_BLOCK>>>(
	    f.x.device, f.y.device, f.sums.device, f.marks.device, f.new_x.device, f.new_y.device, f.count);
	CHECK(cudaGetLastError());
	return wrong_places(f);
}

/*
 * Checks the first launch's results. It checks the weights at the device's places, since at places a little off they
 * may differ.
 */
static int wrong_weights(filter &f, int frame)
{
	int wrong;

	move_on_cpu(f);
	wrong = differences(f.x, 1e-9) + differences(f.y, 1e-9);
	f.x.host = f.x.download();
	f.y.host = f.y.download();
	for (int i = 0; i < f.count; i++) {
		f.likelihoods.host[i] = likelihood_on_cpu(f, i, frame);
		f.weights.host[i] = std::exp(f.likelihoods.host[i]);
	}
	wrong += differences(f.likelihoods, 1e-9);
	normalize_on_cpu(f);
	return wrong;
}

static int float_frame(filter &f, int frame)
{
	film shown = {frame, f.frames, f.points(), f.pixels.device, f.offsets.device};
	int wrong;

	weigh<<<f.blocks, BLOCK>>>(f.x.device, f.y.device, f.new_x.device, f.new_y.device, f.seeds.device, shown,
				   f.indices.device, f.likelihoods.device, f.weights.device, f.block_sums.device,
				   f.count);
	total<<<f.blocks, BLOCK>>>(f.block_sums.device, f.marks.device, f.seeds.device, f.count);
	normalize<<<f.blocks, BLOCK>>>(f.weights.device, f.block_sums.device, f.marks.device, f.count);
	accumulate<<<f.blocks, BLOCK>>>(f.sums.device, f.weights.device, f.count);
	resample<<<f.blocks, BLOCK>>>(f.x.device, f.y.device, f.sums.device, f.marks.device, f.new_x.device,
				      f.new_y.device, f.count);
	CHECK(cudaGetLastError());
	wrong = wrong_weights(f, frame) + differences(f.sums, 1e-9);
	f.sums.host = f.sums.download();
	f.marks.host[f.count] = uniform(&f.seeds.host[0]) / f.count;
	for (int i = 0; i < f.count; i++)
		f.marks.host[i] = f.marks.host[f.count] + i / (double)f.count;
	wrong += differences(f.marks, 1e-15);
	f.marks.host = f.marks.download();
	return wrong + wrong_places(f);
}

int main(int argc, char **argv)
{
	static const char usage[] = "particlefilter [naive|float [small|study|PARTICLES [FRAMES]]], at most 30 frames";
	bool is_naive = argc < 2 || strcmp(argv[1], "naive") == 0;
	int count = small_or_study(argc - 1, argv + 1, SMALL, 4096, usage), wrong = 0;
	int frames = argc > 3 ? positive(argv[3], usage) : count == SMALL ? 3 : 4;

	if ((!is_naive && strcmp(argv[1], "float") != 0) || frames > 30 || count > 1 << 20) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	filter f(count, frames);

	for (int frame = 1; frame < frames && wrong == 0; frame++)
		wrong = is_naive ? naive_frame(f, frame) : float_frame(f, frame);
	printf("particlefilter: %d particles, %d frames, %d wrong\n", count, frames, wrong);
	return wrong != 0;
}
