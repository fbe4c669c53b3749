// Kernels of test_control.c. control.ptx is what nvcc makes of them (-ptx -arch=compute_75, comments removed).
#define KERNEL extern "C" __global__ void

KERNEL nested(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], r = 0;

	if (v & 1) {
		if (v & 2)
			r = v * 3;
		else if (v & 4)
			r = v - 7;
		for (int k = 0; k < (v & 15); k++) {
			if (k == 9)
				break;
			if (k & 1)
				continue;
			r += k * v;
		}
	} else {
		while (v > 0) {
			r++;
			v = v & 4 ? v >> 1 : v - 1 - (v >> 2);
		}
	}
	out[i] = r;
}

KERNEL early_exit(const int *in, int *out, int n)
{
	__shared__ int sum;
	int i = threadIdx.x;

	if (i >= n)
		return;
	if (i == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, in[i]);
	__syncthreads();
	out[i] = sum;
}

/* Threads of one warp meet at a barrier in both sides of a branch. */
KERNEL split_barrier(int *out)
{
	__shared__ int box[64];
	int i = threadIdx.x, r;

	box[i] = i;
	if (i & 1) {
		asm volatile("barrier.sync 0;" ::: "memory");
		r = box[63 - i] + 1000;
	} else {
		asm volatile("barrier.sync 0;" ::: "memory");
		r = box[63 - i] + 2000;
	}
	out[i] = r;
}

__device__ __noinline__ int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

__device__ __noinline__ int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

KERNEL recursion(const int *in, int *out)
{
	int i = threadIdx.x, v = in[i];

	out[i] = v & 1 ? factorial(v % 11) : ackermann(v % 3, v % 5);
}

struct pair {
	double a;
	int b[3];
};

__device__ __noinline__ pair swirl(pair p, int k)
{
	pair r;

	r.a = p.b[k % 3] + 0.5;
	for (int i = 0; i < 3; i++)
		r.b[i] = p.b[(i + k) % 3] + (int)p.a;
	return r;
}

KERNEL structs(const int *in, int *out)
{
	int i = threadIdx.x;
	pair p = {in[i] * 0.25, {i, i * 2, i * 3}};

	p = swirl(p, i & 7);
	if (i & 2)
		p = swirl(p, i & 3);
	out[i] = (int)(p.a * 10) + p.b[0] + p.b[1] * 3 + p.b[2] * 7;
}

typedef int (*function)(int);
__device__ __noinline__ int twice(int x)
{
	return 2 * x;
}
__device__ __noinline__ int square(int x)
{
	return x * x;
}
__device__ __noinline__ int vanish(int x)
{
	if (x % 5 == 0)
		asm volatile("exit;");
	return -x;
}
__device__ function table[] = {twice, square, vanish};

KERNEL indirect(const int *in, int *out)
{
	int i = threadIdx.x;

	out[i] = table[in[i] % 3](i);
}

KERNEL jumps(const int *in, int *out)
{
	int i = threadIdx.x, r;

	switch (in[i]) {
	case 0: r = i + 5; break;
	case 1: r = i * i; break;
	case 2: r = -i; /* fall through */
	case 3: r = i ^ 21; break;
	case 4: r = i << 3; break;
	case 5: r = i % 7; break;
	case 6: r = 1000 - i; break;
	case 7: r = i * 100; break;
	default: r = -1; break;
	}
	out[i] = r;
}

/* Lanes of a warp take a lock in turn: the lane that holds it waits at the loop's end for the lanes that spin. */
KERNEL spin_lock(int *lock, int *count)
{
	bool done = false;

	while (!done)
		if (atomicCAS(lock, 0, 1) == 0) {
			*(volatile int *)count = *(volatile int *)count + 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
}

KERNEL spin_lock_outside(int *lock, int *count)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
	*(volatile int *)count = *(volatile int *)count + 1;
	__threadfence();
	atomicExch(lock, 0);
}

