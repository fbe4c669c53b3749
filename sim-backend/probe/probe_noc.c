/* Sends traffic into one network, and empties its sinks at once. */
#include "sim-backend/noc/networks.h"
#include "sim-backend/probe/probe.h"
#include "sim-backend/base/random.h"

#include "common/vec.h"

/* Packets that a source has created and not yet sent, each represented by the cycle of its creation. */
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
	unsigned sources, sinks, sources_each, sinks_each;
	uint64_t random, latency_sum;
};

static unsigned member(void *context, uint32_t packet)
{
	const struct noc_probe *p = context;

	return p->pool.items[packet].request.cookie % p->sinks_each;
}

/* As if the chip were alone: a network without links to other chips. */
static struct shape chip_of(const struct memsys_config *machine)
{
	struct shape shape = memsys_shape(machine);

	shape.chips = 1;
	shape.gates = 0;
	return shape;
}

static void start(struct noc_probe *p, const struct memsys_config *machine)
{
	struct shape shape = chip_of(machine);
	struct topology_plan plan = topology_plan_of(&machine->noc, &shape, !p->traffic->reply_network);
	struct noc_ends ends = memsys_noc_ends(machine, plan.to_memory);

	p->pool = (struct transaction_pool){.free = NO_TRANSACTION};
	p->sources = plan.sources.groups * plan.sources.each;
	p->sinks = plan.sinks.groups * plan.sinks.each;
	p->sources_each = plan.sources.each;
	p->sinks_each = plan.sinks.each;
	ends.most_flits = p->traffic->flits;
	noc_create(&p->net, &machine->noc, &shape, plan.to_memory, &ends, member, p, &p->pool);
}

static void stop(struct noc_probe *p)
{
	network_release(&p->net);
	xfree(p->pool.items);
}

static void send(struct noc_probe *p, unsigned source, unsigned sink, uint64_t created, uint64_t now)
{
	uint32_t packet = transaction_new(&p->pool);

	p->pool.items[packet].flits = (uint8_t)p->traffic->flits;
	p->pool.items[packet].request.cookie = sink;
	p->pool.items[packet].request.issued = created;
	network_send(&p->net, source, now, packet, sink / p->sinks_each);
}

/*
 * The sink of a source in the permutation: the source's place in its group gives the sink's group, and the source's
 * group gives the sink's place.
 */
static unsigned partner(const struct noc_probe *p, unsigned source)
{
	unsigned groups = p->sinks / p->sinks_each, in_group = source % p->sources_each;
	unsigned group = in_group % groups, place = source / p->sources_each;

	return group * p->sinks_each + (place + in_group / groups) % p->sinks_each;
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
	for (enum noc_stage stage = NOC_IN; stage < NOC_STAGES; stage++)
		r->load[stage] = network_load(&p->net, stage);
	for (unsigned s = 0; s < p->sources; s++)
		vec_release(&p->backlogs[s].created);
	xfree(p->backlogs);
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
