// Kernels of test_spin.c, which wait in loops. spin.ptx is what romark cc -O2 --ptx makes of them.
#define KERNEL extern "C" __global__ void

typedef volatile unsigned *flags;

/* A barrier of the whole grid: the last one of a round lets the others go. */
static __device__ void meet_by_count(unsigned *count, unsigned round)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd(count, 1);
		while (*(flags)count < gridDim.x * round)
			;
	}
	__syncthreads();
}

KERNEL barrier(unsigned *count, unsigned *out, unsigned rounds)
{
	for (unsigned i = 1; i <= rounds; i++) {
		out[blockIdx.x * blockDim.x + threadIdx.x] += i;
		meet_by_count(count, i);
	}
}

/* The same barrier without waiting: what its instructions alone cost. */
KERNEL barrier_alone(unsigned *count, unsigned *out, unsigned rounds)
{
	for (unsigned i = 1; i <= rounds; i++) {
		out[blockIdx.x * blockDim.x + threadIdx.x] += i;
		__syncthreads();
		if (threadIdx.x == 0) {
			atomicAdd(count, 1);
			if (*(flags)count > gridDim.x * rounds)
				out[0] = 0;
		}
		__syncthreads();
	}
}

/* CTA 0 collects flags, a thread each, and lets the others go by theirs. */
KERNEL barrier_of_flags(unsigned *arrived, unsigned *out, unsigned rounds)
{
	flags mine = arrived + blockIdx.x;

	for (unsigned i = 1; i <= rounds; i++) {
		out[blockIdx.x * blockDim.x + threadIdx.x] += i;
		__syncthreads();
		if (blockIdx.x == 0) {
			for (unsigned k = 1 + threadIdx.x; k < gridDim.x; k += blockDim.x)
				while (((flags)arrived)[k] != 2 * i - 1)
					;
			__syncthreads();
			for (unsigned k = 1 + threadIdx.x; k < gridDim.x; k += blockDim.x)
				((flags)arrived)[k] = 2 * i;
		} else if (threadIdx.x == 0) {
			*mine = 2 * i - 1;
			while (*mine != 2 * i)
				;
		}
		__syncthreads();
	}
}

KERNEL barrier_asleep(unsigned *count, unsigned *out, unsigned rounds)
{
	for (unsigned i = 1; i <= rounds; i++) {
		out[blockIdx.x * blockDim.x + threadIdx.x] += i;
		__syncthreads();
		if (threadIdx.x == 0) {
			unsigned ns = 8;

			atomicAdd(count, 1);
			while (atomicAdd(count, 0) < gridDim.x * i) {
				__nanosleep(ns);
				ns = ns < 256 ? ns * 2 : ns;
			}
		}
		__syncthreads();
	}
}

/* Each CTA waits for the CTA behind it, so the last CTA has to come first; its loop counts. */
KERNEL chain(unsigned *sums, unsigned *out, unsigned unused)
{
	if (threadIdx.x == 0) {
		unsigned next = 0, looks = 0;

		if (blockIdx.x + 1 < gridDim.x)
			while ((next = ((flags)sums)[blockIdx.x + 1]) == 0)
				looks++;
		out[blockIdx.x] = looks;
		((flags)sums)[blockIdx.x] = next + 1;
	}
}

/* Decoupled look-back by tickets: it reads missing words again, and steps over partial words. */
KERNEL look_back(unsigned *words, unsigned *out, unsigned unused)
{
	__shared__ unsigned ticket;
	flags state = words + 1;

	if (threadIdx.x == 0)
		ticket = gridDim.x - 1 - atomicAdd(words, 1);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 1, at = ticket;

		state[at] = at == 0 ? 1u << 16 | 1 : 2u << 16 | 1;
		__threadfence();
		while (at > 0) {
			unsigned word = state[at - 1];

			if (word == 0)
				continue;
			sum += word & 0xffff;
			if (word >> 16 == 1)
				break;
			at--;
		}
		state[ticket] = 1u << 16 | sum;
		out[ticket] = sum;
	}
}

