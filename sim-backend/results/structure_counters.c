/* The rows of a data structure's counters. */
#include "sim-backend/results/structure_counters.h"

#define CORE(field, help) STAT_NAMED(struct structure_counters, core.field, #field, "requests", help)

#define MEMORY(field, name, unit, help) STAT_NAMED(struct structure_counters, memory.field, name, unit, help)

const struct stat_row structure_stat_rows[] = {
    CORE(l1_accesses, "load requests after coalescing"),
    CORE(l1_hits, "found in the L1"),
    CORE(l1_bypasses, "loads that do not look into the L1"),
    CORE(l1_fills, "lines, or parts of lines, that were put into an L1"),
    CORE(writes, "store requests after coalescing"),
    CORE(write_hits, "of them with some of it present in the L1"),
    CORE(atomics, "atomic requests"),
    MEMORY(accesses, "llc_accesses", "requests", "requests looked up in the LLC"),
    MEMORY(hits, "llc_hits", "requests", "found there, merges included"),
    MEMORY(merges, "llc_merges", "requests", "found on their way from memory"),
    MEMORY(request_flits, "request_flits", "flits", "flits of its requests, into all networks on their way"),
    MEMORY(reply_flits, "reply_flits", "flits", "flits of the replies to them"),
    MEMORY(array_reads, "llc_reads", "accesses", "reads of the LLC's data arrays"),
    MEMORY(sectors_read, "llc_sectors_read", "sectors", "sectors of 32 B that they read"),
    MEMORY(array_writes, "llc_writes", "accesses", "writes of the LLC's data arrays, fills among them"),
    MEMORY(sectors_written, "llc_sectors_written", "sectors", "sectors of 32 B that they wrote"),
    MEMORY(memory_reads, "dram_reads", "transactions", "reads of memory"),
    MEMORY(memory_writes, "dram_writes", "transactions", "writes to memory; a line is charged to who wrote it last"),
    MEMORY(read_bursts, "dram_read_bursts", "bursts", "bursts read"),
    MEMORY(write_bursts, "dram_write_bursts", "bursts", "bursts written"),
    MEMORY(activates, "dram_activates", "commands", "rows opened for it"),
    STAT_END,
};
