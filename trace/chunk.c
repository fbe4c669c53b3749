/* Framing: a header with sizes and checksum, then the payload, compressed when that makes it smaller. */
#include "trace/chunk.h"

#include "common/c_locale.h"
#include "common/xalloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <xxhash.h>
#include <zstd.h>

/*
 * Warp streams repeat at short distances: higher levels cost several times as much and save little. A kernel's chunk,
 * which is mostly text, is written once.
 */
enum { COMPRESSION_LEVEL = 1, KERNEL_COMPRESSION_LEVEL = 12, READ_STEP = 1 << 20, CHECKED_HEADER_BYTES = 12 };

void chunk_put_file_header(struct bytes *out)
{
	put_bytes(out, TRACE_MAGIC, 8);
	put_fixed(out, TRACE_VERSION, 4);
	put_fixed(out, 0, 4);
}

/* Checksum over the header's fields and the payload, so that no byte of the file is unprotected. */
static uint64_t checksum(const uint8_t *header, const void *payload, size_t size)
{
	return XXH64(payload, size, XXH64(header, CHECKED_HEADER_BYTES, 0));
}

static size_t compress(struct chunk_packer *p, const void *data, size_t size, int level)
{
	size_t bound = ZSTD_compressBound(size), got;

	if (!p->context)
		p->context = ZSTD_createCCtx();
	vec_reserve(&p->packed, TRACE_CHUNK_HEADER_BYTES + bound);
	got = ZSTD_compressCCtx(p->context, p->packed.data + TRACE_CHUNK_HEADER_BYTES, bound, data, size, level);
	return ZSTD_isError(got) ? size : got;
}

void chunk_pack(struct chunk_packer *p, enum chunk_type type, const void *data, size_t size)
{
	size_t stored = compress(p, data, size, type == CHUNK_KERNEL ? KERNEL_COMPRESSION_LEVEL : COMPRESSION_LEVEL);
	uint8_t packing = stored < size ? CHUNK_ZSTD : CHUNK_STORED;

	stored = stored < size ? stored : size;
	p->packed.len = 0;
	put_byte(&p->packed, (uint8_t)type);
	put_byte(&p->packed, packing);
	put_fixed(&p->packed, 0, 2);
	put_fixed(&p->packed, size, 4);
	put_fixed(&p->packed, stored, 4);
	if (packing == CHUNK_STORED && size)
		memcpy(p->packed.data + TRACE_CHUNK_HEADER_BYTES, data, size);
	put_fixed(&p->packed, checksum(p->packed.data, p->packed.data + TRACE_CHUNK_HEADER_BYTES, stored), 8);
	p->packed.len += stored;
}

void chunk_packer_release(struct chunk_packer *p)
{
	ZSTD_freeCCtx(p->context);
	p->context = NULL;
	vec_release(&p->packed);
}

void chunk_data_drop(struct chunk_data *data)
{
	xfree(data);
}

int chunk_error_at(const struct chunk_source *s, uint64_t offset, struct diag *d, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	c_vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return diag_file(d, s->name, "byte %llu: %s", (unsigned long long)offset, text);
}

void chunk_source_open(struct chunk_source *s, FILE *in, const char *name)
{
	*s = (struct chunk_source){.in = in, .name = name};
}

/* Reads `size` bytes, or fails. Memory grows with the bytes that arrive, so a wrong header cannot ask for too much. */
static int read_exactly(struct chunk_source *s, size_t size, struct diag *d)
{
	s->stored.len = 0;
	while (s->stored.len < size) {
		size_t wanted = size - s->stored.len < READ_STEP ? size - s->stored.len : READ_STEP, got;

		vec_reserve(&s->stored, s->stored.len + wanted);
		got = fread(s->stored.data + s->stored.len, 1, wanted, s->in);
		s->stored.len += got;
		s->offset += got;
		if (got < wanted && ferror(s->in))
			return chunk_error_at(s, s->offset, d, "cannot read: %s", strerror(errno));
		if (got < wanted)
			return chunk_error_at(s, s->offset, d, "the trace is cut off here; copy or record it again");
	}
	return 0;
}

