/*
 * Packed files: which packing a file has is read from its first bytes, not from its name. Several streams behind each
 * other, as `cat a.xz b.xz` makes them, are one file.
 */
#ifndef ROMARK_TRACE_IMPORT_UNPACK_H
#define ROMARK_TRACE_IMPORT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

enum { UNPACK_MAGIC_BYTES = 6 };

/* WHOLE: what was read so far is complete, so the file may end here. */
enum unpack_state { UNPACK_PART, UNPACK_WHOLE, UNPACK_DAMAGED };

struct unpack_step {
	const unsigned char *in;
	unsigned char *out;
	size_t in_len, out_len; /* the rest of both */
	bool last;              /* nothing follows `in` in the file */
};

struct unpack_ops {
	const char *name, *suffix;
	unsigned char magic[UNPACK_MAGIC_BYTES];
	unsigned magic_len;
	void *(*create)(void);
	/* Moves `in` and `out` on. Without progress it returns the state that it had. */
	enum unpack_state (*step)(void *unpacker, struct unpack_step *step);
	void (*free)(void *unpacker);
};

extern const struct unpack_ops unpack_ops[];
extern const unsigned nunpack_ops;

/* NULL: no known packing. */
const struct unpack_ops *unpack_find(const void *data, size_t len);

#endif
