// Usual kernels on flat arrays: stencils, sparse matrices, graphs, reductions, sorting, hash tables.
#include "kernels.h"
// TRUTH stencil1d p0=r p1=w
KERNEL stencil1d(const float *in, float *out, int n)
{
	int i = INDEX;
	if (i > 0 && i < n - 1)
		out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

// TRUTH stencil2d p0=r p1=w
KERNEL stencil2d(const float *in, float *out, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
		out[y * w + x] =
		    in[y * w + x] + in[(y - 1) * w + x] + in[(y + 1) * w + x] + in[y * w + x - 1] + in[y * w + x + 1];
}

// TRUTH stencil3d p0=r p1=r p2=w
KERNEL stencil3d(const float *in, const float *c, float *out, int n)
{
	int x = INDEX;
	float prev = in[x], cur = in[x + n];
	for (int z = 1; z < n - 1; z++) {
		float next = in[x + (z + 1) * n];
		out[x + z * n] = c[0] * prev + c[1] * cur + c[2] * next;
		prev = cur;
		cur = next;
	}
}

// TRUTH stencil_restrict p0=R p1=w
KERNEL stencil_restrict(const float *__restrict__ in, float *__restrict__ out, int n)
{
	int i = INDEX;
	if (i < n)
		out[i] = in[i] + in[i + 1];
}

// TRUTH in_place_stencil p0=w
KERNEL in_place_stencil(float *a, int n)
{
	int i = INDEX;
	float v = a[i] + a[i + 1];
	__syncthreads();
	a[i] = v;
}

// TRUTH spmv_csr p0=r p1=r p2=r p3=r p4=w
KERNEL spmv_csr(const int *row, const int *col, const float *val, const float *x, float *y, int n)
{
	int r = INDEX;
	if (r >= n)
		return;
	float s = 0;
	for (int j = row[r]; j < row[r + 1]; j++)
		s += val[j] * x[col[j]];
	y[r] = s;
}

// TRUTH spmv_ell p0=r p1=r p2=r p3=w
KERNEL spmv_ell(const int *col, const double *val, const double *x, double *y, int n, int k)
{
	int r = INDEX;
	if (r >= n)
		return;
	double s = 0;
	for (int j = 0; j < k; j++)
		s += val[j * n + r] * x[col[j * n + r]];
	y[r] = s;
}

// TRUTH spmv_coo p0=r p1=r p2=r p3=r p4=w
KERNEL spmv_coo(const int *row, const int *col, const float *val, const float *x, float *y, int nnz)
{
	int i = INDEX;
	if (i < nnz)
		atomicAdd(&y[row[i]], val[i] * x[col[i]]);
}

// TRUTH bfs_levels p0=r p1=r p2=w p3=w
KERNEL bfs_levels(const int *row, const int *col, int *level, int *changed, int n, int depth)
{
	int v = INDEX;
	if (v >= n || level[v] != depth)
		return;
	for (int e = row[v]; e < row[v + 1]; e++)
		if (level[col[e]] < 0) {
			level[col[e]] = depth + 1;
			*changed = 1;
		}
}

// TRUTH bfs_queue p0=r p1=r p2=r p3=w p4=w p5=w
KERNEL bfs_queue(const int *row, const int *col, const int *in, int *out, int *count, int *seen, int n)
{
	int i = INDEX;
	if (i >= n)
		return;
	int v = in[i];
	for (int e = row[v]; e < row[v + 1]; e++) {
		int u = col[e];
		if (atomicCAS(&seen[u], 0, 1) == 0)
			out[atomicAdd(count, 1)] = u;
	}
}

// TRUTH pagerank p0=r p1=r p2=r p3=r p4=w
KERNEL pagerank(const int *row, const int *col, const float *rank, const int *deg, float *next, int n)
{
	int v = INDEX;
	if (v >= n)
		return;
	float s = 0;
	for (int e = row[v]; e < row[v + 1]; e++)
		s += rank[col[e]] / deg[col[e]];
	next[v] = 0.15f + 0.85f * s;
}

// TRUTH sssp p0=r p1=r p2=r p3=w
KERNEL sssp(const int *row, const int *col, const int *w, int *dist, int n)
{
	int v = INDEX;
	if (v >= n)
		return;
	int d = dist[v];
	for (int e = row[v]; e < row[v + 1]; e++)
		atomicMin(&dist[col[e]], d + w[e]);
}

// TRUTH triangle p0=r p1=r p2=w
KERNEL triangle(const int *row, const int *col, int *count, int n)
{
	int v = INDEX;
	if (v >= n)
		return;
	int c = 0;
	for (int e = row[v]; e < row[v + 1]; e++) {
		int u = col[e];
		int a = row[v], b = row[u];
		while (a < row[v + 1] && b < row[u + 1]) {
			if (col[a] == col[b]) {
				c++;
				a++;
				b++;
			} else if (col[a] < col[b])
				a++;
			else
				b++;
		}
	}
	atomicAdd(count, c);
}

// TRUTH reduce_shared p0=r p1=w
KERNEL reduce_shared(const float *in, float *out, int n)
{
	__shared__ float t[256];
	int i = INDEX;
	t[threadIdx.x] = i < n ? in[i] : 0;
	__syncthreads();
	for (int s = 128; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			t[threadIdx.x] += t[threadIdx.x + s];
		__syncthreads();
	}
	if (!threadIdx.x)
		out[blockIdx.x] = t[0];
}

// TRUTH reduce_warp p0=r p1=w
KERNEL reduce_warp(const float *in, float *out, int n)
{
	float v = INDEX < n ? in[INDEX] : 0;
	for (int d = 16; d; d >>= 1)
		v += __shfl_down_sync(~0u, v, d);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, v);
}

