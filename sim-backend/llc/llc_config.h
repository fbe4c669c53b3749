/*
 * Parameters and counters of the LLC: section llc of a GPU configuration, and what it reports. They describe one chip.
 * Units, ranges, defaults and sources are in llc_config.c.
 */
#ifndef ROMARK_SIM_LLC_CONFIG_H
#define ROMARK_SIM_LLC_CONFIG_H

#include "sim-backend/base/shape.h"
#include "sim-backend/knobs/knob.h"
#include "sim-backend/knobs/stat.h"

enum llc_partial_write { LLC_PARTIAL_MASK, LLC_PARTIAL_FILL };

struct llc_config {
	uint32_t clock_mhz; /* 0: the SMs' clock */
	uint32_t slices_per_mc;
	uint32_t kilobytes, ways, line_bytes;
	uint32_t latency, port_bytes;
	uint32_t input_queue, dram_queue, fill_queue;
	uint32_t mshr_entries, mshr_merges;
	uint32_t partial_write; /* enum llc_partial_write */
	bool sectored;
	uint32_t atomic_cycles;
	uint32_t xbar_cycles;
	/* SMs that share a victim bit (tag_array.h); 0: no such bits. No knob: the L1s' policy sets it. */
	uint32_t victim_sms;
};

extern const struct knob llc_knobs[];

struct diag;

/* Whether the capacity makes whole sets. 0, or DIAG_ERROR. */
int llc_config_check(const struct llc_config *config, const struct shape *shape, struct diag *d);

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

extern const struct stat_row llc_stat_rows[];

#endif
