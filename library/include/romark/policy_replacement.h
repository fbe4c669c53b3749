/*
 * A replacement policy of the LLC decides which line of a set leaves when another comes, and which lines are not kept
 * at all (bypass). Each slice has a state of its own. It goes with every LLC policy.
 *
 * The smallest one: always the lowest way.
 *
 *   #include <romark/policy_replacement.h>
 *
 *   static void *create(const struct romark_replacement_geometry *geometry, const void *knobs) { return NULL; }
 *   static uint32_t victim(const void *state, uint32_t set, uint64_t ways, const struct romark_access *access)
 *   {
 *           return romark_lowest_way(ways);
 *   }
 *   ROMARK_REPLACEMENT_POLICY = {ROMARK_REPLACEMENT_HEAD, .name = "lowest", .summary = "the lowest way leaves",
 *                                .create = create, .victim = victim};
 */
#ifndef ROMARK_POLICY_REPLACEMENT_H
#define ROMARK_POLICY_REPLACEMENT_H

#include <romark/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

struct romark_replacement_geometry {
	uint32_t sets, ways;    /* of a slice; there are 64 ways at most */
	uint32_t slice, slices; /* number of this slice in the GPU; how many there are */
	uint32_t line_bytes;
	const struct romark_run *run; /* names of structures */
};

/* The sm of an access by a slice of another chip. */
#define ROMARK_NO_SM UINT16_MAX

struct romark_access {
	uint64_t line;      /* address of the line's first byte */
	uint32_t structure; /* number of the data structure in the run, below ROMARK_STRUCTURES; 0: not known */
	uint16_t sm;
	uint8_t kind, flags; /* enum romark_kind, enum romark_request_flag */
	uint8_t sectors;     /* of 32 bytes; bit 0 is the lowest */
	/*
	 * In `hit`: a write or an atomic that had waited for the line's data, and is done now. The one that brought the
	 * line in and those that joined it look the same; `fill` has had the first.
	 */
	bool waited;
};

struct romark_replacement_policy {
	uint32_t version, size;          /* ROMARK_REPLACEMENT_HEAD */
	const char *name;                /* in results, and of the knobs' section: small letters, digits and _ */
	const char *summary;             /* one sentence */
	const char *source;              /* a paper, or NULL */
	const struct romark_knob *knobs; /* or NULL */
	size_t knobs_size;
	const struct romark_stat *stats; /* or NULL */
	size_t stats_size;

	/* The state of a slice; NULL is a state too. `knobs` outlives it, `geometry` only the call. */
	void *(*create)(const struct romark_replacement_geometry *geometry, const void *knobs);
	/*
	 * Which way leaves for a new line. `ways` has a bit for each way of the set that may leave, at least one; the
	 * answer is one of them. The answer may be asked for again in a later cycle, while a write-back has no room, so
	 * this changes nothing. It is not asked while the set has a way without a line.
	 */
	uint32_t (*victim)(const void *state, uint32_t set, uint64_t ways, const struct romark_access *access);

	/* The rest may be NULL. */
	void (*destroy)(void *state);
	/*
	 * The access has found its line. Reads that join a fetch on its way are not told. The access that brings a line
	 * in does not hit it besides, but for one that `waited`.
	 */
	void (*hit)(void *state, uint32_t set, uint32_t way, const struct romark_access *access);
	/*
	 * The access's line has taken this way, whichever line was there. That is when it misses: a line that is
	 * fetched from memory has its data later, and may not leave until then.
	 */
	void (*fill)(void *state, uint32_t set, uint32_t way, const struct romark_access *access);
	void (*drop)(void *state, uint32_t set, uint32_t way); /* the line was invalidated */
	const void *(*statistics)(const void *state);          /* together with stats */
	/*
	 * Bypass. A read has missed: false = its line passes through the slice, takes no way, and nothing leaves for
	 * it. It may be asked for again in a later cycle, so this changes nothing. Reads that miss on the same line
	 * meanwhile ask memory by themselves. Lines of writes and atomics are always kept.
	 */
	bool (*keeps)(const void *state, uint32_t set, const struct romark_access *access);
	void (*passed)(void *state, uint32_t set, const struct romark_access *access); /* such a read is on its way */
};

/* Opens the definition of the policy: ROMARK_REPLACEMENT_POLICY = {ROMARK_REPLACEMENT_HEAD, ...}; */
#define ROMARK_REPLACEMENT_POLICY                                                                                      \
	ROMARK_POLICY_EXPORT extern const struct romark_replacement_policy romark_replacement_policy;                  \
	const struct romark_replacement_policy romark_replacement_policy
#define ROMARK_REPLACEMENT_HEAD .version = ROMARK_POLICY_VERSION, .size = sizeof(struct romark_replacement_policy)

/* The lowest of a set of ways. */
static inline uint32_t romark_lowest_way(uint64_t ways)
{
	return (uint32_t)__builtin_ctzll(ways);
}

/* Goes through a set of ways: for (uint64_t left = ways; left; left = romark_next_ways(left)) romark_lowest_way(left)
 */
static inline uint64_t romark_next_ways(uint64_t ways)
{
	return ways & (ways - 1);
}

#ifdef __cplusplus
}
#endif

#endif
