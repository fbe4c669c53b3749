/*
 * A small network and hostile launches, with memory from a pool as frameworks have one. The argument says where memory
 * comes from: "malloc" (each from cudaMalloc), "pool" (romark hears nothing), or "told" (romark hears of it).
 */
#include "../runtime/gpu/programs/guarded.h"

#include <region_pool.h>

#include <string>
#include <vector>

static bool pooled;
static romark::region_pool *pool;

template <class T> static T *take(size_t n)
{
	void *p = nullptr;

	if (pooled)
		p = pool->take(n * sizeof(T), 0);
	else
		CHECK(cudaMalloc(&p, n * sizeof(T)));
	return static_cast<T *>(p);
}

static void give(void *p)
{
	if (pooled)
		pool->give(p, 0);
	else
		CHECK(cudaFree(p));
}

/* --- The network: embedding, two dense layers, normalisation, softmax --- */

enum { BATCH = 16, WIDTH = 64, WORDS = 100 };

__global__ void embed(const int *words, const float *table, float *out)
{
	out[blockIdx.x * WIDTH + threadIdx.x] = table[words[blockIdx.x] * WIDTH + threadIdx.x];
}

__global__ void dense(const float *in, const float *weights, const float *bias, float *out)
{
	float sum = bias[threadIdx.x];

	for (int i = 0; i < WIDTH; i++)
		sum += in[blockIdx.x * WIDTH + i] * weights[i * WIDTH + threadIdx.x];
	out[blockIdx.x * WIDTH + threadIdx.x] = sum > 0 ? sum : 0;
}

__global__ void normalise(const float *in, const float *gain, float *out)
{
	const float *row = in + blockIdx.x * WIDTH;
	float sum = 0;

	for (int i = 0; i < WIDTH; i++)
		sum += row[i];
	out[blockIdx.x * WIDTH + threadIdx.x] = (row[threadIdx.x] - sum / WIDTH) * gain[threadIdx.x];
}

/* A residual connection, in place as frameworks do it. */
__global__ void add(const float *in, float *inout)
{
	inout[blockIdx.x * WIDTH + threadIdx.x] += in[blockIdx.x * WIDTH + threadIdx.x];
}

/* No access is at the pointer itself, and what is before it is nobody's memory. */
__global__ void smooth(const float *in, float *out)
{
	int i = blockIdx.x * WIDTH + threadIdx.x;
	const float *here = in + i;

	if (i > 1)
		out[i] = here[-2] + here[-1];
}

static std::vector<float> host_dense(const std::vector<float> &in, const std::vector<float> &weights,
				     const std::vector<float> &bias)
{
	std::vector<float> out(BATCH * WIDTH);

	for (int b = 0; b < BATCH; b++)
		for (int j = 0; j < WIDTH; j++) {
			float sum = bias[j];

			for (int i = 0; i < WIDTH; i++)
				sum += in[b * WIDTH + i] * weights[i * WIDTH + j];
			out[b * WIDTH + j] = sum > 0 ? sum : 0;
		}
	return out;
}

template <class T> static T *upload(const std::vector<T> &data)
{
	T *p = take<T>(data.size());

	CHECK(cudaMemcpy(p, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
	return p;
}

/* Small integers and quarters: all sums are exact. */
static std::vector<float> numbers(size_t n, int seed, float unit)
{
	std::vector<float> v(n);

	for (size_t i = 0; i < n; i++)
		v[i] = (float)((int)((i * 7 + seed) % 5) - 2) * unit;
	return v;
}

static void network(int round)
{
	std::vector<float> table = numbers(WORDS * WIDTH, round, 1), weights = numbers(WIDTH * WIDTH, 3, 0.25f),
			   bias = numbers(WIDTH, 1, 1), gain = numbers(WIDTH, 2, 1);
	std::vector<int> words(BATCH);
	std::vector<float> x(BATCH * WIDTH), y, got(BATCH * WIDTH);
	int bad = 0;

	for (int b = 0; b < BATCH; b++)
		words[b] = (b * 37 + round) % WORDS;
	int *d_words = upload(words);
	float *d_table = upload(table), *d_weights = upload(weights), *d_bias = upload(bias), *d_gain = upload(gain);
	float *a = take<float>(BATCH * WIDTH);
	embed<<<BATCH, WIDTH>>>(d_words, d_table, a);
	give(d_words);
	give(d_table);
	float *h = take<float>(BATCH * WIDTH);
	dense<<<BATCH, WIDTH>>>(a, d_weights, d_bias, h);
	add<<<BATCH, WIDTH>>>(a, h);
	give(a);
	float *out = take<float>(BATCH * WIDTH);
	normalise<<<BATCH, WIDTH>>>(h, d_gain, out);
	smooth<<<BATCH, WIDTH>>>(out, h);
	CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));

	for (int b = 0; b < BATCH; b++)
		for (int i = 0; i < WIDTH; i++)
			x[b * WIDTH + i] = table[words[b] * WIDTH + i];
	y = host_dense(x, weights, bias);
	for (int b = 0; b < BATCH; b++) {
		float sum = 0;

		for (int i = 0; i < WIDTH; i++)
			sum += y[b * WIDTH + i] += x[b * WIDTH + i];
		for (int i = 0; i < WIDTH; i++)
			bad += got[b * WIDTH + i] != (y[b * WIDTH + i] - sum / WIDTH) * gain[i];
	}
	printf("%-32s %d wrong\n", "network", bad);
	wrong += bad;
	for (void *p : {(void *)d_weights, (void *)d_bias, (void *)d_gain, (void *)h, (void *)out})
		give(p);
}

