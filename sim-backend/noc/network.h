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
	struct wakeups sending;  /* sources with something to try */
	struct wakeups arrivals; /* sinks with packets; kept for those who take them */
	unsigned routers_count;
	struct router_route route;
	const struct transaction_pool *pool;
	uint64_t queued; /* packets that wait in sources */
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
	return port_room(&n->sources[source].queue, now) > 0;
}

void network_send(struct network *n, unsigned source, uint64_t now, uint32_t packet);

/* The oldest packet that has arrived; NULL when there is none. */
static inline const uint32_t *network_front(const struct network *n, unsigned sink, uint64_t now)
{
	return port_peek(&n->sinks[sink].arrived, now);
}

/* Takes the oldest packet that has arrived, or returns NO_TRANSACTION. */
uint32_t network_take(struct network *n, unsigned sink, uint64_t now);
void network_tick(struct network *n, uint64_t now, bool reverse);
/* Nothing on its way, not even a credit; packets may wait in sinks. Until then every cycle must be ticked. */
bool network_is_idle(const struct network *n);

static inline bool network_is_second_stage(const struct network *n, const struct router *r)
{
	return r->number >= n->shape.first_routers;
}

struct network_counts {
	uint64_t packets, flits_in, flits_out, router_flits, link_flits;
};

struct network_counts network_count(const struct network *n);
void network_dump(const struct network *n, const char *name, FILE *out);

#endif
