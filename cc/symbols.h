/*
 * The names that an object defines for other objects, and the names that it needs from them. And the only change that
 * romark makes to an object.
 */
#ifndef ROMARK_CC_SYMBOLS_H
#define ROMARK_CC_SYMBOLS_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

/* A relocatable ELF file of 64 bits, as compilers make them? */
bool cc_is_object(const char *data, size_t size);
/*
 * Calls `name` for each name that the object at data[0..size) defines, or, with `defined` = false, that it needs. A
 * damaged file has fewer names.
 */
void cc_symbols(const char *data, size_t size, void (*name)(void *arg, const char *name, bool defined), void *arg);

/*
 * Clang names the relocatable part of an object after the source's path, globally: makes that name weak in the object
 * at `path`, so that one source compiled twice, or two with the same relative name, can be linked. 0 or DIAG_ERROR.
 */
int cc_weaken_unit_symbol(const char *path, struct diag *d);

#endif
