/*
 * Input-queued virtual-channel router: virtual cut-through, separable iSLIP allocation of the switch (McKeown 1999; one
 * iteration), round-robin allocation of VCs.
 *
 * Pipeline of a head flit that arrives in cycle a, with 4 stages: route computation a, VC allocation a + 1, switch
 * allocation a + 2, switch traversal a + 3, at the next router a + 4 (+ link). Fewer stages merge the first ones, more
 * stages lengthen the route computation. The other flits follow a cycle apart: a packet gets the switch when the VC it
 * goes to has room for all of it, and keeps input and output until its tail has passed. So packets are moved, and flits
 * are times and amounts of room. Credits for all of a packet return with its head, since its flits leave one by one
 * just as those of the next packet come. A packet longer than a VC counts as filling it.
 *
 * A VC of an input is one number k = input * vcs + vc; one of an output likewise. What a VC waits for is kept in bit
 * sets over k, so that an arbiter looks at all its candidates at once: an output's `waiting` have a packet that wants a
 * VC of it; its `active` have one, and of these `ready` are through the pipeline and `credited` have room downstream;
 * `open` are those whose input is not sending. What happens in a later cycle (arrivals, credits) waits in a wheel, one
 * slot per cycle. Up to 64 input VCs, what a cycle needs of the sets is one cache line, and an output is another.
 */
#ifndef ROMARK_SIM_ROUTER_H
#define ROMARK_SIM_ROUTER_H

#include "sim-backend/fifo.h"
#include "sim-backend/bits.h"

/* clang-format off */
enum { ROUTER_MAX_PORTS = 64, ROUTER_MAX_VCS = 8, ROUTER_MAX_WORDS = ROUTER_MAX_PORTS * ROUTER_MAX_VCS / 64,
       ROUTER_NO_OWNER = UINT16_MAX, ROUTER_PACKET_BITS = 24 };
/* clang-format on */

struct router_entry {
	uint32_t packet : ROUTER_PACKET_BITS, flits : 8;
	uint32_t ready; /* low bits of the cycle in which its head is through route computation */
};

struct router_vc {
	uint32_t packet;     /* in front */
	uint8_t flits, room; /* of the packet in front; room = 0: it is still in route computation */
	uint8_t out_port, out_vc;
	uint8_t in_port, in_vc; /* where it stands */
	uint8_t count;          /* packets, the one in front among them */
	uint8_t head;           /* of those behind it in the ring */
};

struct router;
struct source;
struct network;

/* Arrived packets of an endpoint. A packet's place is taken when it gets its VC, so it never waits for room here. */
struct sink {
	_Alignas(64) FIFO(uint32_t) arrived;
	uint32_t reserved;
	uint32_t number; /* within the network */
	struct network *network;
	uint64_t flits;
};

/* An output leads to an input of another router, or to a sink. */
struct router_output {
	struct router *router;
	struct sink *sink;
	uint8_t port, link_cycles;
	uint8_t free_vcs; /* mask */
	uint8_t next_vc;  /* round-robin pointers of VC allocation */
	uint16_t vc_grant;
	uint16_t switch_grant;           /* iSLIP pointer */
	uint8_t credits[ROUTER_MAX_VCS]; /* room in flits */
	uint16_t owner[ROUTER_MAX_VCS];  /* input VC that holds it */
	uint64_t sets[];                 /* waiting [words], active [words] */
};

/* Where an input's credits go: an output of another router, or a source. */
struct router_input {
	struct router *router;
	struct source *source;
	uint8_t port, link_cycles;
	uint8_t accept; /* iSLIP pointer */
};

/* 64 input VCs. */
struct router_sets {
	uint64_t ready, credited, open;
	uint64_t ready_next; /* ready from the next cycle on */
};

/*
 * What happens in one cycle to come: these sets, and behind them the VCs with arrivals [words], the output VCs with
 * credits [out_words], and how many credits [outputs * vcs].
 */
struct router_slot {
	uint64_t free_inputs, free_outputs; /* ports whose packet has passed */
	uint64_t sets[];
};

struct router {
	uint32_t packets; /* in its buffers or on the way to them */
	uint32_t credits_coming;
	uint64_t sending_inputs, sending_outputs; /* ports with a packet on its way through */
	uint64_t waiting_outputs, active_outputs; /* with a member in that set */
	uint64_t offering_outputs;                /* with a free VC */
	uint8_t inputs, outputs, vcs, depth;
	uint8_t words, out_words;        /* of a set of input VCs, of output VCs */
	uint8_t ring_shift;              /* log2 of the entries of a VC's ring */
	uint8_t wheel_mask;              /* slots - 1 */
	uint8_t route_cycles, vc_cycles; /* before VC allocation; between it and switch allocation */
	uint16_t vcs_count;

	char *wheel;                 /* slots of struct router_slot */
	char *out;                   /* [outputs] of struct router_output */
	struct router_input *in;     /* [inputs] */
	struct router_vc *vcs_in;    /* [inputs * vcs] */
	struct router_entry *buffer; /* [inputs * vcs] rings */
	uint64_t switched;           /* flits through the switch */
	uint16_t slot_bytes, output_bytes;
	unsigned number; /* within its network */
	char *memory;    /* all of the arrays above */
	struct router_sets sets[ROUTER_MAX_WORDS];
};

/* Asked once for each packet at each router: the output port that it goes to. */
struct router_route {
	unsigned (*output)(void *context, const struct router *r, uint32_t packet);
	void *context;
};

struct router_shape {
	unsigned inputs, outputs, vcs, depth, stages, extra_cycles;
	unsigned link_cycles; /* longest of its links */
	unsigned most_flits;  /* of a packet */
};

void router_init(struct router *r, const struct router_shape *shape);
void router_release(struct router *r);
void router_tick(struct router *r, uint64_t now, const struct router_route *route);

static inline bool router_is_idle(const struct router *r)
{
	return !r->packets && !r->credits_coming && !r->sending_inputs;
}

static inline struct router_output *router_output(const struct router *r, unsigned j)
{
	return (struct router_output *)(r->out + j * r->output_bytes);
}

static inline struct router_slot *router_slot(const struct router *r, uint64_t when)
{
	return (struct router_slot *)(r->wheel + (when & r->wheel_mask) * r->slot_bytes);
}

/* VC k has something to do in cycle `when`. */
static inline void router_wake(struct router *r, unsigned k, uint64_t when)
{
	bits_set(router_slot(r, when)->sets, k);
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
	router_wake(r, k, ready);
}

#endif
