/* All counters of a memory system, as memsys_statistics puts them together. */
#ifndef ROMARK_SIM_MEMSYS_STATS_H
#define ROMARK_SIM_MEMSYS_STATS_H

#include "sim-backend/chips/chips_stats.h"
#include "sim-backend/dram/dram_stats.h"
#include "sim-backend/llc/llc_stats.h"
#include "sim-backend/memory/charges.h"
#include "sim-backend/memory/memsys_config.h"
#include "sim-backend/memory/sharing.h"
#include "sim-backend/memory/working_set.h"
#include "sim-backend/noc/noc_stats.h"
#include "sim-backend/tlb/tlb.h"

struct memsys_stats {
	struct noc_stats noc;
	struct noc_load request_load[NOC_STAGES], reply_load[NOC_STAGES];
	struct link_stats links; /* zeros with one chip */
	struct llc_stats llc;
	struct dram_stats dram;
	struct stage_stats stages;
	struct tlb_stats tlb;                 /* zeros unless addresses are translated */
	struct sharing_stats sharing;         /* zeros unless it is watched */
	struct response_stats responses;      /* zeros with one chip */
	struct coherence_stats coherence;     /* zeros unless hardware does it */
	struct working_set_stats working_set; /* zeros unless it is counted */
	unsigned nchips;
	const struct response_stats *responses_of; /* [nchips]: to the SMs of each; zeros with one chip */
	unsigned router_ports, long_links;         /* of all networks: routers' inputs and outputs; links */
	unsigned nslices, nchannels, nbanks;       /* banks: of a channel */
	const struct llc_stats *slices;            /* [nslices], chip-major, then MC-major */
	const struct dram_stats *channels;         /* [nchannels], chip-major, then MC-major */
	const struct dram_bank_stats *banks;       /* [nchannels][nbanks] */
	unsigned nstructures;
	const struct structure_memory *structures; /* [nstructures] */
	const struct stat_row *policy_rows;        /* NULL when the policy has none */
	const void *policy_values;
};

#endif
