/*
 * Input-queued virtual-channel router: separable iSLIP allocation of the switch (McKeown 1999; one iteration or more),
 * round-robin allocation of VCs. It switches packets (virtual cut-through) or flits.
 *
 * Pipeline of a head flit that arrives in cycle a, with 4 stages: route computation a, VC allocation a + 1, switch
 * allocation a + 2, switch traversal a + 3, at the next router a + 4 (+ link). Fewer stages merge the first ones, more
 * stages lengthen the route computation. The other flits follow a cycle apart.
 *
 * Packet by packet (router_packets.c): a packet gets the switch when the VC it goes to has room for all of it, and
 * keeps input and output until its tail has passed. So the switch moves packets; a flit is a cycle, and a unit of room.
 * Credits for all of a packet return with its head: its flits leave one by one, just as the flits of the next packet
 * come. A packet longer than a VC counts as filling it.
 *
 * Flit by flit (router_flits.c): a flit needs one credit and the switch for itself. The flits after the head skip the
 * stages before the switch.
 *
 * A router's port is a pair of functions. router_receive brings a packet, whose place its sender holds credits for;
 * router_credit brings room in the VC downstream. Both take effect in a later cycle: the wheel has a slot for each.
 *
 * A VC of an input is one number k = input * vcs + vc; a VC of an output likewise. With 4 VCs, VC 1 of input 2 is
 * number 9. Bit sets over k say what a VC waits for, so that an arbiter sees all its candidates at once:
 *
 *   waiting    of an output: the packet in front wants a VC of it
 *   active     of an output: .. has a VC of it
 *   ready      .. is through the pipeline
 *   credited   .. has room downstream
 *   open       the input is not sending; flit by flit: a flit of it is here
 */
#ifndef ROMARK_SIM_ROUTER_H
#define ROMARK_SIM_ROUTER_H

#include "sim-backend/noc/endpoint.h"
#include "sim-backend/noc/topology.h"
#include "sim-backend/memory/transaction.h"

enum { ROUTER_MAX_PORTS = 64, ROUTER_MAX_WORDS = ROUTER_MAX_PORTS * ROUTER_MAX_VCS / 64 };
enum { ROUTER_NO_OWNER = UINT16_MAX, ROUTER_TO_SINK = UINT8_MAX, ROUTER_PACKET_BITS = 24 };

struct router_entry {
	uint32_t packet : ROUTER_PACKET_BITS, flits : 8;
	uint32_t ready; /* low bits of the cycle in which its head is through route computation */
};

struct router_vc {
	uint32_t packet;     /* in front */
	uint8_t flits, room; /* of the packet in front; room = 0: it is still in route computation */
	uint8_t out_port, out_vc;
	uint8_t in_port, in_vc; /* place of the packet in front */
	uint8_t count;          /* packets, with the packet in front */
	uint8_t head;           /* of the packets behind it in the ring */
};

/* An output leads to an input of another router, or to a sink. */
struct router_output {
	union {
		struct router *router;
		struct sink *sink;
	};
	uint64_t passed;           /* flits through the switch */
	uint8_t port, link_cycles; /* port: input of the router, or ROUTER_TO_SINK */
	uint8_t free_vcs;          /* mask */
	uint8_t next_vc;           /* round-robin pointers of VC allocation */
	uint16_t vc_grant;
	uint16_t switch_grant; /* iSLIP pointer */
	union {
		uint8_t credits[ROUTER_MAX_VCS]; /* to a router: room in flits */
		uint32_t reserved;               /* to a sink: packets that have a VC, and so a place there */
	};
	uint16_t owner[ROUTER_MAX_VCS]; /* input VC that holds it */
	uint64_t sets[];                /* see output_waiting, output_active */
};

_Static_assert(sizeof(struct router_output) + 2 * sizeof(uint64_t) == 64, "up to 64 input VCs, a cache line");

/* Where an input's credits go: an output of another router, or a source. */
struct router_input {
	struct router *router;
	struct source *source;
	uint8_t port, link_cycles;
	uint8_t accept;  /* iSLIP pointer */
	uint8_t next_vc; /* by_input: the VC where the search begins */
};

/* 64 input VCs. */
struct router_sets {
	uint64_t ready, credited, open;
	uint64_t ready_next; /* ready from the next cycle on */
};

/* Events of one future cycle. */
struct router_slot {
	uint64_t free_inputs, free_outputs; /* ports whose packet has passed */
	uint64_t sets[];                    /* see slot_arrivals, slot_credits, slot_flits, slot_credit_flits */
};

