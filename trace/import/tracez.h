/*
 * Accel-Sim's packed traces (.tracez) as the text of a .traceg file. Such a file has the kernel's header as text, a
 * dictionary of zstd, the lines of each warp in packed parts, and an index of CTAs and warps at its end.
 *
 *   struct tracez *z = tracez_open(fd, path, &d);
 *   while ((got = tracez_read(z, buffer, size, &d)) > 0) ...
 *   tracez_free(z);
 */
#ifndef ROMARK_TRACE_IMPORT_TRACEZ_H
#define ROMARK_TRACE_IMPORT_TRACEZ_H

#include "common/diag.h"

#include <stdbool.h>
#include <sys/types.h>

struct tracez;

/* Whether the file's name says that it is one; the format has no mark. */
bool tracez_is(const char *path);
/* Reads header and index; `fd` stays the caller's. NULL with a message if it cannot. */
struct tracez *tracez_open(int fd, const char *path, struct diag *d);
/* The next bytes of the text; 0 at the end, DIAG_ERROR for a damaged file. */
ssize_t tracez_read(struct tracez *z, char *to, size_t room, struct diag *d);
void tracez_free(struct tracez *z);

#endif
