/* The state of the memory system, which the files memsys*.c share. */
#ifndef ROMARK_SIM_MEMSYS_INTERNAL_H
#define ROMARK_SIM_MEMSYS_INTERNAL_H

#include "sim-backend/memory/chip.h"
#include "sim-backend/memory/memsys_stats.h"
#include "sim-backend/memory/working_set.h"

/*
 * A boundary (kernel end, reorganisation): new requests are held back until all that are in flight are done, then the
 * slices work on their contents, then requests flow again.
 */
enum boundary { BOUNDARY_NONE, BOUNDARY_DRAIN, BOUNDARY_WORK };

/* Where an SM is. */
struct sm_port {
	struct chip *chip;
	uint16_t source, sink; /* places in the chip's request network; in its reply network, and in the network of
				  other chips' replies */
};

/* Counters of the replies that the SMs have taken from the reply network. */
struct reply_counts {
	uint64_t finished, round_trip_cycles, round_trip_max;
	uint64_t finished_cycles; /* the sum of the cycles in which they were taken */
	uint64_t queue_cycles, network_cycles;
};

/*
 * Both ends of the reply network, when a thread of its own ticks it. In a cycle that thread puts in the replies that
 * the slices sent in the cycle before, and takes out the replies that the SMs receive in the next cycle. The other
 * threads read its results between cycles.
 */
struct reply_boxes {
	struct llc_reply_box in[2];     /* the slices write into one of them while the network takes from the other */
	unsigned writing;               /* the slices' one */
	uint64_t sent_at;               /* the networks' clock when the other box was written */
	_Alignas(64) uint64_t *replies; /* bit sets over the SMs, of the next cycle: as memsys_replies says */
	uint64_t *received;             /* SMs that will have received a reply */
	struct reply_counts counts;     /* of these */
	uint32_t freed;
	uint32_t *packets; /* [freed]: theirs */
	uint8_t *room;     /* [slices]: in the network's queues, in the cycle .. */
	uint64_t room_at;
	bool fresh; /* what SMs receive in the next cycle is still in the network */
};

/*
 * Boxes between SMs and memory system, when several threads tick the SMs. All threads read the sets; they are written
 * while one thread runs alone. The three sets that SMs read are side by side, so that they cross to another core
 * together.
 */
struct boxes {
	struct mem_request *sent;        /* [sms] */
	struct mem_request *received[2]; /* [sms]: of even and of odd cycles */
	uint64_t *has_sent;              /* [sms]: whole words, so that threads seldom share a cache line */
	uint64_t *has_received;          /* bit set over the SMs */
	uint64_t *blocked;               /* bit set: the SM may not send */
	uint64_t *replies;               /* what memsys_replies said when the cycle began */
	uint64_t *full;                  /* bit set: the SM's injection port may have no room */
};

struct memsys {
	struct chip_shared shared;
	/* Other threads read these, so they stay apart from what changes. */
	_Alignas(64) struct chip *chips;
	unsigned count;
	struct link *links; /* chip-major, then by gate */
	unsigned nlinks;
	struct sm_port *ports;     /* [sms] */
	uint64_t *replies;         /* bit set over the SMs of several chips */
	unsigned nslices;          /* of all chips */
	struct versions *versions; /* NULL unless they are followed */
	struct request_log *log;   /* NULL unless there is one */
	struct tlbs *tlbs;         /* NULL unless addresses are translated */
	struct boxes *boxes;       /* NULL unless they are used */
	struct reply_boxes *reply_boxes;

	_Alignas(64) enum boundary boundary;
	uint64_t boundary_from, drain_from;
	uint64_t hold_from, hold_until; /* cycles in which the SMs may not send */

	uint64_t sent, sent_cycles; /* the SMs' requests, and the sum of the cycles in which they were sent */
	struct reply_counts received;
	uint64_t flushes, flush_cycles, drain_cycles;
	struct sharing *sharing;                    /* NULL unless it is watched */
	struct working_set *working_set;            /* NULL unless chips.working_set is on */
	struct response_stats responses[CHIPS_MAX]; /* with several chips: to the SMs of each chip */
	struct memsys_stats stats;
	struct llc_stats *slice_stats; /* copies that `stats` shows, of all chips */
	struct dram_stats *channel_stats;
	struct dram_bank_stats *bank_stats;
	void *policy_totals; /* of several chips' policies */
};

/* Fills in how large the networks are. */
void memsys_measure(struct memsys *ms);
/* Everything is done but for replies that an SM has not taken. */
bool memsys_is_drained(const struct memsys *ms);
/* Whether a boundary holds back the SMs' requests. */
static inline bool memsys_is_held(const struct memsys *ms, uint64_t cycle)
{
	return cycle >= ms->hold_from && cycle < ms->hold_until;
}

/* Room for a request of the SM in its TLB or, without one, in the network. */
bool memsys_has_room(const struct memsys *ms, unsigned sm, uint64_t cycle);
/* The SM's request enters its TLB or the network, which has room. */
void memsys_enter(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request);
/* The SM's request enters the network, which has room. */
void memsys_inject(struct memsys *ms, unsigned sm, uint64_t cycle, const struct mem_request *request);
/* The SM's oldest reply leaves the network, and is counted. Returns its transaction, or NO_TRANSACTION. */
uint32_t memsys_eject(struct memsys *ms, unsigned sm, uint64_t cycle, struct mem_request *reply,
		      struct reply_counts *counts);
/* Whether the reply network's boxes hold something for it. */
bool memsys_replies_boxed(const struct memsys *ms);
/* Whether SMs will look for replies in the next cycle. */
bool memsys_replies_due(const struct memsys *ms);
const uint64_t *memsys_arrivals(const struct memsys *ms);
/* Logs the policy's values over time, after it has decided. (memsys_log.c) */
void memsys_log_decision(struct memsys *ms, uint64_t cycle);
/* Runs the policies and boundaries of a cycle, before all else in the memory system. */
void memsys_decide(struct memsys *ms, uint64_t cycle);
/*
 * Between two cycles: gives the SMs the replies that the network took out, and the network the replies that slices
 * sent.
 */
void reply_boxes_exchange(struct memsys *ms, uint64_t cycle);
void reply_boxes_free(struct reply_boxes *r);
void memsys_free_boxes(struct memsys *ms);
/* Moves packets from sinks and buffers onto links, and from links into chips. */
void memsys_tick_links(struct memsys *ms, uint64_t cycle, bool reverse);

#endif
