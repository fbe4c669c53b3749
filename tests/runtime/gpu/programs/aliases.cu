/*
 * Pointers in parameters and variables that alias in ways that they do not show themselves: biased, encoded, as numbers
 * beside a null pointer, or as parts of one allocation. Each row runs with the kernel reading a and writing b, and
 * reading a and writing a. Prints a line a launch; every result is verified.
 */
#include "guarded.h"

typedef unsigned long long word;

enum { BIAS = 1024 };

static int *a, *b;
static word *table;

/* --- Parameters --- */

__global__ void plain_pointers(const int *in, int *out, int *sums)
{
	body(in, out, sums);
}

__global__ void biased_input(const int *in, int *out, int *sums)
{
	body(in - BIAS, out, sums);
}

__global__ void biased_output(const int *in, int *out, int *sums)
{
	body(in, out - BIAS, sums);
}

__global__ void biased_by_number(const int *in, long bias, int *out, int *sums)
{
	body(in + bias, out, sums);
}

__global__ void encoded(word in, int *out, int *sums)
{
	body((const int *)(in ^ 0x10000), out, sums);
}

__global__ void encoded_with_key(word in, word key, int *out, int *sums)
{
	body((const int *)(in ^ key), out, sums);
}

__global__ void tagged(word in, int *out, int *sums)
{
	body((const int *)(in & (((word)1 << 48) - 1) & ~(word)15), out, sums);
}

__global__ void halves(unsigned high, unsigned low, int *out, int *sums)
{
	body((const int *)((word)high << 32 | low), out, sums);
}

struct members {
	word numbers[2];
	const int *in[2];
};

__global__ void member(members m, int which, int *out, int *sums)
{
	body(m.in[which], out, sums);
}

__global__ void tagged_member(members m, int which, int *out, int *sums)
{
	body((const int *)((word)m.in[which] & ~(word)15), out, sums);
}

__global__ void encoded_member(members m, int which, int *out, int *sums)
{
	body((const int *)((word)m.in[which] ^ 0x10000), out, sums);
}

/* The base is null, and the number is an address. */
__device__ __forceinline__ void from_base(const char *base, size_t number, int *out, int *sums)
{
	int i = threadIdx.x;

	if (number == 0)
		sums[0] = *base;
	out[i] = *(const int *)(base + number + 4 * i) + 1;
	__syncthreads();
	sums[i] = *(const int *)(base + number + 4 * ((i + 1) % N));
}

__global__ void null_and_number(const char *base, size_t number, int *out, int *sums)
{
	from_base(base, number, out, sums);
}

__global__ void null_and_member(const char *base, members m, int *out, int *sums)
{
	from_base(base, m.numbers[1], out, sums);
}

__global__ void null_and_word(const char *base, const size_t *table, int *out, int *sums)
{
	from_base(base, *table, out, sums);
}

/* Elements and pages are counted from address 0. */
__global__ void null_and_elements(const int *base, size_t number, int *out, int *sums)
{
	from_base((const char *)(base + number), 0, out, sums);
}

__global__ void null_and_element_word(const int *base, const size_t *table, int *out, int *sums)
{
	from_base((const char *)(base + *table / 4), 0, out, sums);
}

__global__ void null_and_page(const char *base, const unsigned *table, unsigned in_page, int *out, int *sums)
{
	from_base(base + (size_t)*table * 65536 + in_page, 0, out, sums);
}

__global__ void number_and_null(const int *in, char *base, size_t number, int *sums)
{
	int i = threadIdx.x;

	if (number == 0)
		*base = 1;
	*(int *)(base + number + 4 * i) = in[i] + 1;
	__syncthreads();
	sums[i] = in[(i + 1) % N];
}

static void biased(void)
{
	for (int aliased = 0; aliased <= 1; aliased++) {
		int *out = aliased ? a : b;

		fill(a, 40);
		biased_input<<<1, N>>>(a + BIAS, out, sums);
		verify("biased input", out, 40, aliased);
		fill(a, 50);
		biased_output<<<1, N>>>(a, out + BIAS, sums);
		verify("biased output", out, 50, aliased);
		fill(a, 55);
		biased_by_number<<<1, N>>>(a + 4, -4, out, sums); /* in the allocation */
		verify("biased by a number", out, 55, aliased);
	}
}

