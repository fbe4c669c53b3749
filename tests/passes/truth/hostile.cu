// Pointers whose bits go through numbers, halves, memory and votes, and come back.
#include "kernels.h"
// TRUTH diff32 p0=w p1=l p2=?
KERNEL diff32(int *p, int *q, const int *c)
{
	int d = (int)(q - p);
	p[INDEX] = c[INDEX];
	int v = q[INDEX];
	p[d + INDEX] = v + 1;
}

// TRUTH diff64 p0=w p1=l
KERNEL diff64(int *p, int *q)
{
	long d = q - p;
	int v = q[INDEX];
	p[d + INDEX] = v + 1;
}

// TRUTH diff_char p0=w p1=l
KERNEL diff_char(char *p, char *q)
{
	int d = (int)(q - p);
	int v = q[INDEX];
	p[d + INDEX] = v + 1;
	p[INDEX] = 0;
}

// TRUTH diff_memory p0=? p1=l p2=w
KERNEL diff_memory(int *p, int *q, int *m)
{
	m[INDEX] = (int)(q - p);
	__syncthreads();
	int v = q[INDEX];
	p[m[INDEX ^ 1] + INDEX] = v + 1;
}

// TRUTH diff_shared p0=? p1=l
KERNEL diff_shared(int *p, int *q)
{
	__shared__ int d;
	if (!threadIdx.x)
		d = (int)(q - p);
	__syncthreads();
	int v = q[INDEX];
	p[d + INDEX] = v + 1;
}

// TRUTH diff_double p0=? p1=l
KERNEL diff_double(int *p, int *q)
{
	int *r = p - (p - q);
	int v = q[INDEX];
	r[INDEX] = v + 1;
}

// TRUTH diff_call p0=? p1=l
__device__ __noinline__ void put_at(int *p, long d, int v)
{
	p[d] = v;
}
KERNEL diff_call(int *p, int *q)
{
	int v = q[INDEX];
	put_at(p, q - p + INDEX, v + 1);
}

// TRUTH halves_join p0=? p1=l
KERNEL halves_join(int *p, int *q)
{
	u64 a = (u64)p, b = (u64)q;
	int *r = (int *)((a & 0xffffffff00000000ull) | (b & 0xffffffffull));
	int v = q[INDEX];
	r[INDEX] = v + 1;
}

// TRUTH xor_swap p0=w p1=w
KERNEL xor_swap(int *p, int *q)
{
	u64 a = (u64)p, b = (u64)q;
	a ^= b;
	b ^= a;
	a ^= b;
	int v = ((int *)a)[INDEX];
	((int *)b)[INDEX] = v;
	((int *)a)[INDEX + 1] = p[INDEX];
}

// TRUTH shift_twice p0=? p1=l
KERNEL shift_twice(int *p, int *q)
{
	long d = (char *)q - (char *)p;
	d <<= 3;
	d >>= 1;
	d >>= 2;
	int v = q[INDEX];
	*(int *)((char *)p + d + INDEX * 4) = v + 1;
}

// TRUTH multiples p0=? p1=l
KERNEL multiples(int *p, int *q, int k)
{
	long d = (char *)q - (char *)p;
	long e = 3 * d - 2 * d * k;
	int v = q[INDEX];
	*(int *)((char *)p + e + INDEX * 4) = v + 1;
}

// TRUTH through_double p0=? p1=l
KERNEL through_double(int *p, int *q)
{
	double d = (double)((char *)q - (char *)p);
	d = fabs(d) * (d < 0 ? -1 : 1);
	int v = q[INDEX];
	*(int *)((char *)p + (long)d + INDEX * 4) = v + 1;
}

// TRUTH ballot_bits p0=? p1=l
KERNEL ballot_bits(int *p, int *q)
{
	u32 d = (u32)(q - p);
	u32 r = __ballot_sync(~0u, d >> (threadIdx.x & 31) & 1);
	int v = q[INDEX];
	p[(int)r + INDEX] = v + 1;
}

