/* Barriers that not all threads reach, masks without the thread itself, and code that is right. */
//! sync part_of_warp: ========= Barrier error detected. Divergent thread(s) in warp.
//! sync part_of_warp: at sums: .*sync.cu:@part)
//! sync part_of_warp: by thread (32,0,0) in block (0,0,0), and 15 more of its warp
//! sync part_of_warp: 16 threads of the warp ended without reaching it
//! sync two_places: Divergent thread(s) in warp.
//! sync two_places: other threads of the warp wait at another barrier instruction
//! sync part_of_block: ========= Barrier error detected. Divergent thread(s) in block.
//! sync part_of_block: by thread (0,0,0) in block (0,0,0), and 31 more of its warp
//! sync part_of_block: 1 warp of the block ended without reaching it
//! sync mask: ========= Barrier error detected. Invalid arguments.
//! sync mask: at syncs_part: 'bar.warp.sync
//! sync mask: by thread (16,0,0) in block (0,0,0)
//! sync mask: its mask 0x0000ffff leaves out lane 16, the thread itself
//! sync shuffle: Invalid arguments.
//! sync shuffle: at shuffles: 'shfl.sync
//! sync ballot: Invalid arguments.
//! sync stuck: Barrier error detected. Divergent thread(s) in block.
//! sync stuck: deadlock, no warp can go on
//! sync all_reach:
//! sync uniform_loop:
//! sync after_branches:
//! sync partial_warp:
//! sync named:
//! sync sub_warps:
//! sync grid:
//! sync leaves_after:
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

/* The last round is one of a warp and a half. */
__global__ void sums(int *out, int size)
{
	__shared__ int box[64];
	int tx = threadIdx.x;

	box[tx] = 0;
	__syncthreads();
#pragma unroll 1
	for (int b = 0; b < 4; b++)
		if (64 * b + tx < size) {
			box[tx] += b;
			__syncthreads(); // @part
		}
	out[tx] = box[tx];
}

__global__ void two_places(int *out)
{
	if (threadIdx.x % 2) {
		out[threadIdx.x] = 1;
		__syncthreads();
		out[threadIdx.x] += 5;
	} else {
		out[threadIdx.x] = 2;
		__syncthreads();
		out[threadIdx.x] *= 3;
	}
}

__global__ void early_exit(int *out, int count)
{
	if (threadIdx.x >= count)
		return;
	out[threadIdx.x] = 1;
	__syncthreads();
	out[threadIdx.x] += out[count - 1 - threadIdx.x];
}

__global__ void syncs_part(int *out)
{
	unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);

	if (threadIdx.x <= 16) {
		out[threadIdx.x] = 1;
		__syncwarp(mask);
		out[32 + threadIdx.x] = out[threadIdx.x ^ 1];
	}
}

__global__ void shuffles(int *out, unsigned mask)
{
	if (threadIdx.x < 20)
		out[threadIdx.x] = __shfl_down_sync(mask, threadIdx.x, 1);
}

__global__ void votes(int *out, unsigned mask)
{
	out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1);
}

__global__ void stuck(int *out)
{
	if (threadIdx.x < 32)
		asm volatile("bar.sync 1, 64;");
	else
		asm volatile("bar.sync 2, 64;");
	out[threadIdx.x] = 1;
}

__global__ void after_branches(int *out)
{
	if (threadIdx.x % 3 == 0)
		out[threadIdx.x] = 1;
	else if (threadIdx.x % 5 == 0)
		out[threadIdx.x] = 2;
	for (int i = threadIdx.x; i < 64; i += 7)
		out[threadIdx.x] += i;
	__syncthreads();
	out[threadIdx.x] += out[63 - threadIdx.x] > 3 && out[0] ? 1 : 2;
	__syncthreads();
}

__global__ void named(int *out)
{
	int half = threadIdx.x / 32;

	out[threadIdx.x] = half;
	asm volatile("bar.sync %0, 32;" ::"r"(half + 1));
	out[threadIdx.x] += out[half * 32 + 31 - threadIdx.x % 32];
}

__global__ void sub_warps(int *out)
{
	unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);

	if (threadIdx.x % 32 < 16)
		__syncwarp(mask);
	out[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1, 8) + __any_sync(mask, 1);
	auto tile = cg::tiled_partition<4>(cg::this_thread_block());
	out[threadIdx.x] += tile.shfl_down(1, 1);
	tile.sync();
}

__global__ void grid_sync(int *out)
{
	cg::grid_group grid = cg::this_grid();

	out[blockIdx.x * 32 + threadIdx.x] = 1;
	grid.sync();
	if (blockIdx.x == 0)
		out[threadIdx.x] += out[32 + threadIdx.x];
}

__global__ void leaves_after(int *out)
{
	out[threadIdx.x] = 1;
	__syncthreads();
	if (threadIdx.x > 5)
		return;
	out[threadIdx.x] = 2;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	auto is = [&](const char *name) { return strcmp(what, name) == 0; };
	int *out;

	cudaMalloc(&out, 4096);
	cudaMemset(out, 0, 4096);
	if (is("part_of_warp") || is("uniform_loop"))
		sums<<<1, 64>>>(out, is("uniform_loop") ? 256 : 240);
	if (is("two_places"))
		two_places<<<1, 32>>>(out);
	if (is("part_of_block") || is("all_reach"))
		early_exit<<<1, 64>>>(out, is("part_of_block") ? 32 : 64);
	if (is("partial_warp"))
		early_exit<<<2, 40>>>(out, 40);
	if (is("mask"))
		syncs_part<<<1, 32>>>(out);
	if (is("shuffle"))
		shuffles<<<1, 32>>>(out, 0xffff);
	if (is("ballot"))
		votes<<<1, 32>>>(out, 0x7fffffff);
	if (is("stuck"))
		stuck<<<1, 64>>>(out);
	if (is("after_branches"))
		after_branches<<<2, 64>>>(out);
	if (is("named"))
		named<<<1, 64>>>(out);
	if (is("sub_warps"))
		sub_warps<<<1, 64>>>(out);
	if (is("leaves_after"))
		leaves_after<<<1, 64>>>(out);
	if (is("grid")) {
		void *args[] = {&out};
		cudaLaunchCooperativeKernel((const void *)grid_sync, dim3(2), dim3(32), args, 0, 0);
	}
	cudaDeviceSynchronize();
	cudaFree(out);
	return 0;
}
