// Kernels of simulation, graphs, sorting and graphics: launch parameters in constant memory, stacks, look-back.
#include "kernels.h"

struct launch_params {
	float4 *image;
	const float4 *vertices;
	const int3 *triangles;
	const float *materials;
	int width, height;
};
__constant__ launch_params params;

// TRUTH shade *(params+0)=w *(params+8)=r *(params+16)=r *(params+24)=r
KERNEL shade()
{
	int i = INDEX;
	int3 t = params.triangles[i];
	float4 a = params.vertices[t.x], b = params.vertices[t.y], c = params.vertices[t.z];
	float m = params.materials[i];
	params.image[i] = make_float4(a.x + b.x + c.x, a.y + b.y + c.y, (a.z + b.z + c.z) * m, 1);
}

struct box {
	float low[3], high[3];
	int left, right; // right < 0: a leaf
};
struct scene {
	const box *boxes;
	const float4 *spheres;
};

// TRUTH trace_rays p0+0=r p0+8=r p1=r p2=w
KERNEL trace_rays(scene s, const float4 *rays, float *out)
{
	int stack[32], depth = 0;
	float4 ray = rays[INDEX];
	float nearest = 1e30f;
	stack[depth++] = 0;
	while (depth > 0) {
		const box &b = s.boxes[stack[--depth]];
		if (b.low[0] > ray.x || b.high[0] < ray.x)
			continue;
		if (b.right < 0) {
			float4 sphere = s.spheres[b.left];
			float d = sphere.x * ray.x + sphere.y * ray.y + sphere.z * ray.z - sphere.w;
			nearest = d < nearest ? d : nearest;
			continue;
		}
		stack[depth++] = b.left;
		stack[depth++] = b.right;
	}
	out[INDEX] = nearest;
}

struct tree_node {
	float key;
	const tree_node *left, *right;
};

// TRUTH pointer_stack p0=r *p0=r p1=w
KERNEL pointer_stack(const tree_node *root, float *out)
{
	const tree_node *stack[32];
	int depth = 0;
	float sum = 0;
	stack[depth++] = root;
	while (depth > 0) {
		const tree_node *n = stack[--depth];
		sum += n->key;
		if (n->left)
			stack[depth++] = n->left;
		if (n->right)
			stack[depth++] = n->right;
	}
	out[INDEX] = sum;
}

// TRUTH spmv p0=r p1=r p2=r p3=r p4=w
KERNEL spmv(const int *rows, const int *columns, const double *values, const double *x, double *y, int n)
{
	int row = INDEX;
	double sum = 0;
	if (row >= n)
		return;
	for (int j = rows[row]; j < rows[row + 1]; j++)
		sum += values[j] * x[columns[j]];
	y[row] = sum;
}

// TRUTH spmv64 p0=r p1=r p2=r p3=r p4=w
KERNEL spmv64(const long *rows, const long *columns, const double *values, const double *x, double *y, long n)
{
	for (long row = INDEX; row < n; row += (long)gridDim.x * blockDim.x) {
		double sum = 0;
		for (long j = rows[row]; j < rows[row + 1]; j++)
			sum += values[j] * x[columns[j]];
		y[row] = sum;
	}
}

