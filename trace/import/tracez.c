/*
 * Layout, little-endian: header text and a NUL; u32 bytes of the dictionary, u32 instructions of a part; the
 * dictionary; of each warp u32 instructions, u32 parts, and per part u32 bytes and a frame of zstd; the index; u64
 * where the index begins. The index has u32 CTAs, and of each CTA eleven u32 (its coordinates first, its warps last)
 * and its warps: u32 instructions, u32 parts, u64 where the warp begins, u32 instructions of each part.
 */
#include "trace/import/tracez.h"

#include "common/strbuf.h"
#include "common/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
	CTA_WORDS = 11, /* of a CTA in the index */
	CTA_WARPS = 10, /* the word that has the number of warps */
	WARP_HEAD_BYTES = 8,
	MOST_HEADER = 1 << 20,
	MOST_DICTIONARY = 64 << 20,
	MOST_PART = 256 << 20, /* text of a part; the tracer's are some megabytes */
};

struct tracez {
	const char *path;
	int fd;
	uint64_t size; /* of the file */
	ZSTD_DCtx *context;
	ZSTD_DDict *dictionary;
	VEC(unsigned char) index, packed;
	size_t index_at;
	uint32_t ctas, warps, warp; /* CTAs left; warps of the open CTA, and those that were begun */
	uint32_t parts;             /* left of the open warp */
	uint64_t parts_at;          /* where the next begins in the file */
	bool in_cta;
	struct strbuf text; /* made and not yet given away */
	size_t text_at;
};

bool tracez_is(const char *path)
{
	static const char suffix[] = ".tracez";
	size_t len = strlen(path);

	return len > sizeof suffix - 1 && strcmp(path + len - (sizeof suffix - 1), suffix) == 0;
}

static int damaged(const struct tracez *z, const char *what, struct diag *d)
{
	return diag_file(d, z->path, "damaged: %s; pack the trace again with Accel-Sim's post-processing", what);
}

/* Little-endian. */
static uint64_t word_at(const unsigned char *from, unsigned bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | from[bytes];
	return value;
}

/* `len` bytes of the file at `at`, all of them. */
static int read_at(const struct tracez *z, uint64_t at, void *to, uint64_t len, struct diag *d)
{
	if (at > z->size || len > z->size - at)
		return damaged(z, "a part lies behind the file's end", d);
	for (uint64_t done = 0; done < len;) {
		ssize_t got = pread(z->fd, (char *)to + done, len - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return diag_file(d, z->path, "cannot read: %s", strerror(errno));
		if (got == 0)
			return damaged(z, "it ended while it was read", d);
		done += (uint64_t)got;
	}
	return 0;
}

static int read_u32(const struct tracez *z, uint64_t at, uint32_t *value, struct diag *d)
{
	unsigned char raw[4];

	if (read_at(z, at, raw, sizeof raw, d) < 0)
		return DIAG_ERROR;
	*value = (uint32_t)word_at(raw, sizeof raw);
	return 0;
}

/* The text up to the NUL; *behind is the byte after that. */
static int read_header(struct tracez *z, uint64_t *behind, struct diag *d)
{
	char block[4096];

	for (uint64_t at = 0; at < z->size && at < MOST_HEADER; at += sizeof block) {
		uint64_t len = z->size - at < sizeof block ? z->size - at : sizeof block;
		const char *end;

		if (read_at(z, at, block, len, d) < 0)
			return DIAG_ERROR;
		end = memchr(block, '\0', len);
		strbuf_add(&z->text, block, end ? (size_t)(end - block) : len);
		if (end) {
			strbuf_addc(&z->text, '\n');
			*behind = at + (uint64_t)(end - block) + 1;
			return 0;
		}
	}
	return damaged(z, "no header of a kernel ends in its first megabyte", d);
}

static int read_dictionary(struct tracez *z, uint64_t at, struct diag *d)
{
	uint32_t len;

	if (read_u32(z, at, &len, d) < 0)
		return DIAG_ERROR;
	if (len == 0)
		return 0;
	if (len > MOST_DICTIONARY)
		return damaged(z, "its dictionary is larger than any", d);
	vec_reserve(&z->packed, len);
	if (read_at(z, at + 8, z->packed.data, len, d) < 0)
		return DIAG_ERROR;
	z->dictionary = ZSTD_createDDict(z->packed.data, len);
	return z->dictionary ? 0 : damaged(z, "its dictionary is none of zstd", d);
}

static int read_index(struct tracez *z, struct diag *d)
{
	unsigned char raw[8];
	uint64_t at, len;

	if (z->size < sizeof raw)
		return damaged(z, "it is shorter than its last field", d);
	if (read_at(z, z->size - sizeof raw, raw, sizeof raw, d) < 0)
		return DIAG_ERROR;
	at = word_at(raw, sizeof raw);
	if (at > z->size - sizeof raw || z->size - sizeof raw - at < 4)
		return damaged(z, "its index lies behind the file's end", d);
	len = z->size - sizeof raw - at;
	vec_reserve(&z->index, len);
	z->index.len = len;
	return read_at(z, at, z->index.data, len, d);
}

/* The next `bytes` of the index. */
static int index_word(struct tracez *z, unsigned bytes, uint64_t *value, struct diag *d)
{
	if (z->index.len - z->index_at < bytes)
		return damaged(z, "its index is cut off", d);
	*value = word_at(z->index.data + z->index_at, bytes);
	z->index_at += bytes;
	return 0;
}

struct tracez *tracez_open(int fd, const char *path, struct diag *d)
{
	struct tracez *z = xcalloc(1, sizeof *z);
	struct stat file;
	uint64_t behind, ctas = 0;

	*z = (struct tracez){.path = path, .fd = fd, .context = ZSTD_createDCtx(), .text = STRBUF_INIT};
	if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && z->context) {
		z->size = (uint64_t)file.st_size;
		if (read_header(z, &behind, d) == 0 && read_dictionary(z, behind, d) == 0 && read_index(z, d) == 0 &&
		    index_word(z, 4, &ctas, d) == 0) {
			z->ctas = (uint32_t)ctas;
			return z;
		}
	} else {
		diag_file(d, path, "no regular file; a .tracez has its index at its end");
	}
	tracez_free(z);
	return NULL;
}

