/*
 * Host threads that allocate, launch and free at the same time, each with memory of every kind and a stream of its own:
 * a guard must judge by the allocations that are there when its kernel is submitted. The kernel reads its input again
 * after it has written its output, so that a stale read gives another result; every result is verified.
 *
 *   threads [rounds]     of every thread; half of the launches are in place
 */
#include "../../../../samples/common/check.h"

#include <cstdio>
#include <cstdlib>
#include <thread>

enum { THREADS = 4, N = 256 };

/* One block: out[i] = in[i] + 1, then sums[i] = in[i + 1] as it is now. */
__global__ void in_place_or_not(const int *in, int *out, int *sums)
{
	int i = threadIdx.x;

	out[i] = in[i] + 1;
	__syncthreads();
	sums[i] = in[(i + 1) % N];
}

static int *allocate(int kind, cudaStream_t stream)
{
	void *p;

	switch (kind) {
	case 0: CHECK(cudaMalloc(&p, N * sizeof(int))); break;
	case 1: CHECK(cudaMallocAsync(&p, N * sizeof(int), stream)); break;
	case 2: CHECK(cudaMallocManaged(&p, N * sizeof(int))); break;
	default: CHECK(cudaHostAlloc(&p, N * sizeof(int), cudaHostAllocMapped)); break;
	}
	return (int *)p;
}

static void release(int kind, int *p, cudaStream_t stream)
{
	if (kind == 1)
		CHECK(cudaFreeAsync(p, stream));
	else if (kind == 3)
		CHECK(cudaFreeHost(p));
	else
		CHECK(cudaFree(p));
}

/* Wrong elements of out and sums. */
static int verify(const int *out, const int *sums, int start, bool aliased)
{
	int got[N], got_sums[N], bad = 0;

	CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDefault));
	CHECK(cudaMemcpy(got_sums, sums, sizeof got_sums, cudaMemcpyDefault));
	for (int i = 0; i < N; i++) {
		bad += got[i] != start + 3 * i + 1;
		bad += got_sums[i] != start + 3 * ((i + 1) % N) + aliased;
	}
	return bad;
}

static void launch(const int *in, int *out, int *sums, cudaStream_t stream, bool by_graph)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	if (by_graph)
		CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	in_place_or_not<<<1, N, 0, stream>>>(in, out, sums);
	CHECK(cudaGetLastError());
	if (!by_graph)
		return;
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
}

static void work(int number, int rounds, int *wrong)
{
	cudaStream_t stream;
	cudaEvent_t done;

	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
	for (int round = 0; round < rounds; round++) {
		int kind = (round + number) % 4, start = 1000 * number + round, host[N];
		bool aliased = round % 2;
		int *in = allocate(kind, stream), *sums = allocate((kind + 1) % 4, stream);
		int *out = aliased ? in : allocate(kind, stream);

		for (int i = 0; i < N; i++)
			host[i] = start + 3 * i;
		CHECK(cudaMemcpyAsync(in, host, sizeof host, cudaMemcpyDefault, stream));
		launch(in, out, sums, stream, round % 3 == 0);
		CHECK(cudaEventRecord(done, stream));
		CHECK(cudaEventSynchronize(done));
		*wrong += verify(out, sums, start, aliased);
		if (!aliased)
			release(kind, out, stream);
		release((kind + 1) % 4, sums, stream);
		release(kind, in, stream);
	}
	CHECK(cudaEventDestroy(done));
	CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 100, wrong[THREADS] = {}, sum = 0;
	std::thread threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		threads[i] = std::thread(work, i, rounds, &wrong[i]);
	for (int i = 0; i < THREADS; i++) {
		threads[i].join();
		sum += wrong[i];
	}
	printf("%d launches of %d threads, %d wrong\n", rounds * THREADS, (int)THREADS, sum);
	return sum != 0;
}
