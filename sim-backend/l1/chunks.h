/*
 * The organisation of Elastic-Cache and DyCache: a line of 128 B is four slots of 32 B, which may hold words of
 * different lines of memory. These agree in the line's common tag, the upper part of the address; each slot has a chunk
 * tag, the rest. A miss fetches what the load wants, in whole chunks of 32, 64 or 128 B; which of them, the policy
 * says.
 */
#ifndef ROMARK_SIM_CHUNKS_H
#define ROMARK_SIM_CHUNKS_H

#include "sim-backend/l1/l1.h"

#define CHUNKS_TAG_BITS(type, field)                                                                                   \
	{"tag_bits",                                                                                                   \
	 KNOB_TYPE_UINT,                                                                                               \
	 offsetof(type, field),                                                                                        \
	 "bits",                                                                                                       \
	 2,                                                                                                            \
	 24,                                                                                                           \
	 16,                                                                                                           \
	 NULL,                                                                                                         \
	 "width of a slot's chunk tag; the common tag is the rest",                                                    \
	 "DyCache section III-A: 16 is best"}

#define CHUNKS_ACCESS(type, field)                                                                                     \
	{"access",                                                                                                     \
	 KNOB_TYPE_CHOICE,                                                                                             \
	 offsetof(type, field),                                                                                        \
	 "",                                                                                                           \
	 0,                                                                                                            \
	 0,                                                                                                            \
	 CHUNKS_BY_BLOCK,                                                                                              \
	 "block|chunk",                                                                                                \
	 "what a look-up, an MSHR and a request are for: all that a load wants of a line, or one chunk of it",         \
	 "DyCache section III-B: one look-up for 128 B; requests not stated"}

enum chunks_access { CHUNKS_BY_BLOCK, CHUNKS_BY_CHUNK };

/* What every policy of chunks has as its first knobs. */
struct chunks_knobs {
	uint32_t tag_bits;
	uint32_t access; /* enum chunks_access */
	bool retain;     /* whole chunks of the new size outlast a change to larger ones */
};

extern const struct l1_organisation_ops l1_chunks;

/* Chunk tags, valid bits, and the slots' order of use. */
uint64_t chunks_bits(const struct l1_config *config, uint32_t tag_bits);
/* Which values of section l1 do not fit: struct l1_policy_ops. */
int chunks_check(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs, struct diag *d);

#endif
