/*
 * Prices of European call and put options after Black and Scholes. 480 blocks of 128 threads stride over the options. A
 * warp's load or store touches a single line, and each line is used once, so no cache can help. The shape follows a
 * public sample.
 *
 *   blackscholes [small|paper|OPTIONS]
 */
#include "../common/size.h"

#include <cmath>
#include <vector>

enum { BLOCKS = 480, THREADS = 128 };

#define RATE 0.02f
#define VOLATILITY 0.30f

/* The normal distribution's integral, by Abramowitz and Stegun's polynomial 26.2.17, which is good to 7.5e-8. */
__device__ float normal_integral(float x)
{
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
	float polynomial =
	    k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
	float tail = 0.39894228f * expf(-0.5f * x * x) * polynomial;

	return x > 0 ? 1.0f - tail : tail;
}

__global__ void price_options(const float *prices, const float *strikes, const float *years, float *calls, float *puts,
			      int options)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += gridDim.x * blockDim.x) {
		float price = prices[i], strike = strikes[i], time = years[i];
		float root = sqrtf(time), discounted = strike * expf(-RATE * time);
		float d1 =
		    (logf(price / strike) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * time) / (VOLATILITY * root);
		float in1 = normal_integral(d1), in2 = normal_integral(d1 - VOLATILITY * root);

		calls[i] = price * in1 - discounted * in2;
		puts[i] = discounted * (1.0f - in2) - price * (1.0f - in1);
	}
}

struct option {
	float price, strike, years;
};

/* An option's call and put on the CPU, in double precision and with the exact integral. */
static void price_on_cpu(const option &o, double &call, double &put)
{
	double root = std::sqrt((double)o.years), discounted = o.strike * std::exp(-(double)RATE * o.years);
	double d1 = (std::log((double)o.price / o.strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * o.years) /
		    (VOLATILITY * root);
	double in1 = 0.5 * std::erfc(-d1 / std::sqrt(2.0));
	double in2 = 0.5 * std::erfc(-(d1 - VOLATILITY * root) / std::sqrt(2.0));

	call = o.price * in1 - discounted * in2;
	put = discounted * (1 - in2) - o.price * (1 - in1);
}

static float *on_device(int options)
{
	float *device;

	CHECK(cudaMalloc(&device, options * sizeof(float)));
	return device;
}

static float *upload(const std::vector<float> &values)
{
	float *device = on_device((int)values.size());

	CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
	return device;
}

static std::vector<float> download(const float *device, int options)
{
	std::vector<float> values(options);

	CHECK(cudaMemcpy(values.data(), device, options * sizeof(float), cudaMemcpyDeviceToHost));
	return values;
}

int main(int argc, char **argv)
{
	int options = chosen_size(argc, argv, 100000, 4000000, "blackscholes [small|paper|OPTIONS]"), wrong = 0;
	std::vector<float> price(options), strike(options), years(options);
	unsigned state = 7;

	for (int i = 0; i < options; i++) {
		price[i] = 5 + 25 * next_random(&state);
		strike[i] = 1 + 99 * next_random(&state);
		years[i] = 0.25f + 9.75f * next_random(&state);
	}
	float *prices = upload(price), *strikes = upload(strike), *times = upload(years);
	float *calls = on_device(options), *puts = on_device(options);

	price_options<<<BLOCKS, THREADS>>>(prices, strikes, times, calls, puts, options);
	CHECK(cudaGetLastError());
	std::vector<float> call = download(calls, options), put = download(puts, options);
	for (int i = 0; i < options; i++) {
		double expected_call, expected_put;

		price_on_cpu({price[i], strike[i], years[i]}, expected_call, expected_put);
		wrong += !(std::fabs(call[i] - expected_call) < 1e-3 && std::fabs(put[i] - expected_put) < 1e-3);
	}
	for (float *array : {prices, strikes, times, calls, puts})
		CHECK(cudaFree(array));
	printf("blackscholes: %d options, %d wrong\n", options, wrong);
	return wrong != 0;
}
