/* Tells each room of a memory system how many parts the other rooms have. */
#include "sim-backend/memory/memsys_config.h"

struct shape memsys_shape(const struct memsys_config *c)
{
	return (struct shape){
	    .chips = c->chips.count,
	    .core_mhz = c->core_mhz,
	    .sms = c->sms / c->chips.count,
	    .sm_routers = c->noc.sm_routers,
	    .mcs = c->noc.mc_routers,
	    .slices_per_mc = c->llc.slices_per_mc,
	    .channels_per_mc = c->dram.channels_per_mc,
	    .gates = chips_gates(&c->chips),
	    .line_bytes = c->llc.line_bytes,
	    .row_bytes = c->dram.row_bytes,
	    .banks = c->dram.banks,
	};
}

void memsys_map_init(struct address_map *map, const struct memsys_config *c)
{
	struct shape shape = memsys_shape(c);

	address_map_init(map, &c->map, &shape);
}

struct dram_ends memsys_dram_ends(const struct memsys_config *c)
{
	return (struct dram_ends){.queue = c->llc.dram_queue,
				  .port_bytes = c->llc.port_bytes,
				  .xbar_cycles = c->llc.xbar_cycles,
				  .line_bytes = c->llc.sectored ? 0 : c->llc.line_bytes};
}

struct noc_ends memsys_noc_ends(const struct memsys_config *c, bool to_memory)
{
	struct shape shape = memsys_shape(c);

	return (struct noc_ends){.source_queue = c->noc.injection_queue,
				 .sink_queue = to_memory ? c->llc.input_queue : c->noc.ejection_queue,
				 .most_flits = noc_most_flits(&c->noc, &shape)};
}
