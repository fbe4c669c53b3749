/*
 * L1 policy: decides which line of a set a fill replaces, or that the fill is dropped (bypassed). One file per policy
 * in this folder and one row in l1_policy_table (policies.c). A policy sees accesses in the order of the SM's cycles
 * and keeps its own state per L1; tags, MSHRs, and hit or miss are the L1's business.
 *
 *   create .. destroy         one state per L1
 *   hit(set, way)             a load found its line
 *   fill(set, &way)           a line has arrived: false = drop it; else `way` is where it goes. `free_way` is an
 *                             invalid way of the set, or L1_NO_WAY.
 *   drop(set, way)            the line was invalidated
 *   flush                     all lines were invalidated (kernel boundary)
 */
#ifndef ROMARK_SIM_L1_POLICY_H
#define ROMARK_SIM_L1_POLICY_H

#include "sim-backend/knob.h"

enum { L1_NO_WAY = UINT32_MAX };

struct l1_geometry {
	uint32_t sets, ways;
};

struct l1_policy_ops {
	const char *name, *summary, *source;
	const struct knob *knobs; /* KNOB_END-terminated, or NULL */
	size_t knobs_size;
	const struct stat_row *stats; /* STAT_COUNT rows over what `statistics` returns, or NULL */
	size_t stats_size;

	void *(*create)(const struct l1_geometry *geometry, const void *knobs);
	void (*destroy)(void *state);
	void (*hit)(void *state, uint32_t set, uint32_t way);
	bool (*fill)(void *state, uint32_t set, uint32_t free_way, uint32_t *way);
	void (*drop)(void *state, uint32_t set, uint32_t way);
	void (*flush)(void *state);
	const void *(*statistics)(const void *state); /* NULL when stats is */
};

/* NULL-terminated. */
extern const struct l1_policy_ops *const l1_policy_table[];

#endif
