/*
 * An LLC slice: takes requests from its MC-router, looks them up `latency` cycles later, answers hits, fetches misses.
 *
 *   request sink -> pipeline (latency) -> look-up --hit--> reply network
 *                                            \--miss--> MSHR, to_dram -> crossbar -> channel -> fills --> replies
 *
 * The pipeline holds what the data port can serve in `latency` cycles, so a blocked slice pushes back into the network.
 * The port serves port_bytes per cycle, to hits, writes, atomics and fills; the replies of a fill leave with it. A miss
 * takes its way and writes the old line back when it is looked up, so a fill never waits for anything but the port, and
 * replies wait only for the reply network: no cycle of waits. Writes are write-back and write-allocate, sector by
 * sector; a policy may ask for write-through. Atomics are done here.
 */
#ifndef ROMARK_SIM_LLC_SLICE_H
#define ROMARK_SIM_LLC_SLICE_H

#include "sim-backend/dram/channel.h"
#include "sim-backend/llc/tags.h"
#include "sim-backend/noc/network.h"

struct llc_mshr {
	int line;             /* index in the tags */
	uint32_t first, last; /* requests that wait, oldest first; `first` is the free list's link when unused */
	uint32_t count;
};

struct llc_looked_up {
	uint32_t packet;
	uint32_t beats;
};

/* What all slices share. */
struct llc_common {
	const struct memsys_config *config;
	struct llc_geometry geometry;
	const struct address_map *map;
	struct transaction_pool *pool;
	struct network *requests, *replies;
	const struct llc_policy_ops *policy;
	void *policy_state;
	bool write_through; /* the policy's answer in this cycle */
	uint8_t all_sectors, line_bursts;
	uint64_t *structure_accesses, *structure_hits, *structure_merges;
	uint64_t *busy;    /* set of slices that are not idle, over their numbers */
	uint64_t *wake_at; /* [slices]: the cycle in which a busy one has something to do */
};

struct llc_slice {
	struct llc_common *common;
	unsigned number, mc, slice; /* number = mc * slices + slice: sink of requests, source of replies */
	struct llc_tags tags;
	FIFO(struct llc_looked_up) pipeline;
	uint32_t beats_inside;
	struct llc_mshr *mshrs;
	uint32_t free_mshr;
	uint32_t replies_first, replies_last; /* transactions whose fill has come, waiting to be sent */
	uint64_t port_free;                   /* cycle from which the data port is free */
	bool reply_blocked;                   /* the oldest request is a hit that waits for room in the reply network */
	FIFO(struct dram_request) to_dram, fills;
	uint64_t *requesting, bit; /* the controller's set of slices with something in to_dram; this slice's bit */
	uint64_t reads_out;        /* fills on the way */
	bool has_copies;           /* lines away from their home have come in since the last flush */
	enum llc_work work;
	int work_at; /* next line to work on */
	struct llc_stats stats;
};

void llc_slice_init(struct llc_slice *s, struct llc_common *common, unsigned mc, unsigned slice, uint64_t *requesting);
void llc_slice_release(struct llc_slice *s);
void llc_slice_tick(struct llc_slice *s, uint64_t now);
/* Nothing to do until a request or a fill arrives. */
bool llc_slice_is_idle(const struct llc_slice *s);
/* Next cycle after `now` in which it can do something, not counting requests in its sink. */
uint64_t llc_slice_next(const struct llc_slice *s, uint64_t now);
/* Starts work on the contents; done when llc_slice_is_idle. Requires that nothing is in flight. */
void llc_slice_start_work(struct llc_slice *s, enum llc_work work);

static inline uint32_t pieces(uint32_t bytes, uint32_t width)
{
	uint32_t n = (bytes + width - 1) / width;

	return n ? n : 1;
}

#endif
