/*
 * The file of a checkpoint: a header, text that identifies the run, and, packed, the heap's image and the run's outputs
 * so far. Each part has a checksum, and the file gets its name when it is whole.
 */
#ifndef ROMARK_SIM_CHECKPOINT_FILE_H
#define ROMARK_SIM_CHECKPOINT_FILE_H

#include "common/diag.h"

#include <stdint.h>
#include <stdio.h>

/* The outputs of a run: results, series, timeline. */
enum { CHECKPOINT_OUTPUTS = 3, BUILD_ID_BYTES = 32 };

struct checkpoint_header {
	char magic[8];
	uint32_t version, text_bytes;
	uint8_t build[BUILD_ID_BYTES]; /* of the program, zero-filled */
	uint64_t code;                 /* address of a function of the program */
	uint64_t base, image_bytes;    /* the heap's */
	uint64_t root;                 /* address of the block from which all others are found */
	uint64_t trace;                /* trace_identity */
	uint64_t cycle;
	uint64_t output_bytes[CHECKPOINT_OUTPUTS];
	uint64_t packed_bytes, packed_hash; /* of what follows the text */
	uint64_t hash;                      /* of all above and the text */
};

/* Writes the heap's image. `facts`: root, trace and cycle are filled in. Outputs may be NULL. */
int checkpoint_write(const char *path, const struct checkpoint_header *facts, const char *text, FILE *const *outputs,
		     struct diag *d);

struct checkpoint_reader {
	struct checkpoint_header header;
	const char *path;
	char *text;
	FILE *in;
	void *context, *packed; /* of zstd; its input */
	size_t at, size;        /* in `packed` */
};

/* Checks that the file is whole and from this very program. 0, or DIAG_ERROR. */
int checkpoint_open(struct checkpoint_reader *r, const char *path, struct diag *d);
/* Both once, in this order: the heap, which is in use then, and the outputs, which are empty and open. */
int checkpoint_read_heap(struct checkpoint_reader *r, struct diag *d);
int checkpoint_read_outputs(struct checkpoint_reader *r, FILE *const *outputs, struct diag *d);
/* Also after a failed checkpoint_open. */
void checkpoint_close(struct checkpoint_reader *r);

#endif
