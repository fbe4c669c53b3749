/*
 * Replication Degree Directory: predicts, from the read-only requests that one MC-router sees, the hit rate of every
 * power-of-two replication degree at once.
 *
 * It stands for `sets` sampled sets of an LLC slice, with a tag column for each degree: under degree d a slice holds
 * the lines of d homes, so column d follows the lines whose home is 0 modulo slices/d. A request hits in column d when
 * its tag is there and the bit of its group of clusters is set, for that group would have brought the line into its
 * slice. (SelRep section III-B; the column for each degree is our reading of its 520 bytes.)
 */
#ifndef ROMARK_SIM_RDD_H
#define ROMARK_SIM_RDD_H

#include "sim-backend/llc/policy.h"

enum { RDD_MAX_DEGREES = 7, RDD_COUNTER_BITS = 16 };

struct rdd_entry {
	uint64_t line, groups;
	uint32_t used; /* for LRU; 0 = empty */
};

struct rdd {
	struct llc_geometry geometry;
	unsigned sets, ways, degrees; /* degrees = columns: 1, 2, 4, ... */
	uint32_t clock;
	struct rdd_entry *entries; /* [degree][set][way] */
	/* 16-bit counters that stop at their end; cleared by rdd_new_epoch. */
	uint16_t requests[RDD_MAX_DEGREES][64]; /* requests each slice would get under a degree: R_i */
	uint16_t hits[RDD_MAX_DEGREES];
	uint16_t accesses[RDD_MAX_DEGREES];
};

void rdd_init(struct rdd *rdd, const struct llc_geometry *geometry, unsigned sets, unsigned ways);
void rdd_release(struct rdd *rdd);
void rdd_access(struct rdd *rdd, unsigned cluster, unsigned home, uint64_t line);
/* Clears the counters; the tags stay. */
void rdd_new_epoch(struct rdd *rdd);
/* Predicted hit rate under degree 1 << `column`, from that column's own access counter. */
double rdd_hit_rate(const struct rdd *rdd, unsigned column);
/*
 * The same with a single access counter, that of the last column: a column's share of its accesses is the share of the
 * column's homes among all requests. Both return -1 when nothing was sampled.
 */
double rdd_hit_rate_one_counter(const struct rdd *rdd, unsigned column);

unsigned rdd_directory_bits(const struct rdd *rdd);
unsigned rdd_counter_bits(const struct rdd *rdd, bool one_access_counter);

#endif
