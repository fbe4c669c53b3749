/*
 * Machine code that leads from one function to another. A jump overwrites the start of a loaded function, and goes to
 * the function's lead. The lead goes on to the target in the function's way. For x86-64.
 */
#ifndef ROMARK_PRELOAD_JUMP_H
#define ROMARK_PRELOAD_JUMP_H

#include <stdbool.h>
#include <stddef.h>

enum { JUMP_BYTES = 14, LEAD_BYTES = 24 };

/* Where the calls of a function go. */
struct way {
	void *target; /* NULL: the next call takes it from way_find */
	const char *name;
};

/* The user of this header defines it: the function to go on to, never NULL. Any thread may call it. */
void *way_find(struct way *way);

/* Lets the bytes from `start` be written, or executed again; false if the system does not. */
bool code_open(void *start, size_t size);
bool code_close(void *start, size_t size);
/* The function at `code`, of JUMP_BYTES or more, goes on at `target` with its arguments. */
void jump_write(void *code, const void *target);
/* New code of LEAD_BYTES: goes on along the way with the arguments that it is called with. */
void lead_write(void *code, const struct way *way);

#endif
