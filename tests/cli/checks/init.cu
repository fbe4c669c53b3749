/* Reads of memory that nothing has been written to, and programs that only look as if they did. */
//! init partial: ========= Uninitialized __global__ memory read of size 4 bytes
//! init partial: at add: .*init.cu:@add)
//! init partial: by thread (16,0,0) in block (0,0,0), and 15 more of its warp
//! init partial: 64 bytes into cudaMalloc#0 (256 bytes
//! init partial: ERROR SUMMARY: 1 error$
//! init never: Uninitialized __global__ memory read of size 4 bytes
//! init box: ========= Uninitialized __shared__ memory read of size 4 bytes
//! init box: at uses_box: .*init.cu:@box)
//! init box: by thread (31,0,0) in block (0,0,0)
//! init second_block: by thread (31,0,0) in block (0,0,0)
//! init counter: Uninitialized __global__ memory read of size 4 bytes
//! init device_heap: Uninitialized __global__ memory read
//! init pool: into cudaMallocAsync#
//! init vector: Uninitialized __global__ memory read of size 16 bytes
//! init copied:
//! init memset:
//! init memset2d:
//! init managed:
//! init pinned:
//! init padding:
//! init padding_used: Uninitialized __global__ memory read
//! init by_kernel:
//! init device_to_device:
//! init half_copied: Uninitialized __global__ memory read
//! init box_written:
//! init variables:
//! init array:
//! init pools:
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct padded {
	char tag;
	double value;
};

__device__ int variable[64];
__constant__ int constant[64];

__global__ void add(int *data, int *out)
{
	out[threadIdx.x] = data[threadIdx.x] + 1; // @add
}

__global__ void uses_box(int *out, int count)
{
	__shared__ int box[32];

	if (threadIdx.x < count)
		box[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = box[threadIdx.x] * 2; // @box
}

__global__ void counts(int *counter)
{
	atomicAdd(counter, 1);
}

__device__ int *own;

__global__ void heap(int *out)
{
	own = (int *)malloc(8);
	own[threadIdx.x] = 1;
	__threadfence();
	*out = own[1 - threadIdx.x] * 2;
}

__global__ void vectors(const float4 *data, float *out)
{
	float4 v = data[threadIdx.x];

	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void make_padded(padded *out)
{
	out[threadIdx.x].tag = 'a';
	out[threadIdx.x].value = threadIdx.x;
}

__global__ void copy_padded(const padded *from, padded *to)
{
	to[threadIdx.x] = from[threadIdx.x];
}

__global__ void sum_bytes(const unsigned char *bytes, int *out)
{
	int sum = 0;

	for (unsigned i = 0; i < sizeof(padded); i++)
		sum += bytes[i];
	*out = sum;
}

__global__ void uses_variables(int *out)
{
	out[threadIdx.x] = variable[threadIdx.x] + constant[threadIdx.x];
}

__global__ void reads_texture(cudaTextureObject_t texture, float *out)
{
	out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

static int *data, *out;

static void padding(bool used)
{
	padded *a, *b;

	cudaMalloc(&a, 32 * sizeof *a);
	cudaMalloc(&b, 32 * sizeof *b);
	make_padded<<<1, 32>>>(a);
	copy_padded<<<1, 32>>>(a, b);
	if (used)
		sum_bytes<<<1, 1>>>((const unsigned char *)a, out);
}

static void shared_with_host(bool managed)
{
	int *p;

	if (managed)
		cudaMallocManaged(&p, 128);
	else
		cudaMallocHost(&p, 128);
	for (int i = 0; i < 32; i++)
		p[i] = i;
	add<<<1, 32>>>(p, out);
}

static void rows()
{
	size_t pitch;
	int *p;

	cudaMallocPitch(&p, &pitch, 100, 8);
	cudaMemset2D(p, pitch, 0, 100, 8);
	for (int i = 0; i < 8; i++)
		add<<<1, 25>>>((int *)((char *)p + i * pitch), out);
}

static void between_devices(size_t bytes)
{
	int *a, *b;

	cudaMalloc(&a, 256);
	cudaMalloc(&b, 256);
	cudaMemset(a, 0, bytes);
	cudaMemcpy(b, a, 256, cudaMemcpyDeviceToDevice);
	add<<<1, 32>>>(b, out);
}

static void array()
{
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t texture;
	float *p;

	cudaMalloc(&p, 128);
	cudaMemset(p, 0, 128);
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = p;
	resource.res.linear.desc = cudaCreateChannelDesc<float>();
	resource.res.linear.sizeInBytes = 128;
	cudaCreateTextureObject(&texture, &resource, &how, nullptr);
	reads_texture<<<1, 32>>>(texture, (float *)out);
}

static void pool(bool written)
{
	for (int i = 0; i < 3; i++) {
		int *p;

		cudaMallocAsync(&p, 128, 0);
		if (written)
			cudaMemsetAsync(p, 0, 128, 0);
		add<<<1, 32>>>(p, out);
		cudaFreeAsync(p, 0);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	auto is = [&](const char *name) { return strcmp(what, name) == 0; };
	int host[64] = {};

	cudaMalloc(&data, 256);
	cudaMalloc(&out, 256);
	if (is("partial")) {
		cudaMemset(data, 0, 64);
		add<<<1, 64>>>(data, out);
	}
	if (is("never"))
		add<<<1, 64>>>(data, out);
	if (is("box") || is("box_written"))
		uses_box<<<1, 32>>>(out, is("box") ? 31 : 32);
	if (is("second_block"))
		uses_box<<<2, 32>>>(out, 31);
	if (is("counter"))
		counts<<<1, 32>>>(data);
	if (is("device_heap"))
		heap<<<1, 1>>>(out);
	if (is("pool") || is("pools"))
		pool(is("pools"));
	if (is("vector"))
		vectors<<<1, 16>>>((const float4 *)data, (float *)out);
	if (is("copied")) {
		cudaMemcpy(data, host, 128, cudaMemcpyHostToDevice);
		cudaMemcpy(data + 32, host, 128, cudaMemcpyHostToDevice);
		add<<<1, 64>>>(data, out);
	}
	if (is("memset")) {
		cudaMemset(data, 0, 256);
		add<<<1, 64>>>(data, out);
		vectors<<<1, 16>>>((const float4 *)data, (float *)out);
		counts<<<1, 32>>>(data);
	}
	if (is("memset2d"))
		rows();
	if (is("managed") || is("pinned"))
		shared_with_host(is("managed"));
	if (is("padding") || is("padding_used"))
		padding(is("padding_used"));
	if (is("by_kernel")) {
		uses_box<<<1, 32>>>(data, 32);
		add<<<1, 32>>>(data, out);
	}
	if (is("device_to_device") || is("half_copied"))
		between_devices(is("half_copied") ? 100 : 128);
	if (is("variables"))
		uses_variables<<<1, 64>>>(out);
	if (is("array"))
		array();
	return cudaDeviceSynchronize() != cudaSuccess;
}
