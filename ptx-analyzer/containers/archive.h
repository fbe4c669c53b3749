/*
 * Static libraries: the members of a Unix archive, in their order.
 *
 *   struct archive a = {.name = "libx.a", .data = data, .size = size};
 *   struct archive_member m;
 *   int more;
 *   while ((more = archive_next(&a, &names, &m, &d)) > 0)
 *       use(m.name, m.data, m.size);                 // "libx.a(x.o)"
 *
 * The reader skips symbol tables and the table of long names.
 */
#ifndef ROMARK_PTX_ARCHIVE_H
#define ROMARK_PTX_ARCHIVE_H

#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

struct archive {
	const char *name;
	const uint8_t *data;
	size_t size;
	size_t at;              /* of the next member's header; 0 = before the first */
	const char *long_names; /* in `data`; NULL = none met so far */
	size_t long_names_size;
};

struct archive_member {
	const char *name; /* in the arena */
	const uint8_t *data;
	size_t size;
};

bool is_archive(const uint8_t *data, size_t size);
/* 1 with a member, 0 at the end, DIAG_ERROR for a damaged archive. */
int archive_next(struct archive *a, struct arena *names, struct archive_member *member, struct diag *d);

#endif
