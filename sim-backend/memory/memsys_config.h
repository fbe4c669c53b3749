/*
 * The configuration of a memory system, put together from its rooms' own: sections chips, noc, llc, dram, map, tlb of a
 * GPU configuration.
 *
 *   struct memsys_config c = {.sms = 64, .core_mhz = 1400};
 *   knob_defaults(noc_knobs, &c.noc); ...
 *   if (memsys_config_check(&c, &diag) < 0) ...
 */
#ifndef ROMARK_SIM_MEMSYS_CONFIG_H
#define ROMARK_SIM_MEMSYS_CONFIG_H

#include "sim-backend/chips/chips_config.h"
#include "sim-backend/dram/channel.h"
#include "sim-backend/llc/llc_config.h"
#include "sim-backend/map/address_map.h"
#include "sim-backend/noc/networks.h"
#include "sim-backend/tlb/tlb_config.h"

struct memsys_config {
	uint32_t sms; /* of all chips, spread evenly: over chips, then over noc.sm_routers, consecutive SMs together */
	uint32_t core_mhz; /* clock of the SMs, in whose cycles time is counted */
	struct chips_config chips;
	struct noc_config noc;
	struct llc_config llc;
	struct dram_config dram;
	struct map_config map;
	struct tlb_config tlb;
};

/* Whether the values fit together (powers of two where addresses are split, port limits). 0, or DIAG_ERROR. */
int memsys_config_check(const struct memsys_config *config, struct diag *d);
/* How many parts there are. */
struct shape memsys_shape(const struct memsys_config *config);
/* Its address map. */
void memsys_map_init(struct address_map *map, const struct memsys_config *config);
/* The paths between slices and channels. */
struct dram_ends memsys_dram_ends(const struct memsys_config *config);
/* Queue lengths at the ends of a chip's network, and its longest packet. */
struct noc_ends memsys_noc_ends(const struct memsys_config *config, bool to_memory);

#endif
