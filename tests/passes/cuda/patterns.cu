// The patterns that compilers differ on, with and without restrict, and what the guarded level makes of them.
#include "prelude.h"

// EXPECT guarded restrict_both: p0=read-only:1/1 p1=write-only:0/0
// EXPECT strict restrict_both: p0=read-only:1/1 p1=write-only:0/0
// GUARDS restrict_both:
KERNEL restrict_both(const float *__restrict__ in, float *__restrict__ out) { out[TID] = in[TID]; }

// EXPECT strict restrict_input: p0=read-only:1/1 p1=write-only:0/0
KERNEL restrict_input(const float *__restrict__ in, float *out) { out[TID] = in[TID]; }

// EXPECT strict restrict_not_const: p0=read-only:1/1 p1=write-only:0/0
KERNEL restrict_not_const(float *__restrict__ in, float *out) { out[TID] = in[TID]; }

// EXPECT strict restrict_output: p0=read-only:1/1 p1=write-only:0/0
KERNEL restrict_output(float *in, float *__restrict__ out) { out[TID] = in[TID]; }

// EXPECT guarded const_only: p0=read-only:1/1 p1=write-only:0/0
// EXPECT strict const_only: p0=read-write:0/1 p1=write-only:0/0
// GUARDS const_only: p0/p1
KERNEL const_only(const float *in, float *out) { out[TID] = in[TID]; }

// EXPECT guarded plain: p0=read-only:1/1 p1=write-only:0/0
// SHARING plain: p0=thread
KERNEL plain(float *in, float *out) { out[INDEX] = in[INDEX]; }

// EXPECT guarded arithmetic: p0=read-only:all p1=read-only:all p2=write-only:0/0
KERNEL arithmetic(const int *a, const int *b, int *c, int n)
{
	const int *p = a + n, *q = b;
	int sum = 0;

	for (int i = 0; i < n; i++, q += 2)
		sum += p[-i] * *q;
	c[TID] = sum;
}

// EXPECT guarded choose: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
KERNEL choose(const int *a, const int *b, int *c, int n)
{
	const int *p = n > 4 ? a : b;

	c[TID] = p[TID];
}

// EXPECT strict third: p0=read-only:1/1 p1=write-only:0/0 p2=write-only:0/0
// EXPECT guarded third: p0=read-only:1/1 p1=write-only:0/0 p2=write-only:0/0
KERNEL third(const float *__restrict__ in, float *__restrict__ out, float *log)
{
	out[TID] = in[TID];
	log[TID] = 1;
}

// EXPECT strict pointers: p0=read-only:1/1 p1=write-only:0/0 *p0=read-only:1/1
KERNEL pointers(float *const *__restrict__ pp, float *__restrict__ out) { out[TID] = pp[BID][TID]; }

__device__ int table[256];
__device__ int counts[256];
__device__ const int fixed[4] = {1, 2, 3, 5};
// EXPECT strict variable_restrict: p0=write-only:0/0 table=read-only:1/1
// EXPECT guarded variable_plain: p0=write-only:0/0 table=read-only:1/1
// EXPECT strict variables: counts=write-only:0/0 table=read-only:1/1
KERNEL variable_restrict(int *__restrict__ out) { out[TID] = table[TID]; }
KERNEL variable_plain(int *out) { out[TID] = table[TID]; }
KERNEL variables() { counts[TID] = table[TID]; }

__constant__ float *address;
// EXPECT strict from_constant: p0=write-only:0/0 address=read-only:0/0 *address=read-only:1/1
KERNEL from_constant(float *__restrict__ out) { out[TID] = address[TID]; }

struct arrays {
	const float *in;
	int n;
	float *out;
};
// EXPECT guarded members: p0+0=read-only:1/1 p0+16=write-only:0/0
// GUARDS members: p0+0/p0+16
KERNEL members(arrays a)
{
	if ((int)TID < a.n)
		a.out[TID] = a.in[TID];
}

// A view class, and a function object, as libraries hand them to kernels.
template <class T> struct view {
	T *data;
	int stride;

	__device__ T &operator()(int i, int j) const { return data[i * stride + j]; }
};
// EXPECT guarded views: p0+0=read-only:1/1 p1+0=write-only:0/0
KERNEL views(view<const float> a, view<float> b) { b(BID, TID) = a(TID, BID); }

struct scale {
	const float *factors;
	float *out;

	__device__ void operator()(int i) const { out[i] = factors[i] * 2; }
};
template <class F> __device__ void apply(F f) { f(TID); }
// EXPECT guarded functor: p0+0=read-only:1/1 p0+8=write-only:0/0
KERNEL functor(scale s) { apply(s); }

