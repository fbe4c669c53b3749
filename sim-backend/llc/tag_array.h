/*
 * Tag array of a slice: set-associative, sectored validity, a replacement policy of its own. A line may be partly valid
 * (written in part before it was ever read) and pending (its fill is on the way).
 */
#ifndef ROMARK_SIM_LLC_TAG_ARRAY_H
#define ROMARK_SIM_LLC_TAG_ARRAY_H

#include "sim-backend/llc/llc_policy.h"
#include "sim-backend/llc/llc_replacement.h"

enum llc_line_flag {
	LLC_LINE_READ_ONLY = 1, /* brought in by a read-only request */
	LLC_LINE_REPLICA = 2,   /* in another slice than its home */
	LLC_LINE_FAR = 4,       /* of another chip's memory */
	LLC_LINE_CLAIMED = 8,   /* with hardware coherence: a claim for it is sent, or waits */
	LLC_LINE_STALE = 16,    /* the same: a note told to give it up while its fill was on the way */
};

enum { LLC_NO_LINE = UINT64_MAX, LLC_NOT_PENDING = UINT16_MAX };

struct llc_line {
	uint16_t mshr;        /* LLC_NOT_PENDING, or the entry that waits for it */
	uint16_t writer;      /* structure of the latest write that made it dirty */
	uint8_t valid, dirty; /* sectors */
	uint8_t flags;
	uint8_t written; /* with hardware coherence: sectors with bytes that a fill on its way must not replace */
};

/*
 * Victim bits, for L1 policies that want to know which lines their L1 has lost early: a line has a bit for each SM, or
 * for a group of SMs. The bit is set when such an SM gets the line, and is lost with the line.
 */
struct llc_victims {
	uint64_t *bits; /* [sets * ways][words]; NULL = there are none */
	uint32_t words, sms_per_bit;
};

struct llc_tags {
	const struct llc_geometry *geometry;
	uint64_t *addresses;    /* [sets * ways]; LLC_NO_LINE = invalid */
	struct llc_line *lines; /* [sets * ways], then for each MSHR a line that passes through and is not kept */
	const struct llc_replacement_ops *replacement;
	void *replacement_state;
	struct llc_victims victims;
};

/* `mshrs`: how many the slice has; `slice`: its number in the machine; `knobs`: of the replacement policy. */
void llc_tags_init(struct llc_tags *t, const struct llc_geometry *geometry, unsigned mshrs, unsigned slice,
		   const struct llc_replacement_ops *replacement, const void *knobs);
/* Lines have victim bits from here on. */
void llc_tags_remember(struct llc_tags *t, uint32_t sms, uint32_t sms_per_bit);
/* Sets the SM's victim bit of the line at `index`; returns its earlier value. Requires victim bits. */
bool llc_tags_served(struct llc_tags *t, int index, uint32_t sm);
void llc_tags_release(struct llc_tags *t);
/* Index of the line, or -1. */
int llc_tags_find(const struct llc_tags *t, uint64_t address);
/* Brings into the cache what llc_tags_find looks at. */
void llc_tags_prefetch(const struct llc_tags *t, uint64_t address);
/*
 * Index to put the request's line at, among the ways from `from` up to `to` of its set: an invalid one, else the
 * policy's choice of those that are not pending, else -1.
 */
int llc_tags_victim(const struct llc_tags *t, const struct mem_request *request, unsigned from, unsigned to);
/* Whether the line of a request that has missed is kept. */
bool llc_tags_keeps(const struct llc_tags *t, const struct mem_request *request);
/* A line that is not kept: where what MSHR `entry` fetches for the request is, until that is served. */
int llc_tags_pass(struct llc_tags *t, unsigned entry, const struct mem_request *request);
static inline bool llc_tags_is_kept(const struct llc_tags *t, int index)
{
	return (unsigned)index < t->geometry->sets * t->geometry->ways;
}
/* The line at `index` is used; `waited`: by a request that had waited for its fill. */
static inline void llc_tags_touch(struct llc_tags *t, int index, const struct mem_request *request, bool waited)
{
	t->replacement->hit(t->replacement_state, (uint32_t)index, request, waited);
}
/* Replaces the line at `index` by an empty line for the request's. */
struct llc_line *llc_tags_place(struct llc_tags *t, int index, const struct mem_request *request, uint8_t flags);
void llc_tags_invalidate(struct llc_tags *t, int index);

#endif
