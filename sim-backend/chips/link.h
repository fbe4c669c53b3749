/*
 * Links between chips. A link goes from one chip to a neighbour; each neighbour is reached by `links` of them, side by
 * side. It moves packets one after the other, and each takes its bytes over the link's bandwidth, in exact fractions of
 * a cycle, and then hop_latency cycles.
 *
 *   sink of a network of chip A --link--> final buffer at chip B --> network of B
 *                                    \--> through buffer at B --link--> final buffer at chip C --> network of C
 *
 * A packet starts when the buffer that it goes to at the far end has room; so it never waits on the link. Each
 * kind has buffers of its own, and so have packets that have arrived and those that go on. A ring of four has at
 * most two hops: packets that go on wait for packets that have arrived only, and these wait for their chip. So nothing
 * waits in a circle.
 *
 * A gate is a link's number at its chip: direction * links + lane. The link that leaves a chip by gate g arrives at
 * gate g of the neighbour.
 */
#ifndef ROMARK_SIM_LINK_H
#define ROMARK_SIM_LINK_H

#include "sim-backend/dram/request.h"
#include "sim-backend/chips/chips_config.h"

/*
 * Kinds of packets on a link. REQUEST and REPLY belong to an SM. A slice sends a FETCH to another chip's memory, or to
 * the directory there; FILL is the data of such a read. A directory sends a NOTE to a slice.
 *
 * No class can block another in a circle. At its chip a request waits for slices, a fetch for memory, a fill for the
 * slice that asked, a reply for its SM. A note waits until its slice can send an answer, and directories always take
 * answers.
 */
enum link_class { LINK_REQUEST, LINK_REPLY, LINK_FETCH, LINK_FILL, LINK_NOTE, LINK_CLASSES };

/* How the chips are joined. */
struct link_layout {
	unsigned chips, lanes;
	unsigned neighbours; /* of a chip: directions */
	unsigned gates;      /* neighbours * lanes; 0 with one chip */
	bool ring;
};

struct link_layout link_layout_of(const struct chips_config *config);
unsigned link_neighbour(const struct link_layout *l, unsigned chip, unsigned direction);
/* The gate by which packets about a line leave `from` for `to`. Lines spread over lanes, and over equal ways round. */
unsigned link_gate(const struct link_layout *l, unsigned from, unsigned to, uint64_t line_number);
/* Links that a packet passes between the two chips. */
unsigned link_hops(const struct link_layout *l, unsigned from, unsigned to);
/* Links that a packet between two chips passes, on average; 0 with one chip. */
double link_mean_hops(const struct link_layout *l);
/* Bytes that one link moves at most in a cycle of the SMs. */
double link_peak_bytes(const struct chips_config *config, unsigned core_mhz);

struct link_packet {
	uint32_t packet;            /* of requests and replies */
	struct dram_request memory; /* of the others */
	uint8_t to;                 /* chip where it leaves the links */
};

struct link_buffer {
	FIFO(struct link_packet) packets;
};

struct link {
	unsigned from, to, gate;
	struct link_buffer final[LINK_CLASSES], through[LINK_CLASSES]; /* at the far end */
	uint64_t bytes_up, bytes_down; /* bandwidth: bytes_up bytes in bytes_down cycles */
	uint64_t free;                 /* from when the link is free, in 1 / bytes_up cycles */
	uint32_t hop_latency;
	uint8_t next;                 /* round robin over what waits for it */
	uint16_t next_slice, next_mc; /* of those that ask another chip's memory, or answer */
	uint16_t next_directory, next_answer;
	bool answered;                               /* the latest data for a slice was what another slice had */
	uint64_t packets, bytes, taken, taken_bytes; /* put onto it; taken from its far end */
};

void link_init(struct link *l, const struct chips_config *config, unsigned core_mhz, unsigned from, unsigned to,
	       unsigned gate);
void link_release(struct link *l);
bool link_is_empty(const struct link *l);

static inline struct link_buffer *link_far_end(struct link *l, const struct link_packet *p, enum link_class c)
{
	return p->to == l->to ? &l->final[c] : &l->through[c];
}

/* Whether the link is free within cycle `now` and has room for the packet at its far end. */
static inline bool link_can_send(struct link *l, const struct link_packet *p, enum link_class c, uint64_t now)
{
	return l->free < (now + 1) * l->bytes_up && fifo_room(&link_far_end(l, p, c)->packets, now) > 0;
}

/* Requires link_can_send. */
void link_send(struct link *l, const struct link_packet *p, enum link_class c, uint32_t bytes, uint64_t now);
/* Next cycle after `now` in which a packet at the far end can be taken; UINT64_MAX when there is none. */
uint64_t link_next(const struct link *l, uint64_t now);

#endif
