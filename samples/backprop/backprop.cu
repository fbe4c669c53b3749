/*
 * A training step of a network with a hidden layer of 16 units, with the shape of Rodinia's backprop. A block of 16 x
 * 16 threads takes 16 of the input units. `forward` sums their weighted inputs for each hidden unit in shared memory,
 * and `adjust` moves their weights along the error. All blocks read the hidden units' 17 deltas. All other data is used
 * once, and as much is written as read.
 *
 *   backprop [small|paper|INPUTS], INPUTS a multiple of 16
 *
 * The paper's size is 136,896 input units. Each has 17 weights, 17 former changes, a value, and a sixteenth of 16
 * partial sums. These are 144 bytes, in all the 18.8 MB (MiB) of shared data in Table III of the SelRep study.
 */
#include "../common/arrays.h"
#include "../common/size.h"

enum { SIDE = 16, HIDDEN = 16, ROW = HIDDEN + 1 /* the first column is the bias' */ };

#define RATE 0.3f
#define MOMENTUM 0.3f

/* Unit 0 of a layer is the bias, so a block starts at row 1 and column 1. */
__device__ int weight_of_thread(int row)
{
	return (blockIdx.y * SIDE + threadIdx.y + 1) * row + threadIdx.x + 1;
}

/* The products in their sum's tree stay where the weights were. */
__global__ void forward(float *inputs, float *weights, float *sums, int hidden)
{
	__shared__ float input[SIDE], product[SIDE][SIDE];
	int x = threadIdx.x, y = threadIdx.y, weight = weight_of_thread(hidden + 1);

	if (x == 0)
		input[y] = inputs[blockIdx.y * SIDE + y + 1];
	__syncthreads();
	product[y][x] = weights[weight] * input[y];
	__syncthreads();
	for (int apart = 1; apart < SIDE; apart *= 2) {
		if (y % (2 * apart) == 0)
			product[y][x] += product[y + apart][x];
		__syncthreads();
	}
	weights[weight] = product[y][x];
	if (x == 0)
		sums[blockIdx.y * hidden + y] = product[0][y];
}

__global__ void adjust(float *deltas, int hidden, float *inputs, float *weights, float *changes)
{
	int x = threadIdx.x + 1, y = blockIdx.y * SIDE + threadIdx.y + 1, weight = weight_of_thread(hidden + 1);

	weights[weight] += RATE * deltas[x] * inputs[y] + MOMENTUM * changes[weight];
	changes[weight] = RATE * deltas[x] * inputs[y] + MOMENTUM * changes[weight];
	__syncthreads();
	if (blockIdx.y == 0 && threadIdx.y == 0) { /* the bias' weights, whose input is 1 */
		weights[x] += RATE * deltas[x] + MOMENTUM * changes[x];
		changes[x] = RATE * deltas[x] + MOMENTUM * changes[x];
	}
}

struct layer {
	int units; /* inputs */
	array<float> inputs, weights, changes, sums, deltas;

	explicit layer(int count)
	    : units(count), inputs(count + 1), weights((size_t)(count + 1) * ROW), changes(weights.host.size()),
	      sums((size_t)count / SIDE * HIDDEN), deltas(ROW)
	{
		fill(inputs, 1, 1);
		fill(weights, 2, 1 / std::sqrt((double)count));
		fill(changes, 3, 0.01);
	}
};

/* The sum over 16 inputs, beginning at `first`. Like a block, it adds the products pairwise, in place. */
static void sum_on_cpu(layer &l, int first, int hidden)
{
	float *products = &l.weights.host[(size_t)(first + 1) * ROW + hidden + 1];

	for (int y = 0; y < SIDE; y++)
		products[y * ROW] *= l.inputs.host[first + y + 1];
	for (int apart = 1; apart < SIDE; apart *= 2)
		for (int y = 0; y < SIDE; y += 2 * apart)
			products[y * ROW] += products[(y + apart) * ROW];
	l.sums.host[(size_t)first / SIDE * HIDDEN + hidden] = products[0];
}

/* The hidden units' values, and their errors if the right value is 1. */
static void errors_on_cpu(layer &l)
{
	for (int hidden = 1; hidden < ROW; hidden++) {
		double sum = l.weights.host[hidden], value;

		for (int block = 0; block < l.units / SIDE; block++)
			sum += l.sums.host[(size_t)block * HIDDEN + hidden - 1];
		value = 1 / (1 + std::exp(-sum));
		l.deltas.host[hidden] = (float)(value * (1 - value) * (1 - value));
	}
}

static void adjust_on_cpu(layer &l)
{
	for (int unit = 0; unit <= l.units; unit++)
		for (int hidden = 1; hidden < ROW; hidden++) {
			size_t weight = (size_t)unit * ROW + hidden;
			float input = unit == 0 ? 1 : l.inputs.host[unit];
			float change = RATE * l.deltas.host[hidden] * input + MOMENTUM * l.changes.host[weight];

			l.weights.host[weight] += change;
			l.changes.host[weight] = change;
		}
}

int main(int argc, char **argv)
{
	static const char usage[] = "backprop [small|paper|INPUTS], INPUTS a multiple of 16, at most 1048560";
	int units = chosen_size(argc, argv, 1024, 136896, usage), wrong_sums, wrong_weights;

	if (units % SIDE || units > 65535 * SIDE) {
		fprintf(stderr, "usage: %s\n", usage);
		return 2;
	}
	layer l(units);
	std::vector<float> weights = l.weights.host;
	dim3 grid(1, units / SIDE), block(SIDE, SIDE);

	forward<<<grid, block>>>(l.inputs.device, l.weights.device, l.sums.device, HIDDEN);
	CHECK(cudaGetLastError());
	for (int first = 0; first < units; first += SIDE)
		for (int hidden = 0; hidden < HIDDEN; hidden++)
			sum_on_cpu(l, first, hidden);
	wrong_sums = differences(l.sums, 1e-5) + differences(l.weights, 1e-5);
	errors_on_cpu(l);
	l.weights.host = weights;
	l.weights.upload();
	l.deltas.upload();
	adjust<<<grid, block>>>(l.deltas.device, HIDDEN, l.inputs.device, l.weights.device, l.changes.device);
	CHECK(cudaGetLastError());
	adjust_on_cpu(l);
	wrong_weights = differences(l.weights, 1e-5) + differences(l.changes, 1e-5);
	printf("forward: %zu sums, %d wrong\n", l.sums.host.size(), wrong_sums);
	printf("adjust: %zu weights, %d wrong\n", l.weights.host.size(), wrong_weights);
	return wrong_sums + wrong_weights != 0;
}
