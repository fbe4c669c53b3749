// Pointers by unusual ways: unions, volatile locals, tables of lambdas, promises that are broken, bits of floats,
// members and bases that are found at run time, halves in shuffles. All kernels have parameters of the same bytes, so
// that launch_disguised.cu can launch each of them. The parameters of restrict_copy keep what `restrict` promises.
#include "kernels.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cstring>
#include <new>
#define TRICK(name) KERNEL name(int *a, int *b, int *c, long n)
#define I threadIdx.x

union bits {
	int *p;
	u64 whole;
	u32 half[2];
	double number;
	unsigned char byte[8];
};

// TRUTH union_sum p0=r p1=w
TRICK(union_sum)
{
	bits u;
	u.p = a;
	u.whole += 4 * n;
	b[I] = u.p[I];
}

// TRUTH union_halves p0=r p1=w p2=w
TRICK(union_halves)
{
	bits u, v;
	u.p = c;
	v.half[0] = u.half[0];
	v.half[1] = u.half[1];
	b[I] = a[I];
	v.p[I] = (int)n;
}

// TRUTH union_bytes p0=w p1=r
TRICK(union_bytes)
{
	bits u, v;
	u.p = a;
	for (int k = 0; k < 8; k++)
		v.byte[k] = u.byte[k];
	v.p[I] = b[I];
}

struct tagged {
	long tag;
	union {
		int *p;
		const int *q;
		double d;
	};
};

// TRUTH union_tagged p0=w p1=w p2=?
TRICK(union_tagged)
{
	tagged t[2];
	t[0].tag = 0, t[0].q = a;
	t[1].tag = 1, t[1].p = b;
	tagged s = t[n & 1];
	s.p[I] = c[I];
}

// TRUTH volatile_read p0=r p1=w
TRICK(volatile_read)
{
	int *volatile p = a;
	b[I] = p[I];
}

// TRUTH volatile_write p0=w p2=r
TRICK(volatile_write)
{
	int *volatile p = a;
	p[I] = c[I];
}

// TRUTH volatile_swap p1=w
TRICK(volatile_swap)
{
	int *volatile p = a;
	int *volatile q = b;
	int *t = p;
	p = q;
	q = t;
	p[I] = q[I];
}
typedef int (*step)(int *, int);

// TRUTH lambda_readers p0=r p1=w
TRICK(lambda_readers)
{
	const step steps[2] = {[](int *p, int i) { return p[i]; }, [](int *p, int i) { return p[i + 1]; }};
	b[I] = steps[n & 1](a, I);
}

// TRUTH lambda_writer p0=w p1=w
TRICK(lambda_writer)
{
	const step steps[2] = {[](int *p, int i) { return p[i]; }, [](int *p, int i) { return p[i] = i; }};
	b[I] = steps[n & 1](a, I);
}

// TRUTH lambda_nested p0=r p1=w
TRICK(lambda_nested)
{
	auto read = [=](int i) { return a[i]; };
	auto write = [&](int i) { b[i] = read(i); };
	write(I);
}

// TRUTH lambda_moves p0=r p1=w
TRICK(lambda_moves)
{
	auto next = [p = a]() mutable { return *p++; };
	int s = next();
	b[I] = s + next();
}

// TRUTH lambda_by_reference p0=w p1=r
TRICK(lambda_by_reference)
{
	int *p = b;
	auto put = [&](int i, int v) { p[i] = v; };
	int v = p[I];
	p = a;
	put(I, v);
}
__device__ __noinline__ void shift_left(const int *__restrict__ from, int *__restrict__ to)
{
	to[I] = from[I + 1];
}

// TRUTH restrict_broken_call p0=w
TRICK(restrict_broken_call)
{
	shift_left(a, a + 64);
}

// TRUTH restrict_broken_local p0=w
TRICK(restrict_broken_local)
{
	const int *__restrict__ from = a;
	int *__restrict__ to = a + 64;
	to[I] = from[I + 1];
}

// TRUTH restrict_cast p0=w p1=w
KERNEL restrict_cast(const int *__restrict__ a, int *__restrict__ b, int *__restrict__ c, long n)
{
	((int *)a)[I] = (int)n;
	b[I] = a[I + 64];
}

