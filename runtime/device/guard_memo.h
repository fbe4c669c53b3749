/*
 * Answers of guards, kept as long as nothing that they were made from has changed: the launch's arguments and shape,
 * the allocations, the regions, and the bytes of memory that the guards looked at.
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
 * Bytes are compared, not counted: the host writes managed memory without telling anybody, and so does a kernel.
 */
#ifndef ROMARK_RUNTIME_GUARD_MEMO_H
#define ROMARK_RUNTIME_GUARD_MEMO_H

#include "common/vec.h"
#include "runtime/device/device.h"
#include "verdict/guards.h"

struct guard_question {
	const struct launch_params *launch;
	const struct guard_context *memory;
	uint64_t epoch; /* another one whenever the device's allocations, variables or images have changed */
};

/* Bytes that were looked at. */
struct guard_seen {
	uint64_t address;
	size_t size;
	void *bytes; /* NULL: they could not be seen */
};

/* Where a variable was found. */
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
/* What to evaluate with: it looks where the question's own context does, and notes what it finds. Until close. */
const struct guard_context *guard_memo_open(struct guard_memo *m, const struct guard_question *q);
const struct guard_answer *guard_memo_close(struct guard_memo *m, bool holds, const char *why);
void guard_memo_release(struct guard_memo *m);

#endif
