/* Puts the lists of a topology together, and finds the builder that a machine's configuration names. */
#include "sim-backend/noc/topology.h"

#include "common/diag.h"
#include "sim-backend/noc/router.h"

#define TOPOLOGY(name, ops) extern const struct topology_ops ops;
#include "sim-backend/noc/topologies.def"
#undef TOPOLOGY

const struct topology_ops *const topology_table[] = {
#define TOPOLOGY(name, ops) &ops,
#include "sim-backend/noc/topologies.def"
#undef TOPOLOGY
    NULL,
};

void topology_init(struct topology *t, const struct topology_plan *plan)
{
	*t = (struct topology){.plan = *plan};
}

void topology_release(struct topology *t)
{
	vec_release(&t->routers);
	vec_release(&t->links);
	vec_release(&t->sources);
	vec_release(&t->sinks);
	vec_release(&t->hops);
	vec_release(&t->entry_vcs);
}

struct topology_plan topology_plan_of(const struct noc_config *config, const struct shape *shape, bool to_memory)
{
	struct topology_side sms = {shape->sm_routers, shape->sms / shape->sm_routers};
	struct topology_side slices = {shape->mcs, shape->slices_per_mc};
	struct topology_plan plan = {.sources = to_memory ? sms : slices,
				     .sinks = to_memory ? slices : sms,
				     .to_memory = to_memory,
				     .knobs = config};

	plan.sinks.each += shape_gate_places(shape, plan.sinks.groups);
	return plan;
}

struct topology_plan topology_plan_from_links(const struct noc_config *config, const struct shape *shape,
					      bool to_memory)
{
	struct topology_plan plan = topology_plan_of(config, shape, to_memory);

	plan.sources.each = shape_gate_places(shape, plan.sources.groups);
	return plan;
}

void topology_build(struct topology *t, const struct topology_plan *plan)
{
	topology_init(t, plan);
	topology_table[plan->knobs->topology]->build(t);
	if (plan->knobs->vc_choice == NOC_VC_OUTPUT)
		topology_choose_vcs_by_output(t, plan->knobs->vcs);
}

int topology_fits(const struct topology *t, const char *name, struct diag *d)
{
	for (size_t i = 0; i < t->routers.len; i++) {
		const struct topology_router *r = &t->routers.data[i];

		if (r->inputs > ROUTER_MAX_PORTS || r->outputs > ROUTER_MAX_PORTS)
			return diag_file(d, NULL,
					 "noc.topology=%s needs a router with %u inputs and %u outputs here; a router "
					 "has at most %d of each: spread the endpoints over more routers",
					 name, r->inputs, r->outputs, ROUTER_MAX_PORTS);
	}
	return 0;
}

unsigned topology_add_router(struct topology *t, unsigned stages, unsigned extra_cycles)
{
	vec_push(&t->routers, (struct topology_router){.stages = stages, .extra_cycles = extra_cycles});
	for (unsigned g = 0; g < t->plan.sinks.groups; g++) {
		vec_push(&t->hops, (struct topology_hop){.vcs = TOPOLOGY_ALL_VCS});
		vec_push(&t->entry_vcs, TOPOLOGY_ALL_VCS);
	}
	return (unsigned)t->routers.len - 1;
}

static void keep_longest(struct topology *t, const struct topology_wire *wire)
{
	t->longest_link = wire->cycles > t->longest_link ? wire->cycles : t->longest_link;
}

unsigned topology_add_link(struct topology *t, unsigned from, unsigned to, const struct topology_wire *wire)
{
	struct topology_link link = {from, t->routers.data[from].outputs++, to, t->routers.data[to].inputs++, *wire};

	vec_push(&t->links, link);
	keep_longest(t, wire);
	return link.output;
}

void topology_add_sources(struct topology *t, unsigned group, unsigned router)
{
	if (t->sources.len != (size_t)group * t->plan.sources.each)
		BUG("sources of group %u are added out of order", group);
	for (unsigned i = 0; i < t->plan.sources.each; i++) {
		struct topology_end end = {.router = router, .port = t->routers.data[router].inputs++};

		vec_push(&t->sources, end);
	}
}

void topology_add_sinks(struct topology *t, unsigned group, unsigned router, const struct topology_wire *wire)
{
	unsigned first = t->routers.data[router].outputs;

	if (t->sinks.len != (size_t)group * t->plan.sinks.each)
		BUG("sinks of group %u are added out of order", group);
	topology_set_hop(t, router, group, first, TOPOLOGY_ALL_VCS);
	topology_hop_at(t, router, group)->last = true;
	for (unsigned i = 0; i < t->plan.sinks.each; i++) {
		struct topology_end end = {router, t->routers.data[router].outputs++, *wire};

		vec_push(&t->sinks, end);
	}
	keep_longest(t, wire);
}

void topology_set_hop(struct topology *t, unsigned router, unsigned group, unsigned port, unsigned vcs)
{
	*topology_hop_at(t, router, group) = (struct topology_hop){(uint8_t)port, (uint8_t)vcs, false};
	t->classes |= vcs != TOPOLOGY_ALL_VCS;
}

/* The n-th of the VCs in `mask`, counted round and round. */
static unsigned nth_vc(unsigned mask, unsigned n)
{
	for (n %= (unsigned)__builtin_popcount(mask); n; n--)
		mask &= mask - 1;
	return mask & -mask;
}

/* The VCs in `allowed`, at the input of `router`, that are for packets to `group`. */
static unsigned vcs_at(const struct topology *t, unsigned router, unsigned group, unsigned allowed)
{
	const struct topology_hop *hop = topology_hop_at(t, router, group);

	return hop->last && t->plan.sinks.each > 1 ? allowed : nth_vc(allowed, hop->port);
}

void topology_choose_vcs_by_output(struct topology *t, unsigned vcs)
{
	unsigned all = (1u << vcs) - 1;

	for (size_t i = 0; i < t->links.len; i++) {
		const struct topology_link *link = &t->links.data[i];

		for (unsigned g = 0; g < t->plan.sinks.groups; g++) {
			struct topology_hop *hop = topology_hop_at(t, link->from, g);

			if (!hop->last && hop->port == link->output)
				hop->vcs = (uint8_t)vcs_at(t, link->to, g, hop->vcs & all);
		}
	}
	for (size_t i = 0; i < t->entry_vcs.len; i++) {
		unsigned groups = t->plan.sinks.groups;

		t->entry_vcs.data[i] = (uint8_t)vcs_at(t, (unsigned)i / groups, (unsigned)i % groups, all);
	}
	t->classes = true;
}
