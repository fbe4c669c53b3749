/* The two networks of a machine, as section `noc` asks for. */
#ifndef ROMARK_SIM_NETWORKS_H
#define ROMARK_SIM_NETWORKS_H

#include "sim-backend/noc/network.h"

/*
 * A network for any sources and sinks, of the kind that plan->knobs asks for. A ring between chips has a plan with the
 * chips as groups on both sides, and knobs of its own:
 *
 *   struct topology_plan plan = {.sources = {chips, 1}, .sinks = {chips, 1}, .knobs = &knobs};
 *   noc_create_planned(&ring, &plan, &(struct noc_ends){8, 64, 5}, member, context, &pool);
 */
struct noc_ends {
	unsigned source_queue, sink_queue; /* packets */
	unsigned most_flits;               /* of a packet */
};

void noc_create_planned(struct network *n, const struct topology_plan *plan, const struct noc_ends *ends,
			unsigned (*member)(void *context, uint32_t packet), void *context,
			struct transaction_pool *pool);
/* One of a chip's networks. `config` must have passed noc_config_check. */
void noc_create(struct network *n, const struct noc_config *config, const struct shape *shape, bool to_memory,
		const struct noc_ends *ends, unsigned (*member)(void *context, uint32_t packet), void *context,
		struct transaction_pool *pool);
/* The same for packets that come over links from other chips: topology_plan_from_links. */
void noc_create_from_links(struct network *n, const struct noc_config *config, const struct shape *shape,
			   bool to_memory, const struct noc_ends *ends,
			   unsigned (*member)(void *context, uint32_t packet), void *context,
			   struct transaction_pool *pool);
/* Flits of a line with a header; of an L1 line when that is longer. */
unsigned noc_most_flits(const struct noc_config *config, const struct shape *shape);
/*
 * Clocks of the networks from the send of a packet of one flit until it can be received, in an empty network: the mean
 * over all pairs of source and sink. Each further flit takes a clock more, unless a link is slower.
 */
double noc_unloaded_clocks(const struct noc_config *config, const struct shape *shape, bool to_memory);

#endif
