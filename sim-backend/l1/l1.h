/*
 * One SM's L1 data cache: an organisation of tags (organisation.h) and MSHRs. Write-through without write allocation.
 *
 *   l1_part: the sectors of a load that the next look-up takes. The LSU looks the others up later. l1_load: L1_HIT
 *   (data after the hit latency), L1_MERGED (joined what is on its way), L1_MISS and L1_PARTIAL
 *            (nothing has changed: send a request for the sectors to fetch and call l1_open), L1_STALL_* (nothing has
 *            changed: try again).
 *   l1_open: takes an MSHR for the load that l1_load, called just before, has missed.
 *   l1_loaded: the last look-up of a load is final (not L1_STALL_*).
 *   l1_fill: the fetch of `mshr` has arrived; gives back who waited for it.
 * A "waiter" is the caller's number of a load in flight. It comes back from as many fills as its l1_load said `parts`.
 */
#ifndef ROMARK_SIM_L1_H
#define ROMARK_SIM_L1_H

#include "sim-backend/l1/bound.h"
#include "sim-backend/l1/mshr.h"
#include "sim-backend/l1/organisation.h"

enum { L1_MAX_MSHRS = 256, L1_MAX_MERGES = 64, L1_MAX_WAYS = 1024 };
enum l1_alloc { L1_ALLOC_MISS, L1_ALLOC_FILL, L1_ALLOC_STREAM };
enum l1_scope { L1_ALL_LOADS, L1_READ_ONLY_LOADS, L1_NO_LOADS };
enum l1_write_hit { L1_UPDATE, L1_INVALIDATE };
enum l1_index { L1_INDEX_LINEAR, L1_INDEX_XOR, L1_INDEX_FERMI };

struct l1_config {
#define KNOB KNOB_FIELD
#include "sim-backend/l1/l1_knobs.def"
	/* Facts of the machine, for the bits that policies store. They are not knobs: sim_config_check sets them. */
	uint32_t llc_lines, sms;
};

struct diag;

extern const struct knob l1_knobs[];

uint32_t l1_sets(const struct l1_config *config);
/* Bits that tell `values` values apart. */
static inline uint32_t l1_bits_for(uint32_t values)
{
	return values > 1 ? 32 - (uint32_t)__builtin_clz(values - 1) : 0;
}
/*
 * The L1's size for a kernel whose CTAs have so much shared memory on an SM: size_bytes, or with a carve-out what the
 * smallest step that holds them leaves. *step gets the step, UINT32_MAX if none holds them.
 */
uint32_t l1_bytes_beside(const struct l1_config *config, uint64_t shared_bytes, uint32_t *step);
/* Whether the values fit together. 0, or DIAG_ERROR. */
int l1_config_check(const struct l1_config *config, struct diag *d);

struct l1_fetch {
	uint8_t sectors; /* L1_MISS, L1_PARTIAL: to ask for */
	uint8_t parts;   /* these and L1_MERGED: fills that the load waits for */
};

struct l1 {
	const struct l1_organisation_ops *organisation;
	void *state; /* the organisation's */
	struct l1_mshrs mshrs;
	struct l1_bound *bound; /* or NULL */
	bool stores_drop;
};

/* `config` must have passed l1_config_check. */
struct l1 *l1_create(const struct l1_config *config, const struct l1_policy_ops *policy, const void *policy_knobs);
void l1_free(struct l1 *l1);
static inline uint8_t l1_part(const struct l1 *l1, uint8_t sectors);
/*
 * Whether loads read tags from shared memory first. The caller adds this time to a load's time, on a hit and on a miss.
 */
static inline bool l1_tags_are_shared(const struct l1 *l1);
/* An address may be of any byte of the line. Bit 0 of `sectors` is the lowest 32 B. */
static inline enum l1_outcome l1_load(struct l1 *l1, uint64_t address, uint8_t sectors, uint16_t waiter,
				      struct l1_fetch *fetch);
/* `hit`: all of its look-ups were L1_HIT. */
static inline void l1_loaded(struct l1 *l1, uint8_t sectors, bool hit);
/* `flags`: the request's, enum mem_flag. Returns the MSHR. */
uint32_t l1_open(struct l1 *l1, uint64_t address, uint8_t flags, uint16_t waiter);
/* True when some of the stored sectors were present. */
bool l1_store(struct l1 *l1, uint64_t address, uint8_t sectors);
/* Drops the sectors that are present (an atomic changes them in the LLC). */
void l1_invalidate(struct l1 *l1, uint64_t address, uint8_t sectors);
/*
 * Returns the number of waiters; `waiters` lists them in the order in which they came, until the next l1_fill. `flags`
 * are the reply's (enum mem_flag), `structure` is the data structure that was read. *kept says whether the L1 keeps the
 * data.
 */
uint32_t l1_fill(struct l1 *l1, uint32_t mshr, uint8_t flags, uint16_t structure, const uint16_t **waiters, bool *kept);
/* Requires that no MSHR is in use. */
void l1_flush(struct l1 *l1);
/* The same at the beginning of a kernel, whose CTAs leave so many bytes of the SM's shared memory. */
void l1_kernel_begin(struct l1 *l1, uint32_t spare_shared);
uint32_t l1_mshrs_in_use(const struct l1 *l1);
/*
 * At a kernel's end, with l1.bound: the fewest fetches that the loads since the latest flush need (see bound.h); else
 * 0. Call it once.
 */
uint64_t l1_bound_fetches(struct l1 *l1);
/* The same for how often lines were found, with l1.reuse. */
void l1_count_reuse(struct l1 *l1, uint64_t counts[L1_REUSES]);
/* The policy's counters, or NULL. */
const void *l1_policy_statistics(const struct l1 *l1);

/* The rest of l1_load, for a load that `lacks` sectors. */
enum l1_outcome l1_load_absent(struct l1 *l1, uint64_t line, uint8_t sectors, uint8_t lacks, uint16_t waiter,
			       struct l1_fetch *fetch);

static inline uint8_t l1_part(const struct l1 *l1, uint8_t sectors)
{
	return l1->organisation->part ? l1->organisation->part(l1->state, sectors) : sectors;
}

static inline bool l1_tags_are_shared(const struct l1 *l1)
{
	return l1->organisation->tags_are_shared && l1->organisation->tags_are_shared(l1->state);
}

static inline void l1_loaded(struct l1 *l1, uint8_t sectors, bool hit)
{
	if (l1->organisation->loaded)
		l1->organisation->loaded(l1->state, sectors, hit);
}

static inline enum l1_outcome l1_load(struct l1 *l1, uint64_t address, uint8_t sectors, uint16_t waiter,
				      struct l1_fetch *fetch)
{
	uint64_t line = address >> L1_LINE_SHIFT;
	uint8_t lacks = l1->organisation->look_up(l1->state, line, sectors);

	if (lacks)
		return l1_load_absent(l1, line, sectors, lacks, waiter, fetch);
	if (l1->bound)
		l1_bound_load(l1->bound, line);
	return L1_HIT;
}

#endif
