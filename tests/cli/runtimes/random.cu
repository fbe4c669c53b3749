/* Numbers of cuRAND on the device, as a program of the static runtime gets them. */
#include <cuda_runtime.h>
#include <curand.h>

#include <stdio.h>

enum { COUNT = 64 };

int main()
{
	float *device, numbers[COUNT] = {0};
	curandGenerator_t generator;
	bool good = cudaMalloc(&device, sizeof numbers) == cudaSuccess &&
		    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS &&
		    curandSetPseudoRandomGeneratorSeed(generator, 1) == CURAND_STATUS_SUCCESS &&
		    curandGenerateUniform(generator, device, COUNT) == CURAND_STATUS_SUCCESS &&
		    cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost) == cudaSuccess;

	for (int i = 0; i < COUNT; i++) {
		good = good && numbers[i] > 0 && numbers[i] <= 1 && (i == 0 || numbers[i] != numbers[i - 1]);
		printf("%.9g\n", numbers[i]);
	}
	puts(good ? "ok" : "wrong");
	return !good;
}
