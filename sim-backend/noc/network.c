/* Wires routers, sources and sinks together and ticks those that have something to do. */
#include "sim-backend/noc/network.h"

#include "common/diag.h"

#include <string.h>

/*
 * A packet holds its place in the sink from the last router on. Packets on a long wire must not take the places of
 * others, so they get extra places.
 */
static unsigned sink_room(const struct network_setup *s, const struct topology_wire *wire)
{
	return s->sink_queue + (wire->cycles ? wire->cycles - 1 : 0);
}

static void init_endpoints(struct network *n)
{
	const struct network_setup *s = &n->setup;

	n->sources = xcalloc_lines(n->sources_count, sizeof *n->sources);
	n->sinks = xcalloc_lines(n->sinks_count, sizeof *n->sinks);
	wakeups_init(&n->sending, n->sources_count, false);
	wakeups_init(&n->arrivals, n->sinks_count, false);
	for (unsigned i = 0; i < n->sources_count; i++) {
		port_init(&n->sources[i].queue, s->source_queue, wakeup_of(&n->sending, i));
		memset(n->sources[i].credits, (int)s->depth, s->vcs);
		n->sources[i].latest_at = UINT64_MAX;
	}
	for (unsigned i = 0; i < n->sinks_count; i++)
		port_init(&n->sinks[i].arrived, sink_room(s, &n->topology.sinks.data[i].wire),
			  wakeup_of(&n->arrivals, i));
}

static void init_routers(struct network *n)
{
	const struct network_setup *s = &n->setup;
	const struct topology *t = &n->topology;

	for (unsigned i = 0; i < n->routers_count; i++) {
		const struct topology_router *r = &t->routers.data[i];

		router_init(&n->routers[i], &(struct router_shape){.inputs = r->inputs,
								   .outputs = r->outputs,
								   .vcs = s->vcs,
								   .depth = s->depth,
								   .stages = r->stages,
								   .extra_cycles = r->extra_cycles,
								   .link_cycles = t->longest_link,
								   .most_flits = s->most_flits,
								   .flit_wise = s->flit_wise,
								   .classes = t->classes,
								   .by_input = s->by_input,
								   .iterations = s->islip_iterations,
								   .speedup = s->speedup,
								   .output_queue = s->output_queue});
		n->routers[i].number = i;
		n->routers[i].pool = n->pool;
		n->routers[i].hops = topology_hop_at(t, i, 0);
	}
}

static void set_wire(struct router *r, unsigned output, const struct topology_wire *wire)
{
	router_output(r, output)->link_cycles = (uint8_t)wire->cycles;
	if (r->flit_wise)
		r->channels[output].interval = wire->interval;
}

static void connect_link(struct network *n, const struct topology_link *link)
{
	struct router *from = &n->routers[link->from], *to = &n->routers[link->to];
	struct router_output *out = router_output(from, link->output);

	out->router = to;
	out->port = (uint8_t)link->input;
	memset(out->credits, (int)n->setup.depth, n->setup.vcs);
	set_wire(from, link->output, &link->wire);
	to->in[link->input] = (struct router_input){
	    .router = from, .port = (uint8_t)link->output, .link_cycles = (uint8_t)link->wire.cycles};
	for (unsigned vc = 0; vc < n->setup.vcs; vc++)
		bits_set(to->from_links, link->input * n->setup.vcs + vc);
}

static void connect_endpoints(struct network *n)
{
	const struct topology *t = &n->topology;

	for (unsigned i = 0; i < n->sources_count; i++) {
		struct source *source = &n->sources[i];

		source->router = &n->routers[t->sources.data[i].router];
		source->port = (uint8_t)t->sources.data[i].port;
		source->router->in[source->port].source = source;
	}
	for (unsigned i = 0; i < n->sinks_count; i++) {
		const struct topology_end *end = &t->sinks.data[i];
		struct router_output *out = router_output(&n->routers[end->router], end->port);

		out->sink = &n->sinks[i];
		out->port = ROUTER_TO_SINK;
		set_wire(&n->routers[end->router], end->port, &end->wire);
	}
}

