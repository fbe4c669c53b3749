/* Functions that are called: inlined and not, shared, recursive, by pointer, unknown. */
#include "prelude.h"

struct tree {
	int left, right;
	float value;
};

typedef float (*reader)(const float *, int);
typedef void (*writer)(float *, const float *);

static __device__ float inlined(const float *p, int i) { return p[i] * 2.0f; }

__device__ __noinline__ float read_one(const float *p, int i) { return p[i]; }
__device__ __noinline__ float read_shared(const float *p, int i) { return p[i] * 3.0f; }
__device__ __noinline__ void write_one(float *p, float v) { p[INDEX] = v; }
__device__ __noinline__ float read_deep(const float *p, int i) { return read_one(p + 4, i) + 1.0f; }
__device__ __noinline__ float *pick(float *a, float *b, int which) { return which ? a + 1 : b + 2; }
__device__ __noinline__ void set_reference(float **to, float *from) { *to = from; }
__device__ __noinline__ float sum_tree(const tree *t, int i)
{
	return i < 0 ? 0.0f : t[i].value + sum_tree(t, t[i].left) + sum_tree(t, t[i].right);
}
__device__ __noinline__ void copy_one(float *to, const float *from) { to[INDEX] = from[INDEX]; }
__device__ __noinline__ void copy_other(float *to, const float *from) { to[INDEX] = from[INDEX + 1]; }
__device__ __noinline__ float read_first(const float *p, int i) { return p[i]; }
__device__ __noinline__ float read_second(const float *p, int i) { return p[i + 1]; }

__device__ reader readers[2] = {read_first, read_second};
__device__ writer writers[2] = {copy_one, copy_other};

KERNEL call_inlined(const float *in, float *out) { out[INDEX] = inlined(in, INDEX); }

KERNEL call_reader(const float *in, float *out) { out[INDEX] = read_one(in, INDEX); }

KERNEL call_reader_restrict(const float *__restrict__ in, float *__restrict__ out) { out[INDEX] = read_one(in, INDEX); }

KERNEL call_writer(const float *in, float *out) { write_one(out, in[INDEX]); }

KERNEL call_deep(const float *in, float *out) { out[INDEX] = read_deep(in, INDEX); }

/* Two kernels share read_shared. One of them writes what it reads, so its load stays unmarked in both. */
KERNEL call_shared_reader(const float *in, float *out) { out[INDEX] = read_shared(in, INDEX); }

KERNEL call_shared_in_place(float *p) { p[INDEX] = read_shared(p, INDEX + 1); }

KERNEL call_returns_pointer(float *a, float *b, const float *c, int which) { *pick(a, b, which) = c[INDEX]; }

KERNEL call_reads_returned(float *a, float *b, float *out, int which) { out[INDEX] = *pick(a, b, which); }

KERNEL call_sets_reference(float *a, const float *c)
{
	float *p;

	set_reference(&p, a);
	p[INDEX] = c[INDEX];
}

KERNEL call_recursive(const tree *t, float *out) { out[INDEX] = sum_tree(t, 0); }

KERNEL call_by_pointer(const float *in, float *out, int which) { out[INDEX] = readers[which](in, INDEX); }

KERNEL call_writer_by_pointer(float *a, const float *b, int which) { writers[which](a, b); }

KERNEL call_mixed(const float *in, float *out)
{
	copy_one(out, in);
	out[INDEX + 1] = read_one(in, INDEX);
}
