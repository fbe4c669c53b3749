/*
 * A heap whose content can be written to a file and taken up by a later process: it always lies at the same address,
 * and its own state lies in it, so pointers between its blocks stay valid.
 *
 *   heap_open(&d);                                    // from now on xmalloc and the others take their memory from it
 *   struct state *s = xcalloc(1, sizeof *s);
 *   struct heap_image image = heap_image();           // write image.size bytes from image.base
 *   heap_close();                                     // all its blocks end here
 *
 *   void *base = heap_restore(size, &d);              // in the later process: read them to `base`
 *   heap_use(true);
 *
 * There is one heap. Pointers to what lies outside (streams, memory of libraries) are the business of who resumes.
 */
#ifndef ROMARK_COMMON_HEAP_H
#define ROMARK_COMMON_HEAP_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct heap_image {
	void *base;
	size_t size; /* a multiple of 16 */
};

/* An empty heap, in use. 0, or DIAG_ERROR where its address is taken or address space is limited. */
int heap_open(struct diag *d);
/* Memory for an image of so many bytes, which the caller fills; not in use before that. NULL with `d` filled. */
void *heap_restore(size_t size, struct diag *d);
void heap_close(void);
/* Whether new memory comes from the heap. Its memory goes back to it in any case. */
void heap_use(bool use);
bool heap_is_used(void);
/* Whether `p` is memory of the heap. */
bool heap_holds(const void *p);
/* The parts that a later process needs. Nobody may allocate while they are read. */
struct heap_image heap_image(void);

/* Aligned to 16 bytes; NULL when the region is full. xalloc.h calls these. Threads may call them at the same time. */
void *heap_alloc(size_t size);
void *heap_zalloc(size_t size);
/* Zeroed, beginning at a cache line (64 bytes). */
void *heap_zalloc_lines(size_t size);
void *heap_realloc(void *old, size_t size);
void heap_free(void *p);

#endif
