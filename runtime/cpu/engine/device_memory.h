/*
 * Device memory: one range of addresses at a fixed place, so that a device address is a host address and the same in
 * every run. First fit in address order, 256-byte aligned, pages appear when they are touched.
 *
 *   if (memory_open(&m, &diag) < 0) ...
 *   memory_alloc(&m, 4096, "cudaMalloc#1", &address);
 *   if (memory_contains(&m, address, bytes)) memcpy(out, memory_host(address), bytes);
 *   memory_close(&m);
 */
#ifndef ROMARK_CPU_DEVICE_MEMORY_H
#define ROMARK_CPU_DEVICE_MEMORY_H

#include "common/diag.h"
#include "common/vec.h"
#include "runtime/cpu/engine/allocation_tree.h"
#include "runtime/cpu/engine/undefined.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_PAGE UINT64_C(4096)
#define MEMORY_BASE UINT64_C(0x200000000000)
#define MEMORY_BYTES (UINT64_C(16) << 30)
enum { MEMORY_GAP = 1 << 20, HEAP_ALIGN = 16, USUAL_HEAP_BYTES = 8 << 20 };

struct memory {
	struct tree live;
	uint64_t changes;          /* allocations that ever began or ended */
	uint64_t used;             /* bytes, each allocation rounded up to MEMORY_ALIGN */
	uint64_t top;              /* bytes from MEMORY_BASE to the end of the highest allocation so far */
	uint64_t programs;         /* the same, without the variables of modules */
	uint64_t heap, heap_limit; /* bytes that kernels have allocated, each rounded up to HEAP_ALIGN, and may have */
	bool keeps_freed;          /* freed allocations keep their addresses for a while */
	VEC(uint64_t) freed;       /* these addresses, oldest first, from `first_freed` on */
	size_t first_freed;
	uint64_t freed_bytes;
	struct undefined *undefined; /* bytes that nothing has been written to; NULL: nobody asks */
	char *place;                 /* in words: where the next allocation is made or freed; NULL: nobody asks */
};

int memory_open(struct memory *m, struct diag *d);
void memory_close(struct memory *m);
/* False when no gap is large enough. Size 0 takes a byte. */
bool memory_alloc(struct memory *m, uint64_t size, const char *name, uint64_t *address);
/* For a variable of a module: not below `from`, at a multiple of `align`, a power of two. */
bool memory_alloc_above(struct memory *m, uint64_t from, uint64_t size, uint64_t align, const char *name,
			uint64_t *address);
/*
 * An address for `size` bytes, MEMORY_GAP away from the allocations before it and from all that programs ever had. The
 * places of variables whose modules are gone may be used again.
 */
uint64_t memory_apart(struct memory *m, uint64_t size);
/* For a kernel's malloc; false beyond the limit of the heap. */
bool memory_alloc_heap(struct memory *m, uint64_t size, const char *name, uint64_t *address);
/* False if no block of the heap starts at `address`. */
bool memory_release_heap(struct memory *m, uint64_t address);
/* All blocks of the heap. */
void memory_clear_heap(struct memory *m);
/*
 * Makes whole pages of an allocation and the host's pages at `host` the same memory. It holds the allocation's first
 * `size` bytes, and behind them, up to the page's end, what the host has there. False if the system refuses.
 */
bool memory_share(uint64_t address, uint64_t size, void *host);
/* The allocation's pages are its own again, and zero; the host keeps the others. */
void memory_unshare(uint64_t address, uint64_t size);
/* False when `address` is not the start of an allocation. */
bool memory_release(struct memory *m, uint64_t address);
/* Takes over a malloc'ed text: the next allocation is made there, or the next to be freed is freed there. */
void memory_note_place(struct memory *m, char *place);
/* The freed allocation that held `address` and whose bytes are not in use again, or NULL. */
const struct allocation *memory_freed(const struct memory *m, uint64_t address);
/* The allocation that holds `address`, or NULL. */
const struct allocation *memory_find(const struct memory *m, uint64_t address);
/* The last allocation that starts at or below `address`, or NULL. */
const struct allocation *memory_below(const struct memory *m, uint64_t address);
/* The first allocation that starts above `address`, or NULL. */
const struct allocation *memory_above(const struct memory *m, uint64_t address);

/* True if the host may touch the bytes. A program may read past an allocation, but not past the last one. */
static inline bool memory_contains(const struct memory *m, uint64_t address, uint64_t bytes)
{
	return address - MEMORY_BASE <= m->top && bytes <= m->top - (address - MEMORY_BASE);
}

static inline void *memory_host(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

#endif