/* A lock that is held over a barrier of the CTA, taken and given by one thread each. */
KERNEL lock(unsigned *word, unsigned *out, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		if (threadIdx.x == 0)
			while (atomicCAS(word, 0, 1) != 0)
				;
		__syncthreads();
		if (threadIdx.x == blockDim.x - 1)
			*(flags)out = *(flags)out + 1;
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0)
			atomicExch(word, 0);
	}
}

/* Every thread takes the lock, also those of one warp. */
KERNEL lock_of_threads(unsigned *word, unsigned *out, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		bool done = false;

		while (!done)
			if (atomicExch(word, 1) == 0) {
				*(flags)out = *(flags)out + 1;
				__threadfence();
				atomicExch(word, 0);
				done = true;
			}
	}
}

KERNEL ticket_lock(unsigned *words, unsigned *out, unsigned rounds)
{
	if (threadIdx.x != 0)
		return;
	for (unsigned i = 0; i < rounds; i++) {
		unsigned mine = atomicAdd(words, 1);

		while (((flags)words)[1] != mine)
			;
		*(flags)out = *(flags)out + 1;
		__threadfence();
		((flags)words)[1] = mine + 1;
	}
}

/* Warps hand a word of shared memory round, the last warp first. */
KERNEL round_of_warps(unsigned *unused, unsigned *out, unsigned rounds)
{
	__shared__ volatile unsigned turn;
	unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;

	if (threadIdx.x == 0)
		turn = 0;
	__syncthreads();
	for (unsigned i = 0; i < rounds; i++) {
		if (threadIdx.x % 32 == 0) {
			while (turn % warps != warps - 1 - warp)
				;
			turn = turn + 1;
		}
		__syncwarp();
	}
	__syncthreads();
	if (threadIdx.x == 0)
		out[blockIdx.x] = turn;
}

/* The loop that waits has a loop inside, over what may not be there yet. */
KERNEL all_there(unsigned *there, unsigned *out, unsigned unused)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		unsigned missing;

		do {
			missing = 0;
#pragma unroll 1
			for (unsigned k = 1; k < 4; k++)
				missing += ((flags)there)[k] == 0;
		} while (missing);
		out[0] = 1;
	} else if (threadIdx.x == 0) {
		((flags)there)[blockIdx.x] = 1;
	}
}

static __device__ __noinline__ unsigned look(unsigned *word)
{
	return *(flags)word;
}

KERNEL look_by_function(unsigned *word, unsigned *out, unsigned unused)
{
	if (blockIdx.x == 0)
		while (look(word) == 0)
			;
	else
		*(flags)word = 1;
	out[blockIdx.x] = 1;
}

/* All threads of a CTA look together, with a barrier in the loop. */
KERNEL look_together(unsigned *word, unsigned *out, unsigned unused)
{
	__shared__ unsigned seen;

	if (threadIdx.x == 0)
		seen = blockIdx.x == 1;
	__syncthreads();
	while (!*(flags)&seen) {
		if (threadIdx.x == 0)
			seen = *(flags)word;
		__syncthreads();
	}
	if (blockIdx.x == 1 && threadIdx.x == 0)
		*(flags)word = 1;
	out[blockIdx.x] = 1;
}

/* Nobody comes, and the loop gives up by itself. */
KERNEL gives_up(unsigned *word, unsigned *out, unsigned looks)
{
	unsigned n = 0;

	while (*(flags)word == 0 && n < looks)
		n++;
	out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}

/* Does not wait at all, though it looks at one word over and over. */
KERNEL adds_up(unsigned *word, unsigned *out, unsigned looks)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < looks; i++)
		sum += *(flags)word + i;
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

KERNEL never(unsigned *word, unsigned *out, unsigned unused)
{
	if (threadIdx.x == 0)
		while (*(flags)(word + 3) == 0)
			;
	__syncthreads();
}