// TRUTH restrict_copy p0=R p1=w p2=w
KERNEL restrict_copy(const int *__restrict__ a, int *__restrict__ b, int *__restrict__ c, long n)
{
	int *p[2] = {b, c};
	p[n & 1][I] = a[I];
}

// TRUTH atomic_float_max p0=w p1=r p2=w
TRICK(atomic_float_max)
{
	float *f = (float *)a;
	c[I] = atomicMax((int *)&f[I & 3], __float_as_int(1.0f + b[I]));
}

// TRUTH atomic_float_add p0=w p1=r
TRICK(atomic_float_add)
{
	u32 *word = (u32 *)a + (I & 3), seen = *word, was;
	do {
		was = seen;
		seen = atomicCAS(word, was, __float_as_uint(__uint_as_float(was) + b[I & 3]));
	} while (seen != was);
}

// TRUTH copy_async p0=? p1=w
TRICK(copy_async)
{
	__shared__ int tile[32];
	auto block = cooperative_groups::this_thread_block();
	cooperative_groups::memcpy_async(block, tile, a, sizeof tile);
	cooperative_groups::wait(block);
	b[I] = tile[I ^ 1];
}

// TRUTH pointer_swap_in p0=w p1=? p2=w
TRICK(pointer_swap_in)
{
	u64 *slot = (u64 *)c;
	atomicCAS(slot, 0, (u64)a);
	__syncthreads();
	((int *)*slot)[I] = b[I];
}

// TRUTH pointer_swap_out p0=w p1=?
TRICK(pointer_swap_out)
{
	__shared__ u64 slot;
	if (I == 0) {
		slot = (u64)a;
		u64 old = atomicExch(&slot, (u64)b);
		*(int *)old = *(int *)slot;
	}
}
struct origin {
	int *p;
};
struct left : virtual origin {
	long l;
};
struct right : virtual origin {
	long r;
};
struct both : left, right {
};
__device__ __noinline__ int *through(right *r)
{
	return r->p;
}

// TRUTH virtual_base_write p0=w p1=r
TRICK(virtual_base_write)
{
	both x;
	x.p = a;
	through(&x)[I] = b[I];
}

// TRUTH virtual_base_read p0=r p1=w
TRICK(virtual_base_read)
{
	both x;
	x.p = a;
	left *l = &x;
	b[I] = l->p[I];
}
struct pair {
	int *x, *y;
	long k;
};

// TRUTH member_pointer p0=w p1=w
TRICK(member_pointer)
{
	pair s = {a, b, n};
	int *pair::*m = n & 1 ? &pair::x : &pair::y;
	(s.*m)[I] = c[I];
}

// TRUTH prints_pointers p0=r p1=r p2=w
TRICK(prints_pointers)
{
	if (I == 0 && n == 12345)
		printf("%p %p %d\n", a, b, a[0]);
	c[I] = a[I] + b[I];
}

// TRUTH copied_struct p0=w p1=r
TRICK(copied_struct)
{
	pair s = {a, b, n}, t;
	memcpy(&t, &s, sizeof s);
	t.x[I] = t.y[I];
}

// TRUTH moved_table p1=w p2=r
TRICK(moved_table)
{
	int *t[3] = {a, b, c};
	__builtin_memmove(t, t + 1, 2 * sizeof *t);
	t[0][I] = t[1][I];
}

// TRUTH copied_halves p0=r p1=w
TRICK(copied_halves)
{
	u32 low, high;
	int *p;
	memcpy(&low, &b, 4);
	memcpy(&high, (char *)&b + 4, 4);
	memcpy(&p, &low, 4);
	memcpy((char *)&p + 4, &high, 4);
	p[I] = a[I];
}
template <class T> __device__ void exchange(T &x, T &y)
{
	T t = x;
	x = y;
	y = t;
}

// TRUTH swapped_in_loop p0=w p1=w p2=r
TRICK(swapped_in_loop)
{
	int *x = a, *y = b;
	for (long k = 0; k < n; k++)
		exchange(x, y);
	x[I] = c[I];
}

// TRUTH shuffled_halves p0=w
TRICK(shuffled_halves)
{
	u64 v = (u64)a;
	u32 low = __shfl_sync(~0u, (u32)v, 0), high = __shfl_sync(~0u, (u32)(v >> 32), 0);
	((int *)((u64)high << 32 | low))[I] = c[I];
}