// TRUTH remainder_ p0=? p1=l
KERNEL remainder_(int *p, int *q, u64 m)
{
	u64 a = (u64)p % m, b = (u64)q % m;
	int v = q[INDEX];
	*(int *)((char *)p + (b - a) + INDEX * 4) = v + 1;
}

// TRUTH shuffle_pointer p0=w p1=w
KERNEL shuffle_pointer(int *p, int *q)
{
	u64 a = threadIdx.x & 1 ? (u64)p : (u64)q;
	a = __shfl_xor_sync(~0u, a, 1);
	int v = q[INDEX] + p[INDEX];
	((int *)a)[INDEX] = v;
}
extern __shared__ int dyn_a[];
extern __shared__ u64 dyn_b[];

// TRUTH two_shared_names p0=w p1=r
KERNEL two_shared_names(int *p, const int *q)
{
	dyn_b[threadIdx.x] = (u64)p;
	__syncthreads();
	u64 a = (u32)dyn_a[2 * (threadIdx.x ^ 1)] | (u64)(u32)dyn_a[2 * (threadIdx.x ^ 1) + 1] << 32;
	int v = p[INDEX] + q[INDEX];
	((int *)a)[INDEX] = v;
}
__device__ int va[256];
__device__ int vb[256];

// TRUTH var_diff va=w vb=l
KERNEL var_diff(int k)
{
	int d = (int)(vb - va);
	int v = vb[threadIdx.x];
	va[d + threadIdx.x] = v + k;
	va[threadIdx.x] = 0;
}
__device__ int *held;
KERNEL var_hold(int k)
{
	held = k ? va : vb;
}

// TRUTH var_held held=r *held=? va=? p0=w
KERNEL var_held(int *out)
{
	int *p = held;
	out[INDEX] = p[INDEX];
}

// TRUTH bytes_pointer p0=w p1=r
KERNEL bytes_pointer(int *p, const int *q)
{
	union {
		int *p;
		unsigned char b[8];
	} u, w;
	u.p = p;
	for (int i = 0; i < 8; i++)
		w.b[i] = u.b[7 - i];
	for (int i = 0; i < 8; i++)
		u.b[i] = w.b[7 - i];
	int v = p[INDEX] + q[INDEX];
	u.p[INDEX] = v;
}

// TRUTH memory_pointer p0=w p1=w p2=?
KERNEL memory_pointer(int *p, int **m, const int *q)
{
	m[INDEX] = p;
	__syncthreads();
	int v = p[INDEX] + q[INDEX];
	int *r = m[INDEX ^ 1];
	r[INDEX] = v;
}

// TRUTH int_param p1=? p2=?
KERNEL int_param(u64 a, const int *q, int *o)
{
	((int *)a)[INDEX] = q[INDEX];
	o[INDEX] = 1;
}

// TRUTH offset_table p0=w p1=r p2=r
KERNEL offset_table(int *p, const long *offsets, const int *q)
{
	*(int *)((char *)p + offsets[INDEX]) = q[INDEX];
}

// TRUTH tagged p0=? *p0=? p1=?
KERNEL tagged(u64 *t, const int *q)
{
	u64 v = t[INDEX];
	int *p = (int *)(v & ~7ull);
	p[0] = q[INDEX];
}

// TRUTH atomic_pointer p0=w p1=w
KERNEL atomic_pointer(u64 *slot, int *p)
{
	u64 old = atomicExch(slot, (u64)p);
	int v = p[INDEX];
	if (old)
		((int *)old)[INDEX] = v;
}

// TRUTH aligned_ p0=w p1=r
KERNEL aligned_(int *p, const int *q)
{
	int *a = (int *)(((u64)p + 255) & ~255ull);
	int v = p[INDEX] + q[INDEX];
	a[INDEX] = v;
}

// TRUTH restrict_pair p0=w p1=w
KERNEL restrict_pair(int *__restrict__ p, int *__restrict__ q)
{
	p[INDEX] = q[INDEX];
	q[INDEX + 1] = p[INDEX + 1];
}

