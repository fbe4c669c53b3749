/* Bits by byte of memory, in a range of addresses whose pages appear when an allocation is made there. */
#include "runtime/cpu/engine/undefined.h"

#include "common/diag.h"
#include "common/xalloc.h"
#include "runtime/cpu/engine/device_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BITS = 8, ALL = 255 };
#define SHADOW_BYTES (MEMORY_BYTES / BITS)

struct undefined {
	uint8_t *bits;
};

struct undefined *undefined_new(void)
{
	struct undefined *u = xcalloc(1, sizeof *u);
	void *at = mmap(NULL, SHADOW_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		BUG("no addresses for %llu MiB of undefined bytes", (unsigned long long)(SHADOW_BYTES >> 20));
	u->bits = at;
	return u;
}

void undefined_free(struct undefined *u)
{
	if (!u)
		return;
	munmap(u->bits, SHADOW_BYTES);
	free(u);
}

/* The bits of byte `at` of the shadow that belong to [first, first + count). */
static uint8_t part(uint64_t at, uint64_t first, uint64_t count)
{
	uint64_t start = at * BITS, low = first > start ? first - start : 0,
		 high = first + count < start + BITS ? first + count - start : BITS;

	return (uint8_t)((ALL << low & ALL) & (ALL >> (BITS - high)));
}

void bits_put(uint8_t *bits, uint64_t first, uint64_t count, bool value)
{
	uint64_t begin = first / BITS, end = (first + count - 1) / BITS;

	if (!count)
		return;
	for (uint64_t at = begin; at <= end; at = at == begin && end > begin + 1 ? end : at + 1) {
		uint8_t own = part(at, first, count);

		bits[at] = value ? bits[at] | own : bits[at] & (uint8_t)~own;
	}
	if (end > begin + 1)
		memset(bits + begin + 1, value ? ALL : 0, end - begin - 1);
}

bool bits_any(const uint8_t *bits, uint64_t first, uint64_t count)
{
	for (uint64_t at = first / BITS; count && at <= (first + count - 1) / BITS; at++)
		if (bits[at] & part(at, first, count))
			return true;
	return false;
}

void undefined_set(struct undefined *u, uint64_t address, uint64_t bytes)
{
	bits_put(u->bits, address - MEMORY_BASE, bytes, true);
}

void undefined_clear(struct undefined *u, uint64_t address, uint64_t bytes)
{
	bits_put(u->bits, address - MEMORY_BASE, bytes, false);
}

bool undefined_any(const struct undefined *u, uint64_t address, uint64_t bytes)
{
	return bits_any(u->bits, address - MEMORY_BASE, bytes);
}

/* Bit by bit, from the end that is not written before it is read. */
static void copy_bits(uint8_t *bits, uint64_t to, uint64_t from, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t k = to <= from ? i : count - 1 - i;

		bits_put(bits, to + k, 1, bits[(from + k) / BITS] >> (from + k) % BITS & 1);
	}
}

/* Whole bytes of bits where both sides have them, and the rest. */
void undefined_copy(struct undefined *u, uint64_t to, uint64_t from, uint64_t bytes)
{
	uint64_t t = to - MEMORY_BASE, f = from - MEMORY_BASE;
	uint64_t whole = t % BITS == 0 && f % BITS == 0 ? bytes / BITS : 0, done = whole * BITS;

	if (t > f)
		copy_bits(u->bits, t + done, f + done, bytes - done);
	memmove(u->bits + t / BITS, u->bits + f / BITS, whole);
	if (t <= f)
		copy_bits(u->bits, t + done, f + done, bytes - done);
}
