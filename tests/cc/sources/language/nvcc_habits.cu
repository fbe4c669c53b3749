/* What nvcc takes and Clang by itself does not: one percent sign, narrowing, isnan without a header. */
#include <cstdio>

struct point {
	int x;
	unsigned char y;
};

__global__ void registers(unsigned *out)
{
	unsigned lane, thread;

	asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
	asm("{\n\t"
	    "mov.u32 %0, %tid.x; // and so on\n\t"
	    "}"
	    : "=r"(thread));
	out[threadIdx.x] = lane * 1000 + thread;
}

int main(int argc, char **)
{
	unsigned count = argc, host[64], *device;
	point p = {count, argc};
	float x = argc;
	int wrong = p.x != argc || p.y != argc;

	cudaMalloc(&device, sizeof host);
	registers<<<1, 64>>>(device);
	cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
	for (unsigned i = 0; i < 64; i++)
		wrong += host[i] != i % 32 * 1000 + i;
	wrong += isnan(x) || isinf(x) || !isfinite(x) || signbit(x) || !isnan(double(x) / 0 * 0);
	puts(wrong ? "wrong" : "ok");
	return wrong;
}
