/*
 * The least and the largest of numbers in memory: a loop for each size, which compilers make vectors of. x86-64 by
 * itself has no vectors that compare numbers of 32 bits, so there the loops exist for processors with AVX2 as well.
 */
#include "verdict/guard_scan.h"

#include <string.h>

#define INLINE __attribute__((always_inline)) inline

/* Numbers that lie one behind the other are read in one go; others one by one. */
#define SCAN(bits)                                                                                                     \
	INLINE static void scan_##bits(const unsigned char *at, uint64_t count, uint64_t step,                         \
				       struct guard_scanned *found)                                                    \
	{                                                                                                              \
		uint##bits##_t low = UINT##bits##_MAX, high = 0;                                                       \
		int##bits##_t signed_low = INT##bits##_MAX, signed_high = INT##bits##_MIN;                             \
                                                                                                                       \
		for (uint64_t i = 0; i < count; i++) {                                                                 \
			uint##bits##_t number;                                                                         \
			int##bits##_t by_sign;                                                                         \
                                                                                                                       \
			memcpy(&number, at + i * step, sizeof number);                                                 \
			by_sign = (int##bits##_t)number;                                                               \
			low = number < low ? number : low;                                                             \
			high = number > high ? number : high;                                                          \
			signed_low = by_sign < signed_low ? by_sign : signed_low;                                      \
			signed_high = by_sign > signed_high ? by_sign : signed_high;                                   \
		}                                                                                                      \
		*found = (struct guard_scanned){low, high, signed_low, signed_high};                                   \
	}

SCAN(8)
SCAN(16)
SCAN(32)
SCAN(64)

uint64_t guard_scan_size(const struct guard_scan *scan)
{
	return (scan->count - 1) * scan->step + scan->bytes;
}

INLINE static void scan_bytes(const unsigned char *bytes, const struct guard_scan *s, struct guard_scanned *found)
{
	switch (s->bytes) {
	case 1: s->step == 1 ? scan_8(bytes, s->count, 1, found) : scan_8(bytes, s->count, s->step, found); break;
	case 2: s->step == 2 ? scan_16(bytes, s->count, 2, found) : scan_16(bytes, s->count, s->step, found); break;
	case 4: s->step == 4 ? scan_32(bytes, s->count, 4, found) : scan_32(bytes, s->count, s->step, found); break;
	default: s->step == 8 ? scan_64(bytes, s->count, 8, found) : scan_64(bytes, s->count, s->step, found); break;
	}
}

static void scan_anywhere(const unsigned char *bytes, const struct guard_scan *s, struct guard_scanned *found)
{
	scan_bytes(bytes, s, found);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void scan_with_avx2(const unsigned char *bytes, const struct guard_scan *s,
							   struct guard_scanned *found)
{
	scan_bytes(bytes, s, found);
}

static void scan(const unsigned char *bytes, const struct guard_scan *s, struct guard_scanned *found)
{
	if (__builtin_cpu_supports("avx2"))
		scan_with_avx2(bytes, s, found);
	else
		scan_anywhere(bytes, s, found);
}
#else
static void scan(const unsigned char *bytes, const struct guard_scan *s, struct guard_scanned *found)
{
	scan_anywhere(bytes, s, found);
}
#endif

bool guard_scan(const struct guard_context *context, const struct guard_scan *numbers, struct guard_scanned *found)
{
	uint64_t base, bytes = guard_scan_size(numbers);
	const unsigned char *memory;
	size_t size;

	*found = (struct guard_scanned){0};
	if (context->scan)
		return context->scan(context->device, numbers, found);
	if (!context->view || !context->find(context->device, numbers->address, &base, &size) ||
	    bytes > size - (numbers->address - base))
		return false;
	memory = context->view(context->device, numbers->address, bytes);
	if (memory)
		scan(memory, numbers, found);
	return memory;
}