/* Flit by flit: of an input VC. */
struct router_flow {
	uint8_t present; /* flits in the buffer */
	uint8_t left;    /* of the packet in front */
};

/* Flit by flit: the link behind an output. Times in parts of LINK_CYCLE. */
struct router_channel {
	uint64_t free; /* from then on */
	uint64_t interval;
};

/*
 * The arrays of a router lie one behind the other in `memory`, so that small ones share cache lines:
 *
 *   out                      wheel                  vcs_in         in          flows, ..    buffer
 *   +----------+----------+--+--------+--------+--+--------------+-----------+------------+---------------------+
 *   | output 0 | output 1 |..| slot 0 | slot 1 |..| per input VC | per input | per output | a ring per input VC |
 *   +----------+----------+--+--------+--------+--+--------------+-----------+------------+---------------------+
 *
 *   output: output_bytes, a multiple of 64; with words = 1 one cache line
 *   +-------------------------+-----------------+----------------+
 *   | struct router_output    | waiting [words] | active [words] |     output_waiting, output_active
 *   +-------------------------+-----------------+----------------+
 *     48 bytes                  uint64_t          uint64_t
 *
 *   slot: slot_bytes, a multiple of 8; cycle t has slot t & wheel_mask
 *   +-------------+--------------+------------------+---------------------+---------------+------------------------+
 *   | free_inputs | free_outputs | arrivals [words] | credits [out_words] | flits [words] | credit flits [out VCs] |
 *   +-------------+--------------+------------------+---------------------+---------------+------------------------+
 *     uint64_t      uint64_t       uint64_t           uint64_t              uint64_t        uint8_t
 *                                  slot_arrivals      slot_credits          slot_flits      slot_credit_flits
 *
 * `words` is the number of words of a set of input VCs, 1 for up to 64 VCs; `out_words` the same for output VCs.
 * Arrivals are the input VCs whose packet asks for a VC in that cycle; credits the output VCs that get room back;
 * credit flits say how much. `flits` are the input VCs that get a flit, where flits are switched.
 */
struct router {
	uint32_t packets; /* in its buffers or on the way to them */
	uint32_t credits_coming;
	uint64_t sending_inputs, sending_outputs; /* ports with a packet on its way through */
	uint64_t waiting_outputs, active_outputs; /* with a member in that set */
	uint64_t offering_outputs;                /* with a free VC */
	uint8_t inputs, outputs, vcs, depth;
	uint8_t words, out_words;        /* of a set of input VCs, of output VCs */
	uint8_t ring_shift;              /* log2 of the entries of a VC's ring */
	uint8_t iterations, speedup;     /* of iSLIP; runs of the switch in a cycle */
	uint8_t output_queue;            /* flits that may wait in front of a link, with the flit that leaves */
	bool flit_wise, classes;         /* classes: a packet may not take every VC */
	bool plain;                      /* as most are: one word, one iteration, no classes, by_input */
	bool by_input;                   /* outputs go round the inputs, not all input VCs */
	uint16_t wheel_mask;             /* slots - 1 */
	uint8_t route_cycles, vc_cycles; /* before VC allocation; between it and switch allocation */
	uint16_t vcs_count;

	char *wheel;                     /* slots of struct router_slot */
	char *out;                       /* [outputs] of struct router_output */
	struct router_input *in;         /* [inputs] */
	struct router_vc *vcs_in;        /* [inputs * vcs] */
	struct router_entry *buffer;     /* [inputs * vcs] rings */
	struct router_flow *flows;       /* [inputs * vcs]; NULL unless flits are switched, as */
	struct router_channel *channels; /* [outputs] */
	const struct topology_hop *hops; /* [groups] */
	const struct transaction_pool *pool;
	uint16_t slot_bytes, output_bytes, credit_flits_at;
	unsigned number; /* within its network */
	char *memory;    /* all of the arrays above */
	struct router_sets sets[ROUTER_MAX_WORDS];
	uint64_t from_links[ROUTER_MAX_WORDS]; /* input VCs behind other routers */
};

/* Asked once for each packet, at its group's router: which sink of the group it goes to. */
struct router_route {
	unsigned (*member)(void *context, uint32_t packet);
	void *context;
	const struct transaction_pool *pool; /* whose `group` names it */
};