void network_init(struct network *n, const struct network_setup *setup,
		  unsigned (*member)(void *context, uint32_t packet), void *context, struct transaction_pool *pool)
{
	memset(n, 0, sizeof *n);
	n->setup = *setup;
	n->topology = *setup->topology;
	n->setup.topology = &n->topology;
	n->route = (struct router_route){member, context, pool};
	n->pool = pool;
	n->routers_count = (unsigned)n->topology.routers.len;
	n->sources_count = (unsigned)n->topology.sources.len;
	n->sinks_count = (unsigned)n->topology.sinks.len;
	n->routers = xcalloc_lines(n->routers_count, sizeof *n->routers);
	init_endpoints(n);
	init_routers(n);
	connect_endpoints(n);
	for (size_t i = 0; i < n->topology.links.len; i++)
		connect_link(n, &n->topology.links.data[i]);
}

void network_ask_group(struct network *n, unsigned (*group)(void *context, uint32_t packet))
{
	n->group = group;
}

void network_release(struct network *n)
{
	for (unsigned i = 0; i < n->sources_count; i++)
		port_release(&n->sources[i].queue);
	for (unsigned i = 0; i < n->sinks_count; i++)
		port_release(&n->sinks[i].arrived);
	for (unsigned i = 0; i < n->routers_count; i++)
		router_release(&n->routers[i]);
	xfree(n->routers);
	xfree(n->sources);
	xfree(n->sinks);
	wakeups_release(&n->sending);
	wakeups_release(&n->arrivals);
	topology_release(&n->topology);
}

void network_send(struct network *n, unsigned source, uint64_t now, uint32_t packet, unsigned group)
{
	struct transaction *x = &n->pool->items[packet];

	if (x->flits > n->setup.most_flits)
		BUG("a packet of %u flits, but the network was made for %u", x->flits, n->setup.most_flits);
	x->group = (uint8_t)group;
	port_push(&n->sources[source].queue, now + 1, packet);
	n->queued++;
}

uint32_t network_take(struct network *n, unsigned sink, uint64_t now)
{
	struct sink *s = &n->sinks[sink];
	const uint32_t *front = port_peek(&s->arrived, now);
	uint32_t packet;

	if (!front)
		return NO_TRANSACTION;
	packet = *front;
	port_pop(&s->arrived, now);
	if (!s->arrived.count)
		put_to_sleep(&s->arrived.receiver);
	return packet;
}

/* Compiled for each kind of network by itself, for speed. */
#define INLINE static inline __attribute__((always_inline))

static unsigned usable_credits(const struct source *s, unsigned vc, uint64_t now)
{
	return s->credits[vc] - (s->latest_at == now ? s->latest[vc] : 0u);
}

INLINE void stamp_entry(struct network *n, uint32_t packet)
{
	if (n->onward)
		return;
	n->pool->items[packet].entered = (uint32_t)n->cycle;
	if (n->log)
		request_log_event(n->log, n->cycle, n->log_entry, packet);
}

/* The packet in front is about to leave its source: its group must be known. */
INLINE const struct transaction *with_group(struct network *n, uint32_t packet)
{
	struct transaction *x = &n->pool->items[packet];

	if (x->group == NETWORK_GROUP_LATER)
		x->group = (uint8_t)n->group(n->route.context, packet);
	return x;
}

/* VCs that the packet may enter its first router on. */
static unsigned entry_vcs(const struct network *n, const struct source *s, uint32_t packet)
{
	const struct topology *t = &n->topology;

	return t->entry_vcs.data[s->router->number * t->plan.sinks.groups + n->pool->items[packet].group];
}

/* The next VC with that much room. -1: no VC has room; the source then sleeps, unless room has just come. */
INLINE int next_vc(const struct network *n, struct source *s, unsigned allowed, unsigned room, uint64_t now)
{
	unsigned most = 0;

	for (unsigned i = 0; i < n->setup.vcs; i++) {
		unsigned vc = s->next_vc;

		s->next_vc = (uint8_t)(vc + 1 == n->setup.vcs ? 0 : vc + 1);
		if (allowed != TOPOLOGY_ALL_VCS && !(allowed >> vc & 1))
			continue;
		if (usable_credits(s, vc, now) >= room)
			return (int)vc;
		most = s->credits[vc] > most ? s->credits[vc] : most;
	}
	if (most < room)
		put_to_sleep(&s->queue.receiver);
	return -1;
}

