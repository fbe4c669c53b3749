/*
 * What requests are charged with on their way, by whoever does the work: by stage, by where their data comes from, and
 * by the data structure that they are for.
 */
#ifndef ROMARK_SIM_CHARGES_H
#define ROMARK_SIM_CHARGES_H

#include "sim-backend/knobs/stat.h"

/*
 * Where the time of round trips goes. Only requests that are answered count. The cycles of all stages add up to the
 * cycles of the round trips. The way over links to another chip's LLC, and through the network behind them, counts as
 * the network's.
 */
struct stage_stats {
	uint64_t requests;
	uint64_t injection_cycles, request_network_cycles, slice_queue_cycles, pipeline_cycles, memory_cycles;
	uint64_t reply_queue_cycles, reply_network_cycles;
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

/* What the requests of one data structure have caused below the L1s. A line is written back for who wrote it last. */
struct structure_memory {
	uint64_t accesses, hits, merges;     /* in the LLC */
	uint64_t request_flits, reply_flits; /* into all networks on their way */
	uint64_t array_reads, sectors_read, array_writes, sectors_written;
	uint64_t memory_reads, memory_writes, read_bursts, write_bursts, activates;
};

extern const struct stat_row stages_stat_rows[], responses_stat_rows[], contents_stat_rows[], chip_stat_rows[];

#endif