// TRUTH shuffled_lanes p0=w p1=w
TRICK(shuffled_lanes)
{
	u64 v = (u64)(I & 1 ? a : b);
	v = __shfl_xor_sync(~0u, v, 1);
	((int *)v)[I] = c[I];
}

// TRUTH permuted_bytes p0=w
TRICK(permuted_bytes)
{
	u32 low = (u32)(u64)a, high = (u32)((u64)a >> 32), x = __byte_perm(low, high, 0x5410), y = __byte_perm(low, high, 0x7632);
	u64 v = (u64)__byte_perm(x, y, 0x7632) << 32 | __byte_perm(x, y, 0x5410);
	((int *)v)[I] = c[I];
}

// TRUTH funnelled p0=w
TRICK(funnelled)
{
	u32 low = (u32)(u64)a, high = (u32)((u64)a >> 32);
	u32 x = __funnelshift_l(low, high, 8), y = __funnelshift_l(high, low, 8);
	u64 v = (u64)__funnelshift_r(x, y, 8) << 32 | __funnelshift_r(y, x, 8);
	((int *)v)[I] = c[I];
}

// TRUTH bit_fields p0=w p1=?
TRICK(bit_fields)
{
	struct {
		u64 address : 48, tag : 16;
	} f;
	f.tag = n;
	f.address = (u64)a;
	((int *)(u64)f.address)[I] = b[I];
}

// TRUTH placed p0=w p1=r
TRICK(placed)
{
	alignas(16) char room[64];
	pair *s = new (room + 16) pair{a, b, n};
	((pair *)(room + 16))->x[I] = s->y[I];
}

// TRUTH three_stars p0=r p1=w
TRICK(three_stars)
{
	int *p = c, **pp = &p, ***ppp = &pp;
	**ppp = b;
	p[I] = a[I];
}

// TRUTH shared_pointers p0=w p1=w p2=r
TRICK(shared_pointers)
{
	__shared__ int *t[32];
	t[I] = I & 1 ? a : b;
	__syncthreads();
	t[I ^ 1][I] = c[I];
}

// TRUTH as_double p0=w
TRICK(as_double)
{
	double d = __longlong_as_double((long long)a);
	d = __shfl_sync(~0u, d, 0);
	((int *)__double_as_longlong(fabs(d)))[I] = c[I];
}

// TRUTH loop_carried p0=w p1=w p2=r
TRICK(loop_carried)
{
	int *p = a;
	for (long k = 0; k < n; k++) {
		p[I] = c[I];
		if (k == 1)
			p = b;
	}
}
__device__ __noinline__ void turn(int *p, int *q, long n)
{
	if (n > 0)
		return turn(q, p, n - 1);
	p[I] = 1;
}

// TRUTH turned p0=w p1=w p2=w
TRICK(turned)
{
	int v = a[I] + b[I];
	turn(a, b, n);
	c[I] = v;
}

// TRUTH laundered p0=w p1=r
TRICK(laundered)
{
	int *p = (int *)__builtin_assume_aligned(__builtin_launder(a), 16);
	p[I] = b[I];
}

// TRUTH cast_to_global p0=w p1=r
TRICK(cast_to_global)
{
	size_t p = __cvta_generic_to_global(a);
	asm volatile("st.global.u32 [%0], %1;" ::"l"(p + 4 * I), "r"(b[I]) : "memory");
}

// TRUTH complement p0=w
TRICK(complement)
{
	u64 v = ~(u64)a;
	((int *)~v)[I] = c[I];
}

struct counted {
	int *p;
	__device__ counted(int *q) : p(q) {}
	__device__ ~counted() { p[I] = 7; }
};

// TRUTH destructor p0=w p1=r p2=w
TRICK(destructor)
{
	counted x(a);
	c[I] = b[I] + x.p[I + 32];
}

// TRUTH by_value_struct p0+0=w p0+8=r
KERNEL by_value_struct(pair s, int *c, long n)
{
	pair t = s;
	exchange(t.x, t.y);
	exchange(t.x, t.y);
	t.x[I] = t.y[I];
}
