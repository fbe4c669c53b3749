/* The two networks of a machine, as section `noc` asks for. */
#ifndef ROMARK_SIM_NETWORKS_H
#define ROMARK_SIM_NETWORKS_H

#include "sim-backend/noc/network.h"

/* `config` must have passed noc_config_check. Longest packet: `most_flits`. */
void noc_create(struct network *n, const struct memsys_config *config, bool to_memory, unsigned most_flits,
		unsigned (*member)(void *context, uint32_t packet), void *context, struct transaction_pool *pool);
/* Flits of a line with a header; of an L1 line when that is longer. */
unsigned noc_most_flits(const struct memsys_config *config);

#endif
