/*
 * Which bytes of each 128-byte line marked loads have read and which were written in this launch, with an instruction
 * of each kind to name. Bytes, not lines, are compared: a line that one thread reads and another writes elsewhere in
 * is false sharing, which a read-only copy survives, since the bytes it serves do not change.
 */
#include "runtime/cpu/observe/observe.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 128, FIRST_LINES = 1 << 10 };

struct line {
	uint64_t number; /* address / LINE_BYTES; 0 = free slot */
	uint64_t read[2], written[2];
	const struct inst *reader, *writer;
};

struct verify {
	struct line *lines; /* open addressing */
	size_t count, slots;
};

struct verify *verify_new(void)
{
	struct verify *v = xcalloc(1, sizeof *v);

	v->slots = FIRST_LINES;
	v->lines = xcalloc(v->slots, sizeof *v->lines);
	return v;
}

void verify_free(struct verify *v)
{
	if (!v)
		return;
	free(v->lines);
	free(v);
}

static struct line *slot_of(const struct verify *v, uint64_t number)
{
	size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (v->slots - 1);

	while (v->lines[at].number && v->lines[at].number != number)
		at = (at + 1) & (v->slots - 1);
	return &v->lines[at];
}

static void grow(struct verify *v)
{
	struct verify old = *v;

	v->slots *= 2;
	v->lines = xcalloc(v->slots, sizeof *v->lines);
	for (size_t i = 0; i < old.slots; i++)
		if (old.lines[i].number)
			*slot_of(v, old.lines[i].number) = old.lines[i];
	free(old.lines);
}

static struct line *find_line(struct verify *v, uint64_t number)
{
	struct line *line = slot_of(v, number);

	if (line->number)
		return line;
	if (2 * ++v->count > v->slots) {
		grow(v);
		line = slot_of(v, number);
	}
	line->number = number;
	return line;
}

/* Bits [first, first + bytes) of 128, in two words. */
static void byte_mask(uint32_t first, uint32_t bytes, uint64_t mask[2])
{
	mask[0] = mask[1] = 0;
	for (uint32_t i = first; i < first + bytes; i++)
		mask[i / 64] |= UINT64_C(1) << i % 64;
}

static const struct inst *check_line(struct line *line, const struct inst *in, bool reads, bool writes,
				     const uint64_t mask[2])
{
	if (reads) {
		if (line->written[0] & mask[0] || line->written[1] & mask[1])
			return line->writer;
		line->read[0] |= mask[0];
		line->read[1] |= mask[1];
		line->reader = in;
	}
	if (writes) {
		if (line->read[0] & mask[0] || line->read[1] & mask[1])
			return line->reader;
		line->written[0] |= mask[0];
		line->written[1] |= mask[1];
		line->writer = in;
	}
	return NULL;
}

const struct inst *verify_access(struct verify *v, const struct inst *in, bool reads, bool writes, uint64_t address,
				 uint32_t bytes)
{
	while (bytes) {
		uint32_t first = (uint32_t)(address % LINE_BYTES);
		uint32_t part = bytes < LINE_BYTES - first ? bytes : LINE_BYTES - first;
		const struct inst *other;
		uint64_t mask[2];

		byte_mask(first, part, mask);
		other = check_line(find_line(v, address / LINE_BYTES), in, reads, writes, mask);
		if (other)
			return other;
		address += part;
		bytes -= part;
	}
	return NULL;
}