int chunk_read_file_header(struct chunk_source *s, struct diag *d)
{
	uint64_t version;

	read_exactly(s, 8, NULL); /* if the file is too short, the next read says so */
	if (s->stored.len && memcmp(s->stored.data, TRACE_MAGIC, s->stored.len) != 0)
		return chunk_error_at(s, 0, d, "not a romark trace; 'romark trace' and 'romark import' make one");
	if (read_exactly(s, 8, d) < 0)
		return DIAG_ERROR;
	version = load_fixed(s->stored.data, 4);
	if (version < TRACE_OLDEST_VERSION || version > TRACE_VERSION)
		return chunk_error_at(s, 8, d, "trace version %llu, but this romark reads versions %d to %d",
				      (unsigned long long)version, TRACE_OLDEST_VERSION, TRACE_VERSION);
	s->version = (uint32_t)version;
	if (load_fixed(s->stored.data + 4, 4) != 0)
		return chunk_error_at(s, 12, d, "damaged file header");
	return 0;
}

static bool at_end_of_file(struct chunk_source *s)
{
	int c = getc(s->in);

	if (c == EOF)
		return !ferror(s->in);
	ungetc(c, s->in);
	return false;
}

static bool is_valid_header(const struct chunk_source *s, unsigned type, size_t stored)
{
	if (type < CHUNK_KERNEL || type >= CHUNK_TYPE_END || s->raw_size > TRACE_MAX_CHUNK_BYTES)
		return false;
	return s->packing == CHUNK_STORED ? stored == s->raw_size : s->packing == CHUNK_ZSTD && stored < s->raw_size;
}

int chunk_next(struct chunk_source *s, enum chunk_type *type, struct diag *d)
{
	uint8_t header[TRACE_CHUNK_HEADER_BYTES];
	size_t stored;

	s->chunk_offset = s->offset;
	if (at_end_of_file(s))
		return 0;
	if (read_exactly(s, sizeof header, d) < 0)
		return DIAG_ERROR;
	memcpy(header, s->stored.data, sizeof header);
	*type = header[0];
	s->packing = header[1];
	s->raw_size = (uint32_t)load_fixed(header + 4, 4);
	stored = (size_t)load_fixed(header + 8, 4);
	if (!is_valid_header(s, header[0], stored))
		return chunk_error(s, d, "damaged chunk header; copy or record the trace again");
	if (read_exactly(s, stored, d) < 0)
		return DIAG_ERROR;
	if (checksum(header, s->stored.data, stored) != load_fixed(header + CHECKED_HEADER_BYTES, 8))
		return chunk_error(s, d, "damaged chunk (checksum); copy or record the trace again");
	return 1;
}

static bool decompress(struct chunk_source *s, uint8_t *out)
{
	if (s->packing == CHUNK_STORED) {
		if (s->raw_size)
			memcpy(out, s->stored.data, s->raw_size);
		return true;
	}
	if (!s->context)
		s->context = ZSTD_createDCtx();
	return ZSTD_decompressDCtx(s->context, out, s->raw_size, s->stored.data, s->stored.len) == s->raw_size;
}

struct chunk_data *chunk_unpack(struct chunk_source *s, struct diag *d)
{
	struct chunk_data *data = xmalloc(sizeof *data + s->raw_size + TRACE_STREAM_SLACK);

	*data = (struct chunk_data){.size = s->raw_size, .offset = s->chunk_offset};
	memset(data->bytes + s->raw_size, 0, TRACE_STREAM_SLACK);
	if (decompress(s, data->bytes))
		return data;
	xfree(data);
	chunk_error(s, d, "damaged chunk (it does not decompress); copy or record the trace again");
	return NULL;
}

int chunk_expect_end(struct chunk_source *s, struct diag *d)
{
	struct stat st;

	if (fstat(fileno(s->in), &st) < 0 || !S_ISREG(st.st_mode) || at_end_of_file(s))
		return 0;
	return chunk_error_at(s, s->offset, d, "data behind the end of the trace");
}

int chunk_source_resume(struct chunk_source *s, FILE *in, const char *name, struct diag *d)
{
	s->in = in;
	s->name = name;
	s->context = NULL;
	if (fseeko(in, (off_t)s->offset, SEEK_SET) == 0)
		return 0;
	return chunk_error_at(s, s->offset, d, "cannot read: %s", strerror(errno));
}

void chunk_source_release(struct chunk_source *s)
{
	ZSTD_freeDCtx(s->context);
	s->context = NULL;
	vec_release(&s->stored);
}
