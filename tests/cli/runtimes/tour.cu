/* A tour through CUDA with nvcc's own runtime: what existing programs use, a function a topic, each checks itself. */
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

enum { N = 256 };

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			printf("line %d: %s: %s\n", __LINE__, #condition, cudaGetErrorString(cudaPeekAtLastError()));  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
#define CALL(call) CHECK((call) == cudaSuccess)

__constant__ int factor[4];
__device__ int total;
__managed__ int counter = 5;

__global__ void scale(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = in[i] * factor[i % 4];
}

__global__ void sum(const int *in)
{
	atomicAdd(&total, in[threadIdx.x]);
}

__global__ void fetch(cudaTextureObject_t texture, float *out)
{
	out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void reverse(int *p, int n)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	int i = grid.thread_rank(), other;

	p[i] = i;
	grid.sync();
	other = p[n - 1 - i];
	grid.sync();
	p[i] = other;
}

__global__ void count(int *managed)
{
	atomicAdd(&counter, managed[threadIdx.x]);
}

static void CUDART_CB note(void *calls)
{
	++*static_cast<int *>(calls);
}

static int host[N], *in, *out;

static void streams_events_and_constants(cudaStream_t stream)
{
	const int factors[4] = {1, 2, 3, 4};
	cudaEvent_t begin, end;
	float ms;

	CALL(cudaEventCreate(&begin));
	CALL(cudaEventCreate(&end));
	CALL(cudaMemcpyToSymbol(factor, factors, sizeof factors));
	CALL(cudaEventRecord(begin, stream));
	CALL(cudaMemcpyAsync(in, host, sizeof host, cudaMemcpyHostToDevice, stream));
	scale<<<2, N / 2, 0, stream>>>(in, out);
	CALL(cudaGetLastError());
	CALL(cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, stream));
	CALL(cudaEventRecord(end, stream));
	CALL(cudaStreamSynchronize(stream));
	CALL(cudaEventElapsedTime(&ms, begin, end));
	for (int i = 0; i < N; i++)
		CHECK(host[i] == i * factors[i % 4]);
}

static void symbols()
{
	int value = 0;

	CALL(cudaMemcpyToSymbol(total, &value, sizeof value));
	sum<<<1, N>>>(in);
	CALL(cudaMemcpyFromSymbol(&value, total, sizeof value));
	CHECK(value == N * (N - 1) / 2);
}

static void textures()
{
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};
	cudaTextureObject_t texture;
	float values[32], *device, *result;

	for (int i = 0; i < 32; i++)
		values[i] = i * 0.5f;
	CALL(cudaMalloc(&device, sizeof values));
	CALL(cudaMalloc(&result, sizeof values));
	CALL(cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = device;
	resource.res.linear.desc = cudaCreateChannelDesc<float>();
	resource.res.linear.sizeInBytes = sizeof values;
	CALL(cudaCreateTextureObject(&texture, &resource, &how, NULL));
	fetch<<<1, 32>>>(texture, result);
	CALL(cudaMemcpy(values, result, sizeof values, cudaMemcpyDeviceToHost));
	CHECK(values[31] == 15.5f);
	CALL(cudaDestroyTextureObject(texture));
}

static void cooperative_launches()
{
	int n = N;
	void *args[] = {&out, &n};

	CALL(cudaLaunchCooperativeKernel((void *)reverse, dim3(2), dim3(N / 2), args, 0, 0));
	CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		CHECK(host[i] == N - 1 - i);
}

static void managed_memory()
{
	int *managed;

	CALL(cudaMallocManaged(&managed, N * sizeof *managed));
	for (int i = 0; i < N; i++)
		managed[i] = 2;
	count<<<1, N>>>(managed);
	CALL(cudaDeviceSynchronize());
	CHECK(counter == 5 + 2 * N);
	CALL(cudaFree(managed));
}

static void allocation_in_a_stream(cudaStream_t stream)
{
	int *memory;

	CALL(cudaMallocAsync(&memory, sizeof host, stream));
	CALL(cudaMemsetAsync(memory, 0x11, sizeof host, stream));
	CALL(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
	CALL(cudaFreeAsync(memory, stream));
	CALL(cudaStreamSynchronize(stream));
	CHECK(host[5] == 0x11111111);
}

static void graphs(cudaStream_t stream)
{
	cudaGraphExec_t instance;
	cudaGraph_t graph;
	int calls = 0;

	CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	scale<<<2, N / 2, 0, stream>>>(in, out);
	CALL(cudaLaunchHostFunc(stream, note, &calls));
	CALL(cudaStreamEndCapture(stream, &graph));
	CALL(cudaGraphInstantiate(&instance, graph, 0));
	CALL(cudaGraphLaunch(instance, stream));
	CALL(cudaGraphLaunch(instance, stream));
	CALL(cudaStreamSynchronize(stream));
	CHECK(calls == 2);
}

/* Both APIs have one state: the runtime launches on memory that the driver allocated. */
static void driver()
{
	cudaDriverEntryPointQueryResult found;
	CUdeviceptr memory;
	CUcontext context;
	CUdevice device;
	void *copy;

	CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
	CHECK(cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS);
	CHECK(cuCtxSetCurrent(context) == CUDA_SUCCESS && cuMemAlloc(&memory, sizeof host) == CUDA_SUCCESS);
	scale<<<2, N / 2>>>(in, reinterpret_cast<int *>(memory));
	CALL(cudaGetDriverEntryPointByVersion("cuMemcpyDtoH", &copy, 12000, cudaEnableDefault, &found));
	CHECK(found == cudaDriverEntryPointSuccess);
	CHECK(reinterpret_cast<decltype(&cuMemcpyDtoH)>(copy)(host, memory, sizeof host) == CUDA_SUCCESS);
	CHECK(host[N - 1] == (N - 1) * 4);
}

static void errors()
{
	scale<<<1, 5000>>>(in, out);
	CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
	CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice && cudaGetLastError() == cudaErrorInvalidDevice);
}

int main()
{
	cudaDeviceProp properties;
	cudaStream_t stream;

	CHECK(counter == 5);
	CALL(cudaGetDeviceProperties(&properties, 0));
	printf("%s\n", properties.name);
	CALL(cudaStreamCreate(&stream));
	CALL(cudaMalloc(&in, sizeof host));
	CALL(cudaMalloc(&out, sizeof host));
	for (int i = 0; i < N; i++)
		host[i] = i;
	streams_events_and_constants(stream);
	symbols();
	textures();
	cooperative_launches();
	managed_memory();
	allocation_in_a_stream(stream);
	graphs(stream);
	driver();
	errors();
	CALL(cudaDeviceReset());
	puts("ok");
	return 0;
}
