// Numbers of 128 bits as nvcc compiles them: sums, products, quotients and remainders are chains of carries. The host
// computes the same. Prints the device, then "ok".
#include <cstdio>
#include <cstdlib>

typedef unsigned __int128 wide;
typedef __int128 signed_wide;

__host__ __device__ void compute(wide a, wide b, wide *out)
{
	out[0] = a + b;
	out[1] = a - b;
	out[2] = a * b;
	out[3] = a / b;
	out[4] = a % b;
	out[5] = (wide)((signed_wide)a / (signed_wide)b);
	out[6] = (wide)((signed_wide)a % (signed_wide)b);
	out[7] = (wide)(a < b) | (wide)((signed_wide)a < (signed_wide)b) << 64;
}

__global__ void all(const wide *in, wide *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		compute(in[2 * i], in[2 * i + 1], out + 8 * i);
}

static wide number(unsigned i)
{
	wide v = (wide)(unsigned)rand() << 96 | (wide)(unsigned)rand() << 64 | (wide)(unsigned)rand() << 32 | (unsigned)rand();

	return i % 3 ? v >> (unsigned)rand() % 127 : (i % 2 ? ~(v >> (unsigned)rand() % 127) : ((wide)1 << rand() % 128) - i % 4);
}

int main()
{
	enum { N = 1000 };
	wide *in, *out, want[8];
	cudaDeviceProp device;

	cudaGetDeviceProperties(&device, 0);
	printf("%s\n", device.name);
	cudaMallocManaged(&in, 2 * N * sizeof *in);
	cudaMallocManaged(&out, 8 * N * sizeof *out);
	for (unsigned i = 0; i < 2 * N; i++) {
		in[i] = number(i);
		if (!in[i])
			in[i] = 1;
	}
	all<<<(N + 127) / 128, 128>>>(in, out, N);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	for (int i = 0; i < N; i++) {
		compute(in[2 * i], in[2 * i + 1], want);
		for (int k = 0; k < 8; k++)
			if (out[8 * i + k] != want[k]) {
				printf("result %d of pair %d is wrong\n", k, i);
				return 1;
			}
	}
	puts("ok");
	return 0;
}
