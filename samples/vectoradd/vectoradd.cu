/*
 * Vector addition: c[i] = a[i] + b[i], in blocks of 256 threads. Every element is used once, so no cache organisation
 * can help it.
 *
 *   vectoradd [small|paper|ELEMENTS]
 *
 * The paper's size is the public sample's, 50,000 elements. The size without an argument is larger.
 */
#include "../common/size.h"

#include <vector>

__global__ void vectoradd(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? chosen_size(argc, argv, 10000, 50000, "vectoradd [small|paper|ELEMENTS]") : 1 << 18;
	size_t bytes = n * sizeof(float);
	std::vector<float> a(n), b(n), c(n);
	float *da, *db, *dc;

	for (int i = 0; i < n; i++) {
		a[i] = (float)(i % 1000);
		b[i] = (float)(i % 77) * 0.5f;
	}
	CHECK(cudaMalloc(&da, bytes));
	CHECK(cudaMalloc(&db, bytes));
	CHECK(cudaMalloc(&dc, bytes));
	CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));

	vectoradd<<<(n + 255) / 256, 256>>>(da, db, dc, n);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int i = 0; i < n; i++)
		wrong += c[i] != a[i] + b[i];
	CHECK(cudaFree(da));
	CHECK(cudaFree(db));
	CHECK(cudaFree(dc));
	printf("vectoradd: %d elements, %d wrong\n", n, wrong);
	return wrong != 0;
}
