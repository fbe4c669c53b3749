/*
 * Parameters and counters of the memory system: sections chips, noc, llc, dram and map of a GPU configuration. The rows
 * with units, ranges, defaults and sources stand in chips/chips_config.c, noc/noc_config.c, llc/llc_config.c,
 * dram/dram_config.c, map/map_config.c. The sections noc, llc and dram describe one chip.
 *
 *   struct memsys_config c = {.sms = 64, .core_mhz = 1400};
 *   knob_defaults(noc_knobs, &c.noc); ...
 *   if (memsys_config_check(&c, &diag) < 0) ...
 */
#ifndef ROMARK_SIM_MEMSYS_CONFIG_H
#define ROMARK_SIM_MEMSYS_CONFIG_H

#include "sim-backend/knobs/knob.h"
#include "sim-backend/memory/memsys.h"

enum noc_switching { NOC_PACKET, NOC_FLIT };
enum noc_vc_choice { NOC_VC_ANY, NOC_VC_OUTPUT };
enum noc_arbiter { NOC_ARBITER_VC, NOC_ARBITER_INPUT };
enum noc_mesh_memory { NOC_MESH_SPREAD, NOC_MESH_EDGES };

struct noc_config {
	uint32_t topology;  /* row of topology_table */
	uint32_t clock_mhz; /* 0: that of the SMs */
	uint32_t sm_routers, mc_routers;
	uint32_t channel_bytes;
	uint32_t vcs, vc_flits;
	uint32_t switching, vc_choice, arbiter; /* enum noc_switching, noc_vc_choice, noc_arbiter */
	uint32_t islip_iterations, speedup, output_queue;
	uint32_t router_stages, link_cycles, mc_router_delay;
	uint32_t injection_queue, ejection_queue;
	bool write_header, reply_header;               /* take a flit of their own */
	uint32_t mesh_columns, mesh_rows, mesh_memory; /* enum noc_mesh_memory */
	uint32_t ring_stops, ring_bytes;
};

enum llc_partial_write { LLC_PARTIAL_MASK, LLC_PARTIAL_FILL };

struct llc_config {
	uint32_t clock_mhz; /* 0: that of the SMs */
	uint32_t slices_per_mc;
	uint32_t kilobytes, ways, line_bytes;
	uint32_t latency, port_bytes;
	uint32_t input_queue, dram_queue, fill_queue;
	uint32_t mshr_entries, mshr_merges;
	uint32_t partial_write; /* enum llc_partial_write */
	bool sectored;
	uint32_t atomic_cycles;
	uint32_t xbar_cycles;
	uint32_t
	    victim_sms; /* SMs that share a victim bit (tags.h); 0: lines have none. Of the L1s' policy: no knob. */
};

enum dram_page_policy { DRAM_OPEN_PAGE, DRAM_CLOSED_PAGE };

struct dram_config {
	uint32_t channels_per_mc;
	double gigabytes_per_second, clock_mhz;
	uint32_t burst_bytes, burst_clocks;
	uint32_t banks, bank_groups, row_bytes;
	uint32_t scheduler; /* row of dram_scheduler_table */
	uint32_t read_queue, write_queue, write_high, write_low, return_queue;
	uint32_t age_cap;
	uint32_t page_policy; /* enum dram_page_policy */
	uint32_t tRC, tRCD, tRP, tCL, tWL, tRAS, tRRDl, tRRDs, tFAW, tRTP, tCCDl, tCCDs, tWTR, tRTW, tWR;
	bool refresh;
	uint32_t tREFI, tRFC;
};

enum map_scheme { MAP_LINEAR, MAP_PERMUTATION, MAP_PAE, MAP_FAE, MAP_ALL, MAP_IPOLY, MAP_PAGE };

struct map_config {
	uint32_t scheme; /* enum map_scheme */
	uint32_t seed;
	uint32_t address_bits;
	uint32_t page_bytes;
};

enum chips_topology { CHIPS_RING, CHIPS_FULL };
enum chips_pages { PAGES_FIRST_TOUCH, PAGES_INTERLEAVE };

