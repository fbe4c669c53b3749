// Functions that are not inlined: shared by kernels, recursive, called through pointers, handing pointers back.
#include "kernels.h"
__device__ __noinline__ int rd(const int *p, int i)
{
	return p[i];
}
__device__ __noinline__ void wr(int *p, int i, int v)
{
	p[i] = v;
}

// TRUTH call_read p0=r p1=w
KERNEL call_read(const int *a, int *b)
{
	b[INDEX] = rd(a, INDEX);
}

// TRUTH call_both p0=r p1=w
KERNEL call_both(const int *a, int *b)
{
	wr(b, INDEX, rd(a, INDEX));
}

// TRUTH call_inplace p0=w
KERNEL call_inplace(int *a)
{
	wr(a, INDEX, rd(a, INDEX) + 1);
}
__device__ __noinline__ int get(const int *p, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i * i % 7];
	return s;
}

// TRUTH from_global p0=? p1=w
KERNEL from_global(const int *in, int *out, int n)
{
	out[threadIdx.x] = get(in, n);
}

// TRUTH from_shared p0=w
KERNEL from_shared(int *out, int n)
{
	__shared__ int t[64];
	t[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = get(t, n);
}
__device__ __noinline__ int get2(const int *p, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i * 3 % 7];
	return s;
}

// TRUTH from_global2 p0=? p1=w
KERNEL from_global2(const int *in, int *out, int n)
{
	out[threadIdx.x] = get2(in, n);
}

// TRUTH from_local p0=w
KERNEL from_local(int *out, int n)
{
	int t[8];
	for (int i = 0; i < 8; i++)
		t[i] = n * i;
	out[threadIdx.x] = get2(t, n & 7);
}
__device__ __noinline__ int get3(const int *p, int n)
{
	return p[n] + p[n + 1];
}
__device__ int modvar[64];
__device__ int modvar2[64];

// TRUTH var_reader modvar=R modvar2=w
KERNEL var_reader(int n)
{
	modvar2[threadIdx.x] = get3(modvar, n);
}

// TRUTH var_shared modvar2=w
KERNEL var_shared(int n)
{
	__shared__ int t[64];
	t[threadIdx.x] = n;
	__syncthreads();
	modvar2[threadIdx.x] = get3(t, n);
}
__device__ __noinline__ int fact(const int *p, int n)
{
	return n <= 0 ? p[0] : p[n] + fact(p, n - 1);
}

// TRUTH recursive p0=r p1=w
KERNEL recursive(const int *a, int *b, int n)
{
	b[INDEX] = fact(a, n);
}
__device__ __noinline__ void fill(int *p, int n)
{
	if (n > 0) {
		p[n] = n;
		fill(p, n - 1);
	}
}

// TRUTH recursive_write p0=w p1=r p2=w
KERNEL recursive_write(int *a, const int *b, int *c, int n)
{
	fill(a, n);
	c[INDEX] = b[INDEX];
}
__device__ int odd(const int *p, int n);
__device__ __noinline__ int even(const int *p, int n)
{
	return n == 0 ? p[0] : odd(p, n - 1) + 1;
}
__device__ __noinline__ int odd(const int *p, int n)
{
	return n == 0 ? p[1] : even(p, n - 1) + 1;
}

// TRUTH mutual p0=r p1=w
KERNEL mutual(const int *a, int *b, int n)
{
	b[INDEX] = even(a, n);
}
__device__ int f0(const int *p)
{
	return p[0];
}
__device__ int f1(const int *p)
{
	return p[1] * 2;
}
typedef int (*reader)(const int *);
__device__ const reader readers[] = {f0, f1};

// TRUTH fptr_read p0=r p1=w
KERNEL fptr_read(const int *a, int *b, int k)
{
	b[INDEX] = readers[k & 1](a + INDEX);
}
__device__ void s0(int *p)
{
	p[0] = 1;
}
__device__ void s1(int *p)
{
	p[1] += 2;
}
typedef void (*writer)(int *);

// TRUTH fptr_write p0=w p1=r p2=w
KERNEL fptr_write(int *a, const int *b, int *c, int k)
{
	writer w = k ? s0 : s1;
	w(a + INDEX);
	c[INDEX] = b[INDEX];
}
struct base {
	__device__ virtual int f(const int *p)
	{
		return p[0];
	}
};
struct derived : base {
	__device__ int f(const int *p) override
	{
		return p[1];
	}
};

