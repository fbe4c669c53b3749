/* Latencies of an empty machine: of its networks, links, slices and memory, one after the other. */
#include "sim-backend/memory/unloaded.h"

#include "sim-backend/chips/link.h"
#include "sim-backend/dram/channel.h"
#include "sim-backend/noc/networks.h"
#include "sim-backend/base/units.h"

#include <math.h>

/* SMs' cycles in a clock of a slower part: 2 for a part of 750 MHz beside SMs of 1,500. `mhz` 0: the SMs' clock. */
static double cycles_of_clock(const struct memsys_config *c, double mhz)
{
	return mhz > 0 ? c->core_mhz / mhz : 1;
}

/* Through one network; `flits` of a packet follow its first. */
static double way_cycles(const struct memsys_config *c, bool to_memory, double flits)
{
	struct shape shape = memsys_shape(c);

	return (noc_unloaded_clocks(&c->noc, &shape, to_memory) + flits) * cycles_of_clock(c, c->noc.clock_mhz);
}

/* Through both networks, with a line on the way back. */
static double network_cycles(const struct memsys_config *c)
{
	double flits = units_of(c->llc.line_bytes, c->noc.channel_bytes);

	return way_cycles(c, true, 0) + way_cycles(c, false, flits + c->noc.reply_header - 1);
}

/* Over one link and back, with a line on the way back. A packet goes on when all of it has come. */
static double link_cycles(const struct memsys_config *c)
{
	double bytes_per_cycle = link_peak_bytes(&c->chips, c->core_mhz);
	double there = ceil(c->chips.header_bytes / bytes_per_cycle);
	double back = ceil((c->chips.header_bytes + c->llc.line_bytes) / bytes_per_cycle);

	return there + back + 2 * c->chips.hop_latency;
}

/* A row is opened for the line. A cycle passes at either end of the way between slice and channel. */
static double memory_cycles(const struct memsys_config *c)
{
	const struct dram_config *d = &c->dram;
	unsigned channels = c->noc.mc_routers * d->channels_per_mc,
		 bursts = units_of(c->llc.line_bytes, d->burst_bytes);
	double clocks =
	    d->tRCD + d->tCL + (bursts - 1) * fmax(d->burst_clocks, d->tCCDl) + d->burst_clocks + d->extra_clocks;
	double beats = units_of(c->llc.line_bytes, c->llc.port_bytes);

	return clocks * c->core_mhz * 1e6 / (double)dram_hertz(d, channels) + 2 * c->llc.xbar_cycles + beats + 1;
}

struct unloaded_stages unloaded_stages_of(const struct memsys_config *c)
{
	double request = way_cycles(c, true, 0);

	return (struct unloaded_stages){
	    .request_network = request,
	    .pipeline = c->llc.latency * cycles_of_clock(c, c->llc.clock_mhz),
	    .reply_network = network_cycles(c) - request,
	    .memory = memory_cycles(c),
	};
}

struct llc_unloaded unloaded_of(const struct memsys_config *c)
{
	struct link_layout layout = link_layout_of(&c->chips);
	double networks = network_cycles(c), links = link_mean_hops(&layout) * link_cycles(c);

	return (struct llc_unloaded){
	    .hit = networks + c->llc.latency * cycles_of_clock(c, c->llc.clock_mhz),
	    .far = layout.chips > 1 ? networks + links : 0,
	    .miss = memory_cycles(c),
	    .far_miss = layout.chips > 1 ? links + 2 : 0,
	};
}
