/*
 * Prices of European call options by the binomial model. A block computes an option, whose constants are in constant
 * memory. It has its own array of values at the tree's nodes, and goes back in it from the last step to today, in
 * windows that it folds in shared memory. So blocks share only the constants. The shape follows a public sample.
 *
 *   binomial [small|paper|OPTIONS [STEPS]]
 *
 * By default a tree has 2048 STEPS, and 512 at the small size, so that the last window is not a whole one.
 */
#include "../common/size.h"

#include <cmath>
#include <vector>

/* A window of THREADS nodes goes FOLD steps back, and so gives the values of THREADS - FOLD nodes. */
enum { THREADS = 256, FOLD = 32, MOST_OPTIONS = 1024 };

#define RATE 0.06
#define VOLATILITY 0.10

/* The constants of an option. */
struct tree {
	float price, strike;
	float step;     /* a step up multiplies the price by exp(step), a step down divides it */
	float up, down; /* the steps' probabilities, with a step's interest taken off */
};

__constant__ tree trees[MOST_OPTIONS];

/* The call's value on its last day, after `ups` steps up and the others down. */
__device__ float last_value(const tree &t, int ups, int steps)
{
	float gain = t.price * expf(t.step * (float)(2 * ups - steps)) - t.strike;

	return gain > 0 ? gain : 0;
}

/* `nodes` holds steps + FOLD values for each block; `steps` is a multiple of FOLD. */
__global__ void price_options(float *nodes, float *prices, int steps)
{
	__shared__ float now[THREADS + 1], before[THREADS + 1];
	const tree &t = trees[blockIdx.x];
	float *values = nodes + (size_t)blockIdx.x * (steps + FOLD);
	int thread = threadIdx.x;

	for (int ups = thread; ups <= steps; ups += THREADS)
		values[ups] = last_value(t, ups, steps);
	for (int step = steps; step > 0; step -= FOLD)
		for (int base = 0; base <= step - FOLD; base += THREADS - FOLD) {
			int last = min(THREADS - 1, step - base);

			__syncthreads();
			if (thread <= last)
				now[thread] = values[base + thread];
			for (int count = last; count > last - FOLD; count -= 2) {
				__syncthreads();
				if (thread < count)
					before[thread] = t.up * now[thread + 1] + t.down * now[thread];
				__syncthreads();
				if (thread < count - 1)
					now[thread] = t.up * before[thread + 1] + t.down * before[thread];
			}
			if (thread <= last - FOLD)
				values[base + thread] = now[thread];
		}
	if (thread == 0)
		prices[blockIdx.x] = now[0];
}

struct option {
	double price, strike, years;
};

/* A step of the option's tree: its size, and the discounted probabilities of both directions. */
static void steps_of(const option &o, int steps, double &step, double &up, double &down)
{
	double time = o.years / steps, growth = std::exp(RATE * time);

	step = VOLATILITY * std::sqrt(time);
	up = (growth - std::exp(-step)) / (std::exp(step) - std::exp(-step)) / growth;
	down = 1 / growth - up;
}

static tree tree_of(const option &o, int steps)
{
	double step, up, down;

	steps_of(o, steps, step, up, down);
	return {(float)o.price, (float)o.strike, (float)step, (float)up, (float)down};
}

static double price_on_cpu(const option &o, int steps)
{
	std::vector<double> values(steps + 1);
	double step, up, down;

	steps_of(o, steps, step, up, down);
	for (int ups = 0; ups <= steps; ups++)
		values[ups] = std::fmax(0, o.price * std::exp(step * (2 * ups - steps)) - o.strike);
	for (int left = steps; left > 0; left--)
		for (int ups = 0; ups < left; ups++)
			values[ups] = up * values[ups + 1] + down * values[ups];
	return values[0];
}

static std::vector<option> generate(int count)
{
	std::vector<option> options(count);
	unsigned state = 9;

	for (option &o : options) {
		o.price = 5 + 25 * next_random(&state);
		o.strike = 1 + 99 * next_random(&state);
		o.years = 0.25 + 9.75 * next_random(&state);
	}
	return options;
}

/* The device's prices. */
static std::vector<float> run(const std::vector<option> &options, int steps)
{
	std::vector<float> prices(options.size());
	std::vector<tree> constants;
	float *nodes, *device;

	for (const option &o : options)
		constants.push_back(tree_of(o, steps));
	CHECK(cudaMalloc(&nodes, options.size() * (steps + FOLD) * sizeof(float)));
	CHECK(cudaMalloc(&device, options.size() * sizeof(float)));
	CHECK(cudaMemcpyToSymbol(trees, constants.data(), constants.size() * sizeof(tree)));
	price_options<<<(unsigned)options.size(), THREADS>>>(nodes, device, steps);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(prices.data(), device, options.size() * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(nodes));
	CHECK(cudaFree(device));
	return prices;
}

int main(int argc, char **argv)
{
	static const char usage[] = "binomial [small|paper|OPTIONS [STEPS]], at most 1024 and a multiple of 32";
	int count = chosen_size(argc, argv, 16, MOST_OPTIONS, usage), wrong = 0;
	int steps = argc > 2 ? positive(argv[2], usage) : argc < 2 || strcmp(argv[1], "small") == 0 ? 512 : 2048;

	if (count > MOST_OPTIONS || steps % FOLD) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	std::vector<option> options = generate(count);
	std::vector<float> prices = run(options, steps);
	for (int i = 0; i < count; i++) {
		double expected = price_on_cpu(options[i], steps);

		wrong += !(std::fabs(prices[i] - expected) < 1e-3 * (1 + expected));
	}
	printf("binomial: %d options of %d steps, %d wrong\n", count, steps, wrong);
	return wrong != 0;
}
