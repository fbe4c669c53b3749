/*
 * The allocations that a structure may lie in if pointers in memory lead there: "*p2" from the words of p2's
 * allocation, "**p2" from the words there and so on, until no further allocation is found.
 *
 *   struct guard_reach r = GUARD_REACH_INIT;
 *   guard_reach_words(&r, &context, table, bytes, 8);
 *   guard_reach_follow(&r, &context);              // and where these lead
 *   if (!r.known || guard_reach_meets(&r, &other)) ... may be the same memory
 *   guard_reach_release(&r);
 *
 * A kernel loads a pointer as a whole, from a multiple of 8 bytes. So only such words count. They may carry tags
 * (verdict/pointer_tags.h).
 */
#ifndef ROMARK_VERDICT_GUARD_REACH_H
#define ROMARK_VERDICT_GUARD_REACH_H

#include "verdict/guards.h"
#include "verdict/pointer_tags.h"

#include "common/vec.h"

struct guard_span {
	uint64_t base;
	size_t size;
};

struct guard_reach {
	VEC(struct guard_span) spans; /* allocations, each once */
	bool null;                    /* a word is null */
	bool known;                   /* false: there may be others */
};

#define GUARD_REACH_INIT {.spans = VEC_INIT, .known = true}

/* Bytes of an allocation in front of its first word: variables may be aligned to less. */
static inline size_t guard_bytes_before_words(uint64_t base)
{
	return (size_t)(-base % sizeof(uint64_t));
}

void guard_reach_add(struct guard_reach *r, uint64_t base, size_t size);
/* Adds the allocations that words in `size` bytes of host memory lead to; a word starts every `step` bytes. */
void guard_reach_words(struct guard_reach *r, const struct guard_context *context, const void *bytes, size_t size,
		       size_t step);
/* Adds what the words in the allocations of `from` lead to. Not known if that is too much to look at. */
void guard_reach_step(struct guard_reach *r, const struct guard_context *context, const struct guard_reach *from);
/* Adds the allocations that words in its own allocations lead to, and repeats until nothing new is found. */
void guard_reach_follow(struct guard_reach *r, const struct guard_context *context);
bool guard_reach_meets(const struct guard_reach *a, const struct guard_reach *b);
void guard_reach_release(struct guard_reach *r);

#endif
