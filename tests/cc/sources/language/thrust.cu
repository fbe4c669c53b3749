// options: -std=c++17 -arch=sm_80 -Wno-deprecated-builtins -Wno-unknown-warning-option
// needs: thrust/version.h
// Thrust and CUB of the distribution: sort, scan, reduce, transform, a reduction inside a block.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdio>

struct square {
	__host__ __device__ int operator()(int x) const
	{
		return x * x;
	}
};

__global__ void sum_of_block(const int *in, int *out)
{
	typedef cub::BlockReduce<int, 128> reduce;
	__shared__ reduce::TempStorage room;
	int sum = reduce(room).Sum(in[blockIdx.x * 128 + threadIdx.x]);

	if (threadIdx.x == 0)
		out[blockIdx.x] = sum;
}

int main()
{
	const int n = 1000;
	thrust::device_vector<int> numbers(n), sums(2);
	thrust::device_vector<unsigned> keys(n), many(20000); /* several tiles of the sort for sm_80 */
	thrust::host_vector<unsigned> scattered(n), sorted;
	int failures = 0;

	thrust::sequence(numbers.begin(), numbers.end());
	thrust::transform(numbers.begin(), numbers.end(), numbers.begin(), square());
	failures += thrust::reduce(numbers.begin(), numbers.end()) != 332833500;
	sum_of_block<<<2, 128>>>(thrust::raw_pointer_cast(numbers.data()), thrust::raw_pointer_cast(sums.data()));
	failures += sums[0] != 127 * 128 * 255 / 6 || sums[0] + sums[1] != 255 * 256 * 511 / 6;
	for (int i = 0; i < n; i++)
		scattered[i] = i * 7919u % n;
	keys = scattered;
	thrust::sort(keys.begin(), keys.end());
	sorted = keys;
	for (int i = 0; i < n; i++)
		failures += sorted[i] != (unsigned)i;
	thrust::inclusive_scan(keys.begin(), keys.end(), keys.begin());
	failures += keys[n - 1] != 499500 || keys[10] != 55;
	thrust::sequence(many.rbegin(), many.rend());
	thrust::sort(many.begin(), many.end());
	failures += many[0] != 0 || many[12345] != 12345 || many[19999] != 19999;
	if (failures) {
		printf("%d wrong\n", failures);
		return 1;
	}
	puts("ok");
	return 0;
}
