// Usual kernels on linked and structured data, templates, lambdas, cooperative groups, variables, textures, atomics.
#include "kernels.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct node {
	int key, left, right;
};

// TRUTH tree_walk p0=r p1=r p2=w
KERNEL tree_walk(const node *tree, const int *ask, int *out)
{
	int i = 0;
	while (i >= 0 && tree[i].key != ask[INDEX])
		i = ask[INDEX] < tree[i].key ? tree[i].left : tree[i].right;
	out[INDEX] = i;
}
struct pnode {
	int key;
	const pnode *l, *r;
};

// TRUTH ptree_walk p0=r *p0=r p1=r p2=w
KERNEL ptree_walk(const pnode *root, const int *ask, int *out)
{
	const pnode *p = root;
	int k = ask[INDEX];
	while (p && p->key != k)
		p = k < p->key ? p->l : p->r;
	out[INDEX] = p ? p->key : -1;
}
struct lnode {
	float v;
	lnode *next;
};

// TRUTH list_sum p0=r *p0=r p1=w
KERNEL list_sum(const lnode *head, float *out)
{
	float s = 0;
	for (const lnode *p = head; p; p = p->next)
		s += p->v;
	out[INDEX] = s;
}

// TRUTH list_scale p0=w p1=?
KERNEL list_scale(lnode *head, const float *f)
{
	for (lnode *p = head; p; p = p->next)
		p->v *= 2;
}

// TRUTH list_heads p0=r *p0=r p1=w
KERNEL list_heads(lnode *const *heads, float *out)
{
	float s = 0;
	for (lnode *p = heads[INDEX]; p; p = p->next)
		s += p->v;
	out[INDEX] = s;
}

// TRUTH rows_read p0=r *p0=r p1=r p2=w
KERNEL rows_read(const float *const *rows, const float *x, float *y, int n)
{
	float s = 0;
	for (int j = 0; j < n; j++)
		s += rows[INDEX][j] * x[j];
	y[INDEX] = s;
}

// TRUTH rows_write p0=r *p0=w p1=r
KERNEL rows_write(float *const *rows, const float *x, int n)
{
	for (int j = 0; j < n; j++)
		rows[INDEX][j] = x[j];
}

// TRUTH batched p0=r *p0=r p1=r *p1=r p2=r *p2=w
KERNEL batched(const float *const *a, const float *const *b, float *const *c, int n)
{
	const float *x = a[blockIdx.x], *y = b[blockIdx.x];
	c[blockIdx.x][threadIdx.x] = x[threadIdx.x] * y[threadIdx.x];
}
struct soa {
	const float *x, *y;
	float *out;
	int n;
};

// TRUTH by_value p0+0=r p0+8=r p0+16=w
KERNEL by_value(soa s)
{
	if (INDEX < s.n)
		s.out[INDEX] = s.x[INDEX] + s.y[INDEX];
}
struct matrix {
	float *data;
	int rows, cols, ld;
	__device__ float get(int i, int j) const
	{
		return data[i * ld + j];
	}
	__device__ void set(int i, int j, float v)
	{
		data[i * ld + j] = v;
	}
};

// TRUTH matrices p0+0=r p1+0=r p2+0=w
KERNEL matrices(matrix a, matrix b, matrix c)
{
	int i = INDEX / c.cols, j = INDEX % c.cols;
	float s = 0;
	for (int k = 0; k < a.cols; k++)
		s += a.get(i, k) * b.get(k, j);
	c.set(i, j, s);
}
struct nested {
	struct {
		const int *a;
		int n;
	} in[2];
	int *out;
};

// TRUTH nested_struct p0+0=r p0+16=r p0+32=w
KERNEL nested_struct(nested s)
{
	s.out[INDEX] = s.in[0].a[INDEX] + s.in[1].a[INDEX];
}
struct many {
	const float *p[4];
};

// TRUTH indexed_struct p0+*=r p1=w
KERNEL indexed_struct(many m, float *out, int k)
{
	out[INDEX] = m.p[k & 3][INDEX];
}
struct __attribute__((packed)) packed {
	char tag;
	const float *in;
	float *out;
};

// TRUTH packed_struct p0+1=r p0+9=w
KERNEL packed_struct(packed s)
{
	s.out[INDEX] = s.in[INDEX];
}

// TRUTH struct_pointer p0=r *p0=? p1=w
KERNEL struct_pointer(const soa *s, float *out)
{
	out[INDEX] = s->x[INDEX] + s->y[INDEX];
}
template <typename T, int N>
__device__ T poly(const T *c, T x)
{
	T r = c[0];
	for (int i = 1; i < N; i++)
		r = r * x + c[i];
	return r;
}

// TRUTH templated p0=r p1=r p2=w
KERNEL templated(const float *c, const float *x, float *y)
{
	y[INDEX] = poly<float, 5>(c, x[INDEX]);
}

// TRUTH templated_d p0=r p1=r p2=w
KERNEL templated_d(const double *c, const double *x, double *y)
{
	y[INDEX] = poly<double, 8>(c, x[INDEX]);
}

// TRUTH lambda_inside p0=r p1=r p2=w
KERNEL lambda_inside(const float *a, const float *b, float *c)
{
	auto f = [=](int i) { return a[i] * b[i]; };
	c[INDEX] = f(INDEX);
}

// TRUTH lambda_store p0=r p1=w
KERNEL lambda_store(const float *a, float *c)
{
	auto put = [&](int i, float v) { c[i] = v; };
	put(INDEX, a[INDEX]);
}
template <class F>
__device__ __noinline__ void each(int n, F f)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		f(i);
}