enum chips_coherence { COHERENCE_SOFTWARE, COHERENCE_HARDWARE };
enum chips_networks { NETWORKS_TWO, NETWORKS_ONE };

struct chips_config {
	uint32_t count;
	uint32_t topology; /* enum chips_topology */
	uint32_t links;
	double link_gigabytes_per_second;
	uint32_t hop_latency, header_bytes, link_queue;
	uint32_t pages;     /* enum chips_pages */
	uint32_t coherence; /* enum chips_coherence */
	uint32_t networks;  /* enum chips_networks */
	uint32_t directory_entries, directory_ways;
	bool working_set;
};

/* Chips that one chip has links to. */
static inline unsigned chips_neighbours(const struct chips_config *c)
{
	return c->topology == CHIPS_RING && c->count > 2 ? 2 : c->count - 1;
}

/* Links that leave a chip. */
static inline unsigned chips_gates(const struct chips_config *c)
{
	return chips_neighbours(c) * c->links;
}

/* Places for links at each router when a chip's links are dealt out over its routers. */
static inline unsigned chips_gate_places(unsigned gates, unsigned routers)
{
	return (gates + routers - 1) / routers;
}

struct memsys_config {
	uint32_t sms; /* of all chips, spread evenly: over chips, then over noc.sm_routers, consecutive SMs together */
	uint32_t core_mhz; /* clock of the SMs, in whose cycles time is counted */
	struct chips_config chips;
	struct noc_config noc;
	struct llc_config llc;
	struct dram_config dram;
	struct map_config map;
};

extern const struct knob chips_knobs[], noc_knobs[], llc_knobs[], dram_knobs[], map_knobs[];

/* The networks' part of memsys_config_check: whether the topology is possible. 0, or DIAG_ERROR. */
int noc_config_check(const struct memsys_config *config, struct diag *d);

/* Both networks. Latencies run from memsys_send to the cycle the reply can be received. */
struct noc_stats {
	uint64_t request_packets, request_flits, reply_packets, reply_flits;
	uint64_t router_flits; /* flits through a router's switch */
	uint64_t link_flits;   /* flits over a long link, SM-router to MC-router or back */
	uint64_t short_flits;  /* flits over any other link, those at the networks' ends among them */
	uint64_t switch_ports; /* of router_flits: the sum of their routers' inputs and outputs */
	uint64_t round_trips, round_trip_cycles, round_trip_max;
	/* Cycles that a channel was busy, mean of all: from the sources, between routers, to the sinks. */
	double request_in_busy, request_links_busy, request_out_busy;
	double reply_in_busy, reply_links_busy, reply_out_busy;
};

/* The channels of a network: from the sources, between routers, to the sinks. */
enum noc_stage { NOC_IN, NOC_LINKS, NOC_OUT, NOC_STAGES };

/*
 * What the channels of a stage had to carry. A channel is busy in a cycle for each flit; on a link that is slower than
 * its routers a flit takes longer.
 */
struct noc_load {
	unsigned channels;
	double busy, busiest; /* cycles of all channels; of the busiest one */
};

/*
 * Where the time of round trips goes. Of requests that are answered; the cycles of all stages add up to those of the
 * round trips. The way over links to another chip's LLC, and through the network behind them, counts as the network's.
 */
struct stage_stats {
	uint64_t requests;
	uint64_t injection_cycles, request_network_cycles, slice_queue_cycles, pipeline_cycles, memory_cycles;
	uint64_t reply_queue_cycles, reply_network_cycles;
};

/* How many SMs ask for a line within 1,000 cycles (sharing.h). */
struct sharing_stats {
	uint64_t lines, lines_over_2, lines_over_9;
	uint64_t requests, requests_over_2, requests_over_9;
	uint64_t sharers;
	uint64_t lines_shared, lines_shared_read_only;
};