// TRUTH histogram p0=r p1=w
KERNEL histogram(const unsigned char *data, unsigned *bins, size_t n)
{
	__shared__ unsigned local[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		local[i] = 0;
	__syncthreads();
	for (size_t i = INDEX; i < n; i += (size_t)gridDim.x * blockDim.x)
		atomicAdd(&local[data[i]], 1);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		atomicAdd(&bins[i], local[i]);
}

// TRUTH bfs p0=r p1=r p2=w p3=w
KERNEL bfs(const int *offsets, const int *edges, int *level, int *changed, int now, int n)
{
	int v = INDEX;
	if (v >= n || level[v] != now)
		return;
	for (int e = offsets[v]; e < offsets[v + 1]; e++)
		if (level[edges[e]] < 0) {
			level[edges[e]] = now + 1;
			*changed = 1;
		}
}

struct csr {
	const u64 *offsets;
	const u64 *edges;
};

// TRUTH bfs_queue p0+0=r p0+8=r p1=r p2=w p3=w p4=w
KERNEL bfs_queue(csr g, const u64 *queue, u64 *next, u64 *tail, int *seen, u64 n)
{
	u64 i = INDEX;
	if (i >= n)
		return;
	u64 v = queue[i];
	for (u64 e = g.offsets[v]; e < g.offsets[v + 1]; e++)
		if (atomicExch(&seen[g.edges[e]], 1) == 0)
			next[atomicAdd(tail, 1ull)] = g.edges[e];
}

// TRUTH transpose p0=r p1=w
KERNEL transpose(const float *in, float *out, int w, int h)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (x < w && y + j < h)
			tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		if (x < h && y + j < w)
			out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// TRUTH reduction p0=r p1=w p2=w
KERNEL reduction(const float *in, float *parts, unsigned *done, float *unused, size_t n)
{
	__shared__ float sums[256];
	__shared__ bool last;
	float sum = 0;
	for (size_t i = INDEX; i < n; i += (size_t)gridDim.x * blockDim.x)
		sum += in[i];
	sums[threadIdx.x] = sum;
	__syncthreads();
	for (int s = blockDim.x / 2; s; s /= 2) {
		if (threadIdx.x < s)
			sums[threadIdx.x] += sums[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = sums[0];
		__threadfence();
		last = atomicAdd(done, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		for (unsigned i = 1; i < gridDim.x; i++)
			sums[0] += ((volatile float *)parts)[i];
		parts[0] = sums[0];
	}
}

// TRUTH stencil p0=R p1=w p2=R
KERNEL stencil(const float *__restrict__ in, float *__restrict__ out, const float *factors, int nx, int ny, int nz)
{
	int i = INDEX, j = blockIdx.y;
	long plane = (long)nx * ny;
	if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)
		return;
	for (int k = 1; k < nz - 1; k++) {
		long at = k * plane + j * nx + i;
		out[at] = factors[0] * in[at] + factors[1] * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] +
							     in[at - plane] + in[at + plane]);
	}
}

struct field {
	double *data;
	size_t pitch; // bytes
	int width, height;
	__device__ double *row(int y) const
	{
		return (double *)((char *)data + y * pitch);
	}
};

// TRUTH pitched p0+0=r p1+0=w
KERNEL pitched(field in, field out)
{
	int x = INDEX, y = blockIdx.y;
	if (x < 1 || x >= in.width - 1 || y < 1 || y >= in.height - 1)
		return;
	out.row(y)[x] = (in.row(y)[x - 1] + in.row(y)[x + 1] + in.row(y - 1)[x] + in.row(y + 1)[x]) / 4;
}

struct grid_fields {
	const double *in[5];
	double *out[5];
	long n;
};

// TRUTH flux p0+0=r p0+8=r p0+16=r p0+24=r p0+32=r p0+40=w p0+48=w p0+56=w p0+64=w p0+72=w
KERNEL flux(grid_fields g)
{
	long i = INDEX;
	if (i > 0 && i < g.n - 1) {
#pragma unroll
		for (int f = 0; f < 5; f++)
			g.out[f][i] = g.in[f][i - 1] - 2 * g.in[f][i] + g.in[f][i + 1];
	}
}

// TRUTH n_body p0=r p1=w
KERNEL n_body(const float4 *bodies, float3 *forces, int n)
{
	__shared__ float4 tile[128];
	float4 me = bodies[INDEX];
	float3 f = {0, 0, 0};
	for (int t = 0; t < n; t += 128) {
		tile[threadIdx.x] = bodies[t + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 128; j++) {
			float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
			float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f), s = tile[j].w * r * r * r;
			f.x += dx * s;
			f.y += dy * s;
			f.z += dz * s;
		}
		__syncthreads();
	}
	forces[INDEX] = f;
}

// TRUTH radix_count p0=r p1=w
KERNEL radix_count(const unsigned *keys, unsigned *counts, int n, int shift)
{
	__shared__ unsigned bins[16];
	if (threadIdx.x < 16)
		bins[threadIdx.x] = 0;
	__syncthreads();
	for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[keys[i] >> shift & 15], 1);
	__syncthreads();
	if (threadIdx.x < 16)
		counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// TRUTH radix_scatter p0=r p1=r p2=r p3=w p4=w
KERNEL radix_scatter(const unsigned *keys, const unsigned *values, const unsigned *starts, unsigned *keys_out,
		     unsigned *values_out, int n, int shift)
{
	unsigned next[16];
	for (int d = 0; d < 16; d++)
		next[d] = starts[d * gridDim.x * blockDim.x + INDEX];
	for (int i = 0; i < n; i++) {
		unsigned key = keys[INDEX * n + i], to = next[key >> shift & 15]++;
		keys_out[to] = key;
		values_out[to] = values[INDEX * n + i];
	}
}

