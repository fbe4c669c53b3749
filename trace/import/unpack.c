/* Each library that unpacks has three functions here and a row in the table. */
#include "trace/import/unpack.h"

#include "common/xalloc.h"

#include <limits.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* A file that needs more memory than this to unpack counts as damaged. */
enum { MOST_MEMORY_LOG2 = 30 };

/* --- xz --- */

struct xz {
	lzma_stream stream;
	bool ended;
};

static void *xz_create(void)
{
	struct xz *xz = xcalloc(1, sizeof *xz);

	if (lzma_stream_decoder(&xz->stream, (uint64_t)1 << MOST_MEMORY_LOG2, LZMA_CONCATENATED) == LZMA_OK)
		return xz;
	xfree(xz);
	return NULL;
}

static enum unpack_state xz_step(void *unpacker, struct unpack_step *step)
{
	struct xz *xz = unpacker;
	lzma_stream *s = &xz->stream;
	lzma_ret result;

	if (xz->ended)
		return UNPACK_WHOLE;
	s->next_in = step->in;
	s->avail_in = step->in_len;
	s->next_out = step->out;
	s->avail_out = step->out_len;
	result = lzma_code(s, step->last ? LZMA_FINISH : LZMA_RUN);
	*step = (struct unpack_step){s->next_in, s->next_out, s->avail_in, s->avail_out, step->last};
	xz->ended = result == LZMA_STREAM_END;
	if (xz->ended)
		return UNPACK_WHOLE;
	return result == LZMA_OK || result == LZMA_BUF_ERROR ? UNPACK_PART : UNPACK_DAMAGED;
}

static void xz_free(void *unpacker)
{
	struct xz *xz = unpacker;

	lzma_end(&xz->stream);
	xfree(xz);
}

/* --- zstd --- */

struct zst {
	ZSTD_DStream *stream;
	enum unpack_state state;
};

static void *zst_create(void)
{
	struct zst *zst = xcalloc(1, sizeof *zst);

	zst->stream = ZSTD_createDStream();
	if (zst->stream && !ZSTD_isError(ZSTD_DCtx_setParameter(zst->stream, ZSTD_d_windowLogMax, MOST_MEMORY_LOG2)))
		return zst;
	ZSTD_freeDStream(zst->stream);
	xfree(zst);
	return NULL;
}

static enum unpack_state zst_step(void *unpacker, struct unpack_step *step)
{
	struct zst *zst = unpacker;
	ZSTD_inBuffer in = {step->in, step->in_len, 0};
	ZSTD_outBuffer out = {step->out, step->out_len, 0};
	size_t wanted;

	if (zst->state == UNPACK_WHOLE && step->in_len == 0)
		return UNPACK_WHOLE;
	wanted = ZSTD_decompressStream(zst->stream, &out, &in);
	*step = (struct unpack_step){step->in + in.pos, step->out + out.pos, in.size - in.pos, out.size - out.pos,
				     step->last};
	if (ZSTD_isError(wanted))
		return UNPACK_DAMAGED;
	return zst->state = wanted == 0 ? UNPACK_WHOLE : UNPACK_PART;
}

static void zst_free(void *unpacker)
{
	struct zst *zst = unpacker;

	ZSTD_freeDStream(zst->stream);
	xfree(zst);
}

/* --- gzip --- */

struct gz {
	z_stream stream;
	enum unpack_state state;
};

static void *gz_create(void)
{
	enum { GZIP_HEADER = 16 };
	struct gz *gz = xcalloc(1, sizeof *gz);

	if (inflateInit2(&gz->stream, MAX_WBITS + GZIP_HEADER) == Z_OK)
		return gz;
	xfree(gz);
	return NULL;
}

static enum unpack_state gz_step(void *unpacker, struct unpack_step *step)
{
	struct gz *gz = unpacker;
	z_stream *s = &gz->stream;
	size_t in_len = step->in_len < UINT_MAX ? step->in_len : UINT_MAX;
	size_t out_len = step->out_len < UINT_MAX ? step->out_len : UINT_MAX;
	int result;

	if (gz->state == UNPACK_WHOLE && step->in_len == 0)
		return UNPACK_WHOLE;
	s->next_in = (unsigned char *)(uintptr_t)step->in;
	s->avail_in = (unsigned)in_len;
	s->next_out = step->out;
	s->avail_out = (unsigned)out_len;
	result = inflate(s, Z_NO_FLUSH);
	*step = (struct unpack_step){s->next_in, s->next_out, step->in_len - in_len + s->avail_in,
				     step->out_len - out_len + s->avail_out, step->last};
	if (result == Z_STREAM_END && inflateReset(s) == Z_OK)
		return gz->state = UNPACK_WHOLE;
	if (result != Z_OK && result != Z_BUF_ERROR)
		return UNPACK_DAMAGED;
	return gz->state = UNPACK_PART;
}

static void gz_free(void *unpacker)
{
	struct gz *gz = unpacker;

	inflateEnd(&gz->stream);
	xfree(gz);
}

/* --- All of them --- */

const struct unpack_ops unpack_ops[] = {
    {"xz", ".xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, xz_create, xz_step, xz_free},
    {"zstd", ".zst", {0x28, 0xb5, 0x2f, 0xfd}, 4, zst_create, zst_step, zst_free},
    {"gzip", ".gz", {0x1f, 0x8b}, 2, gz_create, gz_step, gz_free},
};
const unsigned nunpack_ops = sizeof unpack_ops / sizeof *unpack_ops;

const struct unpack_ops *unpack_find(const void *data, size_t len)
{
	for (unsigned i = 0; i < nunpack_ops; i++)
		if (len >= unpack_ops[i].magic_len && memcmp(data, unpack_ops[i].magic, unpack_ops[i].magic_len) == 0)
			return &unpack_ops[i];
	return NULL;
}
