/* What memsys.c, memsys_links.c and memsys_report.c share: the parts of the memory system. */
#ifndef ROMARK_SIM_MEMSYS_INTERNAL_H
#define ROMARK_SIM_MEMSYS_INTERNAL_H

#include "sim-backend/chips/chip.h"

/*
 * A boundary (kernel end, reorganisation): new requests are held back until all that are in flight are done, then the
 * slices work on their contents, then requests flow again.
 */
enum boundary { BOUNDARY_NONE, BOUNDARY_DRAIN, BOUNDARY_WORK };

/* Where an SM stands. */
struct sm_port {
	struct chip *chip;
	uint16_t source, sink; /* of the chip's requests; of its replies, and of those from other chips */
};

/*
 * Between SMs and memory system, where they are ticked by several threads. The sets are read by all and written while
 * one thread runs alone; the three that SMs look at are side by side, so that they cross to another core together.
 */
struct boxes {
	struct mem_request *sent, *received; /* [sms] */
	uint64_t *has_sent;                  /* [sms]: whole words, so that threads seldom share a cache line */
	uint64_t *has_received;              /* bit set over the SMs */
	uint64_t *blocked;                   /* bit set: the SM may not send */
	uint64_t *replies;                   /* what memsys_replies said when the cycle began */
	uint64_t *full;                      /* bit set: the SM's injection port may have no room */
};

struct memsys {
	struct chip_shared shared;
	/* Other threads read these, so they stay apart from what changes. */
	_Alignas(64) struct chip *chips;
	unsigned count;
	struct link *links; /* chip-major, then by gate */
	unsigned nlinks;
	struct sm_port *ports; /* [sms] */
	uint64_t *replies;     /* bit set over the SMs of several chips */
	unsigned nslices;      /* of all chips */
	struct values *values; /* NULL unless they are followed */
	struct boxes *boxes;   /* NULL unless they are used */

	_Alignas(64) enum boundary boundary;
	uint64_t boundary_from;
	uint64_t hold_from, hold_until; /* cycles in which the SMs may not send */

	uint64_t sent, finished, round_trip_cycles, round_trip_max;
	uint64_t reply_queue_cycles, reply_network_cycles;
	uint64_t flushes, flush_cycles;
	struct sharing *sharing; /* NULL unless it is watched */
	struct memsys_stats stats;
	struct llc_stats *slice_stats; /* copies that `stats` shows, of all chips */
	struct dram_stats *channel_stats;
	struct dram_bank_stats *bank_stats;
	void *policy_totals; /* of several chips' policies */
};

/* Everything is done but for replies that an SM has not taken. */
bool memsys_is_drained(const struct memsys *ms);
/* Whether a boundary holds back what the SMs send. */
static inline bool memsys_is_held(const struct memsys *ms, uint64_t cycle)
{
	return cycle >= ms->hold_from && cycle < ms->hold_until;
}

/* The SM's request enters the network, which has room. */
void memsys_inject(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request);
/* The SM's oldest reply leaves the network; false when there is none. */
bool memsys_eject(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply);
const uint64_t *memsys_arrivals(const struct memsys *ms);
/* What policies and boundaries do in a cycle, before all else in the memory system. */
void memsys_decide(struct memsys *ms, uint64_t cycle);
/* Moves packets from sinks and buffers onto links, and from links into chips. */
void memsys_tick_links(struct memsys *ms, uint64_t cycle, bool reverse);

#endif
