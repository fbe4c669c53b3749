// Kernels of neural networks as frameworks write them: parameter structs, strided accessors, lists of tensors, functors.
#include "kernels.h"
#include <cuda_fp16.h>

// TRUTH softmax p0=r p1=w
KERNEL softmax(const float *in, float *out, int columns)
{
	__shared__ float part[32];
	const float *row = in + (size_t)blockIdx.x * columns;
	float top = -1e30f, sum = 0;
	for (int i = threadIdx.x; i < columns; i += blockDim.x)
		top = fmaxf(top, row[i]);
	for (int s = 16; s; s /= 2)
		top = fmaxf(top, __shfl_xor_sync(~0u, top, s));
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = top;
	__syncthreads();
	for (unsigned w = 0; w < blockDim.x / 32; w++)
		top = fmaxf(top, part[w]);
	for (int i = threadIdx.x; i < columns; i += blockDim.x)
		sum += __expf(row[i] - top);
	for (int s = 16; s; s /= 2)
		sum += __shfl_xor_sync(~0u, sum, s);
	for (int i = threadIdx.x; i < columns; i += blockDim.x)
		out[(size_t)blockIdx.x * columns + i] = __expf(row[i] - top) / sum;
}

struct alignas(16) pack4 {
	float v[4];
};

// TRUTH layer_norm p0=R p1=R p2=R p3=w p4=w
KERNEL layer_norm(const float *__restrict__ x, const float *__restrict__ gamma, const float *__restrict__ beta,
		  float *__restrict__ y, float *mean_out, int n, float epsilon)
{
	__shared__ float s_mean, s_var;
	const pack4 *row = reinterpret_cast<const pack4 *>(x + (long)blockIdx.x * n);
	float sum = 0, square = 0;
	for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
		pack4 p = row[i];
#pragma unroll
		for (int k = 0; k < 4; k++) {
			sum += p.v[k];
			square += p.v[k] * p.v[k];
		}
	}
	for (int s = 16; s; s /= 2) {
		sum += __shfl_down_sync(~0u, sum, s);
		square += __shfl_down_sync(~0u, square, s);
	}
	if (threadIdx.x == 0) {
		s_mean = sum / n;
		s_var = rsqrtf(square / n - s_mean * s_mean + epsilon);
		mean_out[blockIdx.x] = s_mean;
	}
	__syncthreads();
	for (int i = threadIdx.x; i < n / 4; i += blockDim.x) {
		pack4 p = row[i], g = reinterpret_cast<const pack4 *>(gamma)[i],
		      b = reinterpret_cast<const pack4 *>(beta)[i], o;
#pragma unroll
		for (int k = 0; k < 4; k++)
			o.v[k] = (p.v[k] - s_mean) * s_var * g.v[k] + b.v[k];
		reinterpret_cast<pack4 *>(y + (long)blockIdx.x * n)[i] = o;
	}
}

struct attention_params {
	const float *q, *k, *v;
	float *out, *lse;
	int heads, length, width;
	long q_row, k_row, v_row, o_row; // in elements
	long q_head, k_head, v_head, o_head;
	float scale;
};

// TRUTH attention p0+0=r p0+8=r p0+16=r p0+24=w p0+32=w
KERNEL attention(const attention_params p)
{
	extern __shared__ float score[];
	const float *q = p.q + blockIdx.y * p.q_head + blockIdx.x * p.q_row;
	float top = -1e30f, sum = 0;
	for (int j = threadIdx.x; j < p.length; j += blockDim.x) {
		const float *k = p.k + blockIdx.y * p.k_head + j * p.k_row;
		float s = 0;
		for (int c = 0; c < p.width; c++)
			s += q[c] * k[c];
		score[j] = s * p.scale;
		top = fmaxf(top, score[j]);
	}
	__syncthreads();
	for (int j = 0; j < p.length; j++)
		sum += __expf(score[j] - top);
	for (int c = threadIdx.x; c < p.width; c += blockDim.x) {
		float o = 0;
		for (int j = 0; j < p.length; j++)
			o += score[j] * p.v[blockIdx.y * p.v_head + j * p.v_row + c];
		p.out[blockIdx.y * p.o_head + blockIdx.x * p.o_row + c] = o / sum;
	}
	if (threadIdx.x == 0)
		p.lse[blockIdx.y * p.length + blockIdx.x] = top + __logf(sum);
}

