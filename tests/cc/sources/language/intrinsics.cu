/* Integer and conversion intrinsics, warp functions, atomics: each against its definition. */
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x, #condition);                         \
			atomicAdd(wrong, 1);                                                                           \
		}                                                                                                      \
	} while (0)

__global__ void integers(int *wrong)
{
	unsigned x = 0x12345678u;

	CHECK(__popc(x) == 13 && __popcll(0xff00ff00ull) == 16);
	CHECK(__clz(1) == 31 && __clz(0) == 32 && __clzll(1ll << 40) == 23);
	CHECK(__ffs(8) == 4 && __ffs(0) == 0 && __ffsll(1ll << 40) == 41);
	CHECK(__brev(1u) == 0x80000000u);
	CHECK(__byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311);
	CHECK(__funnelshift_l(0x80000000u, 1u, 4) == 0x18u && __funnelshift_r(0x10u, 1u, 4) == 0x10000001u);
	CHECK(__mul24(-3, 5) == -15 && __umul24(7u, 6u) == 42u);
	CHECK(__mulhi(1 << 30, 8) == 2 && __umulhi(x, 16u) == 1u);
	CHECK(__mul64hi(1ll << 62, 8) == 2 && __umul64hi(1ull << 63, 4) == 2);
	CHECK(__sad(3, -4, 10u) == 17u && __usad(3u, 9u, 1u) == 7u);
	CHECK(__hadd(-3, -4) == -4 && __rhadd(3, 4) == 4 && __uhadd(3u, 4u) == 3u);
	CHECK(__dp4a(0x01020304, 0x01010101, 5) == 15);
	CHECK(max(3, 5) == 5 && min(3u, 5u) == 3u && max(2.5f, -1.0f) == 2.5f && min(1ll, -2ll) == -2ll);
	CHECK(abs(-7) == 7 && llabs(-7ll) == 7ll);
}

