/*
 * The Chip Request Directory of the SAC paper, section 3.4: a few sampled sets of a chip's memory-side slices, whose
 * entries say which chips have asked for a line. A chip that asks again would have hit under the SM-side organisation.
 *
 *   struct crd crd;
 *   crd_init(&crd, &geometry, sets, ways, room);
 *   crd_note(&crd, slice, chip, &request, hit);   // a request that the chip's slices look up
 *
 * Each sampled set belongs to one slice, so the order in which slices look up cannot change it.
 */
#ifndef ROMARK_SIM_CRD_H
#define ROMARK_SIM_CRD_H

#include "sim-backend/llc/llc_policy.h"

/*
 * The unit that takes a way of a set: a line for all chips (LINES), or a copy of the line for each chip that requests
 * it (COPIES).
 */
enum crd_room { CRD_LINES, CRD_COPIES };

enum { CRD_TAG_BITS = 30 };

struct crd_entry {
	uint64_t line;
	uint64_t used;              /* for LRU within its set; 0 = empty */
	uint8_t sectors[CHIPS_MAX]; /* that the chip has asked for: all of the line's, unless the LLC is sectored */
};

/* The hardware's counters, of a sampled set or of all. */
struct crd_counts {
	uint64_t requests, hits;
	uint64_t far_requests, far_hits; /* of these, of other chips */
	uint64_t slice_hits;             /* of the requests, those that hit in the slice */
};

struct crd_set {
	unsigned number; /* slice * sets of a slice + set */
	struct crd_counts counts;
	uint64_t clock, searches, writes;
};

struct crd {
	const struct llc_geometry *geometry;
	unsigned sets, ways, stride; /* one set of each `stride` is sampled */
	enum crd_room room;
	struct crd_set *of_set;    /* [sets] */
	struct crd_entry *entries; /* [sets * ways] */
};

void crd_init(struct crd *c, const struct llc_geometry *geometry, unsigned sets, unsigned ways, enum crd_room room);
void crd_release(struct crd *c);
/* Forgets lines and counts. */
void crd_clear(struct crd *c);
/* Counts afresh, and keeps the lines. */
void crd_restart(struct crd *c);
/* `slice` counts over all slices of the chip; `hit`: of the request, in that slice. */
void crd_note(struct crd *c, unsigned slice, unsigned chip, const struct mem_request *request, bool hit);
struct crd_counts crd_counts(const struct crd *c);
struct llc_directory_use crd_use(const struct crd *c);
/* Bits of the entries, in hardware. */
uint64_t crd_bits(const struct crd *c);

#endif