void tracez_free(struct tracez *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->context);
	ZSTD_freeDDict(z->dictionary);
	vec_release(&z->index);
	vec_release(&z->packed);
	strbuf_release(&z->text);
	xfree(z);
}

/* --- Text --- */

static int begin_cta(struct tracez *z, struct diag *d)
{
	uint64_t words[CTA_WORDS] = {0};

	for (unsigned i = 0; i < CTA_WORDS; i++)
		if (index_word(z, 4, &words[i], d) < 0)
			return DIAG_ERROR;
	strbuf_addf(&z->text, "#BEGIN_TB\nthread block = %" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", words[0], words[1],
		    words[2]);
	z->ctas--;
	z->in_cta = true;
	z->warps = (uint32_t)words[CTA_WARPS];
	z->warp = 0;
	return 0;
}

static int begin_warp(struct tracez *z, struct diag *d)
{
	uint64_t insts = 0, parts = 0, at = 0;

	if (index_word(z, 4, &insts, d) < 0 || index_word(z, 4, &parts, d) < 0 || index_word(z, 8, &at, d) < 0)
		return DIAG_ERROR;
	if (parts > (z->index.len - z->index_at) / 4)
		return damaged(z, "its index is cut off", d);
	z->index_at += (size_t)parts * 4;
	z->parts = (uint32_t)parts;
	z->parts_at = at + WARP_HEAD_BYTES;
	strbuf_addf(&z->text, "warp = %" PRIu32 "\ninsts = %" PRIu64 "\n", z->warp++, insts);
	return 0;
}

/* The frame in z->packed as lines. */
static int unpack_part(struct tracez *z, size_t len, struct diag *d)
{
	unsigned long long size = ZSTD_getFrameContentSize(z->packed.data, len);
	size_t got;

	if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > MOST_PART)
		return damaged(z, "a part is no frame of zstd that says its size", d);
	strbuf_reserve(&z->text, (size_t)size + 1);
	got = ZSTD_decompress_usingDDict(z->context, z->text.data + z->text.len, (size_t)size, z->packed.data, len,
					 z->dictionary);
	if (ZSTD_isError(got))
		return damaged(z, "a part does not unpack", d);
	z->text.len += got;
	strbuf_addc(&z->text, '\n');
	return 0;
}

static int add_part(struct tracez *z, struct diag *d)
{
	uint32_t len;

	if (read_u32(z, z->parts_at, &len, d) < 0)
		return DIAG_ERROR;
	if (len > z->size)
		return damaged(z, "a part lies behind the file's end", d);
	vec_reserve(&z->packed, len);
	if (read_at(z, z->parts_at + 4, z->packed.data, len, d) < 0)
		return DIAG_ERROR;
	z->parts_at += 4 + (uint64_t)len;
	z->parts--;
	return unpack_part(z, len, d);
}

static int make_text(struct tracez *z, struct diag *d)
{
	if (z->parts)
		return add_part(z, d);
	if (z->in_cta && z->warp < z->warps)
		return begin_warp(z, d);
	if (!z->in_cta)
		return begin_cta(z, d);
	strbuf_adds(&z->text, "#END_TB\n");
	z->in_cta = false;
	return 0;
}

ssize_t tracez_read(struct tracez *z, char *to, size_t room, struct diag *d)
{
	size_t len;

	if (z->text_at == z->text.len) {
		z->text_at = z->text.len = 0;
		while (z->text.len == 0 && (z->in_cta || z->ctas))
			if (make_text(z, d) < 0)
				return DIAG_ERROR;
	}
	len = z->text.len - z->text_at < room ? z->text.len - z->text_at : room;
	if (len)
		memcpy(to, z->text.data + z->text_at, len);
	z->text_at += len;
	return (ssize_t)len;
}
