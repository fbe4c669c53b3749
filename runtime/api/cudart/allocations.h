/*
 * The live allocations and what they are: device, managed, pinned, part of something else that is freed with it (an
 * array, a reserved range), or the program's own memory that it registered.
 */
#ifndef ROMARK_API_ALLOCATIONS_H
#define ROMARK_API_ALLOCATIONS_H

#include "runtime/api/state/state.h"

enum allocation_kind {
	ALLOCATION_DEVICE,
	ALLOCATION_MANAGED,
	ALLOCATION_HOST,
	ALLOCATION_PART,
	ALLOCATION_REGISTERED,
	ALLOCATION_KINDS
};

struct api_allocation {
	uint64_t address;
	enum allocation_kind kind;
	unsigned flags;
	struct CUmemPoolHandle_st *pool; /* it came from this pool; NULL: from no pool */
	size_t size; /* REGISTERED: from the program; HOST, or from a pool: as the device counts it; else unused, the
			device knows it */
};

/* The allocation that starts at `address`, or NULL. Valid until the next call that allocates or frees. */
const struct api_allocation *allocation_at(const struct runtime *rt, uint64_t address);
/* True if all bytes lie in memory that the program registered. */
bool allocation_is_registered(const struct runtime *rt, uint64_t address, size_t size);
/* Device memory of `size` bytes; *ptr is NULL when size is 0. `call` names it in traces. */
cudaError_t allocation_make(struct runtime *rt, void **ptr, size_t size, const char *call, enum allocation_kind kind,
			    unsigned flags);
/* Frees what starts at `address` if it is of one of the kinds, given as bits; cudaErrorInvalidValue else. */
cudaError_t allocation_free(struct runtime *rt, uint64_t address, unsigned kinds);
/* The allocation is of this pool, which hears of its end. */
void allocation_count(struct runtime *rt, uint64_t address, struct CUmemPoolHandle_st *pool);
/* pools.c: so many more bytes of the pool, if it is still there, are in use. */
void pool_count(struct CUmemPoolHandle_st *pool, int64_t bytes);
/* Enters memory that the device has already made, such as an array's. */
void allocation_adopt(struct runtime *rt, uint64_t address, enum allocation_kind kind);
/* Gives every allocation back: cudaDeviceReset. */
void allocations_release(struct runtime *rt);

#endif