struct router_shape {
	unsigned inputs, outputs, vcs, depth, stages, extra_cycles;
	unsigned link_cycles; /* longest of its links */
	unsigned most_flits;  /* of a packet */
	bool flit_wise, classes, by_input;
	unsigned iterations, speedup, output_queue;
};

void router_init(struct router *r, const struct router_shape *shape);
void router_release(struct router *r);
/* One of these each cycle, as the router was made. */
void router_tick_packets(struct router *r, uint64_t now, const struct router_route *route);
void router_tick_flits(struct router *r, uint64_t now, const struct router_route *route);

static inline bool router_is_idle(const struct router *r)
{
	return !r->packets && !r->credits_coming && !r->sending_inputs;
}

static inline struct router_output *router_output(const struct router *r, unsigned j)
{
	return (struct router_output *)(r->out + j * r->output_bytes);
}

static inline bool output_is_to_sink(const struct router_output *out)
{
	return out->port == ROUTER_TO_SINK;
}

static inline struct router_slot *router_slot(const struct router *r, uint64_t when)
{
	return (struct router_slot *)(r->wheel + (when & r->wheel_mask) * r->slot_bytes);
}

/* Input VCs that wait for a VC of this output. */
static inline uint64_t *output_waiting(struct router_output *out)
{
	return out->sets;
}

/* Input VCs that have one. `words`: of a set of input VCs. */
static inline uint64_t *output_active(struct router_output *out, unsigned words)
{
	return out->sets + words;
}

static inline uint64_t *slot_arrivals(struct router_slot *slot)
{
	return slot->sets;
}

static inline uint64_t *slot_credits(const struct router *r, struct router_slot *slot)
{
	return slot->sets + r->words;
}

/* Only where flits are switched. */
static inline uint64_t *slot_flits(const struct router *r, struct router_slot *slot)
{
	return slot_credits(r, slot) + r->out_words;
}

static inline uint8_t *slot_credit_flits(const struct router *r, struct router_slot *slot)
{
	return (uint8_t *)slot + r->credit_flits_at;
}

/* The packet in front of input VC k asks for a VC in cycle `when`. */
static inline void router_ask_vc(struct router *r, unsigned k, uint64_t when)
{
	bits_set(slot_arrivals(router_slot(r, when)), k);
}

/* Place in the buffer of the entry `behind` the packet in front. */
static inline unsigned router_ring_slot(const struct router *r, const struct router_vc *v, unsigned k, unsigned behind)
{
	return (k << r->ring_shift) + ((v->head + behind) & ((1u << r->ring_shift) - 1));
}

/* A packet whose head reaches the router in cycle `arrival`, later than now; requires credits for it. */
static inline void router_receive(struct router *r, unsigned input, unsigned vc, uint32_t packet, unsigned flits,
				  uint64_t arrival)
{
	unsigned k = input * r->vcs + vc;
	struct router_vc *v = &r->vcs_in[k];
	uint64_t ready = arrival + r->route_cycles;

	r->packets++;
	if (v->count++) {
		r->buffer[router_ring_slot(r, v, k, v->count - 2u)] =
		    (struct router_entry){packet, (uint8_t)flits, (uint32_t)ready};
		return;
	}
	v->packet = packet;
	v->flits = (uint8_t)flits;
	router_ask_vc(r, k, ready);
}

/* VC `vc` of an output has room for `flits` more from cycle `when` on, later than now. */
static inline void router_credit(struct router *r, unsigned output, unsigned vc, unsigned flits, uint64_t when)
{
	struct router_slot *slot = router_slot(r, when);
	unsigned o = output * r->vcs + vc;

	bits_set(slot_credits(r, slot), o);
	slot_credit_flits(r, slot)[o] = (uint8_t)flits;
	r->credits_coming++;
}

/* A flit of the packet last received on that VC reaches the router in cycle `arrival`, later than now. */
static inline void router_receive_flit(struct router *r, unsigned input, unsigned vc, uint64_t arrival)
{
	bits_set(slot_flits(r, router_slot(r, arrival)), input * r->vcs + vc);
}

/* One flit of room; with a speedup there may be two in a cycle. */
static inline void router_credit_flit(struct router *r, unsigned output, unsigned vc, uint64_t when)
{
	struct router_slot *slot = router_slot(r, when);
	unsigned o = output * r->vcs + vc;

	r->credits_coming += !bits_has(slot_credits(r, slot), o);
	bits_set(slot_credits(r, slot), o);
	slot_credit_flits(r, slot)[o]++;
}

#endif