// TRUTH reduce_last_block p0=r p1=w p2=w p3=w
__device__ int done_count;
KERNEL reduce_last_block(const float *in, volatile float *part, float *out, int *flag, int n)
{
	part[INDEX] = in[INDEX];
	__threadfence();
	if (atomicAdd(flag, 1) == n - 1) {
		float s = 0;
		for (int i = 0; i < n; i++)
			s += part[i];
		*out = s;
	}
}

// TRUTH dot p0=r p1=r p2=w
KERNEL dot(const float *a, const float *b, float *c, int n)
{
	float s = 0;
	for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
		s += a[i] * b[i];
	atomicAdd(c, s);
}

// TRUTH scan_block p0=r p1=w p2=w
KERNEL scan_block(const int *in, int *out, int *sums)
{
	extern __shared__ int tile[];
	int t = threadIdx.x;
	tile[t] = in[INDEX];
	__syncthreads();
	for (int d = 1; d < blockDim.x; d <<= 1) {
		int v = t >= d ? tile[t - d] : 0;
		__syncthreads();
		tile[t] += v;
		__syncthreads();
	}
	out[INDEX] = tile[t];
	if (t == blockDim.x - 1)
		sums[blockIdx.x] = tile[t];
}

// TRUTH scan_add p0=w p1=r
KERNEL scan_add(int *out, const int *sums)
{
	out[INDEX] += sums[blockIdx.x];
}

// TRUTH hash_lookup p0=r p1=r p2=r p3=w
KERNEL hash_lookup(const u32 *keys, const u32 *values, const u32 *ask, u32 *found, int mask)
{
	u32 k = ask[INDEX];
	u32 h = k * 2654435761u;
	while (keys[h & mask] != ~0u) {
		if (keys[h & mask] == k) {
			found[INDEX] = values[h & mask];
			return;
		}
		h++;
	}
	found[INDEX] = ~0u;
}

// TRUTH hash_insert p0=w p1=w p2=r
KERNEL hash_insert(u32 *keys, u32 *values, const u32 *in, int mask)
{
	u32 k = in[INDEX], h = k * 2654435761u;
	for (;;) {
		u32 old = atomicCAS(&keys[h & mask], ~0u, k);
		if (old == ~0u || old == k) {
			values[h & mask] = INDEX;
			return;
		}
		h++;
	}
}

// TRUTH hist_global p0=r p1=w
KERNEL hist_global(const unsigned char *in, u32 *bins, int n)
{
	for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i]], 1);
}

// TRUTH hist_shared p0=r p1=w
KERNEL hist_shared(const unsigned char *in, u32 *bins, int n)
{
	__shared__ u32 b[256];
	b[threadIdx.x] = 0;
	__syncthreads();
	for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&b[in[i]], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], b[threadIdx.x]);
}

// TRUTH gemm_tiled p0=r p1=r p2=w
KERNEL gemm_tiled(const float *a, const float *b, float *c, int n)
{
	__shared__ float s[16][16], t[16][16];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
	float v = 0;
	for (int k = 0; k < n; k += 16) {
		s[y][x] = a[row * n + k + x];
		t[y][x] = b[(k + y) * n + col];
		__syncthreads();
		for (int i = 0; i < 16; i++)
			v += s[y][i] * t[i][x];
		__syncthreads();
	}
	c[row * n + col] = v;
}

