/* Numbers of the file format that writer and reader share; docs/trace-format.md explains them. */
#ifndef ROMARK_TRACE_FORMAT_H
#define ROMARK_TRACE_FORMAT_H

#define TRACE_MAGIC "ROMTRACE"

enum {
	TRACE_VERSION = 5,
	TRACE_LOCAL_VERSION = 3,       /* the first whose launches say how much local memory a thread has */
	TRACE_MARKS_VERSION = 4,       /* the first whose launches say what their marks rest on */
	TRACE_PTX_VERSION = 5,         /* the first whose kernels may have their PTX */
	TRACE_OLDEST_VERSION = 1,      /* that is still read; it does not tell barriers apart */
	TRACE_FILE_HEADER_BYTES = 16,  /* magic, version, zero */
	TRACE_CHUNK_HEADER_BYTES = 20, /* type, packing, zero, raw size, stored size, checksum */
	TRACE_BATCH_BYTES = 256 << 10, /* CTAs are gathered up to this many encoded bytes */
	TRACE_MAX_CHUNK_BYTES = 1 << 30,
	TRACE_STREAM_SLACK = 8, /* readable bytes behind every chunk, so that the decoder may load words */
};

enum chunk_type {
	CHUNK_KERNEL = 1,
	CHUNK_LAUNCH,
	CHUNK_CTAS,
	CHUNK_LAUNCH_END,
	CHUNK_TRACE_END,
	CHUNK_FAILURE, /* in place of the end of a launch, and of the trace */
	CHUNK_TYPE_END
};
enum chunk_packing { CHUNK_STORED, CHUNK_ZSTD };

/* First byte of a block record. */
enum block_code {
	BLOCK_EXPLICIT = 1,      /* not the expected successor: signed difference to it follows */
	BLOCK_MASK_OF_SLOT = 2,  /* the mask with which the block ran last time */
	BLOCK_MASK_EXPLICIT = 4, /* four bytes follow; neither bit: the mask of the block before */
	BLOCK_CODES = 7
};

/* First byte of an access record. */
enum access_code {
	ACCESS_NONE = 1,          /* no lane; nothing else follows */
	ACCESS_MASK_OF_SLOT = 2,  /* the mask of this instruction's last access */
	ACCESS_MASK_EXPLICIT = 4, /* four bytes follow; neither bit: the block's mask */
	ACCESS_SPACE = 8,         /* not the expected space: one byte follows */
	ACCESS_AFFINE = 16,       /* new pattern: rows, stride, row stride follow */
	ACCESS_SCATTERED = 32,    /* no pattern: width and shift, then an offset per lane */
	ACCESS_BASE = 64,         /* not the expected base: signed difference to it follows */
	ACCESS_CODES = 127
};

#endif
