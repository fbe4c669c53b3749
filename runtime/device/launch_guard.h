/*
 * Each device asks this at a launch: may the kernel run with its read-only marks, given these arguments and the memory
 * as it is now?
 *
 *   struct launch_guard g = {.kernel = "saxpy", .facts = facts, .launch = &params, .memory = &context};
 *   struct strbuf why = STRBUF_INIT;
 *
 *   if (!launch_guard_holds(&g, &why))
 *           puts(why.data); // "kernel 'saxpy' runs without its read-only marks: 'p0' is read and 'p1' is written, .."
 *   strbuf_release(&why);
 *
 * The device gives the functions that read its memory. This file and verdict/guards.h compare, and word the failures.
 */
#ifndef ROMARK_RUNTIME_LAUNCH_GUARD_H
#define ROMARK_RUNTIME_LAUNCH_GUARD_H

#include "common/strbuf.h"
#include "runtime/device/device.h"
#include "runtime/device/guard_memo.h"
#include "verdict/guards.h"

/* A look at byte ranges where allocations do not show that a guard holds, as for parts of one arena. */
struct launch_ranges_ask {
	/* Does it hold? Variables are looked up in `memory`. */
	bool (*apart)(void *data, const struct guard_context *memory, const struct guard *guard);
	void *data;
};

struct launch_guard {
	const char *kernel;
	const struct kernel_facts *facts;                    /* with the guards of the marked version */
	const struct launch_params *launch;                  /* grid, CTAs and arguments */
	const struct guard_context *memory;                  /* its `device` is given to the functions below, too */
	const char *(*name)(void *device, uint64_t address); /* of an allocation, or NULL; may be NULL itself */
	/*
	 * NULL, but for a kernel that may wait for others while it runs. The host may tell such a kernel that data is
	 * ready, so what it reads with marks must be memory that only the device can write.
	 */
	bool (*only_device_writes)(void *device, uint64_t base, size_t size);
	const struct launch_ranges_ask *ranges; /* NULL: not looked at */
	struct guard_memo *memo; /* of the kernel and these facts: answers are kept there; NULL: none is */
	uint64_t epoch;          /* a new number after each change of the device's allocations, variables or images */
	bool informs;            /* nothing but the message depends on the answer, see guard_memo.h */
	struct guard_target *targets; /* [facts->nstructures]: what was found, for the caller; NULL: not wanted */
};

/* True if the marks hold; else `why` gets the sentence with the reason. */
bool launch_guard_holds(const struct launch_guard *g, struct strbuf *why);

/* The same, with the sentence on stderr unless `quiet` or *told: once per kernel. */
bool launch_guard_ask(const struct launch_guard *g, bool quiet, bool *told);

#endif
