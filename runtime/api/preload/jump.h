/*
 * Machine code that leads from one function to another: over a function that has been loaded stands a jump to a lead of
 * its own, and that goes on to what the function's way says. For x86-64.
 */
#ifndef ROMARK_PRELOAD_JUMP_H
#define ROMARK_PRELOAD_JUMP_H

#include <stdbool.h>
#include <stddef.h>

enum { JUMP_BYTES = 14, LEAD_BYTES = 24 };

/* Where calls of a function go. */
struct way {
	void *target; /* NULL: way_find is asked */
	const char *name;
};

/* Given by the user of this header: what a call is to go on to, never NULL. Any thread may ask. */
void *way_find(struct way *way);

/* Lets the bytes from `start` be written, or executed again; false if the system does not. */
bool code_open(void *start, size_t size);
bool code_close(void *start, size_t size);
/* The function at `code`, of JUMP_BYTES or more, goes on at `target` with its arguments. */
void jump_write(void *code, const void *target);
/* New code of LEAD_BYTES: goes on along the way with the arguments that it is called with. */
void lead_write(void *code, const struct way *way);

#endif
