/* Makes the networks that a machine's knobs describe, or says why that is impossible. */
#include "sim-backend/noc/networks.h"

#include "common/diag.h"
#include "common/integer.h"

unsigned noc_most_flits(const struct noc_config *c, const struct shape *shape)
{
	unsigned bytes = shape->line_bytes > 128 ? shape->line_bytes : 128;

	return 1 + (unsigned)divide_up(bytes, c->channel_bytes);
}

enum { MOST_CREDITS = UINT8_MAX, USUAL_STAGES = 4 };

/*
 * Flits of a VC's buffer. noc.vc_flits of them last until their credits are back from a router of four stages, over a
 * link of one cycle. Each further cycle of the pipeline takes one more flit. Each further cycle of the link takes two,
 * one per direction.
 */
static unsigned buffer_flits(const struct noc_config *c, const struct topology *t)
{
	unsigned slowest = USUAL_STAGES, flits;

	for (size_t i = 0; i < t->routers.len; i++) {
		unsigned cycles = t->routers.data[i].stages + t->routers.data[i].extra_cycles;

		slowest = cycles > slowest ? cycles : slowest;
	}
	flits = c->vc_flits + slowest - USUAL_STAGES + (t->longest_link ? 2 * (t->longest_link - 1) : 0);
	return flits < MOST_CREDITS ? flits : MOST_CREDITS;
}

void noc_create_planned(struct network *n, const struct topology_plan *plan, const struct noc_ends *ends,
			unsigned (*member)(void *context, uint32_t packet), void *context,
			struct transaction_pool *pool)
{
	const struct noc_config *c = plan->knobs;
	struct topology topology;
	struct network_setup setup = {.topology = &topology,
				      .vcs = c->vcs,
				      .source_queue = ends->source_queue,
				      .sink_queue = ends->sink_queue,
				      .most_flits = ends->most_flits,
				      .flit_wise = c->switching == NOC_FLIT,
				      .by_input = c->arbiter == NOC_ARBITER_INPUT,
				      .islip_iterations = c->islip_iterations,
				      .speedup = c->speedup,
				      .output_queue = c->output_queue};

	topology_build(&topology, plan);
	setup.depth = buffer_flits(c, &topology);
	network_init(n, &setup, member, context, pool);
}

void noc_create(struct network *n, const struct noc_config *config, const struct shape *shape, bool to_memory,
		const struct noc_ends *ends, unsigned (*member)(void *context, uint32_t packet), void *context,
		struct transaction_pool *pool)
{
	struct topology_plan plan = topology_plan_of(config, shape, to_memory);

	noc_create_planned(n, &plan, ends, member, context, pool);
}

void noc_create_from_links(struct network *n, const struct noc_config *config, const struct shape *shape,
			   bool to_memory, const struct noc_ends *ends,
			   unsigned (*member)(void *context, uint32_t packet), void *context,
			   struct transaction_pool *pool)
{
	struct topology_plan plan = topology_plan_from_links(config, shape, to_memory);

	noc_create_planned(n, &plan, ends, member, context, pool);
	n->onward = true;
}

/* --- Without load --- */

static const struct topology_link *link_at(const struct topology *t, unsigned router, unsigned port)
{
	for (size_t i = 0; i < t->links.len; i++)
		if (t->links.data[i].from == router && t->links.data[i].output == port)
			return &t->links.data[i];
	BUG("router %u has no link at port %u", router, port);
}

/* From a router to a group of sinks. */
static unsigned way_clocks(const struct topology *t, unsigned router, unsigned group)
{
	unsigned clocks = 0;

	for (;;) {
		const struct topology_hop *hop = topology_hop_at(t, router, group);
		const struct topology_link *link;

		clocks += t->routers.data[router].stages + t->routers.data[router].extra_cycles;
		if (hop->last)
			return clocks + t->sinks.data[group * t->plan.sinks.each].wire.cycles;
		link = link_at(t, router, hop->port);
		clocks += link->wire.cycles;
		router = link->to;
	}
}

double noc_unloaded_clocks(const struct noc_config *config, const struct shape *shape, bool to_memory)
{
	struct topology_plan plan = topology_plan_of(config, shape, to_memory);
	struct topology t;
	double sum = 0;

	topology_build(&t, &plan);
	for (unsigned from = 0; from < plan.sources.groups; from++)
		for (unsigned to = 0; to < plan.sinks.groups; to++)
			sum += way_clocks(&t, t.sources.data[from * plan.sources.each].router, to);
	topology_release(&t);
	return 2 + sum / (plan.sources.groups * plan.sinks.groups);
}

/* --- Checks --- */

static int plan_fits(const struct topology_plan *plan, const char *name, struct diag *d)
{
	struct topology t;
	int status;

	topology_build(&t, plan);
	status = topology_fits(&t, name, d);
	topology_release(&t);
	return status;
}

int noc_config_check(const struct noc_config *c, const struct shape *shape, struct diag *d)
{
	const struct topology_ops *ops = topology_table[c->topology];
	int status = 0;

	if (c->clock_mhz > shape->core_mhz)
		return diag_file(d, NULL, "noc.clock_mhz is %u; it must not be above gpu.clock_mhz, which is %u",
				 c->clock_mhz, shape->core_mhz);
	if (shape->line_bytes / c->channel_bytes > 48)
		return diag_file(d, NULL,
				 "noc.channel_bytes is %u; a line of %u bytes must not need more than 48 flits",
				 c->channel_bytes, shape->line_bytes);
	if (c->speedup > 1 && c->switching == NOC_PACKET)
		return diag_file(d, NULL,
				 "noc.speedup is %u; a switch that is held for a packet runs at the links' speed: "
				 "take noc.switching=flit or noc.speedup=1",
				 c->speedup);
	if (ops->check)
		status = ops->check(c, d);
	for (int to_memory = 1; status == 0 && to_memory >= 0; to_memory--) {
		struct topology_plan plan = topology_plan_of(c, shape, to_memory);
		struct topology_plan from_links = topology_plan_from_links(c, shape, to_memory);

		status = plan_fits(&plan, ops->name, d);
		if (status == 0 && shape->chips > 1)
			status = plan_fits(&from_links, ops->name, d);
	}
	return status;
}
