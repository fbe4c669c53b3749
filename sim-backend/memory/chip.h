/*
 * A chip: the networks of its SMs, the LLC slices, and the memory controllers behind them.
 *
 *   its SMs --requests--> slices or gates       gates --incoming--> slices        (requests of other chips)
 *   its SMs <--replies--- slices                gates --returning-> its SMs       (replies of other chips)
 *                 \---> gates
 *
 * A slice's misses go to its memory controller, or, for lines of another chip's memory, over a link to the controller
 * there, past the slices. At a controller each link has a port beside those of the slices.
 *
 *   slice --far_out--> gate ==link==> gate --> controller --far_data--> gate ==link==> gate --far_fills--> slice
 *
 * A gate is where a link leaves or arrives (link.h). Links that leave take from sinks of `requests` and `replies`;
 * links that arrive feed two networks of their own. So what has come from another chip never waits behind what leaves
 * for one, and requests and replies cannot wait for each other in a circle. A machine of one chip has neither gates nor
 * these two networks.
 */
#ifndef ROMARK_SIM_CHIP_H
#define ROMARK_SIM_CHIP_H

#include "sim-backend/chips/directory.h"
#include "sim-backend/base/domain.h"
#include "sim-backend/chips/link.h"
#include "sim-backend/dram/controller.h"
#include "sim-backend/llc/slice.h"
#include "sim-backend/map/address_map.h"
#include "sim-backend/map/page_table.h"
#include "sim-backend/memory/memsys_config.h"
#include "sim-backend/noc/networks.h"

/* State that all chips share. */
struct chip_shared {
	struct memsys_config config;
	struct shape shape;
	struct link_layout layout;
	struct address_map map;
	struct dram_clock clock; /* of the memory */
	struct domain noc, llc;
	struct transaction_pool pool;
	struct page_table pages; /* of several chips */
	const struct llc_policy_ops *policy;
	void *policy_knobs;
	struct structure_memory *structures;
};

struct chip {
	struct chip_shared *shared;
	unsigned number;
	unsigned nslices, nsms;
	unsigned sms_per_router;
	/* Places at a router: for slices or SMs, and behind them for gates. */
	unsigned slice_places, sm_places;
	struct network requests, replies;
	struct network incoming, returning;
	struct llc_common common;
	struct llc_slice **slice_at; /* by sink of the request network; NULL: a gate */
	uint64_t *slice_sinks;       /* set of the sinks that are slices */
	struct llc_slice *slices;
	struct controller *controllers;
	struct directory *directories; /* in front of the controllers; NULL unless hardware keeps chips coherent */
	/* With several chips. far_out: requests for other chips' memory, by slice; far_data: data for slices of other
	 * chips. */
	struct dram_port *far_out;  /* [nslices] */
	struct dram_port *far_data; /* [mcs * gates] */
	struct dram_port *home_out; /* [nslices]: answers to other chips' slices; NULL where these do not ask */
	struct wakeups far_asking, far_answering, home_answering;
	/* [nslices]: the last cycle in which a slice used the port; a port carries one request or line a cycle. */
	uint64_t *far_out_at, *far_fill_at, *note_at, *home_out_at, *asked_at;
	uint64_t policy_next; /* the policy's next tick */
	struct llc_orders orders;
	uint64_t local_requests, remote_requests;
};

void chip_init(struct chip *c, struct chip_shared *shared, unsigned number);
void chip_release(struct chip *c);
/* Asks the policy for the answers that stay the same until it is called again. */
void chip_ask_policy(struct chip *c);
/*
 * Adds the counters of the chip's memory. Subtracts the cycles between the end of a request without a reply, which a
 * slice ends, and `cycle`.
 */
void chip_add_activity(const struct chip *c, uint64_t cycle, struct llc_activity *to);

void chip_tick(struct chip *c, uint64_t now, bool reverse);
/* The reply network's part of chip_tick, which leaves it out when slices put their replies into a box. */
void chip_tick_replies(struct chip *c, uint64_t now, bool reverse);
/* Next cycle after `now` in which it has something to do; UINT64_MAX = none. */
uint64_t chip_next(const struct chip *c, uint64_t now);
/* Everything is done but for replies that an SM has not taken. */
bool chip_is_drained(const struct chip *c);
/* Whether there are directories in front of the controllers. */
bool chips_have_directories(const struct chip_shared *shared);

/* The ports for requests to a memory controller: the controller's, or its directory's if it has one. */
static inline struct dram_port *chip_memory_ports(struct chip *c, unsigned mc)
{
	return c->directories ? c->directories[mc].in : c->controllers[mc].from_slices;
}

/* Place of an SM of this chip, counted within it, among the sources of `requests` and the sinks of `replies`. */
static inline unsigned chip_sm_sink(const struct chip *c, unsigned sm)
{
	return sm / c->sms_per_router * c->sm_places + sm % c->sms_per_router;
}

/* Sinks of `requests` and of `replies` from which the link at a gate takes. */
unsigned chip_request_gate(const struct chip *c, unsigned gate);
unsigned chip_reply_gate(const struct chip *c, unsigned gate);
/* Sources of `incoming` and of `returning` that the link at a gate feeds. */
unsigned chip_incoming_source(const struct chip *c, unsigned gate);
unsigned chip_returning_source(const struct chip *c, unsigned gate);

#endif
