/*
 * Regions: parts of allocations that a program's own allocator has handed out. Each counts as an allocation of its own.
 *
 *   struct regions r = {0};
 *   struct region_holder whole = {.base = 0x10000, .size = 1 << 20, .name = "cudaMalloc#0"};
 *
 *   regions_add(&r, &whole, 0x10000, 512, "region#0", &diag);
 *   regions_narrow(&r, r.changes, address, &base, &size);  // from the allocation to the region, if there is one
 *   regions_end(&r, 0x10000);
 *   regions_forget(&r, 0x10000);                           // the allocation is freed
 *   regions_release(&r);
 *
 * Bytes of an allocation that are in no region are its rest. A pointer to the rest may lead anywhere in the allocation.
 */
#ifndef ROMARK_RUNTIME_REGIONS_H
#define ROMARK_RUNTIME_REGIONS_H

#include "common/diag.h"
#include "common/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct region {
	uint64_t address, size;
	char *name;
};

/* An allocation that has regions, or had some. */
struct region_holder {
	uint64_t base, size;
	const char *name;         /* a copy, once it is in the list */
	uint64_t changed;         /* regions.changes when its regions last changed */
	VEC(struct region) parts; /* by address */
};

struct regions {
	VEC(struct region_holder) holders; /* by address */
	uint64_t changes;                  /* regions that ever began or ended */
};

/*
 * Makes [address, address + size) of the allocation `whole` a region. DIAG_ERROR and a sentence if it overlaps another
 * region, leaves the allocation, or does not start at a multiple of GUARD_ALIGN.
 */
int regions_add(struct regions *r, const struct region_holder *whole, uint64_t address, uint64_t size, const char *name,
		struct diag *d);
/* False if no region starts at `address`. */
bool regions_end(struct regions *r, uint64_t address);
/* The allocation at `base` is gone, and its regions with it. */
void regions_forget(struct regions *r, uint64_t base);
void regions_release(struct regions *r);

/* The region that holds `address`, or NULL. `r` may be NULL, which has none. */
const struct region *regions_find(const struct regions *r, uint64_t address);
/* The allocation that holds `address` and has regions now, or NULL. */
const struct region_holder *regions_holder(const struct regions *r, uint64_t address);
/*
 * Makes of the allocation at *base the region that holds `address`. It stays the allocation if `address` is in no
 * region, or if a region of it has begun or ended since `r->changes` was `seen`: then the pointer may be older than
 * the regions.
 */
void regions_narrow(const struct regions *r, uint64_t seen, uint64_t address, uint64_t *base, size_t *size);

#endif
