/* Counters of the networks. */
#ifndef ROMARK_SIM_NOC_STATS_H
#define ROMARK_SIM_NOC_STATS_H

#include "sim-backend/knobs/stat.h"

/* Both networks. Latencies run from memsys_send to the cycle the reply can be received. */
struct noc_stats {
#define STAT STAT_FIELD
#include "sim-backend/noc/noc_stats.def"
};

/* The channels of a network: from the sources, between routers, to the sinks. */
enum noc_stage { NOC_IN, NOC_LINKS, NOC_OUT, NOC_STAGES };

/*
 * The load of a stage's channels. A flit keeps a channel busy for a cycle, or for longer if the link is slower than its
 * routers.
 */
struct noc_load {
	unsigned channels;
	double busy, busiest; /* cycles of all channels; of the busiest one */
};

extern const struct stat_row noc_stat_rows[];

#endif
