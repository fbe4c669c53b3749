/*
 * One crossbar for all: flat, with a port for every endpoint; concentrated, where the SMs of a cluster share a port.
 * Endpoints that share a port are behind a router with one output, or one input, and the shortest pipeline.
 */
#include "sim-backend/noc/topology.h"

enum { CONCENTRATOR_STAGES = 2 };

static unsigned add_crossbar(struct topology *t)
{
	const struct noc_config *knobs = t->plan.knobs;

	return topology_add_router(t, knobs->router_stages, t->plan.to_memory ? knobs->mc_router_delay : 0);
}

static void build_flat(struct topology *t)
{
	struct topology_wire far = topology_long_wire(t->plan.knobs);
	unsigned crossbar = add_crossbar(t);

	t->path_routers = 1;
	for (unsigned g = 0; g < t->plan.sources.groups; g++)
		topology_add_sources(t, g, crossbar);
	for (unsigned g = 0; g < t->plan.sinks.groups; g++)
		topology_add_sinks(t, g, crossbar, &far);
}

static void build_concentrated(struct topology *t)
{
	struct topology_wire here = topology_short_wire(), far = topology_long_wire(t->plan.knobs);
	unsigned crossbar = add_crossbar(t);

	t->path_routers = 2;
	for (unsigned g = 0; g < t->plan.sources.groups; g++) {
		unsigned router = t->plan.to_memory ? topology_add_router(t, CONCENTRATOR_STAGES, 0) : crossbar;

		topology_add_sources(t, g, router);
		if (!t->plan.to_memory)
			continue;
		topology_add_link(t, router, crossbar, &here);
		for (unsigned to = 0; to < t->plan.sinks.groups; to++)
			topology_set_hop(t, router, to, 0, TOPOLOGY_ALL_VCS);
	}
	for (unsigned g = 0; g < t->plan.sinks.groups; g++) {
		unsigned router;

		if (t->plan.to_memory) {
			topology_add_sinks(t, g, crossbar, &far);
			continue;
		}
		router = topology_add_router(t, CONCENTRATOR_STAGES, 0);
		topology_set_hop(t, crossbar, g, topology_add_link(t, crossbar, router, &far), TOPOLOGY_ALL_VCS);
		topology_add_sinks(t, g, router, &here);
	}
}

const struct topology_ops topology_flat = {
    .name = "flat",
    .build = build_flat,
};

const struct topology_ops topology_concentrated = {
    .name = "concentrated",
    .build = build_concentrated,
};
