/* The least and the largest of numbers in memory: a loop for each size, which compilers make vectors of. */
#include "verdict/guard_scan.h"

#include <string.h>

/* Numbers that lie one behind the other are read in one go; others one by one. */
#define SCAN(bits)                                                                                                     \
	static void scan_##bits(const unsigned char *at, uint64_t count, uint64_t step, struct guard_scanned *found)   \
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

static void scan_bytes(const unsigned char *bytes, const struct guard_scan *s, struct guard_scanned *found)
{
	switch (s->bytes) {
	case 1: s->step == 1 ? scan_8(bytes, s->count, 1, found) : scan_8(bytes, s->count, s->step, found); break;
	case 2: s->step == 2 ? scan_16(bytes, s->count, 2, found) : scan_16(bytes, s->count, s->step, found); break;
	case 4: s->step == 4 ? scan_32(bytes, s->count, 4, found) : scan_32(bytes, s->count, s->step, found); break;
	default: s->step == 8 ? scan_64(bytes, s->count, 8, found) : scan_64(bytes, s->count, s->step, found); break;
	}
}

bool guard_scan(const struct guard_context *context, const struct guard_scan *scan, struct guard_scanned *found)
{
	uint64_t base, bytes = guard_scan_size(scan);
	const unsigned char *memory;
	size_t size;

	*found = (struct guard_scanned){0};
	if (context->scan)
		return context->scan(context->device, scan, found);
	if (!context->view || !context->find(context->device, scan->address, &base, &size) ||
	    bytes > size - (scan->address - base))
		return false;
	memory = context->view(context->device, scan->address, bytes);
	if (memory)
		scan_bytes(memory, scan, found);
	return memory;
}
