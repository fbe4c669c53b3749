/* Races between threads of a warp, warps of a block and blocks, and programs that have none. */
//! race block_sum: ========= Race reported between Read access and Write access: RAW hazard on __shared__ memory, between
//! race block_sum: at block_sum: .*race.cu:@block_read)
//! race block_sum: and at block_sum: .*race.cu:@block_write)
//! race block_sum: no barrier is between them
//! race warp_sum: RAW hazard on __shared__ memory, between threads of a warp
//! race warp_sum: at warp_sum: .*race.cu:@warp_read)
//! race warp_sum: and at warp_sum: .*race.cu:@warp_write)
//! race warp_sum: no __syncwarp is between them
//! race shift: WAR hazard on __shared__ memory
//! race same_word: WAW hazard on __shared__ memory, between warps of a block
//! race same_word: WAW hazard on __shared__ memory, between threads of a warp
//! race same_word: the instruction does both at once
//! race blocks: RAW hazard on __global__ memory, between blocks
//! race blocks: nothing puts the blocks in order
//! race plain_flag: hazard on __global__ memory, between blocks
//! race beside_atomic: Race reported between Write access and Write access: WAW hazard on __shared__ memory
//! race barrier:
//! race atomics:
//! race syncwarp:
//! race named:
//! race same_value:
//! race grid:
//! race pools:
//! race last_block:
//! race own_words:
//! race bytes:
//! race volatile_tail:
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

__global__ void block_sum(const int *data, int *out)
{
	__shared__ int box[128];

	box[threadIdx.x] = data[threadIdx.x]; // @block_write
	if (threadIdx.x == 0) {
		int sum = 0;

#pragma unroll 1
		for (int i = 0; i < 128; i++)
			sum += box[i]; // @block_read
		*out = sum;
	}
}

__global__ void warp_sum(const int *data, int *out, bool synchronized)
{
	__shared__ int box[64], sums[2];
	int tx = threadIdx.x;

	box[tx] = data[tx] + tx + 1; // @warp_write
	if (synchronized)
		__syncwarp();
	if (tx % 32 == 0) {
		int sum = 0;

#pragma unroll 1
		for (int i = 0; i < 32; i++)
			sum += box[tx + i]; // @warp_read
		sums[tx / 32] = sum;
	}
	__syncthreads();
	if (tx == 0)
		*out = sums[0] + sums[1];
}

__global__ void shift(int *out, bool synchronized)
{
	__shared__ int box[65];
	int next;

	box[threadIdx.x] = threadIdx.x;
	if (threadIdx.x == 0)
		box[64] = 64;
	__syncthreads();
	next = box[threadIdx.x + 1];
	if (synchronized)
		__syncthreads();
	box[threadIdx.x] = next;
	__syncthreads();
	out[threadIdx.x] = box[threadIdx.x];
}

__global__ void same_word(int *out, int times)
{
	__shared__ int word;

	word = 1 + threadIdx.x * times;
	__syncthreads();
	out[threadIdx.x] = word;
}

__global__ void blocks(int *data, int *out)
{
	if (blockIdx.x == 0)
		data[threadIdx.x] = threadIdx.x + 1;
	else
		out[threadIdx.x] = data[threadIdx.x] + 1;
}

__global__ void plain_flag(int *data)
{
	if (threadIdx.x == 0)
		data[0] = data[0] + blockIdx.x + 1;
}

__global__ void beside_atomic(int *out)
{
	__shared__ int count;

	count = 0;
	__syncthreads();
	if (threadIdx.x < 32)
		atomicAdd(&count, 1);
	else
		count = 70;
	__syncthreads();
	*out = count;
}

__global__ void atomics(int *out)
{
	__shared__ int count[4];

	if (threadIdx.x < 4)
		count[threadIdx.x] = 0;
	__syncthreads();
	atomicAdd(&count[threadIdx.x % 4], threadIdx.x);
	__syncthreads();
	if (threadIdx.x < 4)
		atomicMax(&out[threadIdx.x], count[threadIdx.x]);
}