// TRUTH embedding p0=r p1=r p2=w
KERNEL embedding(const float *table, const long *index, float *out, int width, long rows)
{
	long row = index[blockIdx.x];
	if (row < 0)
		row += rows;
	for (int c = threadIdx.x; c < width; c += blockDim.x)
		out[(long)blockIdx.x * width + c] = table[row * width + c];
}

// TRUTH embedding_back p0=w p1=r p2=r
KERNEL embedding_back(float *grad_table, const long *index, const float *grad, int width)
{
	for (int c = threadIdx.x; c < width; c += blockDim.x)
		atomicAdd(&grad_table[index[blockIdx.x] * width + c], grad[(long)blockIdx.x * width + c]);
}

template<int depth> struct tensor_list {
	void *addresses[depth][24];
	long sizes[24];
	unsigned char block_to_tensor[64];
	int block_to_chunk[64];
};

// Inputs addresses[0], outputs addresses[1].
// TRUTH multi_scale p0+*=?
KERNEL multi_scale(tensor_list<2> list, int chunk_size, float factor)
{
	int tensor = list.block_to_tensor[blockIdx.x];
	long chunk = (long)list.block_to_chunk[blockIdx.x] * chunk_size, n = list.sizes[tensor] - chunk;
	const float *in = (const float *)list.addresses[0][tensor] + chunk;
	float *out = (float *)list.addresses[1][tensor] + chunk;
	for (long i = threadIdx.x; i < n && i < chunk_size; i += blockDim.x)
		out[i] = in[i] * factor;
}

struct tensors {
	char *data[3];
};

// The output is data[0].
// TRUTH elementwise_add p0+0=w p0+8=r p0+16=r
KERNEL elementwise_add(tensors t, int n)
{
	int i = INDEX;
	if (i < n)
		((float *)t.data[0])[i] = ((const float *)t.data[1])[i] + ((const float *)t.data[2])[i];
}

template<typename T, int N> struct array {
	T data[N];
	__device__ T &operator[](int i)
	{
		return data[i];
	}
	__device__ const T &operator[](int i) const
	{
		return data[i];
	}
};
struct offset_calculator {
	int dims;
	unsigned sizes[4];
	unsigned strides[4][3]; // bytes
	__device__ array<unsigned, 3> get(unsigned linear) const
	{
		array<unsigned, 3> offsets;
#pragma unroll
		for (int a = 0; a < 3; a++)
			offsets[a] = 0;
#pragma unroll
		for (int d = 0; d < 4; d++) {
			if (d == dims)
				break;
			unsigned at = linear % sizes[d];
			linear /= sizes[d];
#pragma unroll
			for (int a = 0; a < 3; a++)
				offsets[a] += at * strides[d][a];
		}
		return offsets;
	}
};
struct adds {
	float alpha;
	__device__ float operator()(float a, float b) const
	{
		return a + alpha * b;
	}
};
template<typename F> __device__ void strided_loop(int n, array<char *, 3> data, offset_calculator calc, F f)
{
	int i = INDEX;
	if (i >= n)
		return;
	array<unsigned, 3> offsets = calc.get(i);
	float *out = (float *)(data[0] + offsets[0]);
	*out = f(*(const float *)(data[1] + offsets[1]), *(const float *)(data[2] + offsets[2]));
}

// TRUTH elementwise_strided p1+0=w p1+8=r p1+16=r
KERNEL elementwise_strided(int n, array<char *, 3> data, offset_calculator calc, adds f)
{
	strided_loop(n, data, calc, f);
}

template<typename T, int N> struct accessor {
	T *data;
	long sizes[N], strides[N];
	__device__ T &operator()(long a, long b) const
	{
		return data[a * strides[0] + b * strides[1]];
	}
};

// TRUTH accessors p0+0=r p1+0=r p2+0=w
KERNEL accessors(accessor<const float, 2> a, accessor<const float, 2> b, accessor<float, 2> c)
{
	long i = blockIdx.x, j = threadIdx.x;
	float sum = 0;
	for (long k = 0; k < a.sizes[1]; k++)
		sum += a(i, k) * b(k, j);
	c(i, j) = sum;
}

// TRUTH byte_strides p0=r p1=w
KERNEL byte_strides(const char *a, char *b, long a_row, long b_row)
{
	*(float *)(b + threadIdx.y * b_row) = *(const float *)(a + threadIdx.y * a_row);
}

