/* The rows of a data structure's counters. */
#include "sim-backend/results/structure_counters.h"

const struct stat_row structure_stat_rows[] = {
#define STAT(kind, field, unit, help) STAT_NAMED(struct structure_counters, core.field, #field, unit, help),
#include "sim-backend/l1/structure_l1.def"
#define STRUCTURE_MEMORY(field, name, unit, help) STAT_NAMED(struct structure_counters, memory.field, name, unit, help),
#include "sim-backend/memory/structure_memory.def"
#undef STRUCTURE_MEMORY
    STAT_END,
};