// TRUTH null_base p0=w p1=r
KERNEL null_base(int *p, const int *q)
{
	int v = p[INDEX] + q[INDEX];
	*(int *)((char *)0 + (u64)p + INDEX * 4) = v;
}

// TRUTH min_pointer p0=w p1=w p2=r
KERNEL min_pointer(int *p, int *q, const int *c)
{
	u64 a = min((u64)p, (u64)q);
	int v = p[INDEX] + q[INDEX] + c[INDEX];
	((int *)a)[INDEX] = v;
}

// TRUTH float_bits p0=w p1=r
KERNEL float_bits(int *p, const int *q)
{
	u64 a = (u64)p;
	float lo = __uint_as_float((u32)a), hi = __uint_as_float((u32)(a >> 32));
	__shared__ float s[2];
	s[0] = lo;
	s[1] = hi;
	__syncthreads();
	u64 b = __float_as_uint(s[0]) | (u64)__float_as_uint(s[1]) << 32;
	int v = p[INDEX] + q[INDEX];
	((int *)b)[INDEX] = v;
}

/* Assembly leaves bits for other assembly, without an operand: in the carry flag, and in registers with a name. */
__device__ int state_from[4096], state_to[4096];
#define STATE_DISTANCE (u32)((char *)state_to - (char *)state_from)
#define STATE_WRITE(distance, out)                                                                                     \
	int v = state_to[INDEX];                                                                                       \
	*(int *)((char *)state_from + (int)(distance) + 4 * INDEX) = v + 1;                                            \
	(out)[INDEX] = v + state_to[INDEX]

// TRUTH asm_carry p0=w state_from=w state_to=l
KERNEL asm_carry(int *__restrict__ out)
{
	u32 all = STATE_DISTANCE, copy = 0;
#pragma unroll
	for (int bit = 0; bit < 32; bit++) {
		u32 carry, sum;
		asm volatile("add.cc.u32 %0, %1, %1;" : "=r"(sum) : "r"(all << bit));
		asm volatile("addc.u32 %0, 0, 0;" : "=r"(carry));
		copy |= carry << (31 - bit);
	}
	STATE_WRITE(copy, out);
}

// TRUTH asm_register p0=w state_from=w state_to=l
KERNEL asm_register(int *__restrict__ out)
{
	u32 copy;
	asm volatile(".reg .u32 kept;\n\tmov.u32 kept, %0;" ::"r"(STATE_DISTANCE));
	asm volatile("mov.u32 %0, kept;" : "=r"(copy));
	STATE_WRITE(copy, out);
}

// TRUTH asm_predicate p0=w state_from=w state_to=l
KERNEL asm_predicate(int *__restrict__ out)
{
	u32 all = STATE_DISTANCE, copy = 0;
	asm volatile(".reg .pred is_set;");
#pragma unroll
	for (int bit = 0; bit < 32; bit++) {
		u32 one;
		asm volatile("setp.lt.s32 is_set, %0, 0;" ::"r"(all << (31 - bit)));
		asm volatile("selp.u32 %0, 1, 0, is_set;" : "=r"(one));
		copy |= one << bit;
	}
	STATE_WRITE(copy, out);
}

// TRUTH asm_guard p0=w state_from=w state_to=l
KERNEL asm_guard(int *__restrict__ out)
{
	u32 all = STATE_DISTANCE, copy = 0;
	asm volatile(".reg .pred guard;");
#pragma unroll
	for (int bit = 0; bit < 32; bit++) {
		u32 one = 0;
		asm volatile("setp.lt.s32 guard, %0, 0;" ::"r"(all << (31 - bit)));
		asm volatile("@guard mov.u32 %0, 1;" : "+r"(one));
		copy |= one << bit;
	}
	STATE_WRITE(copy, out);
}