// TRUTH byte_offset p0=r p1=w
KERNEL byte_offset(const char *a, char *b, long offset)
{
	b[offset + threadIdx.x] = a[offset + threadIdx.x];
}

// TRUTH storage_offset p0=r p1=w
KERNEL storage_offset(const float *a, float *b, long a_offset, long b_offset, int n)
{
	const float *from = a + a_offset;
	float *to = b + b_offset;
	for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
		to[i] = from[i];
}

// TRUTH workspace p0=r p1=w
KERNEL workspace(const char *base, char *out, size_t weights_at, size_t bias_at, int n)
{
	const float *weights = (const float *)(base + weights_at), *bias = (const float *)(base + bias_at);
	if (INDEX < n)
		((float *)out)[INDEX] = weights[INDEX] + bias[0];
}

template<int width, typename F> __device__ void vector_loop(const float *in, float *out, int n, F f)
{
	struct alignas(16) vec {
		float v[width];
	};
	int base = INDEX * width;
	if (base + width <= n) {
		vec x = *reinterpret_cast<const vec *>(in + base), y;
#pragma unroll
		for (int i = 0; i < width; i++)
			y.v[i] = f(x.v[i]);
		*reinterpret_cast<vec *>(out + base) = y;
	} else {
		for (int i = base; i < n; i++)
			out[i] = f(in[i]);
	}
}

// TRUTH gelu p0=r p1=w
KERNEL gelu(const float *in, float *out, int n)
{
	vector_loop<4>(in, out, n, [](float x) { return 0.5f * x * (1 + tanhf(0.79788f * (x + 0.044715f * x * x * x))); });
}

// TRUTH dropout p0=r p1=w p2=w
KERNEL dropout(const float *in, float *out, unsigned char *mask, int n, float keep, u64 seed)
{
	int i = INDEX;
	if (i >= n)
		return;
	u64 state = seed + i * 0x9e3779b97f4a7c15ull;
	state ^= state >> 33;
	state *= 0xff51afd7ed558ccdull;
	state ^= state >> 33;
	bool kept = (state >> 40) * (1.0f / 16777216) < keep;
	mask[i] = kept;
	out[i] = kept ? in[i] / keep : 0;
}

struct philox_state {
	union {
		u64 value;
		long *pointer;
	} seed, offset;
	unsigned intra;
	bool captured;
};

// The seed is a number, or, in a graph, memory that is read.
// TRUTH dropout_captured p0=r p1=w p2+0=? p2+8=?
KERNEL dropout_captured(const float *in, float *out, philox_state state, int n, float keep)
{
	u64 seed = state.captured ? (u64)*state.seed.pointer : state.seed.value;
	int i = INDEX;
	if (i < n)
		out[i] = (((seed + i) * 0x9e3779b97f4a7c15ull) >> 40) * (1.0f / 16777216) < keep ? in[i] / keep : 0;
}

struct block_q4 {
	__half scale;
	unsigned char bits[16];
};

// TRUTH quantised p0=r p1=r p2=w
KERNEL quantised(const block_q4 *weights, const float *x, float *y, int blocks)
{
	float sum = 0;
	for (int b = threadIdx.x; b < blocks; b += blockDim.x) {
		const block_q4 *w = &weights[blockIdx.x * blocks + b];
		float d = __half2float(w->scale);
		for (int i = 0; i < 16; i++) {
			sum += d * ((w->bits[i] & 15) - 8) * x[b * 32 + i];
			sum += d * ((w->bits[i] >> 4) - 8) * x[b * 32 + 16 + i];
		}
	}
	for (int s = 16; s; s /= 2)
		sum += __shfl_down_sync(~0u, sum, s);
	if (threadIdx.x == 0)
		y[blockIdx.x] = sum;
}

// TRUTH gemm_int8 p0=R p1=R p2=r p3=w
KERNEL gemm_int8(const int *__restrict__ a, const int *__restrict__ b, const float *scales, float *c, int k4, int n)
{
	int sum = 0, row = blockIdx.y, column = INDEX;
	for (int k = 0; k < k4; k++)
		sum = __dp4a(a[row * k4 + k], b[column * k4 + k], sum);
	c[row * n + column] = sum * scales[column];
}

