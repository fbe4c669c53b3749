/* What is known of an allocation beside its size: managed, pinned, or the program's own memory that it registered. */
#ifndef ROMARK_API_ALLOCATIONS_H
#define ROMARK_API_ALLOCATIONS_H

#include <stdint.h>
#include <uthash.h>

enum allocation_kind { ALLOCATION_DEVICE, ALLOCATION_MANAGED, ALLOCATION_HOST, ALLOCATION_REGISTERED };

struct allocation_note {
	uint64_t address;
	enum allocation_kind kind;
	unsigned flags;
	UT_hash_handle hh;
};

/* The note of the allocation that starts at `address`, or NULL: plain device memory, or none. */
struct allocation_note *allocation_note(uint64_t address);

#endif
