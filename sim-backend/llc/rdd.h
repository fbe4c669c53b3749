/*
 * Replication Degree Directory: for the read-only requests that one MC-router sees, counts which would hit, and which
 * slices they would go to, under every power-of-two replication degree at once.
 *
 * It models `sets` sampled sets of an LLC slice, with a tag column for each degree: under degree d a slice holds the
 * lines of d homes, so column d follows the lines whose home is 0 modulo slices/d. A request hits in column d when its
 * tag is there and the bit of its group of clusters is set, for that group would have brought the line into its slice.
 * (SelRep section III-B; the column for each degree is our reading of its 520 bytes.) With one_slice a column follows
 * the requests that slice 0 would get, and these alone: no vectors, and groups that have drifted apart do not seem to
 * compete for room.
 *
 * All requests share the tags. The counters are kept apart for up to RDD_MAX_SLOTS kinds of requests, for policies that
 * choose a degree for each kind.
 *
 *   rdd_init(&rdd, &geometry, &config);
 *   for each read-only request: rdd_access; with config.windows, each time a window is over: rdd_end_window
 *   .. rdd_hit_rate, rdd_parallelism of each column ..
 *   rdd_new_epoch(&rdd);
 */
#ifndef ROMARK_SIM_RDD_H
#define ROMARK_SIM_RDD_H

#include "sim-backend/llc/llc_policy.h"

enum { RDD_MAX_DEGREES = 7, RDD_MAX_SLOTS = 4, RDD_WINDOW_BITS = 12, RDD_SUM_BITS = 24 };

struct rdd_config {
	unsigned sets, ways, slots;
	unsigned tag_bits;     /* of a tag; 0 = all remaining bits of the address */
	unsigned counter_bits; /* of a counter, up to 32 */
	bool halve; /* when a counter is full, it and all counters that it is compared with are halved; else it stays
		       full */
	bool one_access_counter; /* only the last column's; else each column has its own */
	/*
	 * Counters of RDD_WINDOW_BITS count the R_i anew in every window. Sums of RDD_SUM_BITS add up the requests of
	 * the windows' busiest slices. Needs an access counter for each column.
	 */
	bool windows;
	/*
	 * A window counts as what its busiest slice got, or its busiest cluster asked for, or this many requests,
	 * whichever is most; 0 = the slice alone.
	 */
	uint32_t least_busy;
	bool one_slice;
};

struct rdd_entry {
	uint64_t tag, groups;
	uint32_t used; /* for LRU; 0 = empty */
};

/* Counters of one slot's requests; columns are degrees 1, 2, 4, ... */
struct rdd_counts {
	uint32_t requests[RDD_MAX_DEGREES][64]; /* that each slice would get: R_i */
	uint32_t hits[RDD_MAX_DEGREES], accesses[RDD_MAX_DEGREES];
	/* Sums over windows that are over: of the requests, and of the busiest slices' while other slots keep theirs.
	 */
	uint32_t window_requests, window_busiest[RDD_MAX_DEGREES];
};

struct rdd {
	struct llc_geometry geometry;
	struct rdd_config config;
	unsigned degrees; /* columns: 1, 2, 4, ... */
	uint32_t clock;
	struct llc_directory_use use;
	struct rdd_entry *entries;       /* [degree][set][way] */
	unsigned present[RDD_MAX_SLOTS]; /* columns in force, for windows with several slots; to be kept by the user */
	struct rdd_counts counts[RDD_MAX_SLOTS]; /* cleared by rdd_new_epoch */
};

void rdd_init(struct rdd *rdd, const struct llc_geometry *geometry, const struct rdd_config *config);
void rdd_release(struct rdd *rdd);
void rdd_access(struct rdd *rdd, unsigned slot, unsigned cluster, unsigned home, uint64_t line);
void rdd_end_window(struct rdd *rdd);
/* Clears the counters; the tags stay. */
void rdd_new_epoch(struct rdd *rdd);
/*
 * Predicted hit rate of a slot under degree 1 << `column`; -1 when nothing was sampled. With a single access counter a
 * column's share of the accesses is the share of the column's homes among all requests.
 */
double rdd_hit_rate(const struct rdd *rdd, unsigned slot, unsigned column);
/*
 * Equation 1 when slot k has degree 1 << columns[k]. With windows it is computed from the requests of each window's
 * busiest slice, summed over the windows; then at most one column may differ from `present`.
 */
double rdd_parallelism(const struct rdd *rdd, const unsigned *columns);
/* Requests of a slot in the epoch. */
uint64_t rdd_requests(const struct rdd *rdd, unsigned slot);

/* Bits of hardware that the directory needs. */
unsigned rdd_directory_bits(const struct rdd *rdd);
unsigned rdd_counter_bits(const struct rdd *rdd);

#endif
