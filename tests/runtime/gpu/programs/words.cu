/*
 * Pointers from memory that alias in ways that the stored words do not show: tagged, encoded, split or biased. Each row
 * runs three times: the kernel reads a and writes b, reads a and writes a, and writes through the word the memory that
 * it reads by name. Prints a line for each launch; every result is verified.
 */
#include "guarded.h"

typedef unsigned long long word;

enum { BIAS = 1024, WORDS = 40 };

static int *a, *b;
static word *table;

/* --- Words in memory that a kernel makes pointers of --- */

/* Each says how the host keeps an address in a table, and how the kernel gets it back. */
struct as_it_is {
	static void put(word *t, word p)
	{
		t[0] = p;
	}
	static __device__ word get(const word *t)
	{
		return t[0];
	}
};

struct low_tag {
	static void put(word *t, word p)
	{
		t[0] = p | 5;
	}
	static __device__ word get(const word *t)
	{
		return t[0] & ~(word)7;
	}
};

struct wide_low_tag {
	static void put(word *t, word p)
	{
		t[0] = p | 0xff;
	}
	static __device__ word get(const word *t)
	{
		return t[0] & ~(word)0xff;
	}
};

struct page_tag {
	static void put(word *t, word p)
	{
		t[0] = p + 0x7f;
	}
	static __device__ word get(const word *t)
	{
		return (t[0] & ~(word)0xfff) | (t[0] & 0xf00);
	}
};

struct high_tag {
	static void put(word *t, word p)
	{
		t[0] = p | (word)0xabcd << 48;
	}
	static __device__ word get(const word *t)
	{
		return t[0] & (((word)1 << 48) - 1);
	}
};

struct two_tags {
	static void put(word *t, word p)
	{
		t[0] = p | (word)0x8001 << 48 | 3;
	}
	static __device__ word get(const word *t)
	{
		return t[0] & ((((word)1 << 48) - 1) ^ 7);
	}
};

struct sign_tag {
	static void put(word *t, word p)
	{
		t[0] = p | (word)0x7f01 << 48;
	}
	static __device__ word get(const word *t)
	{
		return (word)((long long)(t[0] << 16) >> 16);
	}
};

struct low_bits_set {
	static void put(word *t, word p)
	{
		t[0] = p;
	}
	static __device__ word get(const word *t)
	{
		return (t[0] | 64) - 64;
	}
};

/* The upper bits in one word, the lower in another. */
struct joined_words {
	static void put(word *t, word p)
	{
		t[0] = p & 0xffffffff;
		t[1] = p ^ t[0];
	}
	static __device__ word get(const word *t)
	{
		return t[0] | t[1];
	}
};

struct xor_constant {
	static void put(word *t, word p)
	{
		t[0] = p ^ 0x5a5a5a5a5a5a5a5aull;
	}
	static __device__ word get(const word *t)
	{
		return t[0] ^ 0x5a5a5a5a5a5a5a5aull;
	}
};

/* The word in memory is an address in the neighbouring allocation. */
struct xor_small_constant {
	static void put(word *t, word p)
	{
		t[0] = p ^ 0x10000;
	}
	static __device__ word get(const word *t)
	{
		return t[0] ^ 0x10000;
	}
};

struct xor_word {
	static void put(word *t, word p)
	{
		t[1] = 0x123456789abcdefull, t[0] = p ^ t[1];
	}
	static __device__ word get(const word *t)
	{
		return t[0] ^ t[1];
	}
};

struct complement {
	static void put(word *t, word p)
	{
		t[0] = ~p;
	}
	static __device__ word get(const word *t)
	{
		return ~t[0];
	}
};

struct negated {
	static void put(word *t, word p)
	{
		t[0] = 0 - p;
	}
	static __device__ word get(const word *t)
	{
		return 0 - t[0];
	}
};

struct subtracted {
	static void put(word *t, word p)
	{
		t[0] = 0x7000000000000000ull - p;
	}
	static __device__ word get(const word *t)
	{
		return 0x7000000000000000ull - t[0];
	}
};

