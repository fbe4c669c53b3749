/*
 * The bytes of device memory that nothing has been written to, a bit each, for the check of uninitialised reads. Memory
 * counts as defined until somebody says otherwise, so only the programs' own allocations can have undefined bytes.
 *
 *   struct undefined *u = undefined_new();
 *   undefined_set(u, address, 4096);            (an allocation)
 *   undefined_clear(u, address, 64);            (a copy from the host)
 *   if (undefined_any(u, address + 60, 8)) ...  (true: bytes 64 to 67 are)
 *
 * A CTA's shared memory has such bits, too: the functions with `bits` are for any memory, and `first` counts its bytes.
 */
#ifndef ROMARK_CPU_UNDEFINED_H
#define ROMARK_CPU_UNDEFINED_H

#include <stdbool.h>
#include <stdint.h>

struct undefined;

struct undefined *undefined_new(void);
void undefined_free(struct undefined *u);
/* The bytes are in device memory; so are those of `to` and `from`, which may overlap. */
void undefined_set(struct undefined *u, uint64_t address, uint64_t bytes);
void undefined_clear(struct undefined *u, uint64_t address, uint64_t bytes);
void undefined_copy(struct undefined *u, uint64_t to, uint64_t from, uint64_t bytes);
bool undefined_any(const struct undefined *u, uint64_t address, uint64_t bytes);

void bits_put(uint8_t *bits, uint64_t first, uint64_t count, bool value);
bool bits_any(const uint8_t *bits, uint64_t first, uint64_t count);

#endif