static void prefetch_front(const struct network *n, const struct source *s)
{
	const uint32_t *next = port_peek(&s->queue, UINT64_MAX);

	if (next)
		__builtin_prefetch(&n->pool->items[*next]);
}

/* Starts the oldest packet on the next VC with room for all of it; sleeps until a credit comes when no VC has. */
INLINE void source_tick(struct network *n, struct source *s, bool classes, uint64_t now)
{
	const uint32_t *front = s->free_at > now ? NULL : port_peek(&s->queue, now);
	unsigned flits, room;
	int vc;

	if (!front)
		return;
	flits = with_group(n, *front)->flits;
	room = flits < n->setup.depth ? flits : n->setup.depth;
	vc = next_vc(n, s, classes ? entry_vcs(n, s, *front) : TOPOLOGY_ALL_VCS, room, now);
	if (vc < 0)
		return;
	router_receive(s->router, s->port, (unsigned)vc, *front, flits, now + 1);
	stamp_entry(n, *front);
	port_pop(&s->queue, now);
	n->queued--;
	s->credits[vc] -= (uint8_t)room;
	s->free_at = now + flits;
	s->packets++;
	s->flits += flits;
	prefetch_front(n, s);
}

/* The same where flits are switched: they follow as there is room for each. */
static void source_tick_flits(struct network *n, struct source *s, uint64_t now)
{
	const uint32_t *front = port_peek(&s->queue, now);
	unsigned flits;

	if (!front)
		return;
	flits = with_group(n, *front)->flits;
	if (!s->left) {
		int vc = next_vc(n, s, entry_vcs(n, s, *front), flits < n->setup.depth ? flits : n->setup.depth, now);

		if (vc < 0)
			return;
		s->vc = (uint8_t)vc;
		s->left = (uint8_t)flits;
		stamp_entry(n, *front);
		router_receive(s->router, s->port, s->vc, *front, flits, now + 1);
	} else if (!usable_credits(s, s->vc, now)) {
		if (!s->credits[s->vc])
			put_to_sleep(&s->queue.receiver);
		return;
	}
	router_receive_flit(s->router, s->port, s->vc, now + 1);
	s->credits[s->vc]--;
	s->flits++;
	if (--s->left)
		return;
	port_pop(&s->queue, now);
	n->queued--;
	s->packets++;
}

static void tick_sources(struct network *n, uint64_t now)
{
	unsigned i;

	for (unsigned w = 0; w < n->sending.words; w++)
		BITS_FOR_EACH(i, n->sending.awake[w], w * 64) {
			struct source *s = &n->sources[i];

			if (n->setup.flit_wise)
				source_tick_flits(n, s, now);
			else if (n->topology.classes)
				source_tick(n, s, true, now);
			else
				source_tick(n, s, false, now);
			if (!s->queue.count)
				put_to_sleep(&s->queue.receiver);
		}
}

static void tick_routers(struct network *n, uint64_t now, bool reverse)
{
	struct router *r = reverse ? n->routers + n->routers_count - 1 : n->routers;
	int step = reverse ? -1 : 1;

	for (unsigned i = 0; i < n->routers_count; i++, r += step) {
		if (router_is_idle(r))
			continue;
		if (n->setup.flit_wise)
			router_tick_flits(r, now, &n->route);
		else
			router_tick_packets(r, now, &n->route);
	}
}

void network_tick(struct network *n, uint64_t now, bool reverse)
{
	if (!reverse)
		tick_sources(n, now);
	tick_routers(n, now, reverse);
	if (reverse)
		tick_sources(n, now);
}

bool network_is_idle(const struct network *n)
{
	if (n->queued)
		return false;
	for (const struct router *r = n->routers, *end = r + n->routers_count; r < end; r++)
		if (!router_is_idle(r))
			return false;
	return true;
}

static uint64_t passed(const struct network *n, unsigned router, unsigned output)
{
	return router_output(&n->routers[router], output)->passed;
}

unsigned network_ports(const struct network *n)
{
	unsigned ports = 0;

	for (unsigned i = 0; i < n->routers_count; i++)
		ports += (unsigned)n->routers[i].inputs + n->routers[i].outputs;
	return ports;
}

