/*
 * Code that nvcc accepts and Clang does not without help: one percent sign, operands without a comma, narrowing, isnan
 * without a header, template before a name without arguments, a function that forgets to return a value, a macro right
 * behind a string, chevrons apart.
 */
#include <cinttypes>
#include <cstdio>
#include <cstring>

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
	asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(out[threadIdx.x]) : "r"(lane) "r"(1000), "r"(thread));
}

struct adder {
	template <typename T> __host__ __device__ T more(T by)
	{
		return by + 1;
	}
};

template <typename A> __host__ __device__ int add_one(A a, int to)
{
	return a.template more(to);
}

/* Its value is not used. */
static __host__ __device__ __attribute__((noinline)) int store(int *where, int what)
{
	*where = what;
}

__global__ void call_both(int *out)
{
	store(out, 7);
	out[1] = add_one(adder(), 8);
}

static int check_calls(void)
{
	int host[2] = {}, *device, here = 0;

	cudaMalloc(&device, sizeof host);
	call_both<<<1, 1>>>(device);
	cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
	store(&here, 3);
	return host[0] != 7 || host[1] != 9 || here != 3 || add_one(adder(), here) != 4;
}

int main(int argc, char **)
{
	unsigned count = argc, host[64], *device;
	point p = {count, argc};
	float x = argc;
	char text[32];
	int wrong = p.x != argc || p.y != argc;

	cudaMalloc(&device, sizeof host);
	registers << <1, 64 >> >(device);
	cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
	for (unsigned i = 0; i < 64; i++)
		wrong += host[i] != i % 32 * 1000 + i;
	wrong += isnan(x) || isinf(x) || !isfinite(x) || signbit(x) || !isnan(double(x) / 0 * 0);
	wrong += check_calls();
	snprintf(text, sizeof text, "%"PRIu64, uint64_t(1) << 40);
	wrong += strcmp(text, "1099511627776") != 0;
	puts(wrong ? "wrong" : "ok");
	return wrong;
}