struct difference_of_words {
	static void put(word *t, word p)
	{
		t[0] = p + 0x1111111111111111ull, t[1] = 0x1111111111111111ull;
	}
	static __device__ word get(const word *t)
	{
		return t[0] - t[1];
	}
};

struct compressed {
	static void put(word *t, word p)
	{
		t[0] = p >> 4;
	}
	static __device__ word get(const word *t)
	{
		return t[0] << 4;
	}
};

struct packed_above {
	static void put(word *t, word p)
	{
		t[0] = p << 16 | 0x1234;
	}
	static __device__ word get(const word *t)
	{
		return t[0] >> 16;
	}
};

struct shifted_twice {
	static void put(word *t, word p)
	{
		t[0] = p << 7;
	}
	static __device__ word get(const word *t)
	{
		return t[0] >> 12 << 5;
	}
};

struct rotated {
	static void put(word *t, word p)
	{
		t[0] = p << 24 | p >> 40;
	}
	static __device__ word get(const word *t)
	{
		return t[0] >> 24 | t[0] << 40;
	}
};

struct multiplied {
	static void put(word *t, word p)
	{
		t[0] = p * 3;
	}
	static __device__ word get(const word *t)
	{
		return t[0] / 3;
	}
};

struct inverse_multiplied {
	static void put(word *t, word p)
	{
		t[0] = p * 0xaaaaaaaaaaaaaaabull;
	}
	static __device__ word get(const word *t)
	{
		return t[0] * 3;
	}
};

/* Halves in separate places: neither is an address. */
struct halves_apart {
	static void put(word *t, word p)
	{
		t[0] = (unsigned)p, t[20] = p >> 32;
	}
	static __device__ word get(const word *t)
	{
		const unsigned *h = (const unsigned *)t;

		return (word)h[40] << 32 | h[0];
	}
};

struct halves_swapped {
	static void put(word *t, word p)
	{
		t[0] = p << 32 | p >> 32;
	}
	static __device__ word get(const word *t)
	{
		const unsigned *h = (const unsigned *)t;

		return (word)h[0] << 32 | h[1];
	}
};

struct halves_together {
	static void put(word *t, word p)
	{
		memcpy((char *)t + 4, &p, 8);
	}
	static __device__ word get(const word *t)
	{
		const unsigned *h = (const unsigned *)t;

		return (word)h[2] << 32 | h[1];
	}
};

struct bytes_apart {
	static void put(word *t, word p)
	{
		for (int i = 0; i < 8; i++)
			((unsigned char *)t)[i * 5] = (unsigned char)(p >> 8 * i);
	}
	static __device__ word get(const word *t)
	{
		const unsigned char *bytes = (const unsigned char *)t;
		word p = 0;

		for (int i = 0; i < 8; i++)
			p |= (word)bytes[i * 5] << 8 * i;
		return p;
	}
};

struct bytes_reversed {
	static void put(word *t, word p)
	{
		t[0] = __builtin_bswap64(p);
	}
	static __device__ word get(const word *t)
	{
		unsigned low = (unsigned)t[0], high = (unsigned)(t[0] >> 32);

		return (word)__byte_perm(low, 0, 0x0123) << 32 | __byte_perm(high, 0, 0x0123);
	}
};

struct biased_word {
	static void put(word *t, word p)
	{
		t[0] = p + BIAS * sizeof(int);
	}
	static __device__ word get(const word *t)
	{
		return t[0] - BIAS * sizeof(int);
	}
};

struct second_level {
	static void put(word *t, word p)
	{
		t[1] = p;
	}
	static __device__ word get(const word *t)
	{
		return ((const word *)t[0])[1];
	}
};

template <class Kept>
__global__ void from_word(const word *table, int *out, int *sums)
{
	body((const int *)Kept::get(table), out, sums);
}

template <class Kept>
__global__ void to_word(const int *in, const word *table, int *sums)
{
	body(in, (int *)Kept::get(table), sums);
}

template <class Kept>
static void keep(const int *data)
{
	word host[WORDS] = {(word)table};

	Kept::put(host, (word)data);
	CHECK(cudaMemcpy(table, host, sizeof host, cudaMemcpyDefault));
}