/* --- Launches that must stay plain, whatever the allocator has told --- */

__global__ void step(const int *in, int *out, int *sums)
{
	body(in, out, sums);
}

__global__ void step_from(const int *const *table, int *out, int *sums)
{
	body(table[0], out, sums);
}

static void in_place()
{
	int *a = take<int>(N), *b = take<int>(N), **table = take<int *>(1);

	fill(a, 10);
	step<<<1, N>>>(a, b, sums);
	verify("apart", b, 10, false);
	fill(a, 20);
	step<<<1, N>>>(a, a, sums);
	verify("in place", a, 20, true);
	CHECK(cudaMemcpy(table, &a, sizeof a, cudaMemcpyHostToDevice));
	fill(a, 30);
	step_from<<<1, N>>>(table, b, sums);
	verify("by table", b, 30, false);
	fill(a, 40);
	step_from<<<1, N>>>(table, a, sums);
	verify("by table, in place", a, 40, true);
	give(table);
	give(b);
	give(a);
}

/*
 * Captured while `whole` was a single piece, replayed when there are two pieces. The pointers are still of the single
 * piece, in which the kernel reads what it writes.
 */
__global__ void shift(const int *in, int *out, int *sums)
{
	int i = threadIdx.x;

	out[i] = in[i] + 1;
	__syncthreads();
	sums[i] = in[(i + 1) % N + N / 2];
}

static void replayed()
{
	int *arena, *whole, got[N], bad = 0;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	CHECK(cudaMalloc(&arena, 1 << 20));
	whole = arena + (1 << 10);
	if (pooled)
		CHECK((cudaError_t)romark_region(whole, 2 * N * sizeof(int), 0));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	shift<<<1, N, 0, stream>>>(whole, whole + N, sums);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&exec, graph, 0));
	if (pooled) {
		CHECK((cudaError_t)romark_region_end(whole, 0));
		CHECK((cudaError_t)romark_region(whole, N * sizeof(int), 0));
		CHECK((cudaError_t)romark_region(whole + N, N * sizeof(int), 0));
	}
	fill(whole, 50);
	fill(whole + N, 1000);
	CHECK(cudaGraphLaunch(exec, stream));
	CHECK(cudaMemcpy(got, sums, sizeof got, cudaMemcpyDefault));
	for (int i = 0; i < N; i++) {
		int at = (i + 1) % N + N / 2;

		bad += got[i] != (at < N ? 50 + 3 * at : 50 + 3 * (at - N) + 1);
	}
	printf("%-32s %d wrong\n", "replayed", bad);
	wrong += bad;
	CHECK(cudaGraphExecDestroy(exec));
	CHECK(cudaGraphDestroy(graph));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(arena));
}

int main(int argc, char **argv)
{
	std::string from = argc > 1 ? argv[1] : "";

	pooled = from != "malloc";
	pool = new romark::region_pool(from == "told");
	sums = take<int>(N);
	for (int round = 0; round < 3; round++)
		network(round);
	in_place();
	if (from == "told" || from == "malloc")
		replayed();
	return wrong != 0;
}
