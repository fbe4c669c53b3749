/* An arena's blocks double in size up to a limit. So small owners stay small, and large owners call malloc rarely. */
#include "common/arena.h"

#include "common/c_locale.h"
#include "common/integer.h"
#include "common/xalloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_BLOCK = 4 << 10, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
	struct arena_block *older;
	size_t size;
};

static const size_t header_size = (sizeof(struct arena_block) + ALIGN - 1) & ~(size_t)(ALIGN - 1);

static size_t next_block_size(const struct arena *arena, size_t wanted)
{
	size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;

	if (size > LARGEST_BLOCK)
		size = LARGEST_BLOCK;
	return size < wanted + header_size ? wanted + header_size : size;
}

static void add_block(struct arena *arena, size_t wanted)
{
	size_t size = next_block_size(arena, wanted);
	struct arena_block *block = xmalloc(size);

	block->older = arena->blocks;
	block->size = size;
	arena->blocks = block;
	arena->next = (char *)block + header_size;
	arena->end = (char *)block + size;
	arena->total += size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	void *p;

	size = round_up(size, ALIGN);
	if (!arena->blocks || (size_t)(arena->end - arena->next) < size)
		add_block(arena, size);
	p = arena->next;
	arena->next += size;
	return p;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

void *arena_memdup(struct arena *arena, const void *data, size_t size)
{
	void *copy = arena_alloc(arena, size);

	return size ? memcpy(copy, data, size) : copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	char few[128], *text;
	size_t len;

	va_start(args, format);
	va_copy(again, args);
	len = (size_t)c_vsnprintf(few, sizeof few, format, args);
	text = arena_alloc(arena, len + 1);
	if (len < sizeof few)
		memcpy(text, few, len + 1);
	else
		c_vsnprintf(text, len + 1, format, again);
	va_end(again);
	va_end(args);
	return text;
}

void arena_release(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *older = block->older;

		xfree(block);
		block = older;
	}
	*arena = (struct arena)ARENA_INIT;
}
