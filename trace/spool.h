/*
 * Bytes that wait to be written: in memory, and from some size on in a file without a name in TMPDIR, or else /tmp.
 *
 *   spool_add(&s, data, size);
 *   spool_drain(&s, take, context);      // gives them back in order, in pieces; then the spool is empty
 *   spool_release(&s);
 */
#ifndef ROMARK_TRACE_SPOOL_H
#define ROMARK_TRACE_SPOOL_H

#include "common/held.h"
#include "trace/bytes.h"

#include <stdint.h>

struct spool {
	struct bytes memory; /* behind what is in the file */
	uint64_t in_file;    /* bytes */
	int fd;              /* valid where there is `held` */
	struct held held;
	bool has_file;
	int error; /* errno of the first failure; the spool takes and gives nothing from then on */
};

void spool_add(struct spool *s, const void *data, size_t size);
void spool_drain(struct spool *s, void (*take)(void *context, const void *data, size_t size), void *context);
void spool_release(struct spool *s);

#endif