/* The address is either a pointer or a number, by whose name the memory is written. */
#define CHOSEN(name, choose)                                                                                           \
	KERNEL name(int *p, u64 number, int *out, int k)                                                               \
	{                                                                                                              \
		u64 chosen;                                                                                            \
		choose;                                                                                                \
		int v = ((int *)chosen)[INDEX];                                                                        \
		((int *)number)[INDEX] = v + 1;                                                                        \
		out[INDEX] = v + ((int *)chosen)[INDEX];                                                               \
	}

// TRUTH chosen_least p0=n p1=w p2=w
CHOSEN(chosen_least, chosen = min((u64)p, number))

// TRUTH chosen_in_assembly p0=n p1=w p2=w
CHOSEN(chosen_in_assembly, asm volatile("{ .reg .pred q; setp.ne.u32 q, %3, 0; selp.b64 %0, %1, %2, q; }"
					: "=l"(chosen)
					: "l"(p), "l"(number), "r"(k)))

typedef u64 two_words __attribute__((ext_vector_type(2)));

// TRUTH chosen_in_vector p0=n p1=w p2=w
CHOSEN(chosen_in_vector, two_words both; both.x = (u64)p; both.y = number; chosen = both[k & 1])

// TRUTH chosen_in_table p0=n p1=w p2=w
CHOSEN(chosen_in_table, u64 both[2]; both[0] = (u64)p; both[1] = number; chosen = both[k & 1])

/* Bits go through a barrier's count, through tensor memory, and through a product of matrices in shared memory. */
// TRUTH barrier_count p0=w state_from=w state_to=l
KERNEL barrier_count(int *__restrict__ out)
{
	__shared__ u64 barrier;
	u32 at = (u32)__cvta_generic_to_shared(&barrier), copy;
	u64 state;
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(STATE_DISTANCE));
	asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 0;" : "=l"(state) : "r"(at));
	asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(copy) : "l"(state));
	STATE_WRITE(copy, out);
}

// TRUTH tensor_memory p0=w state_from=w state_to=l
KERNEL tensor_memory(int *__restrict__ out, u32 at)
{
	u32 copy;
	asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(at), "r"(STATE_DISTANCE));
	asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(copy) : "r"(at));
	STATE_WRITE(copy, out);
}

// TRUTH copied_to_tensor_memory p0=w state_from=w state_to=l
KERNEL copied_to_tensor_memory(int *__restrict__ out, u32 at, u64 descriptor)
{
	__shared__ u32 tile[32];
	u32 copy;
	tile[INDEX % 32] = STATE_DISTANCE;
	asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(at), "l"(descriptor) : "memory");
	asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(copy) : "r"(at) : "memory");
	out[0] = tile[1];
	STATE_WRITE(copy, out);
}

// TRUTH product p0=w state_from=w state_to=l
KERNEL product(int *__restrict__ out, u64 descriptor)
{
	__shared__ u32 tile[32];
	u32 a = 0, b = 0, c = 0, d = 0;
	tile[INDEX % 32] = STATE_DISTANCE;
	asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, %4, %4, 1;"
		     : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
		     : "l"(descriptor)
		     : "memory");
	out[0] = tile[1];
	STATE_WRITE(a, out);
}

// Two arrays beside each other in a frame, one of which is used from its end or from its middle.
// TRUTH frame_from_end p0=w p1=r
KERNEL frame_from_end(float *a, float *b, int i)
{
	float *x[2] = {a, a}, *y[2] = {b, b};
	float **end = x + 2;
	*end[-1 - (i & 1)] = y[i & 1][0] + a[1];
}

// TRUTH frame_from_middle p0=w p1=r
KERNEL frame_from_middle(float *a, float *b, long i)
{
	float *y[2] = {b, b}, *x[3] = {a, a, a};
	*(x + 1)[i] = *y[i + 1] + a[1];
}

// TRUTH frame_walked_back p0=r p1=w
KERNEL frame_walked_back(const float *a, float *b, int n)
{
	const float *x[3] = {a, a, a};
	float *y[3] = {b, b, b}, sum = 0;
	for (const float **p = x + 3; p != x; )
		sum += **--p;
	for (int i = n; i < 3; i++)
		*y[i] = sum + b[1];
}
