/*
 * L1 organisation: what a tag covers, and which bytes of a line are present. An organisation is one file in this folder
 * and one row in organisations.def. An organisation holds tags only; what is on its way, and who waits for it, is the
 * business of l1.c. Where it leaves the choice of a way to a policy, it owns the policy's state.
 *
 *   create .. destroy            one state per L1
 *   part(sectors)                the sectors of a load that one look-up takes, and not later ones; NULL: all
 * look_up(line, sectors)       what a load has to fetch. 0 is a hit, which is final: the organisation notes the use.
 * Anything else changes nothing, since the load may be tried again. miss(line, fetch)            what kind of miss it
 * is, when `fetch` is not on its way already. Changes nothing. missed(line, fetch)          the load is final, and
 * `fetch` is asked for. Returns a place, which comes back with the fill; an organisation that allocates on a miss takes
 * its way here. merged(line, sectors)        the load is final, and all that it lacks is on its way already; or NULL
 *   loaded(sectors, hit)         all look-ups of a load are final, and none of them missed, or some did; or NULL
 *   fill(arrival)                what was asked for has arrived; false: it is not kept
 *   store(line, sectors)         a store goes through; true: some of it was present
 *   drop(line, sectors)          these sectors are no longer valid
 *   flush()                      nothing is valid any more. Requires that nothing is on its way.
 *   reuse(counts)                a kernel is over: adds the lines that have left since the last time, or would leave
 *                                now, by the loads that found them; or NULL
 *   kernel(spare)                a kernel begins, whose CTAs leave so many bytes of the SM's shared memory; or NULL
 *   tags_are_shared()            a load reads tags from shared memory first; or NULL
 *   policy_statistics            the policy's counters, or NULL
 *
 * A look-up answers with sectors of the line asked for. This answer is where organisations differ: a plain cache
 * fetches all sectors of a missing line, a sectored cache the missing sectors, and a cache of 32, 64 or 128 B chunks
 * the sectors of the missing chunks. An organisation that drops the rest of a partial hit and fetches the request anew
 * does so in `missed`. It counts the traffic (granularities, misses) in `loaded`.
 */
#ifndef ROMARK_SIM_L1_ORGANISATION_H
#define ROMARK_SIM_L1_ORGANISATION_H

#include "sim-backend/l1/l1_policy.h"

struct l1_config;

enum { L1_LINE_SHIFT = 7, L1_ALL_SECTORS = 0xf, L1_NO_PLACE = UINT32_MAX };

/* Lines that no load found, one, two or three, and more; see l1.reuse. */
enum { L1_REUSES = 4 };

enum l1_outcome {
	L1_HIT,
	L1_MERGED,      /* all that is missing is on its way already */
	L1_PARTIAL,     /* the line has its way, but some wanted sectors are missing */
	L1_MISS,        /* the line is not there */
	L1_STALL_MSHR,  /* no MSHR is free */
	L1_STALL_MERGE, /* the MSHR has no room for one more load */
	L1_STALL_WAY    /* all ways of the set wait for their fills */
};

struct l1_arrival {
	uint64_t line; /* its number */
	uint32_t place;
	uint8_t sectors;
	uint8_t flags;      /* of the reply: enum mem_flag */
	uint16_t structure; /* that the load read */
};

struct l1_organisation_ops {
	const char *name;
	void *(*create)(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs);
	void (*destroy)(void *state);
	uint8_t (*part)(const void *state, uint8_t sectors);
	uint8_t (*look_up)(void *state, uint64_t line, uint8_t sectors);
	/* L1_MISS, L1_PARTIAL or L1_STALL_WAY */
	enum l1_outcome (*miss)(const void *state, uint64_t line, uint8_t fetch);
	uint32_t (*missed)(void *state, uint64_t line, uint8_t fetch, uint8_t flags);
	void (*merged)(void *state, uint64_t line, uint8_t sectors);
	void (*loaded)(void *state, uint8_t sectors, bool hit);
	bool (*fill)(void *state, const struct l1_arrival *arrival);
	bool (*store)(void *state, uint64_t line, uint8_t sectors);
	void (*drop)(void *state, uint64_t line, uint8_t sectors);
	void (*flush)(void *state);
	void (*kernel)(void *state, uint32_t spare_shared);
	void (*reuse)(void *state, uint64_t counts[L1_REUSES]);
	bool (*tags_are_shared)(const void *state);
	const void *(*policy_statistics)(const void *state);
};

/* By the value of l1.organisation; NULL-terminated. */
extern const struct l1_organisation_ops *const l1_organisation_table[];

#endif
