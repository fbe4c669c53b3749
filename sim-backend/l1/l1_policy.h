/*
 * L1 policy: decides which line of a set a new line replaces, or that the new line is not kept (bypassed). A policy is
 * one file in this folder, which a family of policies may share, and one row in l1_policies.def. A policy sees accesses
 * in the order of the SM's cycles and keeps its own state per L1; tags, MSHRs, and hit or miss are the L1's business.
 *
 *   create .. destroy         one state per L1
 *   hit(set, way)             a load found its line, or a fill brought a further part of a line that was there. With
 *                             allocation on a miss: a load found the way that its line will come to.
 *   fill(incoming, &way)      a line comes into a set: false = do not keep it; else `way` is where it goes. It is
 *                             called when the line gets its way: when it has arrived, with the reply's flags, or, with
 *                             allocation on a miss, at the miss, with the request's.
 *   reply(set, way, flags)    a reply has come for a line that had its way before: false = do not keep what it brings.
 *                             NULL: keep it.
 *   drop(set, way)            the line was invalidated
 *   flush()                   all lines were invalidated (kernel boundary)
 *
 * A policy may bring an organisation that leaves it no ways, but asks for the size of its chunks:
 *
 *   chunk(load, hit)          a load is final: how many sectors a chunk has from now on (1, 2, 4)
 *   kernel(spare)             a kernel begins, whose CTAs leave so many bytes of the SM's shared memory; or NULL
 *
 * The L1 does not keep a reply with MEM_BYPASS, and does not call the policy for it. Only with allocation on a miss
 * does a policy see loads that wait for a fetch on its way.
 */
#ifndef ROMARK_SIM_L1_POLICY_H
#define ROMARK_SIM_L1_POLICY_H

#include "sim-backend/knobs/knob.h"
#include "sim-backend/knobs/stat.h"

struct l1_config; /* sim-backend/l1/l1.h */
struct diag;

enum { L1_NO_WAY = UINT32_MAX };

struct l1_geometry {
	uint32_t sets, ways;
};

struct l1_incoming {
	uint64_t line; /* its number */
	uint32_t set;
	uint32_t free_way;     /* an invalid way of the set, or L1_NO_WAY: then some way is not locked, unless the
				* policy `bypasses` */
	const uint8_t *locked; /* per way of the set: not 0 = waits for a fill and must stay; NULL = none */
	uint8_t flags;         /* enum mem_flag */
	uint16_t structure;    /* number of the data structure; hardware knows it with MEM_READ_ONLY only */
};

static inline bool l1_is_locked(const struct l1_incoming *incoming, uint32_t way)
{
	return incoming->locked && incoming->locked[way];
}

struct l1_organisation_ops; /* sim-backend/l1/organisation.h */

struct l1_policy_ops {
	const char *name, *summary, *source;
	const struct knob *knobs; /* KNOB_END-terminated, or NULL */
	size_t knobs_size;
	const struct stat_row *stats; /* STAT_COUNT rows over what `statistics` returns, or NULL */
	size_t stats_size;
	/*
	 * The organisation that the policy needs. NULL: the organisation that l1.organisation names; the policy chooses
	 * its ways.
	 */
	const struct l1_organisation_ops *organisation;
	uint32_t least_chunk; /* with chunks: sectors of the smallest chunk that it asks for */
	/* Whether it works with these values: 0, or DIAG_ERROR with the reason. NULL: with all. */
	int (*check)(const struct l1_policy_ops *policy, const struct l1_config *config, const void *knobs,
		     struct diag *d);
	/* SMs that share a victim bit of the LLC's lines (llc/tag_array.h); replies carry it. NULL: no such bits. */
	uint32_t (*victim_sms)(const void *knobs);
	/*
	 * Bits that the policy needs in one L1 beside tags, valid bits and data, with this L1's share of its bits in
	 * the LLC.
	 */
	uint64_t (*storage_bits)(const struct l1_config *config, const void *knobs);

	void *(*create)(const struct l1_geometry *geometry, const void *knobs);
	void (*destroy)(void *state);
	/* `sectors` of the load: 1, 2 or 4. With an organisation of chunks it takes the place of the four below. */
	uint32_t (*chunk)(void *state, uint32_t sectors, bool hit);
	void (*hit)(void *state, uint32_t set, uint32_t way);
	bool (*fill)(void *state, const struct l1_incoming *incoming, uint32_t *way);
	/*
	 * `fill` is called even when all ways are locked, and answers that the line is not kept. Without this flag a
	 * load waits until a way is unlocked.
	 */
	bool bypasses;
	bool (*reply)(void *state, uint32_t set, uint32_t way, uint8_t flags);
	void (*drop)(void *state, uint32_t set, uint32_t way);
	void (*flush)(void *state);
	void (*kernel)(void *state, uint32_t spare_shared);
	const void *(*statistics)(const void *state); /* NULL when stats is */
};

/* Ends with NULL. The default is first. */
extern const struct l1_policy_ops *const l1_policy_table[];
/* NULL: no policy has this name. */
const struct l1_policy_ops *l1_policy_find(const char *name);

#endif
