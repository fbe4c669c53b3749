/*
 * The calls of the runtime API that programs use most, on whatever device runs them: memory of all kinds, copies,
 * streams, events, threads, attributes, output and failures of kernels. Exits with 0 when all is as CUDA says.
 *
 *   runtime              the usual calls
 *   runtime --recover    a kernel fails, and after a reset everything works again, or fails as the kernel did
 *   runtime --assert     ends in a kernel's failed assertion, which must be reported
 *   runtime --fault      ends in a kernel's illegal access, likewise
 */
#include "../../../../samples/common/check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cassert>
#include <thread>

#define EXPECT(condition)                                                                                              \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                        \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__device__ int counter;
__constant__ int offsets[2];

__global__ void add(const int *in, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i] + offsets[0];
}

__global__ void count()
{
	atomicAdd(&counter, 1);
}

__global__ void say(int number)
{
	printf("kernel %d says hello\n", number);
}

__global__ void with_shared(int *out)
{
	extern __shared__ int many[];

	many[threadIdx.x + 14000] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = many[14000 + blockDim.x - 1 - threadIdx.x];
}

__global__ void from_heap(int *out)
{
	int *mine = (int *)malloc(4 * sizeof(int));

	mine[1] = threadIdx.x;
	out[threadIdx.x] = mine[1];
	free(mine);
}

__global__ void check_positive(const int *in)
{
	assert(in[threadIdx.x] > 0);
}

__global__ void store_at(int *address)
{
	*address = 1;
}

enum { N = 1000 };

static void copies()
{
	int host[N], back[N], *a, *b, two = 2;
	char grid[6][8], square[3][4] = {"abc", "def", "ghi"}, *rows;
	size_t pitch;

	for (int i = 0; i < N; i++)
		host[i] = i;
	CHECK(cudaMalloc(&a, sizeof host));
	CHECK(cudaMalloc(&b, sizeof host));
	CHECK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyToSymbol(offsets, &two, sizeof two));
	add<<<(N + 127) / 128, 128>>>(a, b, N);
	CHECK(cudaMemcpy(a, b, sizeof host, cudaMemcpyDeviceToDevice));
	CHECK(cudaMemcpy(back, a, sizeof back, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		EXPECT(back[i] == i + 2);
	CHECK(cudaMemset(a, 0x11, 8));
	CHECK(cudaMemcpy(back, a, 12, cudaMemcpyDefault));
	EXPECT(back[0] == 0x11111111 && back[1] == 0x11111111 && back[2] == 4);
	CHECK(cudaMallocPitch(&rows, &pitch, 8, 6));
	EXPECT(pitch >= 8);
	CHECK(cudaMemset2D(rows, pitch, '.', 8, 6));
	CHECK(cudaMemcpy2D(rows + 2 * pitch + 1, pitch, square, 4, 3, 3, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy2D(grid, 8, rows, pitch, 8, 6, cudaMemcpyDeviceToHost));
	EXPECT(memcmp(grid[3], ".def....", 8) == 0 && memcmp(grid[5], "........", 8) == 0);
	EXPECT(cudaMemcpy(a, host, 16, (cudaMemcpyKind)9) == cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaGetLastError() == cudaErrorInvalidMemcpyDirection && cudaGetLastError() == cudaSuccess);
	CHECK(cudaFree(rows));
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	EXPECT(cudaFree(host) != cudaSuccess);
	cudaGetLastError();
}

static void shared_memory()
{
	cudaPointerAttributes attributes;
	int *managed, *pinned;
	void *huge;

	CHECK(cudaMallocManaged(&managed, N * sizeof(int)));
	CHECK(cudaMallocHost(&pinned, N * sizeof(int)));
	for (int i = 0; i < N; i++)
		managed[i] = 10 * i;
	add<<<8, 128>>>(managed, pinned, N);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < N; i++)
		EXPECT(pinned[i] == 10 * i + 2);
	CHECK(cudaPointerGetAttributes(&attributes, managed + 3));
	EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == managed + 3);
	CHECK(cudaPointerGetAttributes(&attributes, pinned));
	EXPECT(attributes.type == cudaMemoryTypeHost);
	EXPECT(cudaMalloc(&huge, (size_t)1 << 60) == cudaErrorMemoryAllocation);
	EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
	CHECK(cudaFree(managed));
	CHECK(cudaFreeHost(pinned));
}

__global__ void slowly(int *value)
{
	long long start = clock64();

	while (clock64() - start < 100000)
		;
	*value = 99;
}

static void look(void *value)
{
	EXPECT(*(volatile int *)value == 99);
	*(int *)value = 100;
}

/* A host function finds the work before it done, in a stream and in a graph. */
static void host_functions(cudaStream_t stream)
{
	int *value;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	CHECK(cudaMallocManaged(&value, sizeof(int)));
	EXPECT(*value == 0);
	slowly<<<1, 1, 0, stream>>>(value);
	CHECK(cudaLaunchHostFunc(stream, look, value));
	CHECK(cudaStreamSynchronize(stream));
	EXPECT(*value == 100);
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	slowly<<<1, 1, 0, stream>>>(value);
	CHECK(cudaLaunchHostFunc(stream, look, value));
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
	EXPECT(*value == 100);
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaFree(value));
}

