/* No caller can recover when memory is out, so that error is handled here alone. */
#include "common/integer.h"
#include "common/xalloc.h"

#include "common/fatal.h"
#include "common/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p, size_t size)
{
	if (p || size == 0)
		return p;
	if (fatal_hook)
		fatal_hook("out of memory");
	fprintf(stderr, "romark: out of memory (%zu bytes wanted)\n", size);
	exit(1);
}

void *xmalloc(size_t size)
{
	return checked(heap_is_used() ? heap_alloc(size) : malloc(size), size);
}

void *xcalloc(size_t count, size_t size)
{
	size_t whole;

	if (!heap_is_used())
		return checked(calloc(count, size), count && size ? size : 0);
	return checked(__builtin_mul_overflow(count, size, &whole) ? NULL : heap_zalloc(whole), size);
}

void *xcalloc_lines(size_t count, size_t size)
{
	enum { LINE = 64 };
	size_t whole = round_up(count * size, LINE);
	void *p;

	if (heap_is_used())
		return checked(heap_zalloc_lines(whole), whole);
	p = checked(aligned_alloc(LINE, whole), whole);
	return whole ? memset(p, 0, whole) : p;
}

void *xrealloc(void *old, size_t size)
{
	bool of_heap = old ? heap_holds(old) : heap_is_used();

	return checked(of_heap ? heap_realloc(old, size) : realloc(old, size), size);
}

char *xstrndup(const char *text, size_t len)
{
	char *copy = xmalloc(len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

void xfree(void *p)
{
	if (heap_holds(p))
		heap_free(p);
	else
		free(p);
}
