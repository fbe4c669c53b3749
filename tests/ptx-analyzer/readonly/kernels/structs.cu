/* Pointers inside structs passed by value. */
#include "prelude.h"

struct pair {
	const float *in;
	float *out;
};

struct restrict_pair {
	const float *__restrict__ in;
	float *__restrict__ out;
};

struct view {
	float *data;
	int pitch;
	__device__ float &operator()(int x, int y) const { return data[y * pitch + x]; }
};

struct nested {
	int n;
	struct {
		const float *a;
		int m;
	} inner;
	float *out;
};

struct table {
	const float *p[4];
	int n;
};

struct output_table {
	float *p[4];
};

KERNEL struct_plain(pair s) { s.out[INDEX] = s.in[INDEX]; }

KERNEL struct_grid_constant(const __grid_constant__ pair s) { s.out[INDEX] = s.in[INDEX]; }

KERNEL struct_restrict(restrict_pair s) { s.out[INDEX] = s.in[INDEX]; }

KERNEL struct_copied(pair s)
{
	const float *__restrict__ in = s.in;
	float *__restrict__ out = s.out;

	out[INDEX] = in[INDEX];
}

KERNEL struct_view(view in, float *__restrict__ out) { out[INDEX] = in(threadIdx.x, blockIdx.x); }

KERNEL struct_view_both(view in, view out) { out(threadIdx.x, blockIdx.x) = in(threadIdx.x, blockIdx.x); }

KERNEL struct_nested(nested s) { s.out[INDEX] = s.inner.a[INDEX % s.n]; }

KERNEL struct_table(table t, float *out, int which) { out[INDEX] = t.p[which][INDEX]; }

KERNEL struct_table_mixed(table t, float *out, int which) { out[INDEX] = t.p[which][INDEX] + t.p[0][1]; }

KERNEL struct_output_table(output_table t, const float *in, int which)
{
	t.p[which][INDEX] = in[INDEX];
}

KERNEL struct_output_read(output_table t, int which) { t.p[which][INDEX] = t.p[0][1]; }

KERNEL struct_and_plain(pair s, const float *c, int n)
{
	for (int i = 0; i < n; i++)
		s.out[INDEX + i] = s.in[i] * c[INDEX];
}

template <class F> __global__ void apply(F f, int n)
{
	if (INDEX < n)
		f(INDEX);
}

void launch_lambda(const float *in, float *out, int n)
{
	auto f = [=] __device__(int i) { out[i] = in[i] * 2.0f; };

	apply<<<1, 32>>>(f, n);
}
