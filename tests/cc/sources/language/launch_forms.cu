// Launches whose grid, block, shared memory or stream is a braced list: in functions, templates and macros.
#include <cstdio>
__global__ void k(int *o, int2 p = {1, 0})
{
	atomicAdd(o, p.x);
}
template <class T, int N>
__global__ void tk(T *o)
{
	atomicAdd(o, N);
}
template <int A, int B>
constexpr int f()
{
	return A * B;
}
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define ALL(kernel, grid, block, shared, stream) kernel<<<grid, block, shared, stream>>>
#define CONFIG(...) k<<<__VA_ARGS__>>>
template <class T>
void launch(T *o, int n)
{
	tk<T, 2><<<{(unsigned)n, 1}, {32, 1, 1}>>>(o);
}
int main()
{
	int *o, n = 3;
	cudaMallocManaged(&o, 4);
	*o = 0;
	k<<<{3, 1, 1}, {32, 1, 1}>>>(o);            // 96
	k<<<{}, {32}, {0}, {}>>>(o, {2, 3});        // 64
	k<<<dim3{2}, {f<2, 2>(), 8}, 0, 0>>>(o);    // 64
	k<<<{1}, {1}>>>(o);                         // 1
	k < <<n<4 ? 2 : 1, {n > 2 ? 4u : 1u}>>>(o); // 8
	LAUNCH(k, {}, {32}, o);                     // 32
	LAUNCH(k, 2, 2, o);                         // 4
	ALL(k, {2}, {2}, {}, {})(o);                // 4
	CONFIG(2, 2, 0, 0)(o);                      // 4
	launch(o, n);                               // 192
	k<<<{1, /* }, */ 1}, {1, 1,                 // >>>
			      1}>>>(o);             // 1
	cudaDeviceSynchronize();
	puts(*o == 470 && cudaGetLastError() == cudaSuccess ? "ok" : "wrong sum");
	return *o != 470;
}
