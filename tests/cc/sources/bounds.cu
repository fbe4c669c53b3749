/* Kernels of which it is known what bounds them. */
#include <cstdio>

__global__ void stream(const float4 *in, float4 *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i];
}

__global__ void chase(const int *next, int *end, int steps)
{
	int at = threadIdx.x;
	for (int i = 0; i < steps; i++)
		at = next[at];
	end[threadIdx.x] = at;
}

__global__ void multiply(float *out, float a, int steps)
{
	float v[8];
	for (int k = 0; k < 8; k++)
		v[k] = threadIdx.x + k;
	for (int i = 0; i < steps; i++)
		for (int k = 0; k < 8; k++)
			v[k] = v[k] * a + 1.0f;
	float sum = 0;
	for (int k = 0; k < 8; k++)
		sum += v[k];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void chain(float *out, float a, int steps)
{
	float v = threadIdx.x;
	for (int i = 0; i < steps; i++)
		v = v * a + 1.0f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

/* Each lane another line, the same few lines again and again. */
__global__ void near(const int *table, int *out, int steps)
{
	int sum = 0;
	for (int i = 0; i < steps; i++)
		sum += table[((threadIdx.x + i) % 32) * 32];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void banks(int *out, int steps)
{
	__shared__ volatile int table[32 * 32];
	int sum = 0;
	for (int i = threadIdx.x; i < 1024; i += blockDim.x)
		table[i] = i;
	__syncthreads();
	for (int i = 0; i < steps; i++)
		sum += table[(threadIdx.x % 32) * 32];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void lonely(float *out, float a, int steps)
{
	float v[8];
	for (int k = 0; k < 8; k++)
		v[k] = threadIdx.x + k;
	for (int i = 0; i < steps; i++)
		for (int k = 0; k < 8; k++)
			v[k] = v[k] * a + 1.0f;
	for (int k = 1; k < 8; k++)
		v[0] += v[k];
	out[threadIdx.x] = v[0];
}

/* One warp of each CTA works between two barriers. */
__global__ void waits(float *out, float a, int steps)
{
	float v = threadIdx.x;
	for (int i = 0; i < steps; i++) {
		if (threadIdx.x / 32 == i % (blockDim.x / 32))
			for (int k = 0; k < 64; k++)
				v = v * a + 1.0f;
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

int main()
{
	const int n = 1 << 19;
	float *a, *b;
	int *next, *host = new int[n];

	cudaMalloc(&a, n * 16);
	cudaMalloc(&b, n * 16);
	cudaMalloc(&next, n * 4);
	cudaMemset(a, 0, n * 16);
	for (int i = 0; i < n; i++)
		host[i] = (i + 4099 * 32) % n;
	cudaMemcpy(next, host, n * 4, cudaMemcpyHostToDevice);
	stream<<<n / 256, 256>>>((float4 *)a, (float4 *)b, n);
	chase<<<64, 32>>>(next, (int *)b, 100);
	multiply<<<256, 512>>>(b, 1.0f, 40);
	chain<<<64, 32>>>(b, 1.0f, 400);
	near<<<256, 256>>>(next, (int *)b, 20);
	banks<<<256, 256>>>((int *)b, 20);
	lonely<<<1, 1024>>>(b, 1.0f, 100);
	waits<<<64, 256>>>(b, 1.0f, 40);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	delete[] host;
}
