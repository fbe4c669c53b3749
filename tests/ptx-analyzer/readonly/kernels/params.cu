/* Pointer parameters: qualifiers, arithmetic, vectors. */
#include "prelude.h"

struct triple {
	float x, y, z;
};

KERNEL restrict_both(const float *__restrict__ in, float *__restrict__ out) { out[INDEX] = in[INDEX] + in[INDEX + 1]; }

KERNEL restrict_in(const float *__restrict__ in, float *out) { out[INDEX] = in[INDEX]; }

KERNEL restrict_not_const(float *__restrict__ in, float *__restrict__ out) { out[INDEX] = in[INDEX]; }

KERNEL restrict_out(const float *in, float *__restrict__ out) { out[INDEX] = in[INDEX]; }

KERNEL const_only(const float *in, float *out) { out[INDEX] = in[INDEX]; }

KERNEL no_qualifier(float *in, float *out) { out[INDEX] = in[INDEX]; }

KERNEL plain_no_store(const float *in)
{
	if (in[INDEX] == 3.0f)
		asm volatile("trap;");
}

KERNEL restrict_no_store(const float *__restrict__ in)
{
	if (in[INDEX] == 3.0f)
		asm volatile("trap;");
}

KERNEL loop_phi(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n)
{
	const float *p = n & 1 ? a : b;
	float sum = 0;

	for (int i = 0; i < n; i++, p += 3)
		sum += *p;
	out[INDEX] = sum;
}

KERNEL select_mixed(const float *__restrict__ a, const float *b, float *__restrict__ out, int which)
{
	const float *p = which ? a : b;

	out[INDEX] = p[INDEX];
}

KERNEL third_written(const float *__restrict__ a, float *__restrict__ b, float *c)
{
	b[INDEX] = a[INDEX];
	c[INDEX] = a[INDEX + 1];
}

KERNEL in_place(float *p) { p[INDEX] += 1.0f; }

KERNEL write_only(float *p) { p[INDEX] = 1.0f; }

KERNEL unused_pointer(const float *a, float *unused, float *out) { out[INDEX] = a[INDEX]; }

KERNEL vector_copy(const float4 *in, float4 *out) { out[INDEX] = in[INDEX]; }

KERNEL vector_restrict(const float4 *__restrict__ in, float4 *__restrict__ out) { out[INDEX] = in[INDEX]; }

KERNEL triple_copy(const triple *__restrict__ in, triple *__restrict__ out) { out[INDEX] = in[INDEX]; }

KERNEL bytes_and_doubles(const unsigned char *a, const short *b, const double *c, double *out)
{
	out[INDEX] = a[INDEX] + b[INDEX] + c[INDEX];
}

KERNEL explicit_ldg(const float *in, float *out) { out[INDEX] = __ldg(in + INDEX); }

/* The programmer's promise covers half of the array; the kernel writes the other half. */
KERNEL ldg_and_store(float *p, int half) { p[half + INDEX] = __ldg(p + INDEX); }

KERNEL aligned_down(const float *p, float *out)
{
	const float *q = (const float *)((size_t)(p + INDEX) & ~(size_t)127);

	out[INDEX] = *q;
}

KERNEL length_from_pointers(const float *begin, const float *end, float *out)
{
	if (INDEX < (size_t)(end - begin))
		out[INDEX] = begin[INDEX];
}

/* One of two pointers by masks, which no type system sees. */
KERNEL masked_choice(float *a, float *b, const float *c, size_t mask)
{
	float *p = (float *)(((size_t)a & mask) | ((size_t)b & ~mask));

	p[INDEX] = c[INDEX];
}
