// CUDA in a file named as C++, in the newest C++ that CMake and the compiler agree upon.
#include <cuda_runtime.h>

#include <type_traits>

template <class T>
__global__ void add(T *sum, T a, T b)
{
	static_assert(std::is_integral_v<T>);
	*sum = a + b;
}

int main()
{
	long *sum;

	cudaMallocManaged(&sum, sizeof *sum);
	add<<<1, 1>>>(sum, 40l, 2l);
	cudaDeviceSynchronize();
	return *sum != 42;
}
