/* Wires routers, sources and sinks together and ticks those that have something to do. */
#include "sim-backend/noc/network.h"

#include "common/diag.h"

#include <string.h>

static void init_endpoints(struct network *n)
{
	const struct network_shape *s = &n->shape;

	n->sources = xcalloc_lines(s->sources, sizeof *n->sources);
	n->sinks = xcalloc_lines(s->sinks, sizeof *n->sinks);
	wakeups_init(&n->sending, s->sources, false);
	wakeups_init(&n->arrivals, s->sinks, false);
	for (unsigned i = 0; i < s->sources; i++) {
		port_init(&n->sources[i].queue, s->source_queue, wakeup_of(&n->sending, i));
		memset(n->sources[i].credits, (int)s->depth, s->vcs);
		n->sources[i].latest_at = UINT64_MAX;
	}
	for (unsigned i = 0; i < s->sinks; i++)
		port_init(&n->sinks[i].arrived, s->sink_queue, wakeup_of(&n->arrivals, i));
}

static void connect_first_stage(struct network *n, unsigned router)
{
	const struct network_shape *s = &n->shape;
	unsigned per_router = s->sources / s->first_routers;
	struct router *r = &n->routers[router];

	router_init(r, &(struct router_shape){.inputs = per_router,
					      .outputs = s->second_routers,
					      .vcs = s->vcs,
					      .depth = s->depth,
					      .stages = s->stages,
					      .link_cycles = s->link_cycles,
					      .most_flits = s->most_flits});
	r->number = router;
	for (unsigned i = 0; i < per_router; i++) {
		struct source *source = &n->sources[router * per_router + i];

		source->router = r;
		source->port = (uint8_t)i;
		r->in[i].source = source;
	}
	for (unsigned j = 0; j < s->second_routers; j++) {
		struct router_output *out = router_output(r, j);

		out->router = &n->routers[s->first_routers + j];
		out->port = (uint8_t)router;
		out->link_cycles = (uint8_t)s->link_cycles;
		memset(out->credits, (int)s->depth, s->vcs);
	}
}

static void connect_second_stage(struct network *n, unsigned router)
{
	const struct network_shape *s = &n->shape;
	unsigned per_router = s->sinks / s->second_routers;
	struct router *r = &n->routers[s->first_routers + router];

	router_init(r, &(struct router_shape){.inputs = s->first_routers,
					      .outputs = per_router,
					      .vcs = s->vcs,
					      .depth = s->depth,
					      .stages = s->stages,
					      .extra_cycles = s->second_extra_cycles,
					      .link_cycles = s->link_cycles,
					      .most_flits = s->most_flits});
	r->number = s->first_routers + router;
	for (unsigned i = 0; i < s->first_routers; i++)
		r->in[i] = (struct router_input){
		    .router = &n->routers[i], .port = (uint8_t)router, .link_cycles = (uint8_t)s->link_cycles};
	for (unsigned j = 0; j < per_router; j++)
		router_output(r, j)->sink = &n->sinks[router * per_router + j];
}

void network_init(struct network *n, const struct network_shape *shape, const struct router_route *route,
		  const struct transaction_pool *pool)
{
	memset(n, 0, sizeof *n);
	n->shape = *shape;
	n->route = *route;
	n->pool = pool;
	n->routers_count = shape->first_routers + shape->second_routers;
	n->routers = xcalloc_lines(n->routers_count, sizeof *n->routers);
	init_endpoints(n);
	for (unsigned i = 0; i < shape->first_routers; i++)
		connect_first_stage(n, i);
	for (unsigned i = 0; i < shape->second_routers; i++)
		connect_second_stage(n, i);
}

void network_release(struct network *n)
{
	for (unsigned i = 0; i < n->shape.sources; i++)
		port_release(&n->sources[i].queue);
	for (unsigned i = 0; i < n->shape.sinks; i++)
		port_release(&n->sinks[i].arrived);
	for (unsigned i = 0; i < n->routers_count; i++)
		router_release(&n->routers[i]);
	free(n->routers);
	free(n->sources);
	free(n->sinks);
	wakeups_release(&n->sending);
	wakeups_release(&n->arrivals);
}