unsigned network_long_links(const struct network *n)
{
	const struct topology *t = &n->topology;
	unsigned count = 0;

	for (size_t i = 0; i < t->links.len; i++)
		count += t->links.data[i].wire.is_long;
	for (size_t i = 0; i < t->sinks.len; i++)
		count += t->sinks.data[i].wire.is_long;
	return count;
}

/* Flits have crossed a router and a link behind it. */
static void count_hop(struct network_counts *c, const struct network *n, unsigned router,
		      const struct topology_wire *wire, uint64_t flits)
{
	const struct router *r = &n->routers[router];

	c->router_flits += flits;
	c->switch_ports += flits * (r->inputs + r->outputs);
	if (wire->is_long)
		c->link_flits += flits;
	else
		c->short_flits += flits;
}

struct network_counts network_count(const struct network *n)
{
	const struct topology *t = &n->topology;
	struct network_counts c = {0};

	for (unsigned i = 0; i < n->sources_count; i++) {
		c.packets += n->sources[i].packets;
		c.flits_in += n->sources[i].flits;
	}
	for (size_t i = 0; i < t->links.len; i++) {
		const struct topology_link *link = &t->links.data[i];

		count_hop(&c, n, link->from, &link->wire, passed(n, link->from, link->output));
	}
	for (size_t i = 0; i < t->sinks.len; i++) {
		const struct topology_end *end = &t->sinks.data[i];
		uint64_t flits = passed(n, end->router, end->port);

		c.flits_out += flits;
		count_hop(&c, n, end->router, &end->wire, flits);
	}
	c.short_flits += c.flits_in;
	return c;
}

static void add_channel(struct noc_load *load, uint64_t flits, unsigned interval)
{
	double busy = (double)flits * interval / LINK_CYCLE;

	load->channels++;
	load->busy += busy;
	load->busiest = busy > load->busiest ? busy : load->busiest;
}

struct noc_load network_load(const struct network *n, enum noc_stage stage)
{
	const struct topology *t = &n->topology;
	struct noc_load load = {0};

	for (unsigned i = 0; stage == NOC_IN && i < n->sources_count; i++)
		add_channel(&load, n->sources[i].flits, LINK_CYCLE);
	for (size_t i = 0; stage == NOC_LINKS && i < t->links.len; i++) {
		const struct topology_link *link = &t->links.data[i];

		add_channel(&load, passed(n, link->from, link->output), link->wire.interval);
	}
	for (size_t i = 0; stage == NOC_OUT && i < t->sinks.len; i++) {
		const struct topology_end *end = &t->sinks.data[i];

		add_channel(&load, passed(n, end->router, end->port), end->wire.interval);
	}
	return load;
}

static void dump_router(const struct router *r, const char *name, FILE *out)
{
	for (unsigned k = 0; k < r->vcs_count; k++) {
		const struct router_vc *v = &r->vcs_in[k];
		struct router_output *o = router_output(r, v->out_port);

		if (!v->count)
			continue;
		fprintf(out, "%s router %u input %u vc %u: %u packets, the first", name, r->number, v->in_port,
			v->in_vc, v->count);
		if (!v->room)
			fputs(" in the first stages\n", out);
		else if (bits_has(output_waiting(o), k))
			fprintf(out, " waits for a VC of output %u\n", v->out_port);
		else if (output_is_to_sink(o))
			fprintf(out, " goes to the sink at output %u\n", v->out_port);
		else
			fprintf(out, " of %u flits goes to output %u vc %u, room for %u\n", v->flits, v->out_port,
				v->out_vc, o->credits[v->out_vc]);
	}
}

void network_dump(const struct network *n, const char *name, FILE *out)
{
	for (unsigned i = 0; i < n->sources_count; i++)
		if (n->sources[i].queue.count)
			fprintf(out, "%s source %u: %u packets wait\n", name, i, n->sources[i].queue.count);
	for (unsigned i = 0; i < n->routers_count; i++)
		dump_router(&n->routers[i], name, out);
	for (unsigned i = 0; i < n->sinks_count; i++)
		if (n->sinks[i].arrived.count)
			fprintf(out, "%s sink %u: %u packets not taken\n", name, i, n->sinks[i].arrived.count);
}
