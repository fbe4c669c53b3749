// Runtime calls from device code, group exchange of values of any type, NVTX, CUDA 13's form of cuCtxCreate.
#include <cooperative_groups.h>
#include <cuda.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct record {
	double weight;
	char tag;
	short place[3];
};

__device__ static int same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

__global__ void check(int *wrong)
{
	int me = threadIdx.x, *p = nullptr, bad = 0, count = 0, device = 5;
	cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
	cg::coalesced_group all = cg::coalesced_threads();
	record mine = {me * 0.5, (char)me, {(short)me, (short)-me, 7}}, other;
	unsigned char byte = (unsigned char)(me + 200);

	bad += cudaMalloc(&p, 4 * sizeof *p) != cudaSuccess || !p;
	p[3] = me;
	bad += p[3] != me;
	bad += cudaFree(p) != cudaSuccess;
	bad += cudaGetDeviceCount(&count) != cudaSuccess || count != 1;
	bad += cudaGetDevice(&device) != cudaSuccess || device != 0;
	bad += !same(cudaGetErrorString(cudaGetLastError()), "no error");
	bad += !same(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");

	other = tile.shfl_xor(mine, 1);
	bad += other.weight != (me ^ 1) * 0.5 || other.tag != (char)(me ^ 1) || other.place[1] != -(me ^ 1);
	other = tile.shfl_down(mine, 2);
	bad += other.weight != (me < 30 ? me + 2 : me) * 0.5;
	other = all.shfl(mine, 9);
	bad += other.tag != 9 || other.place[2] != 7;
	bad += tile.shfl_up(byte, 1) != (unsigned char)((me ? me - 1 : me) + 200);
	bad += tile.shfl(make_double2(me, -me), 31).y != -31.0;
	atomicAdd(wrong, bad);
}

int main()
{
	nvtxEventAttributes_t attributes = {};
	CUctxCreateParams params = {};
	CUcontext context;
	int *wrong, failures = 0;

	attributes.version = NVTX_VERSION;
	attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
	attributes.message.ascii = "check";
	nvtxRangePushEx(&attributes);
	nvtxMark("before");
	failures += cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, &params, 0, 0) != CUDA_SUCCESS;
	params.numExecAffinityParams = 1;
	failures += cuCtxCreate(&context, &params, 0, 0) != CUDA_ERROR_NOT_SUPPORTED;
	cudaMallocManaged(&wrong, sizeof *wrong);
	*wrong = 0;
	check<<<1, 32>>>(wrong);
	if (cudaDeviceSynchronize() != cudaSuccess || *wrong || failures) {
		printf("%d wrong on the device, %d on the host\n", *wrong, failures);
		return 1;
	}
	nvtxRangePop();
	puts("ok");
	return 0;
}
