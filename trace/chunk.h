/*
 * Chunks: typed pieces of the file, each compressed and checksummed by itself.
 *
 *   struct chunk_packer p = {0};                       struct chunk_source s; chunk_source_open(&s, file, name);
 *   chunk_pack(&p, CHUNK_LAUNCH, data, size);          while (chunk_next(&s, &type, &d) > 0)
 *   fwrite(p.packed.data, 1, p.packed.len, file);              data = chunk_unpack(&s, &d);
 *   chunk_packer_release(&p);                          chunk_source_release(&s);
 */
#ifndef ROMARK_TRACE_CHUNK_H
#define ROMARK_TRACE_CHUNK_H

#include "common/diag.h"
#include "trace/bytes.h"
#include "trace/format.h"

#include <stdio.h>

struct chunk_packer {
	struct bytes packed; /* the last chunk, ready to be written */
	void *context;
};

void chunk_put_file_header(struct bytes *out);
/* `size` at most TRACE_MAX_CHUNK_BYTES. */
void chunk_pack(struct chunk_packer *p, enum chunk_type type, const void *data, size_t size);
void chunk_packer_release(struct chunk_packer *p);

/* Unpacked content; TRACE_STREAM_SLACK zero bytes follow `size`. */
struct chunk_data {
	uint32_t size;
	uint64_t offset; /* of the chunk in the file, for messages */
	uint8_t bytes[];
};

void chunk_data_drop(struct chunk_data *data);

struct chunk_source {
	FILE *in;
	const char *name;
	uint32_t version;      /* of the file */
	uint64_t offset;       /* of the next byte */
	uint64_t chunk_offset; /* of the current chunk */
	struct bytes stored;   /* its payload as it is in the file */
	uint32_t raw_size;
	uint8_t packing;
	void *context;
};

/* `in` and `name` stay the caller's. */
void chunk_source_open(struct chunk_source *s, FILE *in, const char *name);
int chunk_read_file_header(struct chunk_source *s, struct diag *d);
/* 1 = the next chunk is read and its checksum holds, 0 = the file ends here, DIAG_ERROR. */
int chunk_next(struct chunk_source *s, enum chunk_type *type, struct diag *d);
/* Content of the current chunk, or NULL with `d` filled. */
struct chunk_data *chunk_unpack(struct chunk_source *s, struct diag *d);
/* Fails if anything follows the current chunk. A pipe is not read for that: its other end may stay open. */
int chunk_expect_end(struct chunk_source *s, struct diag *d);
/* A hash that identifies this trace. It is read without moving the reader; DIAG_ERROR if the trace is no file. */
int chunk_identity(const struct chunk_source *s, uint64_t *identity, struct diag *d);
/* Unpacked bytes of all chunks of that type, from their headers; 0 if the trace is no file, or is cut. */
uint64_t chunk_sum(const struct chunk_source *s, enum chunk_type type);
/* `s` is an image from another process: it goes on where it was with `in`, an open file of the same trace. */
int chunk_source_resume(struct chunk_source *s, FILE *in, const char *name, struct diag *d);
void chunk_source_release(struct chunk_source *s);

/* "byte N: ..." with the offset of the current chunk. */
#define chunk_error(s, d, ...) chunk_error_at((s), (s)->chunk_offset, (d), __VA_ARGS__)
int chunk_error_at(const struct chunk_source *s, uint64_t offset, struct diag *d, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
