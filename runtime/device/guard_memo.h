/*
 * Keeps the answers of guards while all that they depend on is unchanged: the launch's arguments and shape, the
 * allocations, the regions, and the bytes of memory that the guards read.
 *
 *   struct guard_memo memo = {0};                   // a kernel's
 *   struct guard_question q = {.launch = &params, .memory = &context, .epoch = changes_of_allocations};
 *
 *   const struct guard_answer *a = guard_memo_find(&memo, &q);
 *   if (!a) {
 *           struct guard_context *looks = guard_memo_open(&memo, &q);   // notes what is looked at
 *           a = guard_memo_close(&memo, evaluate(looks, &why), why.data);
 *   }
 *   guard_memo_release(&memo);
 *
 * The memo compares these bytes at each launch, since the host and kernels write memory without any call that it could
 * count. Numbers that were only looked through for their least and largest are looked through again, where more than a
 * message depends on the answer.
 */
#ifndef ROMARK_RUNTIME_GUARD_MEMO_H
#define ROMARK_RUNTIME_GUARD_MEMO_H

#include "common/vec.h"
#include "runtime/device/device.h"
#include "verdict/guard_scan.h"
#include "verdict/guards.h"

struct guard_question {
	const struct launch_params *launch;
	const struct guard_context *memory;
	uint64_t epoch; /* a new number after each change of the device's allocations, variables or images */
	bool informs;   /* nothing but a message depends on the answer: numbers are not looked through again for it */
};

/* Bytes that a guard read. */
struct guard_seen {
	uint64_t address;
	size_t size;
	void *bytes; /* NULL: they could not be seen */
};

/* Numbers that a guard looked through: other numbers between the same ends give the same answer. */
struct guard_scan_seen {
	struct guard_scan scan;
	bool known;
	struct guard_scanned found;
};

/* The place of a variable when a guard looked for it. */
struct guard_found {
	uint32_t symbol;
	bool found;
	uint64_t address;
	size_t size;
};

struct guard_answer {
	bool kept, holds;
	char *why; /* NULL if it holds */
	struct launch_params launch;
	unsigned char *params;
	uint64_t epoch, region_changes;
	VEC(struct guard_seen) seen;
	VEC(struct guard_found) variables;
	VEC(struct guard_scan_seen) scans;
	size_t seen_bytes;
	uint32_t *places; /* index of `seen`, by a hash of address and size; 0: none, else one more */
	size_t nplaces;
};

enum { GUARD_ANSWERS = 8 };

struct guard_memo {
	struct guard_answer answers[GUARD_ANSWERS];
	unsigned next; /* to be replaced */
	/* While an answer is made. */
	const struct guard_question *asked;
	struct guard_context looks;
};

/* The answer to the same question, or NULL. */
const struct guard_answer *guard_memo_find(struct guard_memo *m, const struct guard_question *q);
/*
 * A context to evaluate with. It reads through the question's own context, and notes what it finds. Valid until close.
 */
const struct guard_context *guard_memo_open(struct guard_memo *m, const struct guard_question *q);
const struct guard_answer *guard_memo_close(struct guard_memo *m, bool holds, const char *why);
void guard_memo_release(struct guard_memo *m);

#endif
