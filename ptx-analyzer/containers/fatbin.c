/*
 * Fat binaries. A 16-byte header {u32 magic, u16 version, u16 header size, u64 payload size}, then entries: {u16 kind,
 * u16, u32 header size, u64 stored size, u32 compressed size, ..., +0x1c u32 architecture, +0x28 u64 flags,
 * +0x38 u64 unpacked size}, each followed by its contents.
 */
#include "ptx-analyzer/containers/container.h"

#include <lz4.h>
#include <string.h>
#include <zstd.h>

static const uint32_t fatbin_magic = 0xBA55ED50;
enum { ENTRY_HEADER = 0x40, KIND_PTX = 1, KIND_ELF = 2 };
static const uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;
static const uint64_t largest_text = (uint64_t)1 << 30;
/* The largest number of bytes that a packed byte can become in these formats. A header that promises more is wrong. */
static const uint64_t most_by_lz4 = 255, most_by_zstd = 1 << 16, slack = 1 << 16;

bool is_fatbin(const uint8_t *data, size_t size)
{
	return size >= FATBIN_MAGIC_BYTES && read_le(data, 4) == fatbin_magic;
}

uint64_t fatbin_size(const uint8_t *data)
{
	uint64_t header = read_le(data + 6, 2), payload = read_le(data + 8, 8);

	return payload > UINT64_MAX - header ? UINT64_MAX : header + payload;
}

static int damaged(struct file_span s, const uint8_t *at, struct diag *d, const char *what)
{
	return diag_file(d, s.name, "damaged fat binary at byte %zu: %s", (size_t)(at - s.data), what);
}

static enum ptx_entry_kind kind_of(uint64_t kind)
{
	return kind == KIND_PTX ? PTX_ENTRY_PTX : kind == KIND_ELF ? PTX_ENTRY_CUBIN : PTX_ENTRY_OTHER;
}

/* Fills packing and sizes from the entry's header at `p`; false if they contradict each other. */
static bool read_sizes(const uint8_t *p, struct ptx_entry *e)
{
	uint64_t compressed = read_le(p + 0x10, 4), flags = read_le(p + 0x28, 8), unpacked = read_le(p + 0x38, 8);
	uint64_t most;

	e->size = e->stored;
	if (!(flags & (flag_lz4 | flag_zstd)))
		return true;
	e->packing = flags & flag_zstd ? PTX_PACKED_ZSTD : PTX_PACKED_LZ4;
	most = e->packing == PTX_PACKED_ZSTD ? most_by_zstd : most_by_lz4;
	if (compressed > e->stored || unpacked > largest_text || unpacked > compressed * most + slack)
		return false;
	e->stored = (size_t)compressed;
	e->size = (size_t)unpacked;
	return true;
}

/* One entry at p, which ends before `end`; returns the bytes it takes, or 0. */
static uint64_t read_entry(struct file_span s, const uint8_t *p, const uint8_t *end, struct entries *out,
			   struct diag *d)
{
	struct ptx_entry e = {.name = s.name};
	uint64_t header, stored, room = (uint64_t)(end - p);

	if (room < ENTRY_HEADER) {
		damaged(s, p, d, "an entry's header is cut off");
		return 0;
	}
	header = read_le(p + 4, 4);
	stored = read_le(p + 8, 8);
	if (header < ENTRY_HEADER || header > room || stored > room - header) {
		damaged(s, p, d, "an entry is larger than the fat binary");
		return 0;
	}
	e.kind = kind_of(read_le(p, 2));
	e.sm = (unsigned)read_le(p + 0x1c, 4);
	e.data = p + header;
	e.stored = (size_t)stored;
	if (!read_sizes(p, &e)) {
		damaged(s, p, d, "an entry's sizes contradict each other");
		return 0;
	}
	vec_push(&out->list, e);
	return header + stored;
}

/* The fat binary at p; returns its size, or 0. */
static uint64_t read_fatbin(struct file_span s, const uint8_t *p, struct entries *out, struct diag *d)
{
	const uint8_t *end, *next;
	uint64_t size, room = (uint64_t)(s.data + s.size - p);

	if (room < FATBIN_HEADER) {
		damaged(s, p, d, "its header is cut off");
		return 0;
	}
	size = fatbin_size(p);
	if (size > room || read_le(p + 6, 2) < FATBIN_HEADER) {
		damaged(s, p, d, "it is larger than what holds it");
		return 0;
	}
	end = p + size;
	for (next = p + read_le(p + 6, 2); next < end;) {
		uint64_t taken = read_entry(s, next, end, out, d);

		if (!taken)
			return 0;
		next += taken;
	}
	return size;
}

bool looks_like_ptx(const uint8_t *p, size_t size)
{
	const uint8_t *end = p + size;

	while (p < end) {
		if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
			p++;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
			p = memchr(p, '\n', (size_t)(end - p));
			if (!p)
				return false;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			p = memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
			if (!p)
				return false;
			p += 2;
		} else {
			return end - p > 8 && !memcmp(p, ".version", 8);
		}
	}
	return false;
}

/* Bytes of the PTX text at p: to a NUL, to the end, or to where the next module's .version begins a line. */
static size_t text_size(const uint8_t *p, size_t size)
{
	static const char next[] = "\n.version";
	const uint8_t *nul = memchr(p, 0, size), *first, *second = NULL;

	if (nul)
		size = (size_t)(nul - p);
	first = memmem(p, size, ".version", 8);
	if (first)
		second = memmem(first, size - (size_t)(first - p), next, sizeof(next) - 1);
	return second ? (size_t)(second + 1 - p) : size;
}

int read_images(struct file_span s, struct entries *out, struct diag *d)
{
	const uint8_t *p = s.data, *end = s.data + s.size;

	while (p < end) {
		size_t room = (size_t)(end - p), taken;

		if (!*p) {
			p++;
			continue;
		}
		if (is_fatbin(p, room)) {
			taken = (size_t)read_fatbin(s, p, out, d);
			if (!taken)
				return DIAG_ERROR;
		} else if (looks_like_ptx(p, room)) {
			taken = text_size(p, room);
			vec_push(&out->list,
				 (struct ptx_entry){
				     .name = s.name, .kind = PTX_ENTRY_PTX, .data = p, .stored = taken, .size = taken});
		} else {
			return damaged(s, p, d, "neither a fat binary nor PTX text");
		}
		p += taken;
	}
	return 0;
}

int unpack_entry(const struct ptx_entry *e, char *out, struct diag *d)
{
	size_t got = 0;

	if (e->packing == PTX_PACKED_PLAIN) {
		memcpy(out, e->data, e->size);
		return 0;
	}
	if (e->packing == PTX_PACKED_LZ4) {
		int n = LZ4_decompress_safe((const char *)e->data, out, (int)e->stored, (int)e->size);

		got = n < 0 ? 0 : (size_t)n;
	} else {
		got = ZSTD_decompress(out, e->size, e->data, e->stored);
	}
	if (got != e->size)
		return diag_file(d, e->name, "the %s data of this entry is damaged", ptx_packing_name(e->packing));
	return 0;
}
