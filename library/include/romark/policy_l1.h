/*
 * An L1 policy decides which line of a set a new line replaces, or that the new line is not kept (bypassed). Each L1
 * has a state of its own, which sees the accesses of its SM in their order. Tags, and hit or miss, are the L1's
 * business.
 *
 * The smallest one: the ways of a set take turns.
 *
 *   #include <romark/policy_l1.h>
 *   #include <stdlib.h>
 *
 *   struct turns { uint32_t ways, next[]; };
 *
 *   static void *create(const struct romark_l1_geometry *geometry, const void *knobs)
 *   {
 *           struct turns *t = calloc(1, sizeof *t + geometry->sets * sizeof *t->next);
 *
 *           t->ways = geometry->ways;
 *           return t;
 *   }
 *   static bool fill(void *state, const struct romark_l1_incoming *incoming, uint32_t *way)
 *   {
 *           struct turns *t = state;
 *
 *           do
 *                   *way = t->next[incoming->set]++ % t->ways;
 *           while (romark_l1_is_locked(incoming, *way));
 *           return true;
 *   }
 *   ROMARK_L1_POLICY = {ROMARK_L1_HEAD, .name = "turns", .summary = "ways take turns", .create = create,
 *                       .destroy = free, .fill = fill};
 */
#ifndef ROMARK_POLICY_L1_H
#define ROMARK_POLICY_L1_H

#include <romark/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROMARK_L1_NO_WAY UINT32_MAX

struct romark_l1_geometry {
	uint32_t sets, ways;
	uint32_t line_bytes;
	const struct romark_run *run; /* names of structures */
};

struct romark_l1_incoming {
	uint64_t line; /* its number: the address divided by the bytes of a line */
	uint32_t set;
	uint32_t free_way; /* a way without a line, or ROMARK_L1_NO_WAY */
	/*
	 * By way: not 0 = it waits for its fill and must not be chosen; NULL = no way does. All ways are locked only of
	 * a policy that `bypasses`.
	 */
	const uint8_t *locked;
	uint32_t structure; /* number of the data structure in the run, below ROMARK_STRUCTURES; 0: not known. With
			     * l1.alloc=miss it is never known */
	uint8_t flags;      /* enum romark_request_flag */
};

static inline bool romark_l1_is_locked(const struct romark_l1_incoming *incoming, uint32_t way)
{
	return incoming->locked && incoming->locked[way];
}

struct romark_l1_policy {
	uint32_t version, size;          /* ROMARK_L1_HEAD */
	const char *name;                /* in results, and of the knobs' section: small letters, digits and _ */
	const char *summary;             /* one sentence */
	const char *source;              /* a paper, or NULL */
	const struct romark_knob *knobs; /* or NULL */
	size_t knobs_size;
	const struct romark_stat *stats; /* or NULL */
	size_t stats_size;
	/*
	 * `fill` is called even when all ways are locked, and answers that the line is not kept. Without this a load
	 * waits until a way is unlocked.
	 */
	bool bypasses;

	/* The state of an L1; NULL is a state too. `knobs` outlives it, `geometry` only the call. */
	void *(*create)(const struct romark_l1_geometry *geometry, const void *knobs);
	/*
	 * A line comes into a set: false = do not keep it; else `way` is where it goes, whichever line was there.
	 * Called when the line gets its way: when it has arrived, or with l1.alloc=miss when it is missed.
	 */
	bool (*fill)(void *state, const struct romark_l1_incoming *incoming, uint32_t *way);

	/* The rest may be NULL. */
	void (*destroy)(void *state);
	/*
	 * A load has found its line, or a further part of it has come. With l1.alloc=miss also a load that finds the
	 * way that its line will come to.
	 */
	void (*hit)(void *state, uint32_t set, uint32_t way);
	/* With l1.alloc=miss, the reply to a line that has its way: false = do not keep what it brings. */
	bool (*reply)(void *state, uint32_t set, uint32_t way, uint8_t flags);
	void (*drop)(void *state, uint32_t set, uint32_t way); /* the line was invalidated */
	void (*flush)(void *state);                            /* all lines were, before a kernel */
	const void *(*statistics)(const void *state);          /* together with stats */
	/* Bits of storage in one L1 beside tags and data, for the results' l1_policy_bits; NULL: 0. */
	uint64_t (*storage_bits)(const struct romark_l1_geometry *geometry, const void *knobs);
};

/* Opens the definition of the policy: ROMARK_L1_POLICY = {ROMARK_L1_HEAD, ...}; */
#define ROMARK_L1_POLICY                                                                                               \
	ROMARK_POLICY_EXPORT extern const struct romark_l1_policy romark_l1_policy;                                    \
	const struct romark_l1_policy romark_l1_policy
#define ROMARK_L1_HEAD .version = ROMARK_POLICY_VERSION, .size = sizeof(struct romark_l1_policy)

#ifdef __cplusplus
}
#endif

#endif