// Decoupled look-back: the state of a tile, status and sum in one word of 64 bits, is written and polled.
// TRUTH look_back p0=r p1=w p2=w p3=w
KERNEL look_back(const unsigned *in, unsigned *out, u64 *state, unsigned *ticket, int n)
{
	__shared__ unsigned tile, before, sums[128];
	if (threadIdx.x == 0)
		tile = atomicAdd(ticket, 1);
	__syncthreads();
	int i = tile * 128 + threadIdx.x;
	sums[threadIdx.x] = i < n ? in[i] : 0;
	__syncthreads();
	for (int s = 1; s < 128; s *= 2) {
		unsigned add = threadIdx.x >= s ? sums[threadIdx.x - s] : 0;
		__syncthreads();
		sums[threadIdx.x] += add;
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		unsigned total = sums[127], prefix = 0;
		if (tile > 0)
			*(volatile u64 *)&state[tile] = (u64)1 << 32 | total;
		for (int t = (int)tile - 1; t >= 0; t--) {
			u64 word;
			do
				word = *(volatile u64 *)&state[t];
			while (word >> 32 == 0);
			prefix += (unsigned)word;
			if (word >> 32 == 2)
				break;
		}
		__threadfence();
		*(volatile u64 *)&state[tile] = (u64)2 << 32 | (prefix + total);
		before = prefix;
	}
	__syncthreads();
	if (i < n)
		out[i] = sums[threadIdx.x] + before;
}

// TRUTH md_cells p0=r p1=r p2=r p3=w
KERNEL md_cells(const float4 *atoms, const int *cell_start, const int *neighbours, float4 *force)
{
	float4 f = make_float4(0, 0, 0, 0), me = atoms[INDEX];
	for (int c = 0; c < 27; c++) {
		int cell = neighbours[blockIdx.x * 27 + c];
		for (int j = cell_start[cell]; j < cell_start[cell + 1]; j++) {
			float4 o = atoms[j];
			float dx = o.x - me.x, r2 = dx * dx + 1;
			f.x += dx / r2;
		}
	}
	force[INDEX] = f;
}

struct queue_item {
	int node, depth;
};

// TRUTH dfs p0=r p1=r p2=w
KERNEL dfs(const int *offsets, const int *edges, int *order)
{
	queue_item stack[16];
	int depth = 0, count = 0;
	stack[depth++] = {(int)INDEX, 0};
	while (depth > 0) {
		queue_item item = stack[--depth];
		order[INDEX * 64 + count++ % 64] = item.node;
		for (int e = offsets[item.node]; e < offsets[item.node + 1] && depth < 16 && item.depth < 8; e++)
			stack[depth++] = {edges[e], item.depth + 1};
	}
}

// Which input is chosen at run time, from a local table.
// TRUTH table_of_inputs p0=r p1=r p2=r p3=w
KERNEL table_of_inputs(const float *a, const float *b, const float *c, float *out, int which)
{
	const float *table[3] = {a, b, c};
	float sum = 0;
	for (int i = 0; i < 3; i++)
		sum += table[(which + i) % 3][INDEX];
	out[INDEX] = sum;
}

struct view {
	const float *data;
	long stride;
	__device__ float at(long i) const
	{
		return data[i * stride];
	}
};

// TRUTH local_views p0=r p1=r p2=w
KERNEL local_views(const float *a, const float *b, float *out, long sa, long sb)
{
	view views[2] = {{a, sa}, {b, sb}};
	float sum = 0;
	for (int v = 0; v < 2; v++)
		sum += views[v].at(INDEX);
	out[INDEX] = sum;
}

// Sequences of blocks by a 64-bit cursor that the kernel keeps in memory of its own.
// TRUTH cursor p0=r p1=w p2=w
KERNEL cursor(const char *stream, float *out, u64 *position, u64 bytes)
{
	for (u64 at = atomicAdd(position, bytes); at < bytes * 16; at = atomicAdd(position, bytes))
		for (u64 i = threadIdx.x * 4; i < bytes; i += blockDim.x * 4)
			out[(at + i) / 4] = *(const float *)(stream + at + i);
}
