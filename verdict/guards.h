/*
 * Guards: at each launch, whether a kernel's read-only marks hold for the pointers it was given.
 *
 * The analysis takes distinct parameters as distinct memory. Here the pointers are known, so that is checked: a mark is
 * in force only if no allocation of a marked structure is also one that the kernel writes through another structure.
 */
#ifndef ROMARK_VERDICT_GUARDS_H
#define ROMARK_VERDICT_GUARDS_H

#include "verdict/structure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the guards look things up; the device fills it in. Answers are kept as long as all that was looked up stays the
 * same, so whatever can be asked here is noted in runtime/device/guard_memo.c.
 */
struct guard_context {
	void *device;
	/* The allocation that holds `address`, or false. */
	bool (*find)(void *device, uint64_t address, uint64_t *base, size_t *size);
	/* The address of a module variable, or false. */
	bool (*variable)(void *device, uint32_t symbol, uint64_t *address, size_t *size);
	/*
	 * Bytes of device memory as the kernel will find them, valid until guard_check returns; NULL (also as the
	 * function) = cannot be seen. May wait for the device; asked for each allocation that holds pointers.
	 */
	const void *(*view)(void *device, uint64_t address, size_t size);
};

/* What one structure is at this launch. */
struct guard_target {
	uint64_t pointer; /* 0 = not known */
	uint64_t base,
	    size;     /* its allocation, or all from the first to the last that it may lead to; size 0 = not known */
	bool nowhere; /* a null pointer, and nothing at this launch could make an address of it */
	/*
	 * A structure that several pointers lead to ("*p2", "p2+*"): the bytes that these pointers are in, one behind
	 * each `pointer_step` bytes.
	 */
	const unsigned char *pointers;
	size_t pointer_bytes, pointer_step;
	bool looked;                 /* "*p2": `pointers` was looked up */
	int64_t bias_low, bias_high; /* what is added to the pointers before they are used, see struct structure */
	const struct guard_context *context;
};

/*
 * Finds every structure's memory: targets[i] belongs to facts->structures[i]. What pointers in memory lead to is left
 * to guard_check. `params` is the kernel's parameter buffer. Both it and `context` must stay until guard_check.
 */
void guard_resolve(const struct kernel_facts *facts, const struct guard_context *context, const void *params,
		   size_t param_bytes, struct guard_target *targets);

/*
 * The first guard that fails, as an index into facts->guards, or -1: the marks hold. Memory is looked at only for
 * guards that need it, and only when all others hold.
 */
int guard_check(const struct kernel_facts *facts, struct guard_target *targets);

#endif