/* accesses = hits + merges + misses; a merge waits for a fill that another request has asked for. */
struct llc_stats {
	uint64_t accesses, hits, merges, misses;
	uint64_t reads, writes, atomics, read_only;
	uint64_t replies, data_replies;
	uint64_t fills, replica_fills;
	uint64_t write_backs, write_throughs; /* DRAM writes caused */
	uint64_t queue_cycles;                /* of requests in the slice's input queue */
	uint64_t data_beats;                  /* port-wide accesses to the data array */
	uint64_t stall_cycles;                /* a looked-up request had to wait for an MSHR, a way or a queue */
	/* Accesses to the data arrays and their 32 B sectors. Replies that leave with a fill read nothing. */
	uint64_t array_reads, sectors_read, array_writes, sectors_written;
	uint64_t searched_sets;                        /* at boundaries */
	uint64_t directory_searches, directory_writes; /* of the policy's directory, if it has one */
	uint64_t flushes, flushed_lines;               /* kernel boundaries and reorganisations */
	uint64_t flush_cycles;                         /* from a boundary's begin until requests flow again */
	uint64_t drain_cycles;                         /* the first part of these: until nothing was in flight */
};

/* reads and writes are transactions of up to a line; a burst is burst_bytes. */
struct dram_stats {
	uint64_t reads, writes, read_bursts, write_bursts;
	uint64_t row_hits, activates, precharges, refreshes;
	uint64_t read_clocks; /* from arrival at the channel to the last data, memory clocks */
};

struct dram_bank_stats {
	uint64_t reads, writes, row_hits, activates;
};

struct link_stats {
	uint64_t packets, bytes;
	uint64_t local_requests, remote_requests;
	uint64_t slice_fetches, slice_fetch_hits, slice_fetch_waits, slice_fetch_passes;
};

/* Responses to SMs by where their data comes from. */
struct response_stats {
	uint64_t local_llc, remote_llc, local_memory, remote_memory;
};

/* What slices hold: lines of the own chip's memory and of others', times the cycles that they hold them. */
struct contents_stats {
	uint64_t local, remote;
};

/* Of one of several chips: responses to its SMs, contents of its slices. */
struct chip_stats {
	struct response_stats responses;
	struct contents_stats contents;
};

/* Of the directories of all chips (chips/directory.h). */
struct coherence_stats {
	uint64_t claims, invalidations, recalls, downgrades, found;
	uint64_t answers, answers_with_data, waits, evictions;
};

enum { WORKING_SET_LENGTHS = 6 };

/* Bytes of lines by who shares them, times the cycles of the windows (memory/working_set.h). */
struct working_set_stats {
	struct working_set_of {
		uint64_t cycles, truly_shared, copies, falsely_shared, not_shared;
	} of[WORKING_SET_LENGTHS]; /* by length of the windows */
};

/* What the requests of one data structure have caused below the L1s. A line is written back for who wrote it last. */
struct structure_memory {
	uint64_t accesses, hits, merges;     /* in the LLC */
	uint64_t request_flits, reply_flits; /* into all networks on their way */
	uint64_t array_reads, sectors_read, array_writes, sectors_written;
	uint64_t memory_reads, memory_writes, read_bursts, write_bursts, activates;
};

struct memsys_stats {
	struct noc_stats noc;
	struct noc_load request_load[NOC_STAGES], reply_load[NOC_STAGES];
	struct link_stats links; /* zeros with one chip */
	struct llc_stats llc;
	struct dram_stats dram;
	struct stage_stats stages;
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

/* Peak of all channels of a chip together. */
static inline double dram_peak_gbs(const struct memsys_config *c)
{
	unsigned channels = c->noc.mc_routers * c->dram.channels_per_mc;

	if (c->dram.clock_mhz > 0)
		return c->dram.clock_mhz * 1e-3 * c->dram.burst_bytes / c->dram.burst_clocks * channels;
	return c->dram.gigabytes_per_second;
}

extern const struct stat_row links_stat_rows[], noc_stat_rows[], stages_stat_rows[], sharing_stat_rows[],
    llc_stat_rows[], dram_stat_rows[], bank_stat_rows[], responses_stat_rows[], contents_stat_rows[], chip_stat_rows[],
    working_set_stat_rows[], coherence_stat_rows[];

#endif
