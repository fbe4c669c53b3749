/*
 * One SM's L1 data cache: tags and MSHRs. Write-through without write allocation, allocation on fill, whole-line fills.
 *
 *   l1_load: L1_HIT (data after the hit latency), L1_MERGED (joined a pending miss), L1_MISS (nothing has changed: send
 *            a request for the line and call l1_open), L1_STALL_MSHR / L1_STALL_MERGE (nothing has changed: try again).
 *   l1_open: takes an MSHR for a line that l1_load missed.
 *   l1_fill: the line of `mshr` has arrived; gives back who waited for it.
 * A "waiter" is the caller's number of a load in flight.
 */
#ifndef ROMARK_SIM_L1_H
#define ROMARK_SIM_L1_H

#include "sim-backend/l1/policy.h"

enum { L1_MAX_MSHRS = 256, L1_MAX_MERGES = 64 };
enum l1_scope { L1_ALL_LOADS, L1_READ_ONLY_LOADS, L1_NO_LOADS };
enum l1_write_hit { L1_UPDATE, L1_INVALIDATE };

struct l1_config {
	uint32_t size_bytes, ways;
	uint32_t mshrs, merges;
	uint32_t hit_latency, fill_latency;
	uint32_t caches;    /* enum l1_scope */
	uint32_t write_hit; /* enum l1_write_hit */
	uint32_t index;     /* 0 linear, 1 xor */
};

extern const struct knob l1_knobs[];

enum l1_outcome { L1_HIT, L1_MERGED, L1_MISS, L1_STALL_MSHR, L1_STALL_MERGE };

struct l1;

struct l1 *l1_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs);
void l1_free(struct l1 *l1);
enum l1_outcome l1_load(struct l1 *l1, uint64_t line, uint16_t waiter);
uint32_t l1_open(struct l1 *l1, uint64_t line, uint16_t waiter);
/* True when the line was present. */
bool l1_store(struct l1 *l1, uint64_t line);
/* Drops the line if present (an atomic changes it in the LLC). */
void l1_invalidate(struct l1 *l1, uint64_t line);
/*
 * Returns the number of waiters; `waiters` lists them in the order in which they came, until the next l1_load. `kept`
 * says whether the policy took the line.
 */
uint32_t l1_fill(struct l1 *l1, uint32_t mshr, const uint16_t **waiters, bool *kept);
void l1_flush(struct l1 *l1);
uint32_t l1_mshrs_in_use(const struct l1 *l1);
/* The policy's counters, or NULL. */
const void *l1_policy_statistics(const struct l1 *l1);

#endif
