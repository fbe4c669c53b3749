/*
 * Launches that keep and that break the promise of read-only data, in the ways that programs do. Prints a line a case:
 * its name, and whether the marks should hold.
 */
#include "guarded.h"

__global__ void plain_pointers(const int *in, int *out, int *sums)
{
	body(in, out, sums);
}

/* `in` is the end of its array. */
__global__ void from_the_end(const int *end, int *out, int *sums)
{
	body(end - N, out, sums);
}

struct arrays {
	const int *in;
	int *out, *sums;
};

__global__ void by_value(arrays a)
{
	body(a.in, a.out, a.sums);
}

__global__ void by_table(const int *const *table, int which, int *out, int *sums)
{
	body(table[which], out, sums);
}

__global__ void by_number(unsigned long long in, unsigned long long out, int *sums)
{
	body((const int *)in, (int *)out, sums);
}

__device__ int variable[N];

__global__ void from_variable(int *out, int *sums)
{
	body(variable, out, sums);
}

static void pointers(int *a, int *b)
{
	fill(a, 10);
	plain_pointers<<<1, N>>>(a, b, sums);
	verify("pointers", b, 10, false);
	fill(a, 20);
	plain_pointers<<<1, N>>>(a, a, sums);
	verify("pointers, in place", a, 20, true);
}

static void parts_of_one_allocation(void)
{
	int *both;

	CHECK(cudaMalloc(&both, 2 * N * sizeof(int)));
	fill(both, 30);
	plain_pointers<<<1, N>>>(both, both + N, sums);
	verify("parts of one allocation", both + N, 30, false);
	CHECK(cudaFree(both));
}

static void ends(int *a, int *b)
{
	fill(a, 40);
	from_the_end<<<1, N>>>(a + N, b, sums);
	verify("from the end", b, 40, false);
	fill(a, 50);
	from_the_end<<<1, N>>>(a + N, a, sums);
	verify("from the end, in place", a, 50, true);
}

static void structs(int *a, int *b)
{
	arrays args = {a, b, sums};

	fill(a, 60);
	by_value<<<1, N>>>(args);
	verify("struct", b, 60, false);
	args.out = a;
	fill(a, 70);
	by_value<<<1, N>>>(args);
	verify("struct, in place", a, 70, true);
}

static void tables(int *a, int *b)
{
	int *host[2] = {a, b}, **table, *c;

	CHECK(cudaMalloc(&table, sizeof host));
	CHECK(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
	CHECK(cudaMalloc(&c, N * sizeof(int)));
	fill(a, 80);
	by_table<<<1, N>>>(table, 0, c, sums);
	verify("table", c, 80, false);
	fill(a, 90);
	by_table<<<1, N>>>(table, 0, a, sums);
	verify("table, in place", a, 90, true);
	CHECK(cudaFree(c));
	CHECK(cudaFree(table));
}

static void numbers(int *a, int *b)
{
	fill(a, 100);
	by_number<<<1, N>>>((unsigned long long)a, (unsigned long long)b, sums);
	verify("numbers", b, 100, false);
	fill(a, 110);
	by_number<<<1, N>>>((unsigned long long)a, (unsigned long long)a, sums);
	verify("numbers, in place", a, 110, true);
}

static void variables(int *b)
{
	int *address;

	CHECK(cudaGetSymbolAddress((void **)&address, variable));
	fill(address, 120);
	from_variable<<<1, N>>>(b, sums);
	verify("variable", b, 120, false);
	fill(address, 130);
	from_variable<<<1, N>>>(address, sums);
	verify("variable, in place", address, 130, true);
	fill(address, 140);
	plain_pointers<<<1, N>>>(address, address, sums);
	verify("variable by pointer, in place", address, 140, true);
}

static void shared_with_host(void)
{
	int *managed, *mapped, *device;

	CHECK(cudaMallocManaged(&managed, N * sizeof(int)));
	CHECK(cudaHostAlloc(&mapped, N * sizeof(int), cudaHostAllocMapped));
	CHECK(cudaHostGetDevicePointer((void **)&device, mapped, 0));
	for (int i = 0; i < N; i++)
		managed[i] = mapped[i] = 150 + 3 * i;
	plain_pointers<<<1, N>>>(managed, managed, sums);
	CHECK(cudaDeviceSynchronize());
	verify("managed, in place", managed, 150, true);
	plain_pointers<<<1, N>>>(mapped, device, sums);
	CHECK(cudaDeviceSynchronize());
	verify("mapped, by two addresses", mapped, 150, true);
	CHECK(cudaFree(managed));
	CHECK(cudaFreeHost(mapped));
}

static void pooled(void)
{
	cudaStream_t stream;
	int *a, *b;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMallocAsync((void **)&a, N * sizeof(int), stream));
	fill(a, 160);
	plain_pointers<<<1, N, 0, stream>>>(a, a, sums);
	CHECK(cudaStreamSynchronize(stream));
	verify("pool, in place", a, 160, true);
	/* Freed memory is used again: the same address, another allocation. */
	CHECK(cudaFreeAsync(a, stream));
	CHECK(cudaMallocAsync((void **)&a, N * sizeof(int), stream));
	CHECK(cudaMallocAsync((void **)&b, N * sizeof(int), stream));
	fill(a, 170);
	plain_pointers<<<1, N, 0, stream>>>(a, b, sums);
	CHECK(cudaStreamSynchronize(stream));
	verify("pool, used again", b, 170, false);
	CHECK(cudaFreeAsync(a, stream));
	CHECK(cudaFreeAsync(b, stream));
	CHECK(cudaStreamDestroy(stream));
}

