/*
 * The organisation of Elastic-Cache and DyCache: a line of 128 B is four slots of 32 B, which may hold words of
 * different lines of memory. These agree in the line's common tag, the upper part of the address; each slot has a chunk
 * tag, the rest. A miss fetches what the load wants, in whole chunks of 32, 64 or 128 B; the policy chooses the size.
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
	 "unit of a look-up, an MSHR and a request: all that a load reads of a line, or a single chunk",               \
	 "DyCache section III-B: one look-up for 128 B; requests not stated"}

#define CHUNKS_TAGS(type, field, source)                                                                               \
	{"tags",                                                                                                       \
	 KNOB_TYPE_CHOICE,                                                                                             \
	 offsetof(type, field),                                                                                        \
	 "",                                                                                                           \
	 0,                                                                                                            \
	 0,                                                                                                            \
	 CHUNKS_TAGS_SHARED,                                                                                           \
	 "shared|own",                                                                                                 \
	 "chunk tags in shared memory, which a load reads first (sm.shared_latency), or in an array of their own",     \
	 source}

#define CHUNKS_FALLBACK(type, field)                                                                                    \
	{"fallback",                                                                                                    \
	 KNOB_TYPE_BOOL,                                                                                                \
	 offsetof(type, field),                                                                                         \
	 "",                                                                                                            \
	 0,                                                                                                             \
	 1,                                                                                                             \
	 true,                                                                                                          \
	 NULL,                                                                                                          \
	 "tags=shared: whole lines in kernels that leave too little shared memory for them; else there is always room", \
	 "our reading of tags in unused shared memory"}

enum chunks_access { CHUNKS_BY_BLOCK, CHUNKS_BY_CHUNK };
enum chunks_tags { CHUNKS_TAGS_SHARED, CHUNKS_TAGS_OWN };

/* The first knobs of every policy of chunks. */
struct chunks_knobs {
	uint32_t tag_bits;
	uint32_t access; /* enum chunks_access */
	uint32_t tags;   /* enum chunks_tags */
	bool fallback;
	bool retain; /* whole chunks of the new size survive a change to larger chunks */
};

extern const struct l1_organisation_ops l1_chunks;

/*
 * With chunks of so many sectors or more: chunk tags, valid bits, the order of use of a set's chunks, and the order of
 * use of its lines.
 */
uint64_t chunks_bits(const struct l1_config *config, uint32_t tag_bits, uint32_t sectors);
/* Whether a kernel that leaves so many bytes of shared memory has room for the tags of chunks of so many sectors. */
bool chunks_have_room(const struct chunks_knobs *knobs, const struct l1_geometry *geometry, uint32_t sectors,
		      uint32_t spare_shared);
/* Which values of section l1 do not fit: struct l1_policy_ops. */
int chunks_check(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs, struct diag *d);

#endif
