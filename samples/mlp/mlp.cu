/*
 * A fully connected network of two layers, applied to a batch: y = relu(W x + bias). One block computes a layer's
 * outputs for one sample, so every block reads the same weights: data shared by all blocks and never written.
 *
 *   mlp [batch [inputs [hidden [outputs]]]]
 */
#include "../common/check.h"

#include <cmath>
#include <vector>

#define BLOCK 128

/* weights: [outputs][inputs], so that a warp reads consecutive weights and then adds up its 32 parts. */
__global__ void dense_relu(const float *weights, const float *bias, const float *input, float *output, int inputs,
			   int outputs)
{
	extern __shared__ float sample[];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

	for (int i = threadIdx.x; i < inputs; i += blockDim.x)
		sample[i] = input[(size_t)blockIdx.x * inputs + i];
	__syncthreads();
	for (int neuron = warp; neuron < outputs; neuron += warps) {
		float sum = 0;

		for (int i = lane; i < inputs; i += 32)
			sum += weights[(size_t)neuron * inputs + i] * sample[i];
		for (int distance = 16; distance; distance /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, distance);
		if (lane == 0)
			output[(size_t)blockIdx.x * outputs + neuron] = fmaxf(sum + bias[neuron], 0.0f);
	}
}

struct layer {
	int inputs, outputs;
	std::vector<float> weights, bias;
	float *device_weights, *device_bias;
};

static float *upload(const std::vector<float> &data)
{
	float *device;

	CHECK(cudaMalloc(&device, data.size() * sizeof(float)));
	CHECK(cudaMemcpy(device, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice));
	return device;
}

static layer make_layer(int inputs, int outputs, unsigned *state)
{
	layer l = {inputs, outputs, std::vector<float>((size_t)inputs * outputs), std::vector<float>(outputs), 0, 0};

	for (float &w : l.weights)
		w = (next_random(state) - 0.5f) * 2.0f / std::sqrt((float)inputs);
	for (float &b : l.bias)
		b = next_random(state) - 0.5f;
	l.device_weights = upload(l.weights);
	l.device_bias = upload(l.bias);
	return l;
}

static void run(const layer &l, const float *input, float *output, int batch)
{
	dense_relu<<<batch, BLOCK, l.inputs * sizeof(float)>>>(l.device_weights, l.device_bias, input, output, l.inputs,
							       l.outputs);
	CHECK(cudaGetLastError());
}

static std::vector<float> reference(const layer &l, const std::vector<float> &input, int batch)
{
	std::vector<float> output((size_t)batch * l.outputs);

	for (int s = 0; s < batch; s++)
		for (int n = 0; n < l.outputs; n++) {
			double sum = l.bias[n];

			for (int i = 0; i < l.inputs; i++)
				sum += (double)l.weights[(size_t)n * l.inputs + i] * input[(size_t)s * l.inputs + i];
			output[(size_t)s * l.outputs + n] = sum > 0 ? (float)sum : 0.0f;
		}
	return output;
}

int main(int argc, char **argv)
{
	static const char usage[] = "mlp [batch [inputs [hidden [outputs]]]]";
	int batch = argc > 1 ? positive(argv[1], usage) : 64;
	int inputs = argc > 2 ? positive(argv[2], usage) : 256;
	int hidden = argc > 3 ? positive(argv[3], usage) : 256;
	int outputs = argc > 4 ? positive(argv[4], usage) : 32;
	unsigned state = 7;
	layer first = make_layer(inputs, hidden, &state), second = make_layer(hidden, outputs, &state);
	std::vector<float> x((size_t)batch * inputs), y((size_t)batch * outputs);
	float *dx, *dh, *dy;
	int wrong = 0;

	for (float &value : x)
		value = next_random(&state);
	dx = upload(x);
	CHECK(cudaMalloc(&dh, (size_t)batch * hidden * sizeof(float)));
	CHECK(cudaMalloc(&dy, y.size() * sizeof(float)));
	run(first, dx, dh, batch);
	run(second, dh, dy, batch);
	CHECK(cudaMemcpy(y.data(), dy, y.size() * sizeof(float), cudaMemcpyDeviceToHost));

	std::vector<float> expected = reference(second, reference(first, x, batch), batch);
	for (size_t i = 0; i < y.size(); i++)
		wrong += !(std::fabs(y[i] - expected[i]) <= 1e-3f);
	printf("mlp: %zu outputs, %d wrong\n", y.size(), wrong);
	return wrong != 0;
}
