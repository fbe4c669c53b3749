/*
 * Guards: at each launch, whether a kernel's read-only marks hold for the pointers it was given.
 *
 * The analysis assumes that distinct parameters are distinct memory. The launch knows the pointers and can check this.
 * The marks hold only if no allocation of a marked structure is also one that the kernel writes through another
 * structure.
 */
#ifndef ROMARK_VERDICT_GUARDS_H
#define ROMARK_VERDICT_GUARDS_H

#include "verdict/structure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard_scan;
struct guard_scanned;

/*
 * The functions with which guards inspect a launch; the device fills them in. runtime/device/guard_memo.c keeps the
 * answers while everything that was inspected stays the same. So it must note each function here.
 */
struct guard_context {
	void *device;
	/* The allocation that holds `address`, or false. */
	bool (*find)(void *device, uint64_t address, uint64_t *base, size_t *size);
	/* The address of a module variable, or false. */
	bool (*variable)(void *device, uint32_t symbol, uint64_t *address, size_t *size);
	/*
	 * The bytes of device memory that the kernel will find, valid until guard_check returns. NULL if they cannot be
	 * read, also as the function. May wait for the device. Called for each allocation that holds pointers.
	 */
	const void *(*view)(void *device, uint64_t address, size_t size);
	/* Between which some numbers in memory lie, see guard_scan.h; false: not known. NULL: by `find` and `view`. */
	bool (*scan)(void *device, const struct guard_scan *scan, struct guard_scanned *found);
};

/* A structure's memory at this launch. */
struct guard_target {
	uint64_t pointer; /* 0 = not known */
	uint64_t base,
	    size;     /* its allocation, or all from the first to the last that it may lead to; size 0 = not known */
	bool nowhere; /* a null pointer, and nothing at this launch can turn it into an address */
	uint64_t null_end; /* above all addresses that a null pointer and what is added to it can be */
	/*
	 * A structure that several pointers lead to ("*p2", "p2+*"): the bytes that contain these pointers. A pointer
	 * starts every `pointer_step` bytes.
	 */
	const unsigned char *pointers;
	size_t pointer_bytes, pointer_step;
	const struct structure *of;  /* "*p2": only its `words` are pointers */
	int64_t first;               /* bytes from where the holder's pointer leads to `pointers` */
	bool looked;                 /* "*p2": `pointers` has been filled in */
	int64_t bias_low, bias_high; /* what is added to the pointers before they are used, see struct structure */
	const struct guard_context *context;
};

/*
 * Finds every structure's memory: targets[i] belongs to facts->structures[i]. Leaves pointers in memory to guard_check.
 * `params` is the kernel's parameter buffer. Both it and `context` must stay until guard_check.
 */
void guard_resolve(const struct kernel_facts *facts, const struct guard_context *context, const void *params,
		   size_t param_bytes, struct guard_target *targets);

/*
 * The first guard that fails, as an index into facts->guards, or -1 if the marks hold. Reads memory only for guards
 * that need it, and only if all others hold. Calls `apart` (unless it is NULL) for each guard whose sides are in known
 * allocations, but not in different ones: it returns true if the guard holds for another reason.
 */
int guard_check(const struct kernel_facts *facts, struct guard_target *targets,
		bool (*apart)(void *data, const struct guard *guard), void *data);

#endif
