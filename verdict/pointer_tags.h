/*
 * Tags: bits of a word that a launch ignores when it looks for the allocation that the word leads to. They are above
 * the bits of an address, or below the alignment of allocations. The analysers let a kernel change only these bits of
 * such a word.
 */
#ifndef ROMARK_VERDICT_POINTER_TAGS_H
#define ROMARK_VERDICT_POINTER_TAGS_H

#include <stdint.h>

enum { GUARD_TAG_BITS = 16, GUARD_ALIGN = 256 };

static const uint64_t guard_ignored_bits = ~(UINT64_MAX >> GUARD_TAG_BITS) | (GUARD_ALIGN - 1);

#endif
