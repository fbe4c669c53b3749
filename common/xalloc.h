/*
 * Allocation that never fails: these functions return memory or end the process. They take it from malloc or, while
 * that is in use, from the heap of common/heap.h.
 */
#ifndef ROMARK_COMMON_XALLOC_H
#define ROMARK_COMMON_XALLOC_H

#include <stddef.h>

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
/* As xcalloc, beginning at a cache line (64 bytes). */
void *xcalloc_lines(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);
/* Frees memory of these functions, or of malloc. Does nothing for NULL. */
void xfree(void *p);

#endif
