// Pointers in disguise as CUDA has them at every optimisation level; ir/disguises.ll has each way by itself.
#include "prelude.h"

typedef unsigned long long address;

// EXPECT guarded by_difference: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
// EXPECT strict by_difference: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
KERNEL by_difference(int *p, const int *q)
{
	int d = (int)(q - p);

	p[d + TID] = q[TID] + 5;
}

// EXPECT guarded by_bytes: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
KERNEL by_bytes(char *p, const char *q)
{
	long long d = q - p;

	p[d] = q[1] + 1;
}

// EXPECT guarded through_shared: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
KERNEL through_shared(int *p, const int *q)
{
	__shared__ int d[32];

	d[TID] = (int)(q - p);
	__nvvm_bar_sync(0);
	p[d[31 - TID]] = q[TID];
}

// EXPECT guarded by_halves: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
KERNEL by_halves(int *p, const int *q)
{
	address high = (address)p >> 32, low = (address)q & 0xffffffff;

	*(int *)(high << 32 | low) = q[TID];
}

__device__ int left[64];
__device__ int right[64];
// EXPECT strict by_variables: left=write-only:0/0 right=read-write:0/1 unknown=write-only:0/0
KERNEL by_variables(int n)
{
	int d = (int)(right - left);

	left[d + n] = right[n];
}

extern __shared__ long long first_name[];
extern __shared__ long long second_name[];
// EXPECT guarded two_names: p0=unused:0/0 p1=read-write:0/1
KERNEL two_names(int *p, int *q)
{
	((int *volatile *)first_name)[TID] = q;
	(((int **)second_name)[TID])[0] = q[1];
}

// EXPECT guarded as_double: p0=write-only:0/0 p1=read-write:0/1 unknown=write-only:0/0
KERNEL as_double(int *p, const int *q)
{
	double d = (double)(q - p);

	p[(long long)(d + 0.5)] = q[TID];
}

// Numbers: places in one array, loaded indices, lengths.
// EXPECT guarded place: p0=read-only:all p1=write-only:0/0
KERNEL place(const int *in, int *out, int n)
{
	const int *it = in;

	while (it != in + n && *it)
		it++;
	out[it - in] = 1;
}

// EXPECT guarded scatter: p0=read-only:all p1=read-only:all p2=write-only:0/0
KERNEL scatter(const int *edge, const long long *offset, int *visited) { visited[edge[TID] + offset[BID]] = 1; }

struct tensor {
	float *data;
	long long strides[8];
};
// EXPECT guarded strided: p0+0=write-only:0/0 p1+0=read-only:1/1
KERNEL strided(tensor to, tensor from, int dims)
{
	long long a = 0, b = 0;

	for (int i = 0; i < dims; i++) {
		a += to.strides[i] * TID;
		b += from.strides[i] * TID;
	}
	to.data[a] = from.data[b];
}

// EXPECT guarded aligned_start: p0=read-only:1/1 p1=write-only:0/0
KERNEL aligned_start(const int *in, int *out, unsigned n)
{
	unsigned head = (16 - (unsigned)((address)out & 15)) / 4;

	if (head + TID < n)
		out[head + TID] = in[TID];
}
