/* Pointers that travel through memory. */
#include "prelude.h"

struct node {
	node *next;
	int value;
};

__constant__ float *const_pointer;
__device__ float *global_pointer;

KERNEL pointer_to_pointer(const float *const *__restrict__ pp, float *__restrict__ out) { out[INDEX] = pp[1][INDEX]; }

KERNEL pointer_to_pointer_plain(float **pp, float *out) { out[INDEX] = pp[1][INDEX]; }

KERNEL holder_written(float **pp, float *a, float *out)
{
	pp[threadIdx.x] = a;
	__syncthreads();
	out[INDEX] = pp[0][INDEX];
}

KERNEL store_through_loaded(float **pp, const float *a) { pp[1][INDEX] = a[INDEX]; }

KERNEL constant_pointer(float *__restrict__ out) { out[INDEX] = const_pointer[INDEX]; }

KERNEL list_walk(const node *head, int *out)
{
	int sum = 0;

	for (const node *n = head; n; n = n->next)
		sum += n->value;
	out[INDEX] = sum;
}

KERNEL gather(const int *index, const float *x, float *y) { y[INDEX] = x[index[INDEX]]; }

KERNEL gather_long(const long *index, const float *x, float *y) { y[INDEX] = x[index[INDEX]]; }

KERNEL gather_bytes(const long *index, const char *x, char *y) { y[INDEX] = x[index[INDEX]]; }

KERNEL scatter(const int *index, const float *x, float *y) { y[index[INDEX]] = x[INDEX]; }

KERNEL scatter_bytes(const long *index, const char *x, char *y) { y[index[INDEX]] = x[INDEX]; }

KERNEL scatter_table(float *const *rows, const int *index, const float *x) { rows[0][index[INDEX]] = x[INDEX]; }

KERNEL publish(float *p, const float *q, float *out)
{
	global_pointer = p;
	out[INDEX] = q[INDEX];
}

KERNEL store_through_published(float *p, const float *q)
{
	global_pointer = p;
	__syncthreads();
	global_pointer[INDEX] = q[INDEX];
}

KERNEL spilled_read(const float *a, const float *b, float *out, int which)
{
	const float *table[2] = {a, b};

	out[INDEX] = table[which & 1][INDEX];
}

KERNEL spilled_write(float *a, float *b, const float *c, int which)
{
	float *table[4] = {a, b, a, b};

	table[which & 3][INDEX] = c[INDEX];
}

KERNEL shared_pointer(const float *a, float *out)
{
	__shared__ const float *p;

	if (threadIdx.x == 0)
		p = a;
	__syncthreads();
	out[INDEX] = p[INDEX];
}

KERNEL shared_table_write(float *a, float *b, const float *c)
{
	__shared__ float *table[32];

	table[threadIdx.x & 31] = threadIdx.x & 1 ? a : b;
	__syncthreads();
	table[(threadIdx.x + 1) & 31][INDEX] = c[INDEX];
}

/* A pointer taken apart into 32-bit halves, kept in shared memory and put together again. */
KERNEL halves(float *a, const float *c)
{
	__shared__ unsigned low, high;
	unsigned long long p;

	if (threadIdx.x == 0)
		asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(a));
	__syncthreads();
	asm volatile("mov.b64 %0, {%1, %2};" : "=l"(p) : "r"(low), "r"(high));
	((float *)p)[INDEX] = c[INDEX];
}

/* Halves in registers only: nothing is lost. */
KERNEL halves_shifted(float *a, const float *c, int rotate)
{
	unsigned low = (unsigned)(size_t)a, high = (unsigned)((size_t)a >> 32);

	low += rotate;
	((float *)((size_t)high << 32 | low))[INDEX] = c[INDEX];
}