void network_send(struct network *n, unsigned source, uint64_t now, uint32_t packet)
{
	if (n->pool->items[packet].flits > n->shape.most_flits)
		BUG("a packet of %u flits, but the network was made for %u", n->pool->items[packet].flits,
		    n->shape.most_flits);
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

static unsigned usable_credits(const struct source *s, unsigned vc, uint64_t now)
{
	return s->credits[vc] - (s->latest_at == now && s->latest_vc == vc ? s->latest : 0u);
}

static void start_packet(struct network *n, struct source *s, unsigned vc, unsigned room, unsigned flits, uint64_t now)
{
	router_receive(s->router, s->port, vc, *port_peek(&s->queue, now), flits, now + 1);
	port_pop(&s->queue, now);
	n->queued--;
	s->credits[vc] -= (uint8_t)room;
	s->free_at = now + flits;
	s->packets++;
	s->flits += flits;
}

/* Starts the oldest packet on the next VC with room for all of it; sleeps until a credit comes when no VC has. */
static void source_tick(struct network *n, struct source *s, uint64_t now)
{
	const uint32_t *front = s->free_at > now ? NULL : port_peek(&s->queue, now);
	unsigned flits, room, most = 0;

	if (!front)
		return;
	flits = n->pool->items[*front].flits;
	room = flits < n->shape.depth ? flits : n->shape.depth;
	for (unsigned i = 0; i < n->shape.vcs; i++) {
		unsigned vc = s->next_vc;

		s->next_vc = (uint8_t)(vc + 1 == n->shape.vcs ? 0 : vc + 1);
		if (usable_credits(s, vc, now) >= room) {
			start_packet(n, s, vc, room, flits, now);
			return;
		}
		most = s->credits[vc] > most ? s->credits[vc] : most;
	}
	if (most < room)
		put_to_sleep(&s->queue.receiver);
}

static void tick_sources(struct network *n, uint64_t now)
{
	unsigned i;

	for (unsigned w = 0; w < n->sending.words; w++)
		BITS_FOR_EACH(i, n->sending.awake[w], w * 64) {
			struct source *s = &n->sources[i];

			source_tick(n, s, now);
			if (!s->queue.count)
				put_to_sleep(&s->queue.receiver);
		}
}

void network_tick(struct network *n, uint64_t now, bool reverse)
{
	if (!reverse)
		tick_sources(n, now);
	for (unsigned i = 0; i < n->routers_count; i++) {
		struct router *r = &n->routers[reverse ? n->routers_count - 1 - i : i];

		if (!router_is_idle(r))
			router_tick(r, now, &n->route);
	}
	if (reverse)
		tick_sources(n, now);
}

bool network_is_idle(const struct network *n)
{
	if (n->queued)
		return false;
	for (unsigned i = 0; i < n->routers_count; i++)
		if (!router_is_idle(&n->routers[i]))
			return false;
	return true;
}

struct network_counts network_count(const struct network *n)
{
	struct network_counts c = {0};

	for (unsigned i = 0; i < n->shape.sources; i++) {
		c.packets += n->sources[i].packets;
		c.flits_in += n->sources[i].flits;
	}
	for (unsigned i = 0; i < n->shape.first_routers; i++)
		c.link_flits += n->routers[i].switched;
	for (unsigned i = n->shape.first_routers; i < n->routers_count; i++)
		c.flits_out += n->routers[i].switched;
	c.router_flits = c.link_flits + c.flits_out;
	return c;
}

static void dump_router(const struct network *n, const struct router *r, const char *name, FILE *out)
{
	bool second = network_is_second_stage(n, r);

	for (unsigned k = 0; k < r->vcs_count; k++) {
		const struct router_vc *v = &r->vcs_in[k];
		struct router_output *o = router_output(r, v->out_port);

		if (!v->count)
			continue;
		fprintf(out, "%s stage %d router %u input %u vc %u: %u packets, the first", name, second ? 2 : 1,
			second ? r->number - n->shape.first_routers : r->number, v->in_port, v->in_vc, v->count);
		if (!v->room)
			fputs(" in the first stages\n", out);
		else if (bits_has(output_waiting(o), k))
			fprintf(out, " waits for a VC of output %u\n", v->out_port);
		else if (o->sink)
			fprintf(out, " goes to the sink at output %u\n", v->out_port);
		else
			fprintf(out, " of %u flits goes to output %u vc %u, room for %u\n", v->flits, v->out_port,
				v->out_vc, o->credits[v->out_vc]);
	}
}

void network_dump(const struct network *n, const char *name, FILE *out)
{
	for (unsigned i = 0; i < n->shape.sources; i++)
		if (n->sources[i].queue.count)
			fprintf(out, "%s source %u: %u packets wait\n", name, i, n->sources[i].queue.count);
	for (unsigned i = 0; i < n->routers_count; i++)
		dump_router(n, &n->routers[i], name, out);
	for (unsigned i = 0; i < n->shape.sinks; i++)
		if (n->sinks[i].arrived.count)
			fprintf(out, "%s sink %u: %u packets not taken\n", name, i, n->sinks[i].arrived.count);
}