static void numbers(void)
{
	for (int aliased = 0; aliased <= 1; aliased++) {
		int *out = aliased ? a : b;
		word kept = (word)a;
		members m = {{7, (word)a}, {b, a}};
		unsigned page;

		fill(a, 60);
		encoded<<<1, N>>>((word)a ^ 0x10000, out, sums);
		verify("encoded number", out, 60, aliased);
		fill(a, 70);
		encoded_with_key<<<1, N>>>((word)a ^ 0x123456789abcdefull, 0x123456789abcdefull, out, sums);
		verify("number encoded with a key", out, 70, aliased);
		fill(a, 80);
		tagged<<<1, N>>>((word)a | (word)0x1234 << 48 | 9, out, sums);
		verify("tagged number", out, 80, aliased);
		fill(a, 90);
		halves<<<1, N>>>((unsigned)((word)a >> 32), (unsigned)(word)a, out, sums);
		verify("two halves", out, 90, aliased);
		fill(a, 100);
		member<<<1, N>>>(m, 1, out, sums);
		verify("member of a struct", out, 100, aliased);
		m.in[1] = (const int *)((word)a | 7);
		fill(a, 110);
		tagged_member<<<1, N>>>(m, 1, out, sums);
		verify("tagged member", out, 110, aliased);
		m.in[1] = (const int *)((word)a ^ 0x10000);
		fill(a, 120);
		encoded_member<<<1, N>>>(m, 1, out, sums);
		verify("encoded member", out, 120, aliased);
		fill(a, 130);
		null_and_number<<<1, N>>>(NULL, (size_t)a, out, sums);
		verify("null and a number", out, 130, aliased);
		fill(a, 140);
		number_and_null<<<1, N>>>(a, NULL, (size_t)out, sums);
		verify("output: null and a number", out, 140, aliased);
		fill(a, 150);
		null_and_member<<<1, N>>>(NULL, m, out, sums);
		verify("null and a member", out, 150, aliased);
		fill(a, 160);
		CHECK(cudaMemcpy(table, &kept, sizeof kept, cudaMemcpyDefault));
		null_and_word<<<1, N>>>(NULL, (const size_t *)table, out, sums);
		verify("null and a word", out, 160, aliased);
		fill(a, 161);
		null_and_elements<<<1, N>>>(NULL, (size_t)a / 4, out, sums);
		verify("null and a number of elements", out, 161, aliased);
		fill(a, 162);
		null_and_element_word<<<1, N>>>(NULL, (const size_t *)table, out, sums);
		verify("null and a word of elements", out, 162, aliased);
		fill(a, 163);
		page = (unsigned)((size_t)a / 65536);
		CHECK(cudaMemcpy(table, &page, sizeof page, cudaMemcpyDefault));
		null_and_page<<<1, N>>>(NULL, (const unsigned *)table, (unsigned)((size_t)a % 65536), out, sums);
		verify("null and a page", out, 163, aliased);
	}
}

/* --- Memory --- */

__device__ int variable[N];
__device__ const int *pointer_variable;
__constant__ const int *pointer_constant;

__global__ void from_table(const int *const *table, int *out, int *sums)
{
	body(table[0], out, sums);
}

__global__ void from_variable(int *out, int *sums)
{
	body(variable, out, sums);
}

__global__ void to_variable(const int *in, int *sums)
{
	body(in, variable, sums);
}

__global__ void from_pointer_variable(int *out, int *sums)
{
	body(pointer_variable, out, sums);
}

__global__ void from_pointer_constant(int *out, int *sums)
{
	body(pointer_constant, out, sums);
}

__global__ void from_texture(cudaTextureObject_t in, int *out, int *sums)
{
	int i = threadIdx.x;

	out[i] = tex1Dfetch<int>(in, i) + 1;
	__syncthreads();
	sums[i] = tex1Dfetch<int>(in, (i + 1) % N);
}

