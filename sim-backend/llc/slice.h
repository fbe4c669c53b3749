/*
 * An LLC slice: takes requests in turn from its MC-router and, for other chips' requests, from the links' network;
 * looks them up `latency` cycles later, answers hits, fetches misses.
 *
 *   request sink -> pipeline (latency) -> look-up --hit--> reply network
 *                                            \--miss--> MSHR, to_dram -> memory controller -> fills --> replies
 *
 * The pipeline holds what the data port can serve in `latency` cycles, so a blocked slice pushes back into the network.
 * The port serves port_bytes per cycle, to hits, writes, atomics and fills; the replies of a fill leave with it. A miss
 * takes its way and writes the old line back when it is looked up, so a fill never waits for anything but the port, and
 * replies wait only for the reply network: no cycle of waits. Writes are write-back and write-allocate, sector by
 * sector; a policy may ask for write-through. Atomics are done here.
 */
#ifndef ROMARK_SIM_LLC_SLICE_H
#define ROMARK_SIM_LLC_SLICE_H

#include "sim-backend/base/domain.h"
#include "sim-backend/dram/note_queue.h"
#include "sim-backend/dram/request.h"
#include "sim-backend/llc/tag_array.h"
#include "sim-backend/map/page_table.h"
#include "sim-backend/llc/llc_config.h"
#include "sim-backend/llc/llc_stats.h"
#include "sim-backend/memory/charges.h"
#include "sim-backend/noc/network.h"

struct llc_mshr {
	int line;             /* index in the tags */
	uint32_t first, last; /* requests that wait, oldest first; `first` is the free list's link when unused */
	uint32_t count;
	uint32_t fetches; /* on the way */
	uint8_t sectors;  /* that the request needs */
};

struct llc_looked_up {
	uint32_t packet;
	uint32_t beats;
};

/*
 * The slices' replies of a cycle, when another thread ticks the reply network. That thread takes them in the next
 * cycle.
 */
struct llc_reply_box {
	_Alignas(64) uint8_t *room; /* [slices]: in the network's queue */
	uint32_t count;
	struct llc_boxed_reply {
		uint32_t packet;
		uint16_t source;
	} *replies; /* two of each slice */
};

/* State that all slices of a chip share. */
struct llc_common {
	const struct llc_config *config;
	struct llc_geometry geometry;
	uint32_t burst_bytes;   /* of memory */
	uint32_t channel_bytes; /* of the networks */
	bool reply_header;      /* takes a flit of its own */
	bool one_network;       /* for the SMs and for other chips' memory */
	const struct address_map *map;
	struct transaction_pool *pool;
	unsigned chip;
	const struct page_table *pages; /* NULL with one chip */
	struct network *requests, *replies;
	struct network *incoming; /* requests of other chips; NULL with one chip */
	const struct llc_policy_ops *policy;
	void *policy_state;
	uint64_t cycle, noc_clock;      /* of this tick: the SMs' cycle, the networks' clock */
	const struct domain *noc, *llc; /* clocks of the networks, of the slices */
	bool slower;                    /* the slices' clock is not the SMs' */
	bool coherent;                  /* there are directories (chips/directory.h) */
	bool asks_home;                 /* the policy's answer in this cycle, where it has one */
	bool write_through;             /* the policy's answer in this cycle */
	bool parts_ways;                /* the policy has an answer about remote ways */
	unsigned remote_ways;           /* that answer */
	struct llc_reply_box *box;      /* NULL: replies go into the network at once */
	struct versions *versions;      /* NULL unless they are followed */
	struct request_log *log;        /* NULL unless there is one */
	uint8_t all_sectors;
	struct structure_memory *structures;
	struct response_stats *responses; /* [chips]: to the SMs of each; NULL with one chip */
	struct wakeups wakeups; /* of the slices, by their sinks; requests that wait in the network not counted */
};