/* Warp 1 waits in a loop for what warp 0 writes, and back. */
KERNEL ping_pong(volatile int *box, int *out)
{
	if (threadIdx.x == 0) {
		for (int k = 1; k < 100; k += 2) {
			box[0] = k;
			while (box[0] != k + 1)
				;
		}
		out[0] = box[0];
	} else if (threadIdx.x == 32) {
		for (int k = 1; k < 100; k += 2) {
			while (box[0] != k)
				;
			box[0] = k + 1;
		}
	}
}

/* CTA 0 waits for the others. */
KERNEL wait_for_cta(volatile int *flags, int *out, int n)
{
	if (blockIdx.x == 0) {
		int sum = 0;

		for (int k = 1; k < n; k++) {
			while (flags[k] == 0)
				;
			sum += flags[k];
		}
		out[0] = sum;
	} else {
		flags[blockIdx.x] = blockIdx.x * 10;
	}
}

KERNEL warp_sync(int *out)
{
	__shared__ volatile int box[32];
	int i = threadIdx.x;

	if (i < 16) {
		box[i] = i + 100;
		__syncwarp();
		out[i] = box[i + 16];
	} else {
		box[i] = i + 200;
		__syncwarp();
		out[i] = box[i - 16];
	}
}

/* A producer warp arrives, a consumer warp waits, on two named barriers. */
KERNEL producer(int *out, int n)
{
	__shared__ int box[32];
	int lane = threadIdx.x & 31;

	if (threadIdx.x < 32) {
		for (int k = 0; k < n; k++) {
			asm volatile("barrier.sync 2, 64;" ::: "memory");
			box[lane] = lane * k;
			asm volatile("barrier.arrive 1, 64;" ::: "memory");
		}
	} else {
		int sum = 0;

		for (int k = 0; k < n; k++) {
			asm volatile("barrier.arrive 2, 64;" ::: "memory");
			asm volatile("barrier.sync 1, 64;" ::: "memory");
			sum += box[31 - lane];
		}
		out[lane] = sum;
	}
}

KERNEL votes(const int *in, int *out)
{
	int i = threadIdx.x, v = in[i];

	out[i] = __syncthreads_count(v & 1) * 4 + __syncthreads_and(v >= 0) * 2 + __syncthreads_or(v == 77);
}

KERNEL warp_functions(const int *in, int *out)
{
	int i = threadIdx.x, v = in[i], *o = out + i * 16;

	o[0] = __shfl_sync(~0u, v, (i + 3) & 31);
	o[1] = __shfl_up_sync(~0u, v, 3);
	o[2] = __shfl_down_sync(~0u, v, 5, 16);
	o[3] = __shfl_xor_sync(~0u, v, 9);
	o[4] = __shfl_sync(~0u, v, i * 7, 8);
	o[5] = __ballot_sync(~0u, v & 1);
	o[6] = __any_sync(~0u, v == 3);
	o[7] = __all_sync(~0u, v < 1000);
	o[8] = __match_any_sync(~0u, v & 3);
	if (i % 3 == 0) {
		unsigned m = __activemask();

		o[9] = m;
		o[10] = __shfl_sync(m, v, 9);
		o[11] = __popc(__ballot_sync(m, v & 2));
	} else {
		o[9] = o[10] = o[11] = 0;
	}
	int pred;

	o[12] = __match_all_sync(~0u, v >> 20, &pred);
	o[13] = pred;
}

KERNEL divergent_return(const int *in, int *out)
{
	int i = threadIdx.x;

	out[i] = 1;
	if (in[i] < 4)
		return;
	out[i] = 2;
	for (int k = 0; k < 100; k++) {
		if (k == in[i])
			return;
		out[i] += k;
	}
	out[i] = 3;
}

KERNEL deadlock(void)
{
	if (threadIdx.x < 32)
		asm volatile("barrier.sync 1, 64;" ::: "memory");
	else
		asm volatile("barrier.sync 2, 64;" ::: "memory");
}
