/* The rows of a data structure's counters. */
#include "sim-backend/results/structure_counters.h"

#define CORE(field, help) STAT_NAMED(struct structure_counters, core.field, #field, "requests", help)

const struct stat_row structure_stat_rows[] = {
    CORE(l1_accesses, "load requests after coalescing"),
    CORE(l1_hits, "found in the L1"),
    CORE(l1_bypasses, "loads that do not look into the L1"),
    CORE(l1_fills, "lines, or parts of lines, that were put into an L1"),
    CORE(writes, "store requests after coalescing"),
    CORE(write_hits, "of them with some of it present in the L1"),
    CORE(atomics, "atomic requests"),
#define STRUCTURE_MEMORY(field, name, unit, help) STAT_NAMED(struct structure_counters, memory.field, name, unit, help),
#include "sim-backend/memory/structure_memory.def"
#undef STRUCTURE_MEMORY
    STAT_END,
};