// Functions that are not inlined, and one that returns a pointer.
__device__ __noinline__ float fetch(const float *p, int i) { return p[i]; }
__device__ __noinline__ void deposit(float *p, int i, float v) { p[i] = v; }
__device__ __noinline__ float *row(float *p, int i) { return p + i * 64; }
// EXPECT guarded outlined: p0=read-only:1/1 p1=write-only:0/0
// EXPECT guarded rows: p0=read-only:1/1 p1=write-only:0/0
KERNEL outlined(const float *a, float *b) { deposit(b, TID, fetch(a, TID)); }
KERNEL rows(float *a, float *b) { row(b, BID)[TID] = row(a, BID)[TID]; }

// EXPECT guarded in_place: p0=read-write:0/1
// EXPECT guarded half_in_place: p0=read-write:0/1 p1=read-only:1/1
KERNEL in_place(float *a) { a[TID] = a[TID] * 2; }
KERNEL half_in_place(float *a, const float *b) { a[TID] += b[TID]; }

// EXPECT guarded barrier: p0=read-only:2/2 p1=write-only:0/0
KERNEL barrier(const int *a, int *b)
{
	b[TID] = a[0];
	__nvvm_bar_sync(0);
	b[TID + 32] = a[1];
	asm volatile("membar.gl;" ::: "memory");
}

// EXPECT guarded spin: p0=read-only:0/1 p1=read-only:1/1 p2=write-only:0/0
KERNEL spin(volatile int *flag, const int *__restrict__ data, int *__restrict__ out)
{
	while (!*flag)
		;
	out[TID] = data[TID];
}

struct alignas(16) float4 {
	float x, y, z, w;
};
struct float3 {
	float x, y, z;
};
// EXPECT+ guarded copy4: p0=read-only:1/1 p1=write-only:0/0
// EXPECT+ guarded copy3: p0=read-only:1/1 p1=write-only:0/0
KERNEL copy4(const float4 *a, float4 *b) { b[TID] = a[TID]; }
KERNEL copy3(const float3 *a, float3 *b) { b[TID] = a[TID]; }

// EXPECT guarded assembled: p0=read-write:0/0 p1=read-only:1/1
KERNEL assembled(int *a, const int *b)
{
	asm volatile("red.global.add.s32 [%0], %1;" ::"l"(a + TID), "r"(b[TID]) : "memory");
}

// EXPECT guarded explicit_ldg: p0=read-only:1/1 p1=write-only:0/0
KERNEL explicit_ldg(const int *a, int *b) { b[TID] = __nvvm_ldg_i(a + TID); }

// EXPECT guarded tiled: p0=read-only:all p1=read-only:all p2=write-only:0/0
// SHARING+ tiled: p0=thread p1=grid
KERNEL tiled(const float *a, const float *b, float *c, int n)
{
	__shared__ float s[32];
	float sum = 0;

	for (int k = 0; k < n; k += 32) {
		s[TID] = a[BID * n + k + TID];
		__nvvm_bar_sync(0);
		for (int j = 0; j < 32; j++)
			sum += s[j] * b[(k + j) * n + TID];
		__nvvm_bar_sync(0);
	}
	c[BID * n + TID] = sum;
}

// SHARING+ sharings: p0=grid p1=cta p2=thread p3=indirect
// EXPECT guarded sharings: p0=read-only:1/1 p1=read-only:1/1 p2=read-only:1/1 p3=read-only:1/1 p4=write-only:0/0
KERNEL sharings(const int *grid, const int *cta, const int *thread, const int *indirect, int *out)
{
	int i = thread[INDEX];

	out[TID] = grid[7] + cta[BID * 4] + i + indirect[i];
}

// A linked list: its second node is reached through memory that is reached through memory.
struct node {
	node *next;
	int value;
};
// EXPECT+ guarded list: p0=read-only:2/2 p1=write-only:0/0 **p0=read-only:3/3 *p0=read-only:2/2
KERNEL list(const node *head, int *out)
{
	int sum = head->value;

	for (const node *n = head->next; n; n = n->next->next)
		sum += n->value;
	out[TID] = sum;
}

// Pointers in a local array that stays one at every level.
// EXPECT guarded local_pointers: p0=read-only:1/1 p1=read-only:1/1 p2=write-only:0/0
KERNEL local_pointers(const int *a, const int *b, int *c, int which)
{
	const int *volatile pick[2] = {a, b};

	c[TID] = pick[which & 1][TID];
}