// TRUTH gemm_accumulate p0=r p1=r p2=w
KERNEL gemm_accumulate(const float *a, const float *b, float *c, int n, float beta)
{
	int i = INDEX / n, j = INDEX % n;
	float s = 0;
	for (int k = 0; k < n; k++)
		s += a[i * n + k] * b[k * n + j];
	c[i * n + j] = s + beta * c[i * n + j];
}

// TRUTH transpose p0=r p1=w
KERNEL transpose(const float *in, float *out, int n)
{
	__shared__ float t[32][33];
	t[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x];
	__syncthreads();
	out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}

// TRUTH nbody p0=r p1=w
KERNEL nbody(const float4 *pos, float4 *acc, int n)
{
	__shared__ float4 t[128];
	float4 p = pos[INDEX], a = make_float4(0, 0, 0, 0);
	for (int b = 0; b < n; b += 128) {
		t[threadIdx.x] = pos[b + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 128; j++) {
			float dx = t[j].x - p.x;
			a.x += dx * t[j].w;
		}
		__syncthreads();
	}
	acc[INDEX] = a;
}

// TRUTH conv2d p0=r p1=r p2=w
KERNEL conv2d(const float *in, const float *w, float *out, int n, int k)
{
	int x = INDEX % n, y = INDEX / n;
	float s = 0;
	for (int i = 0; i < k; i++)
		for (int j = 0; j < k; j++)
			s += in[(y + i) * n + x + j] * w[i * k + j];
	out[y * n + x] = s;
}

// TRUTH kmeans p0=r p1=r p2=w
KERNEL kmeans(const float *pts, const float *cent, int *assign, int n, int k, int d)
{
	int i = INDEX;
	int best = 0;
	float bd = 1e30f;
	for (int c = 0; c < k; c++) {
		float s = 0;
		for (int j = 0; j < d; j++) {
			float t = pts[i * d + j] - cent[c * d + j];
			s += t * t;
		}
		if (s < bd) {
			bd = s;
			best = c;
		}
	}
	assign[i] = best;
}

// TRUTH merge_path p0=r p1=r p2=w
KERNEL merge_path(const int *a, const int *b, int *out, int na, int nb)
{
	int d = INDEX;
	int lo = max(0, d - nb), hi = min(d, na);
	while (lo < hi) {
		int m = (lo + hi) / 2;
		if (a[m] <= b[d - 1 - m])
			lo = m + 1;
		else
			hi = m;
	}
	int j = d - lo;
	out[d] = lo < na && (j >= nb || a[lo] <= b[j]) ? a[lo] : b[j];
}

// TRUTH bitonic p0=w
KERNEL bitonic(int *a, int j, int k)
{
	u32 i = INDEX, l = i ^ j;
	if (l > i) {
		int x = a[i], y = a[l];
		if (((i & k) == 0) == (x > y)) {
			a[i] = y;
			a[l] = x;
		}
	}
}

// TRUTH radix_count p0=r p1=w
KERNEL radix_count(const u32 *keys, u32 *counts, int shift, int n)
{
	__shared__ u32 c[16];
	if (threadIdx.x < 16)
		c[threadIdx.x] = 0;
	__syncthreads();
	if (INDEX < n)
		atomicAdd(&c[keys[INDEX] >> shift & 15], 1);
	__syncthreads();
	if (threadIdx.x < 16)
		counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

// TRUTH binary_search p0=r p1=r p2=w
KERNEL binary_search(const int *sorted, const int *ask, int *out, int n)
{
	int lo = 0, hi = n, k = ask[INDEX];
	while (lo < hi) {
		int m = lo + hi >> 1;
		if (sorted[m] < k)
			lo = m + 1;
		else
			hi = m;
	}
	out[INDEX] = lo;
}

// TRUTH scatter_perm p0=r p1=r p2=w
KERNEL scatter_perm(const int *idx, const double *in, double *out)
{
	out[idx[INDEX]] = in[INDEX];
}

// TRUTH visited_edges p0=r p1=w p2=r p3=w
KERNEL visited_edges(const int *edge, int *visited, const float *w, float *out)
{
	visited[edge[INDEX]] = 1;
	out[INDEX] = w[edge[INDEX]];
}
