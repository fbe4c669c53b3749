/* Byte strings of the trace: LEB128 numbers, zigzag for signed numbers, and a reader that cannot run over its end. */
#ifndef ROMARK_TRACE_BYTES_H
#define ROMARK_TRACE_BYTES_H

#include "common/vec.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { VARINT_MAX_BYTES = 10 };

struct bytes {
	uint8_t *data;
	size_t len, cap;
};

static inline uint64_t zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static inline void put_bytes(struct bytes *out, const void *data, size_t size)
{
	vec_reserve(out, out->len + size);
	if (size)
		memcpy(out->data + out->len, data, size);
	out->len += size;
}

static inline void put_byte(struct bytes *out, uint8_t value)
{
	vec_push(out, value);
}

static inline void put_varint(struct bytes *out, uint64_t value)
{
	vec_reserve(out, out->len + VARINT_MAX_BYTES);
	while (value >= 0x80) {
		out->data[out->len++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	out->data[out->len++] = (uint8_t)value;
}

static inline void put_signed(struct bytes *out, int64_t value)
{
	put_varint(out, zigzag(value));
}

/* Little-endian numbers of 1 to 8 bytes. */
static inline void put_fixed(struct bytes *out, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		put_byte(out, (uint8_t)(value >> (8 * i)));
}

static inline uint64_t load_fixed(const uint8_t *at, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

/* The same for 8 bytes at once, the decoder's hot load. */
static inline uint64_t load_word(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof value);
	return le64toh(value);
}

/* Reads *at < end and advances; false when the number is cut off or longer than 64 bits. */
static inline bool get_varint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	uint64_t result = 0;

	for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
		uint8_t byte = *(*at)++;

		result |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = result;
			return shift < 63 || byte <= 1;
		}
	}
	return false;
}

static inline bool get_signed(const uint8_t **at, const uint8_t *end, int64_t *value)
{
	uint64_t raw;

	if (!get_varint(at, end, &raw))
		return false;
	*value = unzigzag(raw);
	return true;
}

#endif