template <class Kept>
static void by_word(const char *name)
{
	keep<Kept>(a);
	fill(a, 10);
	from_word<Kept><<<1, N>>>(table, b, sums);
	verify(name, b, 10, false);
	fill(a, 20);
	from_word<Kept><<<1, N>>>(table, a, sums);
	verify(name, a, 20, true);
	fill(a, 30);
	to_word<Kept><<<1, N>>>(a, table, sums);
	verify(name, a, 30, true);
}

static void words(void)
{
	by_word<as_it_is>("as it is");
	by_word<low_tag>("low tag");
	by_word<wide_low_tag>("wide low tag");
	by_word<page_tag>("tag in a page");
	by_word<high_tag>("high tag");
	by_word<two_tags>("two tags");
	by_word<sign_tag>("high tag, sign extended");
	by_word<low_bits_set>("low bits set");
	by_word<joined_words>("joined words");
	by_word<xor_constant>("xor with a constant");
	by_word<xor_small_constant>("xor with a small constant");
	by_word<xor_word>("xor with a word");
	by_word<complement>("complement");
	by_word<negated>("negated");
	by_word<subtracted>("subtracted from a constant");
	by_word<difference_of_words>("difference of words");
	by_word<compressed>("compressed");
	by_word<packed_above>("packed above a number");
	by_word<shifted_twice>("shifted twice");
	by_word<rotated>("rotated");
	by_word<multiplied>("multiplied");
	by_word<inverse_multiplied>("multiplied by an inverse");
	by_word<halves_apart>("halves apart");
	by_word<halves_swapped>("halves swapped");
	by_word<halves_together>("halves together, not aligned");
	by_word<bytes_apart>("bytes apart");
	by_word<bytes_reversed>("bytes reversed");
	by_word<biased_word>("biased word");
	by_word<second_level>("second level");
}

/* --- Places of the table and of its targets --- */

static void tables_in(const char *name, void *memory)
{
	word *device_table = table;

	table = (word *)memory;
	by_word<as_it_is>(name);
	table = device_table;
}

static void kinds_of_memory(void)
{
	word *managed, *mapped;
	int *device = a;

	CHECK(cudaMallocManaged(&managed, WORDS * sizeof *managed));
	CHECK(cudaHostAlloc(&mapped, WORDS * sizeof *mapped, cudaHostAllocMapped));
	tables_in("table in managed memory", managed);
	tables_in("table in mapped memory", mapped);
	CHECK(cudaFree(managed));
	CHECK(cudaFreeHost(mapped));
	CHECK(cudaMallocManaged(&a, N * sizeof(int)));
	by_word<as_it_is>("word to managed memory");
	by_word<high_tag>("tagged word to managed memory");
	CHECK(cudaFree(a));
	CHECK(cudaHostAlloc(&a, N * sizeof(int), cudaHostAllocMapped));
	by_word<low_tag>("tagged word to mapped memory");
	CHECK(cudaFreeHost(a));
	a = device;
}

/* The guards use the table's pointers at the launch, not those of an earlier launch. */
static void changed_tables(void)
{
	keep<as_it_is>(b);
	fill(b, 330);
	from_word<as_it_is><<<1, N>>>(table, a, sums);
	verify("table, before it changes", a, 330, false);
	keep<as_it_is>(a);
	fill(a, 340);
	from_word<as_it_is><<<1, N>>>(table, a, sums);
	verify("table, changed", a, 340, true);
}

int main()
{
	enum { BESIDE = 0x20000 };
	char *before, *behind;

	/* Addresses near a's are in allocations too. */
	CHECK(cudaMalloc(&before, BESIDE));
	CHECK(cudaMalloc(&a, N * sizeof(int)));
	CHECK(cudaMalloc(&behind, BESIDE));
	CHECK(cudaMalloc(&b, N * sizeof(int)));
	CHECK(cudaMalloc(&sums, N * sizeof(int)));
	CHECK(cudaMalloc(&table, WORDS * sizeof *table));
	words();
	kinds_of_memory();
	changed_tables();
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