__global__ void conversions(int *wrong)
{
	CHECK(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
	CHECK(__double_as_longlong(1.0) == 0x3ff0000000000000ll && __hiloint2double(0x3ff00000, 0) == 1.0);
	CHECK(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __float2int_rd(-2.1f) == -3);
	CHECK(__float2int_rz(-2.9f) == -2 && __float2uint_rn(3.7f) == 4u && __double2int_rn(3.5) == 4);
	CHECK(__int2float_rz(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
	CHECK(__double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1);
	CHECK(__fadd_ru(1.0f, 1e-10f) > 1.0f && __fadd_rd(1.0f, 1e-10f) == 1.0f);
	CHECK(__fdiv_rn(1.0f, 3.0f) == 1.0f / 3.0f && __dsqrt_rn(2.0) == sqrt(2.0));
	CHECK(__fmaf_rn(2.0f, 3.0f, 4.0f) == 10.0f && __saturatef(1.5f) == 1.0f);
	CHECK(lrintf(2.5f) == 2 && llround(2.5) == 3 && isnan(NAN) && isinf(INFINITY) && !isfinite(INFINITY));
	CHECK(__half2float(__float2half(1.5f)) == 1.5f && (float)(half(1.5f) * half(2.0f)) == 3.0f);
	CHECK((float)__hfma(half(2.0f), half(3.0f), half(1.0f)) == 7.0f && __hgt(half(2.0f), half(1.0f)));
	CHECK(__low2float(__hadd2(__floats2half2_rn(1.0f, 2.0f), __float2half2_rn(1.0f))) == 2.0f);
	CHECK(__half2int_rn(half(2.5f)) == 2 && __half_as_ushort(half(1.0f)) == 0x3c00);
	CHECK((float)(__nv_bfloat16(1.5f) + __nv_bfloat16(0.25f)) == 1.75f && __bfloat16_as_ushort(1.0f) == 0x3f80);
}

__global__ void warps(int *wrong)
{
	int lane = threadIdx.x % 32;
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);

	CHECK(__shfl_sync(0xffffffff, lane, 5) == 5);
	CHECK(__shfl_down_sync(0xffffffff, lane, 3) == (lane < 29 ? lane + 3 : lane));
	CHECK(__shfl_up_sync(0xffffffff, lane, 1) == (lane ? lane - 1 : 0));
	CHECK(__shfl_xor_sync(0xffffffff, (double)lane, 16) == (double)(lane ^ 16));
	CHECK(__ballot_sync(0xffffffff, lane & 1) == 0xaaaaaaaau);
	CHECK(__ballot_sync((2u << lane) - 1, lane & 1) == (0xaaaaaaaau & ((2u << lane) - 1)));
	CHECK(__all_sync(0xffffffff, lane < 32) && __any_sync(0xffffffff, lane == 7) && !__any_sync(0xffffffff, 0));
	CHECK(__match_any_sync(0xffffffff, lane / 8) == 0xffu << lane / 8 * 8);
	CHECK(__activemask() == 0xffffffffu);
	CHECK(cg::reduce(warp, lane, cg::plus<int>()) == 496);
	CHECK(eight.thread_rank() == lane % 8 && eight.shfl(lane, 2) == lane / 8 * 8 + 2);
	CHECK(block.thread_rank() == threadIdx.x && block.size() == blockDim.x);
	if (lane % 3 == 0) {
		cg::coalesced_group third = cg::coalesced_threads();

		CHECK(third.size() == 11 && third.thread_rank() == lane / 3 && third.shfl(lane, 4) == 12);
	}
	CHECK(__syncthreads_count(threadIdx.x < 10) == 10);
	CHECK(__syncthreads_or(threadIdx.x == 1) && !__syncthreads_and(threadIdx.x == 1));
}

struct totals {
	int i, low, high, old, swapped;
	unsigned u, wrapped, bits;
	unsigned long long ull;
	long long lowest;
	float f;
	double d;
};

__global__ void atomics(totals *t)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	atomicAdd(&t->i, 1);
	atomicSub(&t->old, 1);
	atomicAdd(&t->u, 2u);
	atomicAdd(&t->ull, 1ull << 33);
	atomicAdd(&t->f, 0.5f);
	atomicAdd(&t->d, 0.25);
	atomicMax(&t->high, i);
	atomicMin(&t->low, -i);
	atomicMin(&t->lowest, -(long long)i << 33);
	atomicInc(&t->wrapped, 9u);
	atomicOr(&t->bits, 1u << i % 32);
	atomicCAS(&t->swapped, 0, 5);
	atomicAdd_block(&t->i, 1);
	atomicAdd_system(&t->i, 1);
}

__global__ void whole_grid(int *counter, int *wrong)
{
	cg::grid_group grid = cg::this_grid();

	atomicAdd(counter, 1);
	grid.sync();
	CHECK(*(volatile int *)counter == (int)grid.size());
	grid.sync();
	if (grid.thread_rank() == 0)
		*counter = 0;
}

int main()
{
	int *wrong, *counter;
	totals *t;

	cudaMallocManaged(&wrong, sizeof *wrong);
	cudaMallocManaged(&counter, sizeof *counter);
	cudaMallocManaged(&t, sizeof *t);
	*wrong = *counter = 0;
	integers<<<1, 1>>>(wrong);
	conversions<<<1, 1>>>(wrong);
	warps<<<2, 64>>>(wrong);
	atomics<<<4, 64>>>(t);
	void *args[] = {&counter, &wrong};
	if (cudaLaunchCooperativeKernel(whole_grid, dim3(8), dim3(64), args) != cudaSuccess)
		++*wrong;
	if (cudaDeviceSynchronize() != cudaSuccess)
		return 1;
	*wrong += t->i != 3 * 256 || t->old != -256 || t->u != 512 || t->ull != 256ull << 33 || t->f != 128.0f ||
		  t->d != 64.0 || t->high != 255 || t->low != -255 || t->lowest != -255ll << 33 || t->wrapped != 6 ||
		  t->bits != 0xffffffffu || t->swapped != 5;
	if (*wrong)
		return 1;
	puts("ok");
	return 0;
}