static void pitched(void)
{
	int *rows;
	size_t pitch;

	CHECK(cudaMallocPitch((void **)&rows, &pitch, N * sizeof(int), 2));
	fill(rows, 180);
	plain_pointers<<<1, N>>>(rows, (int *)((char *)rows + pitch), sums);
	verify("rows of pitched memory", (int *)((char *)rows + pitch), 180, false);
	fill(rows, 190);
	plain_pointers<<<1, N>>>(rows, rows, sums);
	verify("pitched memory, in place", rows, 190, true);
	CHECK(cudaFree(rows));
}

/* The pointers of a graph's launch are those at its replay, not those at its capture. */
static void graphs(int *a, int *b)
{
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	size_t count = 1;
	void *args[] = {&a, &a, &sums};
	cudaKernelNodeParams params = {};

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	plain_pointers<<<1, N, 0, stream>>>(a, b, sums);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphGetNodes(graph, &node, &count));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	fill(a, 200);
	CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
	verify("graph", b, 200, false);
	params.func = (void *)plain_pointers;
	params.gridDim = dim3(1);
	params.blockDim = dim3(N);
	params.kernelParams = args;
	CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &params));
	fill(a, 210);
	CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
	verify("graph, updated, in place", a, 210, true);
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(stream));
}

static void cooperative(int *a, int *b)
{
	const int *in = a;
	void *apart[] = {&in, &b, &sums}, *same[] = {&in, &a, &sums};

	fill(a, 220);
	CHECK(cudaLaunchCooperativeKernel((const void *)plain_pointers, dim3(1), dim3(N), apart, 0, 0));
	verify("cooperative", b, 220, false);
	fill(a, 230);
	CHECK(cudaLaunchCooperativeKernel((const void *)plain_pointers, dim3(1), dim3(N), same, 0, 0));
	verify("cooperative, in place", a, 230, true);
}

int main()
{
	int *a, *b;

	CHECK(cudaMalloc(&a, N * sizeof(int)));
	CHECK(cudaMalloc(&b, N * sizeof(int)));
	CHECK(cudaMalloc(&sums, N * sizeof(int)));
	pointers(a, b);
	parts_of_one_allocation();
	ends(a, b);
	structs(a, b);
	tables(a, b);
	numbers(a, b);
	variables(b);
	shared_with_host();
	pooled();
	pitched();
	graphs(a, b);
	cooperative(a, b);
	CHECK(cudaGetLastError());
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(sums));
	printf("%d wrong\n", wrong);
	return wrong != 0;
}
