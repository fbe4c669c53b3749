/* Language features: templates, lambdas, classes with virtual functions, recursion, structs by value, memory spaces. */
#include <cstdio>
#include <new>
#include <type_traits>

struct vec3 {
	float x, y, z;
	__host__ __device__ float dot(const vec3 &o) const
	{
		return x * o.x + y * o.y + z * o.z;
	}
};

template <int N, class T>
struct fixed {
	T data[N];
	__device__ T sum() const
	{
		T s = 0;
#pragma unroll
		for (int i = 0; i < N; i++)
			s += data[i];
		return s;
	}
};

class shape
{
public:
	__device__ virtual float area() const = 0;
	__device__ virtual ~shape()
	{
	}
};

class square : public shape
{
	float side;

public:
	__device__ explicit square(float s) : side(s)
	{
	}
	__device__ float area() const override
	{
		return side * side;
	}
};

__device__ int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int counter = 3;
__constant__ vec3 axis = {1, 2, 3};

template <class F>
__global__ void apply(F f, int *out)
{
	out[threadIdx.x] = f(threadIdx.x);
}

__global__ void __launch_bounds__(64) everything(fixed<5, int> five, vec3 v, int *out)
{
	extern __shared__ int dynamic[];
	__shared__ int fixed_size[64];
	shape *s = new square(3.0f);
	int *heap = (int *)malloc(4 * sizeof(int));
	int local[8];

	for (int i = 0; i < 8; i++)
		local[i] = i * (int)threadIdx.x;
	fixed_size[threadIdx.x] = local[threadIdx.x % 8];
	dynamic[threadIdx.x] = 1;
	heap[2] = 5;
	__syncthreads();
	switch (threadIdx.x) {
	case 0:
		out[0] = five.sum();
		break;
	case 1:
		out[1] = (int)v.dot(axis);
		break;
	case 2:
		out[2] = (int)s->area();
		break;
	case 3:
		out[3] = fibonacci(10);
		break;
	case 4:
		out[4] = counter + fixed_size[9];
		break;
	case 5:
		out[5] = dynamic[0] + dynamic[63] + heap[2];
		break;
	case 6:
		out[6] = (int)(clock64() * 0) + (blockDim.x == 64);
		break;
	}
	free(heap);
	delete s;
}

static int check(const int *got, const int *expected, int n)
{
	int wrong = 0;

	for (int i = 0; i < n; i++)
		if (got[i] != expected[i]) {
			printf("result %d: %d instead of %d\n", i, got[i], expected[i]);
			wrong++;
		}
	return wrong;
}

int main()
{
	static const int expected[] = {15, 14, 9, 55, 3 + 9, 7, 1}, tripled[] = {5, 8, 11, 14};
	int *out, wrong, offset = 5;
	fixed<5, int> five = {{1, 2, 3, 4, 5}};
	vec3 v = {1, 2, 3};

	cudaMallocManaged(&out, 64 * sizeof *out);
	everything<<<1, 64, 64 * sizeof(int)>>>(five, v, out);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	wrong = check(out, expected, 7);
	apply<<<1, 4>>>([=] __device__(int i) { return 3 * i + offset; }, out);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	wrong += check(out, tripled, 4);
	if (!wrong)
		puts("ok");
	return wrong != 0;
}
