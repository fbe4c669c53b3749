/*
 * A call from a program into the library. Where romark would end the process (no memory is left, or a promise inside
 * romark is broken) the call ends instead, with an error.
 *
 *   static void parse(void *arg) { ... }
 *   if (!library_call(parse, &request, error)) ...       // ended so; objects of the call are lost
 */
#ifndef ROMARK_LIBRARY_CALL_H
#define ROMARK_LIBRARY_CALL_H

#include "common/diag.h"

#include <romark/romark.h>

bool library_call(void (*function)(void *arg), void *arg, struct romark_error *error);
/* What a function of romark said. */
void library_error(const struct diag *d, struct romark_error *error);
/* What the library itself says; returns -1. */
int library_wrong(struct romark_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A struct that a program has filled in, of which later versions may be larger: its fields here, and 0 behind them. */
void library_take(void *to, size_t size, const void *options);

#endif
