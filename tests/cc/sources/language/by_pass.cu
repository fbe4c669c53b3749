// Code that differs between the passes by __CUDA_ARCH__: functions that a pass knows only as the host's.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define BOTH __host__ __device__
#define DEVICE __device__
#else
#define BOTH
#define DEVICE
#endif

BOTH int twice(int x)
{
	return x * 2;
}

template <class T>
DEVICE T thrice(T x)
{
	return x * 3;
}

struct counter {
	int n;
	DEVICE counter(int n) : n(n)
	{
	}
	BOTH int next()
	{
		return ++n;
	}
};

__global__ void kernel(int *out)
{
	counter c(twice(21));

	*out = c.next() + thrice(1);
}

int main()
{
	int *out, *pinned = new int(twice(2) + thrice(3));
	counter c(1);

	cudaMallocManaged(&out, sizeof *out);
	kernel<<<1, 1>>>(out);
	cudaDeviceSynchronize();
	puts(*out == 46 && *pinned == 13 && c.next() == 2 ? "ok" : "wrong");
	delete pinned;
	return 0;
}
