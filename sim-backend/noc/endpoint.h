/*
 * The two ends of a network. A source sends a packet at a time, one flit per cycle, into its router's input. A sink is
 * the port of the module that takes the packets.
 */
#ifndef ROMARK_SIM_ENDPOINT_H
#define ROMARK_SIM_ENDPOINT_H

#include "sim-backend/base/port.h"

enum { ROUTER_MAX_VCS = 8 };

struct router;

struct source {
	_Alignas(64) PORT(uint32_t) queue; /* it also wakes for a credit */
	uint64_t free_at;                  /* cycle from which another packet can start */
	uint8_t next_vc, port;
	uint8_t vc, left;                /* flit by flit: of the packet that is being sent; left = 0: none */
	uint8_t credits[ROUTER_MAX_VCS]; /* room in flits, with the latest */
	union {
		uint8_t latest[ROUTER_MAX_VCS]; /* room that came in the latest cycle in which some came */
		uint64_t all_latest;
	};
	uint64_t latest_at; /* that cycle; this room counts from the next one on */
	struct router *router;
	uint64_t packets, flits;
};

/* A packet gets its place together with its VC at the last router, so it never waits for room here. */
struct sink {
	_Alignas(64) PORT(uint32_t) arrived;
};

_Static_assert(sizeof(struct sink) == 64, "a sink is one cache line");

/* A packet or flit has left the router's input buffer `vc`. */
static inline void source_credit(struct source *s, unsigned vc, unsigned flits, uint64_t now)
{
	if (s->latest_at != now)
		s->all_latest = 0;
	s->credits[vc] += (uint8_t)flits;
	s->latest[vc] += (uint8_t)flits;
	s->latest_at = now;
	wake(&s->queue.receiver, now);
}

#endif