struct llc_slice {
	struct llc_common *common;
	unsigned mc, slice;    /* slice counts within the memory controller */
	unsigned number;       /* within the machine */
	unsigned sink, source; /* of the chip's requests, of its replies */
	struct llc_tags tags;
	FIFO(struct llc_looked_up) pipeline;
	uint32_t beats_inside;
	bool local_last; /* the latest request came from this chip: now a request of another chip goes first */
	struct llc_mshr *mshrs;
	uint32_t free_mshr;
	uint32_t replies_first, replies_last; /* transactions whose fill has come, waiting to be sent */
	uint64_t data_port_free;              /* cycle from which the data port is free */
	bool reply_blocked;                   /* the oldest request is a hit that waits for room in the reply network */
	struct dram_port *to_dram;            /* the memory controller's */
	struct dram_port *to_far;             /* the links', to the memory of other chips; NULL with one chip */
	struct dram_port fills;               /* data that the controller read for this slice */
	struct dram_port far_fills; /* data that another chip's controller read for it; made with several chips only */
	bool far_last;              /* the latest fill was of these */
	/*
	 * With one network for SMs and other chips' memory: the networks' clocks from which the slice's two ports, into
	 * the reply network and from the request network, are free of packets to and from other chips.
	 */
	uint64_t port_out_free, port_in_free;
	struct dram_port notes;            /* of directories; made where there are some */
	struct note_queue claims;          /* lines to be claimed */
	uint64_t notes_taken, notes_found; /* found: there was a copy */
	struct dram_port asked;            /* by slices of other chips (slice_asked.c); made where policies let them */
	struct dram_port *to_askers;       /* of links, to the links' network; NULL without links */
	uint64_t fetches_asked, asked_hits, asked_waits, asked_passes;
	uint64_t reads_out;    /* fills on the way */
	uint64_t bursts_asked; /* of reads */
	bool has_copies;       /* lines away from their home have come in since they were dropped */
	bool has_dirty;        /* lines have become dirty since all were cleaned */
	enum llc_work work;
	int work_at;                  /* next line to work on */
	uint64_t ended, ended_cycles; /* requests that want no reply; the sum of the cycles in which they were done */
	struct llc_stats stats;
	struct stage_stats stages; /* up to the reply */
	/*
	 * Lines of the own chip's memory and of others', and the sum over all changes of these numbers of the change
	 * times its cycle: lines * now - changes are the line cycles up to now.
	 */
	struct llc_contents {
		uint64_t lines[2], changes[2];
	} contents;
};

/*
 * Lines that a port behind the crossbar from the channels must hold, so that the crossbar's latency costs no bandwidth.
 */
static inline uint32_t llc_fill_room(const struct llc_config *config)
{
	uint32_t room = port_room_over(config->xbar_cycles);

	return room > config->fill_queue ? room : config->fill_queue;
}

void llc_slice_init(struct llc_slice *s, struct llc_common *common, unsigned mc, unsigned slice, unsigned sink,
		    struct dram_port *to_dram, struct dram_port *to_far);
void llc_slice_release(struct llc_slice *s);
/* Line cycles of the lines that it holds, up to the SMs' cycle `cycle`, in which it has not been ticked. */
struct contents_stats llc_slice_contents(const struct llc_slice *s, uint64_t cycle);
/* `now` is the slices' clock. Times inside a slice are its clocks, in ports towards memory cycles. */
void llc_slice_tick(struct llc_slice *s, uint64_t now);
/* Next clock after `now` in which it can do something, not counting requests in its sink; UINT64_MAX when idle. */
uint64_t llc_slice_next(const struct llc_slice *s, uint64_t now);
/* Whether a line that the work is about has come in since the work was done last. */
bool llc_slice_has_work(const struct llc_slice *s, enum llc_work work);
/*
 * Starts work on the contents in the SMs' cycle `cycle`, before the slice's tick; it is done when the slice is idle.
 * Requires that nothing is in flight.
 */
void llc_slice_start_work(struct llc_slice *s, enum llc_work work, uint64_t cycle);

#endif