static void variables(void)
{
	int *address;

	CHECK(cudaGetSymbolAddress((void **)&address, variable));
	fill(address, 200);
	from_variable<<<1, N>>>(b, sums);
	verify("variable", b, 200, false);
	fill(address, 210);
	from_variable<<<1, N>>>(address, sums);
	verify("variable by a pointer", address, 210, true);
	fill(address, 220);
	to_variable<<<1, N>>>(address, sums);
	verify("to a variable by a pointer", address, 220, true);
	CHECK(cudaMemcpy(table, &address, sizeof address, cudaMemcpyDefault));
	fill(address, 230);
	from_table<<<1, N>>>((const int *const *)table, address, sums);
	verify("variable by a word", address, 230, true);
	for (int aliased = 0; aliased <= 1; aliased++) {
		int *out = aliased ? a : b;

		CHECK(cudaMemcpyToSymbol(pointer_variable, &a, sizeof a));
		CHECK(cudaMemcpyToSymbol(pointer_constant, &a, sizeof a));
		fill(a, 240);
		from_pointer_variable<<<1, N>>>(out, sums);
		verify("pointer in a variable", out, 240, aliased);
		fill(a, 250);
		from_pointer_constant<<<1, N>>>(out, sums);
		verify("pointer in constant memory", out, 250, aliased);
	}
}

/* Pieces that the program cuts from an allocation count as one allocation. */
static void parts(void)
{
	int *pool;

	CHECK(cudaMalloc(&pool, 8 * N * sizeof(int)));
	for (int shift = 0; shift <= 2 * N; shift += N) {
		fill(pool + N, 300);
		plain_pointers<<<1, N>>>(pool + N, pool + shift, sums);
		verify("parts of a pool", pool + shift, 300, shift == N);
	}
	CHECK(cudaFree(pool));
}

static void mapped_memory(void)
{
	int *host, *device;

	CHECK(cudaHostAlloc(&host, N * sizeof(int), cudaHostAllocMapped));
	CHECK(cudaHostGetDevicePointer((void **)&device, host, 0));
	fill(host, 310);
	plain_pointers<<<1, N>>>(device, host, sums);
	verify("mapped memory, two addresses", host, 310, true);
	CHECK(cudaFreeHost(host));
}

__managed__ int managed_variable[N];

__global__ void from_managed(int *out, int *sums)
{
	body(managed_variable, out, sums);
}

/* The host's address of such a variable and the device's. */
static void managed_variables(void)
{
	int *host = managed_variable, *device;

	CHECK(cudaGetSymbolAddress((void **)&device, managed_variable));
	fill(device, 320);
	from_managed<<<1, N>>>(host, sums);
	verify("managed variable", device, 320, true);
	fill(device, 330);
	from_managed<<<1, N>>>(device, sums);
	verify("managed variable by a pointer", device, 330, true);
	fill(device, 340);
	plain_pointers<<<1, N>>>(host, device, sums);
	verify("managed variable, two pointers", device, 340, true);
}

static void textures(void)
{
	cudaTextureObject_t texture;
	cudaResourceDesc resource = {};
	cudaTextureDesc how = {};

	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = a;
	resource.res.linear.desc = cudaCreateChannelDesc<int>();
	resource.res.linear.sizeInBytes = N * sizeof(int);
	how.readMode = cudaReadModeElementType;
	CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
	fill(a, 320);
	from_texture<<<1, N>>>(texture, b, sums);
	verify("linear texture", b, 320, false);
	CHECK(cudaDestroyTextureObject(texture));
}

/* Against the assumption: the pointer lies in another allocation, and a number leads back. Only --verify can tell. */
static void outside(void)
{
	fill(a, 400);
	biased_by_number<<<1, N>>>(a + BIAS, -BIAS, a, sums);
	verify("biased by a number, outside", a, 400, true);
}

int main(int argc, char **argv)
{
	enum { BESIDE = 0x20000 };
	char *before, *behind;

	/* Addresses near a's are in allocations too. */
	CHECK(cudaMalloc(&before, BESIDE));
	CHECK(cudaMalloc(&a, N * sizeof(int)));
	CHECK(cudaMalloc(&behind, BESIDE));
	CHECK(cudaMalloc(&b, N * sizeof(int)));
	CHECK(cudaMalloc(&sums, N * sizeof(int)));
	CHECK(cudaMalloc(&table, sizeof *table));
	if (argc > 1 && strcmp(argv[1], "outside") == 0)
		outside();
	biased();
	numbers();
	variables();
	parts();
	mapped_memory();
	managed_variables();
	textures();
	CHECK(cudaGetLastError());
	CHECK(cudaFree(before));
	CHECK(cudaFree(a));
	CHECK(cudaFree(behind));
	CHECK(cudaFree(b));
	CHECK(cudaFree(sums));
	CHECK(cudaFree(table));
	printf("%d wrong\n", wrong);
	return wrong != 0;
}
