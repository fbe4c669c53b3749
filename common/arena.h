/*
 * Arena: memory that lives as long as its owner (a module, a kernel, a run) and is released at once.
 *
 *   struct arena a = ARENA_INIT;
 *   struct node *n = arena_new(&a, struct node);    // zeroed
 *   arena_release(&a);                              // every pointer from `a` ends here
 */
#ifndef ROMARK_COMMON_ARENA_H
#define ROMARK_COMMON_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	char *next, *end;           /* free part of the newest block */
	size_t total;               /* bytes taken from the system */
};

#define ARENA_INIT {NULL, NULL, NULL, 0}

/* 16-byte aligned, not zeroed, never NULL. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, zeroed. */
void *arena_zalloc(struct arena *arena, size_t size);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_release(struct arena *arena);

#define arena_new(arena, type) ((type *)arena_zalloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_zalloc((arena), sizeof(type) * (size_t)(count)))

#endif
