// Kernels as programs have them, for counting what a compiler makes of them: nothing checks their results.
#include <vector>

enum { RADIUS = 2, SIDE = 2 * RADIUS + 1, N = 1 << 14, WIDTH = 128, HEIGHT = N / WIDTH };

__constant__ float weights[SIDE * SIDE];

__global__ void convolve(const float *in, float *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;

	if (x >= w || y >= h)
		return;
	for (int dy = -RADIUS; dy <= RADIUS; dy++)
		for (int dx = -RADIUS; dx <= RADIUS; dx++) {
			int column = min(max(x + dx, 0), w - 1), row = min(max(y + dy, 0), h - 1);

			sum += in[row * w + column] * weights[(dy + RADIUS) * SIDE + dx + RADIUS];
		}
	out[y * w + x] = sum;
}

__global__ void convolve_any(const float *in, const float *k, float *out, int w, int h, int r)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;

	if (x >= w || y >= h)
		return;
	for (int dy = -r; dy <= r; dy++)
		for (int dx = -r; dx <= r; dx++) {
			int column = x + dx, row = y + dy;

			if (column >= 0 && column < w && row >= 0 && row < h)
				sum += in[row * w + column] * k[(dy + r) * (2 * r + 1) + dx + r];
		}
	out[y * w + x] = sum;
}

__global__ void stencil(const float *in, float *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
		return;
	out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
}

__global__ void stencil_of_planes(const float *in, float *out, int nx, int ny, int nz)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	auto at = [=](int i, int j, int k) { return (k * ny + j) * nx + i; };

	if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
		return;
	for (int z = 1; z < nz - 1; z++)
		out[at(x, y, z)] = 0.5f * in[at(x, y, z)] + in[at(x - 1, y, z)] + in[at(x + 1, y, z)] +
				   in[at(x, y - 1, z)] + in[at(x, y + 1, z)] + in[at(x, y, z - 1)] +
				   in[at(x, y, z + 1)];
}

__global__ void reduce_shared(const float *in, float *out, int n)
{
	__shared__ float s[256];
	int t = threadIdx.x;
	float sum = 0;

	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
		sum += in[i];
	s[t] = sum;
	__syncthreads();
	for (int k = blockDim.x / 2; k > 0; k >>= 1) {
		if (t < k)
			s[t] += s[t + k];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = s[0];
}

__global__ void reduce_shuffled(const float *in, float *out, int n)
{
	float sum = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += in[i];
	for (int k = 16; k; k /= 2)
		sum += __shfl_down_sync(~0u, sum, k);
	if (threadIdx.x % 32 == 0)
		atomicAdd(out, sum);
}

__global__ void transpose(const float *in, float *out, int n)
{
	__shared__ float tile[16][17];
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;

	if (x < n && y < n)
		tile[threadIdx.y][threadIdx.x] = in[y * n + x];
	__syncthreads();
	x = blockIdx.y * 16 + threadIdx.x;
	y = blockIdx.x * 16 + threadIdx.y;
	if (x < n && y < n)
		out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void spmv_rows(const int *row, const int *column, const float *value, const float *x, float *y, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (r >= n)
		return;
	for (int j = row[r]; j < row[r + 1]; j++)
		sum += value[j] * x[column[j]];
	y[r] = sum;
}

__global__ void spmv_ell(const int *column, const float *value, const float *x, float *y, int n, int width)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (r >= n)
		return;
	for (int j = 0; j < width; j++) {
		int c = column[j * n + r];

		if (c >= 0)
			sum += value[j * n + r] * x[c];
	}
	y[r] = sum;
}

__global__ void bodies(const float4 *p, float3 *force, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float3 sum = {0, 0, 0};
	float4 me;

	if (i >= n)
		return;
	me = p[i];
	for (int j = 0; j < n; j++) {
		float dx = p[j].x - me.x, dy = p[j].y - me.y, dz = p[j].z - me.z;
		float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
		float w = p[j].w * inverse * inverse * inverse;

		sum.x += w * dx;
		sum.y += w * dy;
		sum.z += w * dz;
	}
	force[i] = sum;
}

template <class T> static T *on_device(const std::vector<T> &v)
{
	T *p;

	cudaMalloc(&p, v.size() * sizeof(T));
	cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
	return p;
}

int main()
{
	enum { ROWS = 1024 };
	std::vector<float> numbers(N);
	std::vector<int> row(ROWS + 1), column(N);

	for (int i = 0; i < N; i++) {
		numbers[i] = i % 31 * 0.1f;
		column[i] = i * 37 % ROWS;
	}
	for (int i = 0; i < ROWS; i++)
		row[i + 1] = row[i] + 4 + i % 12;

	float *in = on_device(numbers), *out = on_device(numbers), *x = on_device(numbers);
	int *rows = on_device(row), *columns = on_device(column);
	dim3 block(16, 16), grid(WIDTH / 16, HEIGHT / 16);

	convolve<<<grid, block>>>(in, out, WIDTH, HEIGHT);
	convolve_any<<<grid, block>>>(in, x, out, WIDTH, HEIGHT, RADIUS);
	stencil<<<grid, block>>>(in, out, WIDTH, HEIGHT);
	stencil_of_planes<<<dim3(2, 2), block>>>(in, out, 32, 32, 16);
	reduce_shared<<<16, 256>>>(in, out, N);
	reduce_shuffled<<<16, 256>>>(in, out, N);
	transpose<<<grid, block>>>(in, out, WIDTH);
	spmv_rows<<<ROWS / 128, 128>>>(rows, columns, in, x, out, ROWS);
	spmv_ell<<<ROWS / 128, 128>>>(columns, in, x, out, ROWS, 16);
	bodies<<<4, 128>>>((float4 *)in, (float3 *)out, 512);
	return cudaDeviceSynchronize() != cudaSuccess;
}
