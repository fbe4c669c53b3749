/* The hierarchical crossbar: a router for each group of sources, one for each group of sinks, a link for every pair. */
#include "sim-backend/noc/topology.h"

static void build(struct topology *t)
{
	const struct topology_plan *plan = &t->plan;
	const struct noc_config *knobs = plan->knobs;
	struct topology_wire here = topology_short_wire(), far = topology_long_wire(knobs);
	unsigned first = plan->sources.groups, extra = plan->to_memory ? knobs->mc_router_delay : 0;

	t->path_routers = 2;
	for (unsigned i = 0; i < first; i++)
		topology_add_sources(t, i, topology_add_router(t, knobs->router_stages, 0));
	for (unsigned j = 0; j < plan->sinks.groups; j++)
		topology_add_sinks(t, j, topology_add_router(t, knobs->router_stages, extra), &here);
	for (unsigned i = 0; i < first; i++)
		for (unsigned j = 0; j < plan->sinks.groups; j++)
			topology_set_hop(t, i, j, topology_add_link(t, i, first + j, &far), TOPOLOGY_ALL_VCS);
}

const struct topology_ops topology_hierarchical = {
    .name = "hierarchical",
    .build = build,
};
