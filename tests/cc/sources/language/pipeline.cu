// options: -arch=sm_80
// Barriers and copies in stages: cuda::barrier, cuda::pipeline with producers and consumers, the primitives below them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;

#define THREADS 128
#define STAGES 3
#define BATCHES 10

typedef cuda::barrier<cuda::thread_scope_block> barrier;

// Each phase, every thread adds what its neighbour wrote in the phase before. Half of them leave after the first phases.
__global__ void phases(int *out)
{
	__shared__ barrier b;
	__shared__ int value[2][THREADS];
	int me = threadIdx.x, sum = 0;

	if (me == 0)
		init(&b, THREADS);
	value[0][me] = me;
	__syncthreads();
	b.arrive_and_wait();
	for (int i = 0; i < 4; i++) {
		barrier::arrival_token token;

		sum += value[i % 2][(me + 1) % THREADS];
		value[1 - i % 2][me] = value[i % 2][me] + 1;
		token = b.arrive();
		sum += 1000;
		b.wait(std::move(token));
	}
	out[me] = sum;
	if (me % 2) {
		b.arrive_and_drop();
		return;
	}
	b.arrive_and_wait();
	value[0][me] = -me;
	b.arrive_and_wait();
	out[me] += value[0][(me + 2) % THREADS];
}

// The first warp copies batches, the others add them up.
__global__ void roles(const int *in, int *out)
{
	__shared__ int buffer[STAGES][32];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
	auto block = cg::this_thread_block();
	bool fills = threadIdx.x < 32;
	auto pipe = cuda::make_pipeline(block, &state,
					fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
	int sum = 0;

	for (int i = 0; i < BATCHES; i++) {
		if (fills) {
			pipe.producer_acquire();
			cuda::memcpy_async(&buffer[i % STAGES][threadIdx.x], &in[i * 32 + threadIdx.x],
					   cuda::aligned_size_t<4>(sizeof(int)), pipe);
			pipe.producer_commit();
		} else {
			pipe.consumer_wait();
			for (int k = 0; k < 32; k++)
				sum += buffer[i % STAGES][k];
			pipe.consumer_release();
		}
	}
	out[threadIdx.x] = sum;
}

// A pipeline of one thread, a copy by the whole block, and copies by hand with zeros at the end.
__global__ void alone(const int *in, int *out)
{
	__shared__ int buffer[2][THREADS];
	__shared__ int4 wide[THREADS];
	auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline();
	int me = threadIdx.x, sum;

	pipe.producer_acquire();
	cuda::memcpy_async(&buffer[0][me], &in[me], sizeof(int), pipe);
	pipe.producer_commit();
	cuda::pipeline_consumer_wait_prior<0>(pipe);
	pipe.consumer_release();
	cg::memcpy_async(block, buffer[1], &in[THREADS], sizeof buffer[1]);
	cg::wait(block);
	sum = buffer[0][me] + buffer[1][THREADS - 1 - me];
	__pipeline_memcpy_async(&wide[me], &((const int4 *)in)[me % 32], 16);
	__pipeline_commit();
	__pipeline_memcpy_async(&buffer[0][me], &in[me + 1], 4);
	__pipeline_commit();
	__pipeline_wait_prior(1);
	sum += wide[me].x + wide[me].w;
	__pipeline_wait_prior(0);
	sum += buffer[0][me];
	__pipeline_memcpy_async(&wide[me], &((const int4 *)in)[me % 32], 16, 8);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	out[me] = sum + wide[me].y + wide[me].z;
}

static int failures;

static void verify(const char *name, const int *out, int (*expected)(int))
{
	int wrong = cudaDeviceSynchronize() != cudaSuccess;

	for (int i = 0; i < THREADS; i++)
		wrong += out[i] != expected(i);
	if (wrong) {
		printf("%s: %d wrong\n", name, wrong);
		failures++;
	}
}

static int input(int i)
{
	return i * i % 101;
}

int main()
{
	int *in, *out;

	cudaMallocManaged(&in, BATCHES * 32 * sizeof *in);
	cudaMallocManaged(&out, THREADS * sizeof *out);
	for (int i = 0; i < BATCHES * 32; i++)
		in[i] = input(i);
	phases<<<1, THREADS>>>(out);
	verify("phases", out, [](int i) {
		int next = (i + 1) % THREADS, sum = 4 * next + 6 + 4000;
		return i % 2 ? sum : sum - (i + 2) % THREADS;
	});
	roles<<<1, THREADS>>>(in, out);
	verify("roles", out, [](int i) {
		int sum = 0;
		for (int k = 0; i >= 32 && k < BATCHES * 32; k++)
			sum += input(k);
		return sum;
	});
	alone<<<1, THREADS>>>(in, out);
	verify("alone", out, [](int i) {
		int wide = i % 32 * 4;
		return input(i) + input(2 * THREADS - 1 - i) + input(wide) + input(wide + 3) + input(i + 1) +
		       input(wide + 1);
	});
	if (failures)
		return 1;
	puts("ok");
	return 0;
}
