/*
 * One network of the H-Xbar: sources, a router for each group of sources, a router for each group of sinks, and a
 * direct link from every router of the first stage to every router of the second.
 *
 *   request network: SMs -> SM-routers -> MC-routers -> slices        reply network: the mirror image
 *
 * A packet is a transaction of the pool; its `flits` says how long it is. Latency without
 * load, from network_send in cycle t to the cycle the sink can take it: 2 + 2 * router_stages + link_cycles + flits - 1
 * (see router.h).
 */
#ifndef ROMARK_SIM_NETWORK_H
#define ROMARK_SIM_NETWORK_H

#include "sim-backend/noc/router.h"
#include "sim-backend/transaction.h"

enum { NETWORK_MAX_FLITS = 60 };

/* Network interface of an endpoint: sends a packet at a time, one flit per cycle, into its router's input. */
struct source {
	_Alignas(64) FIFO(uint32_t) queue;
	uint64_t free_at; /* cycle from which another packet can start */
	uint8_t next_vc, port;
	uint8_t credits[ROUTER_MAX_VCS]; /* room in flits, with that of the latest packet to leave */
	uint8_t latest_vc, latest;       /* where it was, its flits */
	uint64_t latest_at;              /* cycle of its leaving; the room counts from the next one on */
	struct router *router;
	uint64_t *busy, bit; /* of the network: sources with something to try; this source's bit */
	uint64_t packets, flits;
};

struct network_shape {
	unsigned sources, first_routers, second_routers, sinks;
	unsigned vcs, depth, stages, second_extra_cycles, link_cycles;
	unsigned source_queue, sink_queue;
	unsigned most_flits; /* of a packet; at most NETWORK_MAX_FLITS */
};

struct network {
	struct network_shape shape;
	struct router *routers; /* first stage, then second stage */
	struct source *sources;
	struct sink *sinks;
	uint64_t *busy_sources; /* bit set */
	unsigned routers_count;
	struct router_route route;
	const struct transaction_pool *pool;
	uint64_t in_flight;      /* packets sent whose last flit is not yet at their sink */
	uint64_t *waiting_sinks; /* bit set: packets have arrived */
};

/*
 * `route` answers for packets at either stage: the output port is the second-stage router for the first stage, and the
 * sink's place behind its router for the second.
 */
void network_init(struct network *n, const struct network_shape *shape, const struct router_route *route,
		  const struct transaction_pool *pool);
void network_release(struct network *n);

static inline bool network_can_send(const struct network *n, unsigned source, uint64_t now)
{
	return fifo_room(&n->sources[source].queue, now) > 0;
}

void network_send(struct network *n, unsigned source, uint64_t now, uint32_t packet);
/* Takes the oldest packet that has arrived, or returns NO_TRANSACTION. */
uint32_t network_take(struct network *n, unsigned sink, uint64_t now);
void network_tick(struct network *n, uint64_t now, bool reverse);
/* Nothing on its way, not even a credit; packets may wait in sinks. Until then every cycle must be ticked. */
bool network_is_idle(const struct network *n);

static inline bool network_is_second_stage(const struct network *n, const struct router *r)
{
	return r->number >= n->shape.first_routers;
}

/* A packet has left the router's input buffer `vc`; at most one an input and cycle. */
static inline void source_credit(struct source *s, unsigned vc, unsigned flits, uint64_t now)
{
	s->credits[vc] += (uint8_t)flits;
	s->latest_vc = (uint8_t)vc;
	s->latest = (uint8_t)flits;
	s->latest_at = now;
	*s->busy |= s->bit;
}

struct network_counts {
	uint64_t packets, flits_in, flits_out, router_flits, link_flits;
};

struct network_counts network_count(const struct network *n);
void network_dump(const struct network *n, const char *name, FILE *out);

#endif