// TRUTH virtual_call p0=r p1=w
KERNEL virtual_call(const int *a, int *b, int k)
{
	base x;
	derived y;
	base *p = k ? &x : &y;
	b[INDEX] = p->f(a + INDEX);
}
__device__ __noinline__ const int *pick(const int *a, const int *b, int k)
{
	return k ? a : b;
}

// TRUTH returns_pointer p0=r p1=r p2=w
KERNEL returns_pointer(const int *a, const int *b, int *c, int k)
{
	c[INDEX] = pick(a, b, k)[INDEX];
}
__device__ __noinline__ int *pickw(int *a, int *b, int k)
{
	return k ? a : b;
}

// TRUTH returns_wpointer p0=w p1=w p2=r
KERNEL returns_wpointer(int *a, int *b, const int *c, int k)
{
	pickw(a, b, k)[INDEX] = c[INDEX];
}
__device__ __noinline__ void setp(const int **where, const int *what)
{
	*where = what;
}

// TRUTH by_reference p0=r p1=w
KERNEL by_reference(const int *a, int *b)
{
	const int *p;
	setp(&p, a + 1);
	b[INDEX] = p[INDEX];
}
__device__ __noinline__ void swapp(int *&a, int *&b)
{
	int *t = a;
	a = b;
	b = t;
}

// TRUTH swapped p0=w p1=r
KERNEL swapped(int *a, int *b)
{
	swapp(a, b);
	b[INDEX] = a[INDEX];
}
__device__ __noinline__ int adv(const int *p, long d)
{
	return *(p + d);
}

// TRUTH advance_base p0=r p1=w
KERNEL advance_base(const int *a, int *b, long d)
{
	b[INDEX] = adv(a, d + INDEX);
}
struct view {
	int *p;
	int n;
	__device__ __noinline__ int &operator[](int i) const
	{
		return p[i];
	}
};

// TRUTH view_ref p0+0=r p1+0=w
KERNEL view_ref(view a, view b)
{
	b[INDEX] = a[INDEX];
}

// TRUTH view_swapped p0+0=w p1+0=r
KERNEL view_swapped(view a, view b)
{
	view t = a;
	a = b;
	b = t;
	b[INDEX] = a[INDEX];
}

// TRUTH local_table p0=r p1=r p2=w
KERNEL local_table(const int *a, const int *b, int *c, int k)
{
	const int *t[4] = {a, b, a + 1, b + 1};
	c[INDEX] = t[k & 3][INDEX];
}

// TRUTH local_table_w p0=w p1=w p2=r
KERNEL local_table_w(int *a, int *b, const int *c, int k)
{
	int *t[2] = {a, b};
	t[k & 1][INDEX] = c[INDEX];
}

// TRUTH select_either p0=r p1=r p2=w
KERNEL select_either(const int *a, const int *b, int *c, int k)
{
	const int *p = k ? a : b;
	c[INDEX] = p[INDEX];
}

// TRUTH shared_or_global p0=? p1=w
KERNEL shared_or_global(const int *a, int *b, int k)
{
	__shared__ int t[32];
	t[threadIdx.x & 31] = k;
	__syncthreads();
	const int *p = k ? a : t;
	b[INDEX] = p[INDEX & 31];
}

// TRUTH double_buffer p0=w p1=w p2=r
KERNEL double_buffer(float *a, float *b, const float *c, int steps)
{
	float *x = a, *y = b;
	for (int s = 0; s < steps; s++) {
		y[INDEX] = x[INDEX] + c[INDEX];
		float *t = x;
		x = y;
		y = t;
		__syncthreads();
	}
}

// TRUTH never_stores p0=R p1=R
KERNEL never_stores(const int *a, const int *b, int n)
{
	if (a[INDEX] + b[INDEX] == n)
		__trap();
}

// TRUTH dead_store p0=r p1=w
KERNEL dead_store(const int *a, int *b)
{
	if (false)
		((int *)a)[0] = 1;
	b[INDEX] = a[INDEX];
}

// TRUTH const_cast_store p0=w p1=w
KERNEL const_cast_store(const int *a, int *b)
{
	((int *)a)[INDEX] = 1;
	b[INDEX] = a[INDEX + 1];
}

// TRUTH ptr_end p0=r p2=w
KERNEL ptr_end(const int *a, const int *end, int *b)
{
	int s = 0;
	for (const int *p = a; p != end; p++)
		s += *p;
	b[INDEX] = s;
}