// TRUTH adam p0=w p1=r p2=w p3=w
KERNEL adam(float *weight, const float *grad, float *m, float *v, float rate, int n)
{
	int i = INDEX;
	if (i >= n)
		return;
	m[i] = 0.9f * m[i] + 0.1f * grad[i];
	v[i] = 0.999f * v[i] + 0.001f * grad[i] * grad[i];
	weight[i] -= rate * m[i] / (sqrtf(v[i]) + 1e-8f);
}

// TRUTH cross_entropy p0=r p1=r p2=w
KERNEL cross_entropy(const float *logits, const int *labels, float *loss, int classes)
{
	const float *row = logits + (size_t)INDEX * classes;
	float top = row[0], sum = 0;
	for (int c = 1; c < classes; c++)
		top = fmaxf(top, row[c]);
	for (int c = 0; c < classes; c++)
		sum += __expf(row[c] - top);
	loss[INDEX] = __logf(sum) + top - row[labels[INDEX]];
}

// TRUTH top_k p0=r p1=w p2=w
KERNEL top_k(const float *in, float *values, int *indices, int n)
{
	float best[4] = {-1e30f, -1e30f, -1e30f, -1e30f};
	int at[4] = {0, 0, 0, 0};
	const float *row = in + (size_t)INDEX * n;
	for (int i = 0; i < n; i++) {
		int place = 3;
		if (row[i] <= best[3])
			continue;
		while (place > 0 && best[place - 1] < row[i]) {
			best[place] = best[place - 1];
			at[place] = at[place - 1];
			place--;
		}
		best[place] = row[i];
		at[place] = i;
	}
	for (int k = 0; k < 4; k++) {
		values[INDEX * 4 + k] = best[k];
		indices[INDEX * 4 + k] = at[k];
	}
}

struct cat_input {
	const float *data;
	int width, offset;
};
struct cat_inputs {
	cat_input list[8];
	int count;
};

// TRUTH concatenate p0=w p1+*=r
KERNEL concatenate(float *out, cat_inputs in, int width)
{
	const cat_input &i = in.list[blockIdx.y];
	for (int c = threadIdx.x; c < i.width; c += blockDim.x)
		out[blockIdx.x * width + i.offset + c] = i.data[blockIdx.x * i.width + c];
}

// TRUTH im2col p0=r p1=w
KERNEL im2col(const float *in, float *out, int h, int w, int k)
{
	int y = blockIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.z;
	for (int i = 0; i < k; i++)
		for (int j = 0; j < k; j++) {
			int yy = y + i - k / 2, xx = x + j - k / 2;
			bool inside = yy >= 0 && yy < h && xx >= 0 && xx < w;
			out[((c * k + i) * k + j) * h * w + y * w + x] = inside ? in[(c * h + yy) * w + xx] : 0;
		}
}

// TRUTH rotary p0=w p1=R p2=R
KERNEL rotary(float *qk, const float *__restrict__ cosine, const float *__restrict__ sine, int width)
{
	float *x = qk + (size_t)blockIdx.x * width;
	for (int i = threadIdx.x; i < width / 2; i += blockDim.x) {
		float a = x[i], b = x[i + width / 2];
		x[i] = a * cosine[i] - b * sine[i];
		x[i + width / 2] = a * sine[i] + b * cosine[i];
	}
}

struct paged {
	const float *const *pages;
	const int *lengths;
	float *out;
};

// TRUTH paged_attention p0+0=r *p0+0=r p0+8=r p0+16=w
KERNEL paged_attention(paged p, int page_size)
{
	float sum = 0;
	for (int i = threadIdx.x; i < p.lengths[blockIdx.x]; i += blockDim.x)
		sum += p.pages[blockIdx.x * 16 + i / page_size][i % page_size];
	p.out[INDEX] = sum;
}

// TRUTH grouped_gemm p0=r *p0=r p1=r *p1=r *p2=w p3=r
KERNEL grouped_gemm(const float *const *a, const float *const *b, float *const *c, const int *k, int n)
{
	const float *x = a[blockIdx.y], *w = b[blockIdx.y];
	float sum = 0;
	for (int i = 0; i < k[blockIdx.y]; i++)
		sum += x[blockIdx.x * k[blockIdx.y] + i] * w[i * n + threadIdx.x];
	c[blockIdx.y][blockIdx.x * n + threadIdx.x] = sum;
}
