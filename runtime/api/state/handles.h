/*
 * Handles of what programs make: streams, events, graphs, arrays, modules. A handle is the address of its object. The
 * functions look up a handle before they touch its object. The address of an object that is gone is never used again,
 * so a stale handle is always an error.
 *
 *   struct CUevent_st *event = handle_new(HANDLE_EVENT, sizeof *event);   // zeroed
 *   if (!handle_is(HANDLE_EVENT, event)) return cudaErrorInvalidResourceHandle;
 *   handle_free(event);
 *
 * The functions take the state's lock themselves.
 */
#ifndef ROMARK_API_HANDLES_H
#define ROMARK_API_HANDLES_H

#include <stdbool.h>
#include <stddef.h>

enum handle_kind {
	HANDLE_STREAM = 1,
	HANDLE_EVENT,
	HANDLE_GRAPH,
	HANDLE_NODE,
	HANDLE_EXEC,
	HANDLE_POOL,
	HANDLE_ARRAY,
	HANDLE_LEVEL, /* an array that is a mipmap's */
	HANDLE_MIPMAP,
	HANDLE_MODULE,
	HANDLE_KERNEL,
	HANDLE_LINK,
	HANDLE_REFERENCE, /* to a texture or surface, of the driver API */
	HANDLE_USER_OBJECT,
};

void *handle_new(enum handle_kind kind, size_t size);
/* For any address, which is not touched. */
bool handle_is(enum handle_kind kind, const void *handle);
/* For the addresses of live objects alone. */
void handle_free(void *handle);
/*
 * The object of this kind that was made after `previous`. NULL as `previous` gives the oldest; NULL is returned after
 * the newest.
 */
void *handle_next(enum handle_kind kind, const void *previous);

#endif
