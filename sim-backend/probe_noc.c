/* Sends traffic into one network, and empties its sinks at once. */
#include "sim-backend/noc/network.h"
#include "sim-backend/probe.h"
#include "sim-backend/random.h"

#include "common/vec.h"

/* Packets that a source has created and not yet sent, each as the cycle of its creation. */
struct backlog {
	VEC(uint64_t) created;
	size_t sent;
};

struct noc_probe {
	const struct probe_traffic *traffic;
	struct probe_noc_result *result;
	struct network net;
	struct transaction_pool pool;
	struct backlog *backlogs;
	unsigned sources, sinks, sinks_per_router;
	uint64_t random, latency_sum;
};

static unsigned route(void *context, const struct router *r, uint32_t packet)
{
	const struct noc_probe *p = context;
	unsigned sink = p->pool.items[packet].request.tag;

	return network_is_second_stage(&p->net, r) ? sink % p->sinks_per_router : sink / p->sinks_per_router;
}

static struct network_shape shape_of(const struct memsys_config *c, bool reply)
{
	struct network_shape s = {.sources = c->sms,
				  .first_routers = c->noc.sm_routers,
				  .second_routers = c->noc.mc_routers,
				  .sinks = c->noc.mc_routers * c->llc.slices_per_mc,
				  .vcs = c->noc.vcs,
				  .depth = c->noc.vc_flits,
				  .stages = c->noc.router_stages,
				  .second_extra_cycles = c->noc.mc_router_delay,
				  .link_cycles = c->noc.link_cycles,
				  .source_queue = c->noc.injection_queue,
				  .sink_queue = c->llc.input_queue};

	if (!reply)
		return s;
	s.sources = s.sinks;
	s.sinks = c->sms;
	s.first_routers = c->noc.mc_routers;
	s.second_routers = c->noc.sm_routers;
	s.second_extra_cycles = 0;
	s.sink_queue = c->noc.ejection_queue;
	return s;
}

static void start(struct noc_probe *p, const struct memsys_config *config)
{
	struct network_shape shape = shape_of(config, p->traffic->reply_network);

	shape.most_flits = p->traffic->flits;
	p->pool = (struct transaction_pool){.free = NO_TRANSACTION};
	p->sources = shape.sources;
	p->sinks = shape.sinks;
	p->sinks_per_router = shape.sinks / shape.second_routers;
	network_init(&p->net, &shape, &(struct router_route){route, p}, &p->pool);
}

static void stop(struct noc_probe *p)
{
	network_release(&p->net);
	free(p->pool.items);
}

static void send(struct noc_probe *p, unsigned source, unsigned sink, uint64_t created, uint64_t now)
{
	uint32_t packet = transaction_new(&p->pool);

	p->pool.items[packet].flits = (uint8_t)p->traffic->flits;
	p->pool.items[packet].request.tag = sink;
	p->pool.items[packet].request.issued = created;
	network_send(&p->net, source, now, packet);
}

/*
 * The sink of a source in the permutation: the source's place in its router gives the sink's router, and the source's
 * router gives the sink's place.
 */
static unsigned partner(const struct noc_probe *p, unsigned source)
{
	unsigned per_router = p->sources / p->net.shape.first_routers;
	unsigned router = source % per_router % p->net.shape.second_routers, place = source / per_router;

	return router * p->sinks_per_router +
	       (place + source % per_router / p->net.shape.second_routers) % p->sinks_per_router;
}

static unsigned choose_sink(struct noc_probe *p, unsigned source)
{
	switch (p->traffic->pattern) {
	case PROBE_HOTSPOT: return 0;
	case PROBE_PERMUTATION: return partner(p, source);
	default: return (unsigned)(random_next(&p->random) % p->sinks);
	}
}

static void inject(struct noc_probe *p, uint64_t now)
{
	double chance = p->traffic->rate / p->traffic->flits;

	for (unsigned s = 0; s < p->sources; s++) {
		struct backlog *b = &p->backlogs[s];

		if (random_unit(&p->random) < chance)
			vec_push(&b->created, now);
		if (b->sent < b->created.len && network_can_send(&p->net, s, now)) {
			send(p, s, choose_sink(p, s), b->created.data[b->sent], now);
			b->sent++;
		}
	}
}

static void collect(struct noc_probe *p, uint64_t now, bool measured)
{
	struct probe_noc_result *r = p->result;
	unsigned sink;

	for (unsigned w = 0; w < p->net.arrivals.words; w++)
		BITS_FOR_EACH(sink, p->net.arrivals.awake[w], w * 64) {
			uint32_t packet = network_take(&p->net, sink, now);
			uint64_t latency;

			if (packet == NO_TRANSACTION)
				continue;
			latency = now - p->pool.items[packet].request.issued;
			transaction_free(&p->pool, packet);
			if (!measured)
				continue;
			p->latency_sum += latency;
			r->packets++;
			r->latency_min = r->latency_min && r->latency_min < latency ? r->latency_min : latency;
			r->latency_max = latency > r->latency_max ? latency : r->latency_max;
		}
}

/* One packet through the empty network. */
static uint64_t lone_packet(struct noc_probe *p)
{
	uint64_t now = 0;

	send(p, 0, p->sinks - 1, 0, now);
	while (network_take(&p->net, p->sinks - 1, now) == NO_TRANSACTION)
		network_tick(&p->net, now++, false);
	return now;
}

static void run(struct noc_probe *p)
{
	uint64_t end = p->traffic->warmup + p->traffic->cycles;
	struct probe_noc_result *r = p->result;
	double flits;

	p->backlogs = xcalloc(p->sources, sizeof *p->backlogs);
	for (uint64_t now = 0; now < end; now++) {
		inject(p, now);
		collect(p, now, now >= p->traffic->warmup);
		network_tick(&p->net, now, false);
	}
	flits = (double)r->packets * p->traffic->flits;
	r->accepted = flits / ((double)p->sources * (double)p->traffic->cycles);
	r->offered = p->traffic->rate;
	r->latency_mean = r->packets ? (double)p->latency_sum / (double)r->packets : 0;
	for (unsigned s = 0; s < p->sources; s++)
		vec_release(&p->backlogs[s].created);
	free(p->backlogs);
}

void probe_noc(const struct memsys_config *config, const struct probe_traffic *traffic, struct probe_noc_result *result)
{
	struct noc_probe p = {.traffic = traffic, .result = result, .random = traffic->seed};

	*result = (struct probe_noc_result){0};
	start(&p, config);
	result->latency_zero_load = lone_packet(&p);
	stop(&p);
	start(&p, config);
	run(&p);
	stop(&p);
}
