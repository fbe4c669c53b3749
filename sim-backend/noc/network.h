/*
 * One network: sources, routers with links between them, sinks, made from the lists of a topology.
 *
 *   request network: SMs -> routers -> slices        reply network: slices -> routers -> SMs
 *
 * A packet is a transaction of the pool; its `flits` says how long it is. Latency without load, from network_send in
 * cycle t to the cycle the sink can take it: 2 + the stages of the routers on its way + the cycles of the links +
 * flits - 1 (see router.h).
 */
#ifndef ROMARK_SIM_NETWORK_H
#define ROMARK_SIM_NETWORK_H

#include "sim-backend/memory/request_log.h"
#include "sim-backend/noc/noc_stats.h"
#include "sim-backend/noc/router.h"

enum { NETWORK_MAX_FLITS = 60 };
/* For network_send: where the packet goes is not known yet; see network_ask_group. */
enum { NETWORK_GROUP_LATER = 255 };

struct network_setup {
	const struct topology *topology; /* the network takes over its lists */
	unsigned vcs, depth;
	unsigned source_queue, sink_queue;
	unsigned most_flits;      /* of a packet; at most NETWORK_MAX_FLITS */
	bool flit_wise, by_input; /* by_input: what NOC_ARBITER_INPUT asks for */
	unsigned islip_iterations;
	unsigned speedup, output_queue; /* flit-wise; the queue counts when the speedup is above 1 */
};

struct network {
	struct network_setup setup;
	struct topology topology;
	struct router *routers;
	struct source *sources;
	struct sink *sinks;
	struct wakeups sending;  /* sources with something to try */
	struct wakeups arrivals; /* sinks with packets, for the modules that take them */
	unsigned routers_count, sources_count, sinks_count;
	struct router_route route;
	unsigned (*group)(void *context, uint32_t packet); /* see network_ask_group */
	struct transaction_pool *pool;
	struct request_log *log; /* NULL unless there is one: told of what enters, as `log_entry` */
	enum request_event log_entry;
	uint64_t queued; /* packets that wait in sources */
	uint64_t cycle;  /* of the tick, in which packets enter; set before the tick if stamps are used */
	bool onward;     /* packets have entered another network before, and keep its stamp */
};

/*
 * The network calls `member` once for each packet, at the router of its group: to which sink of the group does it go?
 */
void network_init(struct network *n, const struct network_setup *setup,
		  unsigned (*member)(void *context, uint32_t packet), void *context, struct transaction_pool *pool);
/*
 * Packets sent with NETWORK_GROUP_LATER need this. The network calls `group` once for each of them, when the packet is
 * the first in its source and may enter a router. That is in a later cycle than the send, so by then the effects of all
 * sends of that cycle are known. `group` gets the same `context` as `member`.
 */
void network_ask_group(struct network *n, unsigned (*group)(void *context, uint32_t packet));
void network_release(struct network *n);

static inline bool network_can_send(const struct network *n, unsigned source, uint64_t now)
{
	return port_room(&n->sources[source].queue, now) > 0;
}

/* Towards a sink of `group`, or of a group that `member` names later. */
void network_send(struct network *n, unsigned source, uint64_t now, uint32_t packet, unsigned group);

/* The oldest packet that has arrived; NULL when there is none. */
static inline const uint32_t *network_front(const struct network *n, unsigned sink, uint64_t now)
{
	return port_peek(&n->sinks[sink].arrived, now);
}

/* First cycle in which the oldest arrived packet could be taken. Requires such a packet. */
static inline uint64_t network_front_arrival(const struct network *n, unsigned sink)
{
	return port_next(&n->sinks[sink].arrived);
}

/* Takes the oldest packet that has arrived, or returns NO_TRANSACTION. */
uint32_t network_take(struct network *n, unsigned sink, uint64_t now);
void network_tick(struct network *n, uint64_t now, bool reverse);
/* Nothing on its way, not even a credit; packets may wait in sinks. Until then every cycle must be ticked. */
bool network_is_idle(const struct network *n);

struct network_counts {
	uint64_t packets, flits_in, flits_out, router_flits;
	uint64_t link_flits, short_flits; /* over long links, over the others */
	uint64_t switch_ports;            /* inputs and outputs of the routers that flits went through */
};

struct network_counts network_count(const struct network *n);
/* Inputs and outputs of all routers. */
unsigned network_ports(const struct network *n);
unsigned network_long_links(const struct network *n);
struct noc_load network_load(const struct network *n, enum noc_stage stage);
void network_dump(const struct network *n, const char *name, FILE *out);

#endif