// TRUTH functor_noinline p0=r p1=w
KERNEL functor_noinline(const float *a, float *c, int n)
{
	each(n, [=](int i) { c[i] = a[i]; });
}

// TRUTH cg_block p0=r p1=w
KERNEL cg_block(const float *in, float *out)
{
	auto b = cg::this_thread_block();
	__shared__ float t[256];
	t[b.thread_rank()] = in[INDEX];
	b.sync();
	out[INDEX] = t[b.size() - 1 - b.thread_rank()];
}

// TRUTH cg_tile p0=r p1=w
KERNEL cg_tile(const float *in, float *out)
{
	auto t = cg::tiled_partition<32>(cg::this_thread_block());
	float v = in[INDEX];
	for (int d = 16; d; d /= 2)
		v += t.shfl_down(v, d);
	if (t.thread_rank() == 0)
		out[INDEX / 32] = v;
}

// TRUTH cg_grid p0=r p1=w p2=w
KERNEL cg_grid(const float *in, float *tmp, float *out)
{
	auto g = cg::this_grid();
	tmp[INDEX] = in[INDEX] * 2;
	g.sync();
	out[INDEX] = tmp[INDEX ^ 1] + in[INDEX];
}
__constant__ float coef[64];
__device__ float lut[256];
__device__ float accum[256];
__device__ int counter;
__device__ const float fixed[4] = {1, 2, 3, 4};
__device__ float *where_to;

// TRUTH const_mem p0=r p1=w
KERNEL const_mem(const float *in, float *out)
{
	out[INDEX] = in[INDEX] * coef[INDEX & 63];
}

// TRUTH lut_read lut=r p0=r p1=w
KERNEL lut_read(const unsigned char *in, float *out)
{
	out[INDEX] = lut[in[INDEX]];
}

// TRUTH lut_only lut=R accum=w
KERNEL lut_only()
{
	accum[threadIdx.x] = lut[threadIdx.x];
}

// TRUTH accum_write accum=w lut=R p0=r
KERNEL accum_write(const float *in)
{
	atomicAdd(&accum[threadIdx.x], in[INDEX] * lut[threadIdx.x]);
}

// TRUTH ticket p0=r p1=w counter=w
KERNEL ticket(const int *in, int *out)
{
	int t = atomicAdd(&counter, 1);
	out[t] = in[t];
}

// TRUTH device_pointer p0=r where_to=r *where_to=w
KERNEL device_pointer(const float *in)
{
	where_to[INDEX] = in[INDEX];
}

// TRUTH textures p0=? p1=w p2=r
KERNEL textures(cudaTextureObject_t t, float *out, const float *in)
{
	out[INDEX] = tex1Dfetch<float>(t, INDEX) + in[INDEX];
}

// TRUTH surfaces p0=? p1=R
KERNEL surfaces(cudaSurfaceObject_t s, const float *in)
{
	surf2Dwrite(in[INDEX], s, threadIdx.x * 4, blockIdx.x);
}

// TRUTH atomics_mix p0=w p1=r p2=w
KERNEL atomics_mix(int *a, const int *b, int *c)
{
	atomicMax(&a[b[INDEX]], INDEX);
	atomicExch(&c[INDEX], 1);
	atomicXor(&a[0], b[0]);
}

// TRUTH ldcg p0=r p1=w
KERNEL ldcg(const float *a, float *b)
{
	b[INDEX] = __ldcg(a + INDEX);
}

// TRUTH ldcs p0=r p1=w
KERNEL ldcs(const float *a, float *b)
{
	__stcs(b + INDEX, __ldcs(a + INDEX));
}

// TRUTH ldg p0=R p1=w
KERNEL ldg(const float *a, float *b)
{
	b[INDEX] = __ldg(a + INDEX);
}

// TRUTH volatile_in p0=n p1=w
KERNEL volatile_in(const volatile float *a, float *b)
{
	b[INDEX] = a[INDEX];
}

// TRUTH flag_wait p0=n p1=? p2=w
KERNEL flag_wait(const volatile int *flag, const float *data, float *out)
{
	while (!*flag)
		;
	__threadfence();
	out[INDEX] = data[INDEX];
}

// TRUTH half_kernel p0=r p1=w
KERNEL half_kernel(const unsigned short *a, unsigned short *b)
{
	b[INDEX] = a[INDEX] + 1;
}

// TRUTH bytes p0=r p1=w
KERNEL bytes(const char4 *a, char4 *b)
{
	char4 v = a[INDEX];
	v.x = -v.x;
	b[INDEX] = v;
}

// TRUTH copy_struct p0=r p1=w
struct big {
	double d[7];
};
KERNEL copy_struct(const big *a, big *b)
{
	b[INDEX] = a[INDEX];
}

// TRUTH memcpy_kernel p0=r p1=w
KERNEL memcpy_kernel(const char *a, char *b, int n)
{
	memcpy(b + INDEX * 64, a + INDEX * 64, 64);
}

// TRUTH malloc_kernel p0=r p1=w
KERNEL malloc_kernel(const int *in, int *out, int n)
{
	int *t = (int *)malloc(n * 4);
	for (int i = 0; i < n; i++)
		t[i] = in[i];
	int s = 0;
	for (int i = 0; i < n; i++)
		s += t[n - 1 - i];
	out[INDEX] = s;
	free(t);
}

// TRUTH print_kernel p0=r p1=w
KERNEL print_kernel(const int *in, int *out)
{
	if (INDEX == 0)
		printf("%d\n", in[0]);
	out[INDEX] = in[INDEX];
}

// TRUTH assert_kernel p0=r p1=w
KERNEL assert_kernel(const int *in, int *out, int n)
{
	if (in[INDEX] >= n)
		__trap();
	out[INDEX] = in[INDEX];
}
