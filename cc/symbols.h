/*
 * The names that an object defines for other objects and those that it needs from them, and the one change that is made
 * to an object here.
 */
#ifndef ROMARK_CC_SYMBOLS_H
#define ROMARK_CC_SYMBOLS_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* A relocatable ELF file of 64 bits, as compilers make them? */
bool cc_is_object(const char *data, size_t size);
/*
 * Calls `name` for each name of the object at data[0..size) that it defines, or (`defined` = false) that it cannot be
 * linked without. A damaged file has fewer names.
 */
void cc_symbols(const char *data, size_t size, void (*name)(void *arg, const char *name, bool defined), void *arg);

/*
 * Clang names the relocatable part of an object after the source's path, globally: makes that name weak in the object
 * at `path`, so that one source compiled twice, or two of the same relative name, can be linked. 0 or DIAG_ERROR.
 */
int cc_weaken_unit_symbol(const char *path, struct diag *d);

#endif