static void streams_and_events()
{
	cudaStream_t stream;
	cudaEvent_t start, end;
	float milliseconds = -1;
	int counted = 0;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&end));
	CHECK(cudaEventRecord(start, stream));
	for (int i = 0; i < 10; i++)
		count<<<4, 64, 0, stream>>>();
	CHECK(cudaEventRecord(end, stream));
	CHECK(cudaStreamWaitEvent(0, end, 0));
	while (cudaEventQuery(end) == cudaErrorNotReady)
		;
	CHECK(cudaEventSynchronize(end));
	CHECK(cudaEventElapsedTime(&milliseconds, start, end));
	EXPECT(milliseconds > 0 && milliseconds < 60000);
	CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
	EXPECT(counted == 2560);
	host_functions(stream);
	CHECK(cudaEventDestroy(start));
	CHECK(cudaEventDestroy(end));
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaStreamDestroy(stream));
}

static void worker(int number, bool *good)
{
	int *data, value = number, back = 0;

	*good = cudaMalloc(&data, sizeof(int)) == cudaSuccess &&
		cudaMemcpy(data, &value, sizeof value, cudaMemcpyHostToDevice) == cudaSuccess;
	add<<<1, 1>>>(data, data, 1);
	*good = *good && cudaMemcpy(&back, data, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess &&
		back == number + 2 && cudaFree(data) == cudaSuccess;
}

static void threads()
{
	bool good[4];
	std::thread workers[4];

	for (int i = 0; i < 4; i++)
		workers[i] = std::thread(worker, i, &good[i]);
	for (std::thread &w : workers)
		w.join();
	for (bool g : good)
		EXPECT(g);
}

static void questions()
{
	cudaDeviceProp prop;
	cudaFuncAttributes attributes;
	size_t free_bytes, total_bytes;
	int value, count = 0, blocks = 0, runtime = 0;

	CHECK(cudaGetDeviceCount(&count));
	CHECK(cudaSetDevice(0));
	CHECK(cudaGetDeviceProperties(&prop, 0));
	CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	EXPECT(count >= 1 && value == prop.multiProcessorCount && value > 0 && prop.warpSize == 32);
	CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
	EXPECT(free_bytes <= total_bytes && total_bytes == prop.totalGlobalMem);
	CHECK(cudaFuncGetAttributes(&attributes, add));
	EXPECT(attributes.maxThreadsPerBlock >= 128 && attributes.numRegs > 0);
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 128, 0));
	EXPECT(blocks > 0);
	CHECK(cudaRuntimeGetVersion(&runtime));
	printf("device '%s', sm_%d%d, %d SMs\n", prop.name, prop.major, prop.minor, prop.multiProcessorCount);
}

static void launches()
{
	int *out, back[64], bytes = 64 << 10;

	CHECK(cudaMalloc(&out, sizeof back));
	add<<<1, 2000>>>(out, out, 1);
	EXPECT(cudaGetLastError() != cudaSuccess);
	with_shared<<<1, 64, (size_t)bytes>>>(out);
	EXPECT(cudaGetLastError() != cudaSuccess);
	CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
	with_shared<<<1, 64, (size_t)bytes>>>(out);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
	EXPECT(back[0] == 63 && back[63] == 0);
	from_heap<<<1, 64>>>(out);
	CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
	EXPECT(back[0] == 0 && back[63] == 63);
	say<<<1, 1>>>(7);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
}

/* The heap gets its size before the first module that uses it is loaded. */
static void limits()
{
	size_t size = 0;

	CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
	CHECK(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
	EXPECT(size >= 16 << 20);
}

/*
 * A kernel's failure is seen by the next call that waits for it, and by all others until a reset; behind that as well
 * where the driver forgets it only with the process.
 */
static void failures()
{
	int *gone = (int *)16;
	cudaEvent_t event;
	void *memory;
	cudaError_t error;

	CHECK(cudaEventCreate(&event));
	CHECK(cudaEventRecord(event));
	store_at<<<1, 1>>>(gone);
	EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
	EXPECT(cudaMalloc(&memory, 16) == cudaErrorIllegalAddress);
	error = cudaDeviceReset();
	if (error) {
		EXPECT(error == cudaErrorIllegalAddress && cudaMalloc(&memory, 16) == cudaErrorIllegalAddress);
		printf("not recovered: the driver keeps the failure until the process ends\n");
		return;
	}
	cudaEventDestroy(event);
	cudaGetLastError();
	CHECK(cudaMalloc(&memory, 16));
	CHECK(cudaMemset(memory, 0, 16));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(memory));
	printf("recovered\n");
}

static int end_in(const char *how)
{
	int *data;

	if (strcmp(how, "--recover") == 0) {
		failures();
		return 0;
	}
	CHECK(cudaMalloc(&data, 32 * sizeof(int)));
	CHECK(cudaMemset(data, 0, 32 * sizeof(int)));
	if (strcmp(how, "--assert") == 0)
		check_positive<<<1, 32>>>(data);
	else
		store_at<<<1, 1>>>((int *)16);
	CHECK(cudaDeviceSynchronize());
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return end_in(argv[1]);
	limits();
	questions();
	copies();
	shared_memory();
	streams_and_events();
	threads();
	launches();
	printf("all calls as expected\n");
	return 0;
}
