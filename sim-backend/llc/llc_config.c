/* The rows of section `llc`, and of the slices' counters. */
#include "sim-backend/llc/llc_config.h"

#include "common/diag.h"

#define TABLE1 "SelRep Table I"

const struct knob llc_knobs[] = {
    KNOB_UINT(struct llc_config, clock_mhz, "MHz", 0, 10000, 0,
	      "clock of the slices; 0 = gpu.clock_mhz, and no faster than that", "not confirmed against the paper"),
    KNOB_UINT(struct llc_config, slices_per_mc, "slices", 1, 64, 16, "slices behind each MC-router",
	      "SelRep section IV"),
    KNOB_UINT(struct llc_config, kilobytes, "KB", 1, 1 << 20, 4096, "capacity of all slices together", TABLE1),
    KNOB_UINT(struct llc_config, ways, "ways", 1, 64, 16, "associativity", TABLE1),
    KNOB_UINT(struct llc_config, line_bytes, "bytes", 32, 256, 128, "line size", TABLE1),
    KNOB_UINT(struct llc_config, latency, "cycles", 1, 1024, 120, "from a request's arrival to its look-up", TABLE1),
    KNOB_UINT(struct llc_config, port_bytes, "bytes", 4, 256, 32, "width of a slice's data port",
	      "SelRep sections IV and V-C: 2.9 TB/s"),
    KNOB_UINT(struct llc_config, input_queue, "requests", 1, 64, 8, "requests waiting in front of a slice", KNOB_OPEN),
    KNOB_UINT(struct llc_config, dram_queue, "requests", 2, 64, 8, "requests waiting from a slice to the channels",
	      KNOB_OPEN),
    KNOB_UINT(struct llc_config, fill_queue, "lines", 1, 64, 4,
	      "lines on their way from the channels to a slice; at least as many as keep its port busy", KNOB_OPEN),
    KNOB_UINT(struct llc_config, mshr_entries, "lines", 1, 1024, 32, "lines a slice may wait for", KNOB_OPEN),
    KNOB_UINT(struct llc_config, mshr_merges, "requests", 1, 1024, 8, "requests that may wait for one line", KNOB_OPEN),
    KNOB_CHOICE(struct llc_config, partial_write, "mask|fill", 0,
		"a write miss that covers a sector in part: keep a byte mask, or fetch the line first", KNOB_OPEN),
    KNOB_BOOL(struct llc_config, sectored, false, "a miss fetches the sectors of 32 B that it lacks, not the line",
	      "option of SAC section V"),
    KNOB_UINT(struct llc_config, atomic_cycles, "cycles", 1, 64, 2, "data port per port-wide piece of an atomic",
	      KNOB_OPEN),
    KNOB_UINT(struct llc_config, xbar_cycles, "cycles", 1, 64, 2, "crossbar between the slices and channels of an MC",
	      KNOB_OPEN),
    KNOB_END,
};

const struct stat_row llc_stat_rows[] = {
    STAT_PROMISED(struct llc_stats, accesses, "requests", "requests looked up"),
    STAT_NAMED(struct llc_stats, hits, "array_hits", "requests", "found in the data array"),
    STAT_COUNT(struct llc_stats, merges, "requests", "found on their way from memory"),
    STAT_PROMISED(struct llc_stats, misses, "requests", "not found"),
    STAT_COUNT(struct llc_stats, reads, "requests", "read requests"),
    STAT_COUNT(struct llc_stats, writes, "requests", "write requests"),
    STAT_COUNT(struct llc_stats, atomics, "requests", "atomic requests"),
    STAT_COUNT(struct llc_stats, read_only, "requests", "requests with the read-only mark"),
    STAT_COUNT(struct llc_stats, replies, "replies", "replies sent"),
    STAT_COUNT(struct llc_stats, data_replies, "replies", "replies with data"),
    STAT_COUNT(struct llc_stats, fills, "fetches", "fetches from memory: of a line, or with llc.sectored of sectors"),
    STAT_COUNT(struct llc_stats, replica_fills, "fetches", "of these, into another slice than the line's home"),
    STAT_COUNT(struct llc_stats, write_backs, "writes", "dirty lines written to memory"),
    STAT_COUNT(struct llc_stats, write_throughs, "writes", "writes passed on to memory at once"),
    STAT_COUNT(struct llc_stats, queue_cycles, "cycles", "cycles that requests waited in the slices' input queues"),
    STAT_COUNT(struct llc_stats, data_beats, "cycles",
	       "cycles in which a data port was busy, all slices: port-wide accesses"),
    STAT_COUNT(struct llc_stats, stall_cycles, "cycles",
	       "cycles a request waited for an MSHR, a way or a queue, all slices"),
    STAT_COUNT(struct llc_stats, array_reads, "accesses", "reads of a data array: hits, atomics, write-backs"),
    STAT_COUNT(struct llc_stats, sectors_read, "sectors", "sectors of 32 B that they read"),
    STAT_COUNT(struct llc_stats, array_writes, "accesses", "writes of a data array: fills, writes, atomics"),
    STAT_COUNT(struct llc_stats, sectors_written, "sectors", "sectors of 32 B that they wrote"),
    STAT_COUNT(struct llc_stats, searched_sets, "sets", "sets that flushes and reorganisations went through"),
    STAT_COUNT(struct llc_stats, directory_searches, "sets", "sets looked up in the policy's directory"),
    STAT_COUNT(struct llc_stats, directory_writes, "entries", "entries written in the policy's directory"),
    STAT_COUNT(struct llc_stats, flushes, "flushes", "flushes and reorganisations"),
    STAT_COUNT(struct llc_stats, flushed_lines, "lines", "lines they invalidated or cleaned"),
    STAT_COUNT(struct llc_stats, flush_cycles, "cycles", "cycles they took"),
    STAT_COUNT(struct llc_stats, drain_cycles, "cycles", "of these, until nothing was in flight"),
    STAT_END,
};

int llc_config_check(const struct llc_config *c, const struct shape *shape, struct diag *d)
{
	uint32_t per_set = shape_slices(shape) * c->ways * c->line_bytes;

	if (c->clock_mhz > shape->core_mhz)
		return diag_file(d, NULL, "llc.clock_mhz is %u; it must not be above gpu.clock_mhz, which is %u",
				 c->clock_mhz, shape->core_mhz);
	if ((uint64_t)c->kilobytes * 1024 % per_set)
		return diag_file(d, NULL,
				 "llc.kilobytes is %u; it must be a multiple of %g: slices * ways * line_bytes",
				 c->kilobytes, per_set / 1024.0);
	return 0;
}
