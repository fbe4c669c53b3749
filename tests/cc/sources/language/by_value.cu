// A structure by value, read around atomic operations: the kernel sees its own changes of it, and no others.
#include "expect.h"

enum { THREADS = 64, STEPS = 5 };

struct account {
	int *sums; // one for each thread
	int *turns;
	int step, limit;
};

__global__ void unchanged(account a)
{
	for (int i = 0; i < a.limit; i++) {
		atomicAdd(&a.sums[threadIdx.x], a.step);
		if (a.step > 1 && atomicAdd(&a.turns[threadIdx.x], 1) >= 0)
			a.sums[threadIdx.x] += a.step;
	}
}

__global__ void changed(account a)
{
	for (int i = 0; i < a.limit; i++) {
		atomicAdd(&a.sums[threadIdx.x], a.step);
		a.step += (int)threadIdx.x;
	}
}

__device__ __noinline__ void grow(account *a)
{
	a->step += 3;
}

__global__ void handed_on(account a)
{
	for (int i = 0; i < a.limit; i++) {
		atomicAdd(&a.sums[threadIdx.x], a.step);
		if (threadIdx.x % 2)
			grow(&a);
	}
}

__global__ void changed_by_choice(account a)
{
	int *chosen = threadIdx.x % 2 ? &a.step : &a.limit;

	for (int i = 0; i < a.limit; i++) {
		atomicAdd(&a.sums[threadIdx.x], a.step);
		if (i % 2)
			*chosen += 1;
	}
}

/* Hands the structure to a copy, which is changed. */
__global__ void copied(account a)
{
	account mine = a;

	for (int i = 0; i < a.limit; i++) {
		atomicAdd(&a.sums[threadIdx.x], mine.step);
		mine.step += a.step;
	}
}

static int sum_of_unchanged(int)
{
	return 2 * 7 * STEPS;
}

static int sum_of_changed(int t)
{
	return 7 * STEPS + t * (STEPS * (STEPS - 1) / 2);
}

static int sum_of_handed_on(int t)
{
	return 7 * STEPS + t % 2 * 3 * (STEPS * (STEPS - 1) / 2);
}

static int sum_of_changed_by_choice(int t)
{
	int step = 7, limit = STEPS, sum = 0;

	for (int i = 0; i < limit; i++) {
		sum += step;
		if (i % 2)
			++*(t % 2 ? &step : &limit);
	}
	return sum;
}

static int sum_of_copied(int)
{
	return 7 * (STEPS * (STEPS + 1) / 2);
}

static void check(const char *name, void (*kernel)(account), int (*expected)(int))
{
	int *sums, *turns, results[THREADS];

	EXPECT(cudaMalloc(&sums, sizeof results) == cudaSuccess);
	EXPECT(cudaMalloc(&turns, sizeof results) == cudaSuccess);
	EXPECT(cudaMemset(sums, 0, sizeof results) == cudaSuccess);
	EXPECT(cudaMemset(turns, 0, sizeof results) == cudaSuccess);
	kernel<<<1, THREADS>>>({sums, turns, 7, STEPS});
	EXPECT(cudaMemcpy(results, sums, sizeof results, cudaMemcpyDeviceToHost) == cudaSuccess);
	for (int t = 0; t < THREADS; t++)
		if (results[t] != expected(t)) {
			printf("%s: thread %d has %d instead of %d\n", name, t, results[t], expected(t));
			wrong++;
			break;
		}
}

int main()
{
	check("unchanged", unchanged, sum_of_unchanged);
	check("changed", changed, sum_of_changed);
	check("handed_on", handed_on, sum_of_handed_on);
	check("changed_by_choice", changed_by_choice, sum_of_changed_by_choice);
	check("copied", copied, sum_of_copied);
	puts(wrong ? "wrong" : "ok");
	return wrong;
}