__global__ void tree_sum(const int *data, int *out)
{
	__shared__ int box[64];
	int tx = threadIdx.x;

	box[tx] = data[tx] + tx;
	__syncthreads();
	if (tx < 32) {
		for (int step = 32; step; step /= 2) {
			int other = box[tx + step];

			__syncwarp();
			box[tx] += other;
			__syncwarp();
		}
		if (tx == 0)
			*out = box[0];
	}
}

__global__ void volatile_tail(const int *data, int *out)
{
	__shared__ int box[64];
	volatile int *tail = box;
	int tx = threadIdx.x;

	box[tx] = data[tx];
	__syncthreads();
	if (tx < 32)
		for (int step = 32; step; step /= 2)
			tail[tx] += tail[tx + step];
	if (tx == 0)
		*out = tail[0];
}

__global__ void named(int *out)
{
	__shared__ int box[64];
	int half = threadIdx.x / 32, lane = threadIdx.x % 32;

	box[threadIdx.x] = threadIdx.x;
	asm volatile("bar.sync %0, 32;" ::"r"(half + 1) : "memory");
	out[threadIdx.x] = box[half * 32 + 31 - lane];
}

__global__ void grid_sum(int *data, int *out)
{
	cg::grid_group grid = cg::this_grid();

	data[grid.thread_rank()] = grid.thread_rank() + 1;
	grid.sync();
	out[grid.thread_rank()] = data[grid.size() - 1 - grid.thread_rank()];
	grid.sync();
	data[grid.thread_rank()] = 0;
}

/* The last block adds up what the others left. */
__global__ void last_block(int *data, int *count, int *out)
{
	__shared__ bool last;

	data[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + 1;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		last = atomicAdd(count, 1) == gridDim.x - 1;
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int sum = 0;

		for (int i = 0; i < gridDim.x * blockDim.x; i++)
			sum += data[i];
		*out = sum;
	}
}

__global__ void own_words(int *data)
{
	int at = blockIdx.x * blockDim.x + threadIdx.x;

	for (int i = 0; i < 4; i++)
		data[at] = data[at] * 3 + i;
}

__global__ void bytes(unsigned char *data)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += 7;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	auto is = [&](const char *name) { return strcmp(what, name) == 0; };
	int *data, *out;

	cudaMalloc(&data, 4096);
	cudaMalloc(&out, 4096);
	cudaMemset(data, 1, 4096);
	cudaMemset(out, 0, 4096);
	if (is("block_sum"))
		block_sum<<<1, 128>>>(data, out);
	if (is("warp_sum") || is("syncwarp"))
		warp_sum<<<1, 64>>>(data, out, is("syncwarp"));
	if (is("syncwarp"))
		tree_sum<<<1, 64>>>(data, out);
	if (is("volatile_tail"))
		volatile_tail<<<1, 64>>>(data, out);
	if (is("shift") || is("barrier"))
		shift<<<1, 64>>>(out, is("barrier"));
	if (is("same_word") || is("same_value"))
		same_word<<<2, 64>>>(out, is("same_word"));
	if (is("blocks"))
		blocks<<<2, 64>>>(data, out);
	if (is("plain_flag"))
		plain_flag<<<4, 32>>>(data);
	if (is("beside_atomic"))
		beside_atomic<<<1, 64>>>(out);
	if (is("atomics"))
		atomics<<<4, 64>>>(out);
	if (is("named"))
		named<<<1, 64>>>(out);
	if (is("last_block"))
		last_block<<<4, 64>>>(data, out, out + 1);
	if (is("own_words"))
		own_words<<<4, 64>>>(data);
	if (is("bytes"))
		bytes<<<4, 50>>>((unsigned char *)data);
	if (is("pools"))
		for (int i = 0; i < 4; i++) {
			int *p;

			cudaMallocAsync(&p, 1024, 0);
			cudaMemsetAsync(p, i, 1024, 0);
			own_words<<<4, 64>>>(p);
			cudaFreeAsync(p, 0);
		}
	if (is("grid")) {
		void *args[] = {&data, &out};
		cudaLaunchCooperativeKernel((const void *)grid_sum, dim3(4), dim3(64), args, 0, 0);
	}
	return cudaDeviceSynchronize() != cudaSuccess;
}
