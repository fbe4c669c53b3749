/*
 * Sends synthetic traffic into one component of a machine by itself: the DRAM channels of all controllers, or one of
 * the two networks. This gives load-latency curves, and checks a model against closed forms.
 *
 *   struct probe_traffic t = PROBE_TRAFFIC_DEFAULT;
 *   struct probe_dram_result r;
 *   t.pattern = PROBE_STREAM;
 *   probe_dram(&config, &t, &r);    // config as for memsys_create
 */
#ifndef ROMARK_SIM_PROBE_H
#define ROMARK_SIM_PROBE_H

#include "sim-backend/memory/memsys_config.h"

enum probe_pattern {
	PROBE_UNIFORM,     /* every line, every sink alike */
	PROBE_HOTSPOT,     /* one channel; one sink */
	PROBE_STREAM,      /* dram: line after line */
	PROBE_STRIDE,      /* dram: every `stride` bytes */
	PROBE_CONFLICT,    /* dram: one bank of each channel, another row each time */
	PROBE_PERMUTATION, /* noc: a sink for each source, no two alike and no link shared where the machine allows it
			    */
};

/* Longest packet of probe_noc. */
enum { PROBE_MAX_FLITS = 60 };

struct probe_traffic {
	enum probe_pattern pattern;
	double rate;             /* dram: share of the peak; noc: flits per source and cycle */
	double writes;           /* dram: share of the transactions */
	uint64_t stride;         /* bytes */
	uint64_t warmup, cycles; /* memory clocks or cycles before and during the measurement */
	uint64_t seed;
	bool reply_network;
	unsigned flits; /* noc: per packet */
};

#define PROBE_TRAFFIC_DEFAULT {.rate = 1, .stride = 128, .warmup = 10000, .cycles = 50000, .seed = 1, .flits = 1}

/* Latencies in memory clocks, from arrival at the channel to the last data. */
struct probe_dram_result {
	double bandwidth_fraction, bandwidth_gbs;
	double latency_mean;
	uint64_t latency_min, latency_max;
	double row_hit_rate, memory_mhz;
	uint64_t reads, writes;
};

/* Latencies in cycles, from a packet's creation (waiting in front of the network included) to its arrival. */
struct probe_noc_result {
	double offered, accepted; /* flits per source and cycle */
	double latency_mean;
	uint64_t latency_min, latency_max, latency_zero_load;
	uint64_t packets;
	struct noc_load load[NOC_STAGES]; /* over all cycles, also before the measurement */
};

void probe_dram(const struct memsys_config *config, const struct probe_traffic *traffic,
		struct probe_dram_result *result);
void probe_noc(const struct memsys_config *config, const struct probe_traffic *traffic,
	       struct probe_noc_result *result);

#endif
